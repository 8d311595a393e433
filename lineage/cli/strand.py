"""One lineage as `trace` tells it: numbered nodes, links between them, and the path to what is live."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lineage.layout.language import Look
from lineage.model import MASKING, LinkKind, Role, Void

if TYPE_CHECKING:
    import pandas as pd

    import lineage

_COLUMNS = ["id", "role", "status", "created_at", "text"]
_LOOKS = {Role.MARKER: Look.MARKER, Role.LOG: Look.LOG, Role.GHOST: Look.GHOST}


@dataclass(frozen=True)
class Node:
    """A memory, a marker or a missing memory; `day` is empty where it is not known."""

    id: str
    role: str
    look: Look
    day: str
    text: str


@dataclass(frozen=True)
class Link:
    """A link from a node; `target` is -1 where its other end, called `name`, is not in the lineage."""

    source: int
    target: int
    kind: str
    declared_by: str
    via: str
    implied: bool
    void: str | None
    name: str
    by_hand: bool = False

    @property
    def joins(self) -> bool:
        """Whether it joins two nodes of the tree."""
        masks = self.kind in MASKING and self.void not in {Void.SELF, Void.AMBIGUOUS, Void.BOUNDARY}
        return masks and self.target >= 0 and self.target != self.source

    def as_dict(self, nodes: Sequence[Node]) -> dict[str, Any]:
        """The link as plain values, its ends by their ids."""
        names = ("kind", "declared_by", "via", "implied", "void")
        ends = {"source": nodes[self.source].id, "target": self.name}
        return {**ends, **{name: getattr(self, name) for name in names}}


@dataclass(frozen=True)
class Strand:
    """The nodes from the oldest to the newest, and every link that one of them states."""

    name: str
    asked: str
    nodes: Sequence[Node]
    links: Sequence[Link]

    @cached_property
    def drawn(self) -> Sequence[Link]:
        """The links of the tree."""
        return [link for link in self.links if link.joins]

    @cached_property
    def undrawn(self) -> Sequence[Link]:
        """The links that join nothing in it."""
        return [link for link in self.links if not link.joins]

    @cached_property
    def led(self) -> set[int]:
        """What is live, and every memory that led to it through links that count."""
        older: dict[int, list[int]] = {}
        for link in self.drawn:
            if link.kind == LinkKind.SUPERSEDES and not link.void:
                older.setdefault(link.source, []).append(link.target)
        led = {number for number, node in enumerate(self.nodes) if node.look is Look.LIVE}
        waiting = list(led)
        while waiting:
            for before in older.get(waiting.pop(), ()):
                if before not in led:
                    led.add(before)
                    waiting.append(before)
        return led

    def on_path(self, link: Link) -> bool:
        """Whether a link leads on towards what is live."""
        return link.kind == LinkKind.SUPERSEDES and not link.void and link.source in self.led

    @property
    def path(self) -> list[str]:
        """The ids on the way from the oldest memories to what is live, the oldest first."""
        return [self.nodes[number].id for number in sorted(self.led)]


def strand(found: "lineage.Lineage", asked: str) -> Strand:
    """One lineage; what is missing is taken to be older than what names it."""
    rows = _rows(found.memories[_COLUMNS])
    rows.sort(key=lambda row: (row["created_at"] is not None, row["created_at"] or 0, row["id"]))
    nodes = [_node(row) for row in rows]
    numbers = {node.id: number for number, node in enumerate(nodes)}
    links = [_link(row, numbers) for row in _rows(found.links) if row["source"] in numbers]
    return Strand(found.id, asked, nodes, links)


def _rows(frame: "pd.DataFrame") -> list[dict[str, Any]]:
    """The rows of a frame, with None for every kind of null."""
    objects = frame.astype(object)
    plain = objects.where(objects.notna(), None)
    return [{str(name): value for name, value in row.items()} for row in plain.to_dict("records")]


def _node(row: Mapping[str, Any]) -> Node:
    day = f"{row['created_at']:%Y-%m-%d}" if row["created_at"] else ""
    look = Look(row["status"]) if row["status"] else _LOOKS[Role(row["role"])]
    return Node(row["id"], row["role"], look, day, row["text"] or "")


def _link(row: Mapping[str, Any], numbers: Mapping[str, int]) -> Link:
    return Link(
        source=numbers[row["source"]],
        target=numbers.get(row["target"], -1),
        kind=row["kind"],
        declared_by=row["declared_by"],
        via=row["via"],
        implied=bool(row["implied"]),
        void=row["void"],
        name=row["target"] or "",
        by_hand=bool(row["by_hand"]),
    )
