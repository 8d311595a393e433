"""`lineage trace`: one memory's whole lineage, as a tree."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import click

import lineage
from lineage.cli.files import refuse_to_overwrite, write_file
from lineage.cli.options import Run, shared
from lineage.cli.strand import Link, Strand, strand
from lineage.cli.streams import emit, emit_lines, note, wants_colour, width
from lineage.cli.table import COLOURS
from lineage.cli.tree import Edge, forest, lines
from lineage.layout.labels import short_id
from lineage.layout.language import GLYPHS, Look
from lineage.model import LinkKind, Role
from lineage.text import cells, shortened

_LEAST_TEXT = 16
_FORMATS = ("text", "json", "mermaid", "dot", "svg")
_WORDS = max(len(glyph.word) for glyph in GLYPHS.values())


def _heading(found: Strand) -> str:
    roles = Counter(node.role for node in found.nodes)
    live = sum(node.look is Look.LIVE for node in found.nodes)
    memories = roles[Role.MEMORY]
    more = [
        f"{roles[role]:,} {word if roles[role] == 1 else words}"
        for role, word, words in ((Role.MARKER, "marker", "markers"), (Role.GHOST, "missing", "missing"))
        if roles[role]
    ]
    counts = [f"{memories:,} {'memory' if memories == 1 else 'memories'}", *more, f"{live:,} live"]
    return f"Lineage {short_id(found.name)}: {', '.join(counts)}"


def _about(link: Link) -> str:
    """What is worth saying of a link: nothing where it simply supersedes."""
    said = [] if link.kind == LinkKind.SUPERSEDES else [f"{link.kind} it"]
    said += ["implied"] if link.implied else []
    said += [link.via] if link.by_hand else []
    said += [f"without effect: {link.void}"] if link.void else []
    return f"({', '.join(said)}) " if said else ""


def _tree(found: Strand, across: int) -> Iterator[str]:
    nodes, colour = found.nodes, wants_colour()
    shown: set[int] = set()

    def show(number: int, about: str, taken: int) -> str:
        shown.add(number)
        node = nodes[number]
        glyph = GLYPHS[node.look]
        start = f"{glyph.character} {glyph.word.ljust(_WORDS)}"
        name = short_id(node.id)
        here = "  <- asked for" if node.id == found.asked else ""
        used = taken + cells(f"{start}  {node.day:10}  {name}  {about}{here}")
        text = shortened(node.text, max(_LEAST_TEXT, across - used))
        if colour:
            start = click.style(start, fg=COLOURS.get(node.look), bold=number in found.led)
            name, here = click.style(name, bold=bool(here)), click.style(here, bold=True)
        return f"{start}  {node.day:10}  {name}  {about}{text}{here}".rstrip()

    def refer(number: int, about: str, _taken: int) -> str:
        where = "above" if number in shown else "below"
        closes = ": the circle closes" if number in shown and nodes[number].look is Look.CYCLIC else ""
        does = "" if about else " replaced this too"
        return f"{about}{GLYPHS[nodes[number].look].character} {short_id(nodes[number].id)}{does}, see {where}{closes}"

    edges = [Edge(link.source, link.target, _about(link), found.on_path(link)) for link in found.drawn]
    yield from lines(forest(len(nodes), edges), show, refer)


def _rest(found: Strand) -> Iterator[str]:
    """The links that are not part of the tree, each in a line."""
    if found.undrawn:
        yield ""
        yield "Links that join nothing:"
    for link in found.undrawn:
        effect = f" (without effect: {link.void})" if link.void else ""
        yield f"  {short_id(found.nodes[link.source].id)} {link.kind} {short_id(link.name)}{effect}"


def _legend(found: Strand, across: int) -> Iterator[str]:
    yield ""
    occurring = {node.look for node in found.nodes}
    for look in Look:
        if look in occurring:
            yield shortened(f"{GLYPHS[look].character} {GLYPHS[look].word}: {GLYPHS[look].means}", across)
    if any(found.on_path(link) for link in found.drawn):
        yield shortened("━ heavy lines lead from the oldest memory to what is live", across)


def _text(found: Strand) -> Iterator[str]:
    across = width()
    return chain((_heading(found), ""), _tree(found, across), _rest(found), _legend(found, across))


def _json(graph: "lineage.Graph", found: Strand) -> bytes:
    numbers = graph.sorted(graph.lineage(found.asked).nodes, "created")
    document = {
        "lineage": found.name,
        "asked": found.asked,
        "path": found.path,
        "memories": list(graph.listing(numbers)),
        "links": [link.as_dict(found.nodes) for link in found.links],
    }
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "replace")


@click.command("trace")
@click.argument("id")
@click.option(
    "-f",
    "--format",
    type=click.Choice(_FORMATS),
    default="text",
    show_default=True,
    help="A tree to read, its data, or a drawing.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(),
    default="-",
    show_default=True,
    help="File, or - for standard output.",
)
@shared(kind=False)
def command(run: Run, *, id: str, format: str, output: str) -> None:
    """Draw the whole lineage of one memory as a tree.

    ID is the memory's id, or a beginning of 8 characters or more that only one id has. In the tree each memory was
    replaced by the next one in its column; what stands indented below a memory acts on it too. Heavy lines lead from
    the oldest memory to what is live.
    """
    if output != "-":
        refuse_to_overwrite(Path(output), run.inputs)
    folded: Sequence[str] = ()
    with run.waiting() as waiting:
        graph = run.graph(waiting)
        asked = graph.core.id(graph.find(id))
        if format in {"text", "json"}:
            found = strand(graph.lineage(asked), asked)
            content = _json(graph, found) if format == "json" else None
        else:
            drawing = lineage.draw(graph, format, lineage=asked)
            content, folded = drawing.content, drawing.folded
    if content is None and output == "-":
        emit_lines(_text(found))
    else:
        pieces = [content] if content is not None else ((line + "\n").encode() for line in _text(found))
        emit(pieces) if output == "-" else write_file(Path(output), pieces)
    if not run.quiet:
        for sentence in folded:
            note(sentence)
