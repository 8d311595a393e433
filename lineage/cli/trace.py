"""`lineage trace`: one memory's whole lineage, as a tree."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

import lineage
from lineage.cli.options import Run, shared
from lineage.cli.streams import emit_lines, wants_colour, width
from lineage.cli.table import COLOURS, short_id
from lineage.cli.tree import Edge, forest, lines
from lineage.model import MASKING, LinkKind, Role, Status, Void
from lineage.text import shortened

if TYPE_CHECKING:
    import pandas as pd

_LEAST_TEXT = 24
_STATUSES = max(map(len, Status))
_COLUMNS = ["id", "role", "status", "created_at", "text"]


@dataclass(frozen=True)
class _Node:
    """A memory, a marker or a missing memory."""

    id: str
    role: str
    status: str
    day: str
    text: str


@dataclass(frozen=True)
class _Link:
    """A link from a node; `target` is None where its other end, called `name`, is not in the lineage."""

    source: int
    target: int | None
    kind: str
    void: str | None
    implied: bool
    name: str

    @property
    def about(self) -> str:
        """What is worth saying of it: nothing where it simply supersedes."""
        said = [] if self.kind == LinkKind.SUPERSEDES else [f"{self.kind} it"]
        said += ["implied"] if self.implied else []
        said += [f"without effect: {self.void}"] if self.void else []
        return f"({', '.join(said)}) " if said else ""


def _rows(frame: "pd.DataFrame") -> list[dict[str, Any]]:
    """The rows of a frame, with None for every kind of null."""
    objects = frame.astype(object)
    plain = objects.where(objects.notna(), None)
    return [{str(name): value for name, value in row.items()} for row in plain.to_dict("records")]


def _nodes(found: "lineage.Lineage") -> list[_Node]:
    """The nodes from the oldest to the newest; what is missing is taken to be older than what names it."""
    rows = _rows(found.memories[_COLUMNS])
    rows.sort(key=lambda row: (row["created_at"] is not None, row["created_at"] or 0, row["id"]))
    return [
        _Node(
            row["id"],
            row["role"],
            row["status"] or ("missing" if row["role"] == Role.GHOST else row["role"]),
            f"{row['created_at']:%Y-%m-%d}" if row["created_at"] else "",
            row["text"] or "",
        )
        for row in rows
    ]


def _links(found: "lineage.Lineage", numbers: Mapping[str, int]) -> list[_Link]:
    return [
        _Link(
            numbers[row["source"]],
            numbers.get(row["target"]),
            row["kind"],
            row["void"],
            bool(row["implied"]),
            row["target"] or "",
        )
        for row in _rows(found.links)
        if row["source"] in numbers
    ]


def _led_to_live(nodes: Sequence[_Node], links: Sequence[_Link]) -> set[int]:
    """The live memories, and every memory that led to one through links that count."""
    older: list[list[int]] = [[] for _ in nodes]
    for link in links:
        if link.kind == LinkKind.SUPERSEDES and not link.void and link.target is not None:
            older[link.source].append(link.target)
    led = {number for number, node in enumerate(nodes) if node.status == Status.LIVE}
    waiting = list(led)
    while waiting:
        for before in older[waiting.pop()]:
            if before not in led:
                led.add(before)
                waiting.append(before)
    return led


def _drawn(link: _Link) -> bool:
    """Whether the link joins two nodes of the tree."""
    joins = link.kind in MASKING and link.void not in {Void.SELF, Void.AMBIGUOUS, Void.BOUNDARY}
    return joins and link.target is not None and link.target != link.source


def _heading(name: str, nodes: Sequence[_Node], across: int) -> str:
    roles = Counter(node.role for node in nodes)
    live = sum(node.status == Status.LIVE for node in nodes)
    memories = roles[Role.MEMORY]
    more = [
        f"{roles[role]:,} {word}" for role, word in ((Role.MARKER, "markers"), (Role.GHOST, "missing")) if roles[role]
    ]
    counts = [f"{memories:,} {'memory' if memories == 1 else 'memories'}", *more, f"{live:,} live"]
    return f"Lineage {short_id(name, across)}: {', '.join(counts)}"


def _mark(number: int, node: _Node, led: set[int]) -> str:
    if node.role != Role.MEMORY:
        return "?" if node.role == Role.GHOST else "×"
    return "●" if number in led else "○"


def _tree(nodes: Sequence[_Node], links: Sequence[_Link], asked: str, across: int) -> Iterator[str]:
    led = _led_to_live(nodes, links)
    colour = wants_colour()

    def show(number: int, about: str, taken: int) -> str:
        node = nodes[number]
        start, status = _mark(number, node, led), node.status.ljust(_STATUSES)
        day, name = node.day, short_id(node.id, across)
        here = "  <- asked for" if node.id == asked else ""
        text = shortened(
            node.text, max(_LEAST_TEXT, across - taken - len(start + status + day + name + about + here) - 6)
        )
        if colour:
            status = click.style(status, fg=COLOURS.get(node.status), bold=number in led)
            name, here = click.style(name, bold=bool(here)), click.style(here, bold=True)
        return f"{start} {status}  {day:10}  {name}  {about}{text}{here}".rstrip()

    def refer(number: int, about: str, _taken: int) -> str:
        return f"{about}{short_id(nodes[number].id, across)}, which stands elsewhere in this tree"

    edges = [Edge(link.source, link.target, link.about) for link in links if _drawn(link) and link.target is not None]
    yield from lines(forest(len(nodes), edges), show, refer)


def _rest(nodes: Sequence[_Node], links: Sequence[_Link], across: int) -> Iterator[str]:
    """The links that are not part of the tree, each in a line."""
    left = [link for link in links if not _drawn(link)]
    if left:
        yield ""
        yield "Links that join nothing:"
    for link in left:
        effect = f" (without effect: {link.void})" if link.void else ""
        yield f"  {short_id(nodes[link.source].id, across)} {link.kind} {short_id(link.name, across)}{effect}"


@click.command("trace")
@click.argument("id")
@shared(kind=False)
def command(run: Run, *, id: str) -> None:
    """Draw the whole lineage of one memory as a tree.

    ID is the memory's id, or a beginning of 8 characters or more that only one id has. In the tree each memory was
    replaced by the next one in its column; what stands indented below a memory acts on it too.
    """
    with run.waiting() as waiting:
        graph = run.graph(waiting)
        asked = graph.core.id(graph.find(id))
        found = graph.lineage(asked)
        nodes = _nodes(found)
        links = _links(found, {node.id: number for number, node in enumerate(nodes)})
    legend = "● led to what is live, ○ did not, × marker, ? missing"
    across = width()
    heading, tree = _heading(found.id, nodes, across), _tree(nodes, links, asked, across)
    emit_lines(chain((heading, ""), tree, _rest(nodes, links, across), ("", legend)))
