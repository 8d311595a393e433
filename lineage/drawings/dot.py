"""Graphviz's own language: the signs and words of a diagram, which Graphviz puts in places of its own."""

from collections.abc import Iterator, Mapping, Sequence

from lineage.drawings.base import Picture
from lineage.layout.diagram import Diagram, Edge, Node
from lineage.layout.language import GLYPHS, LIGHT, Look
from lineage.layout.stacking import stacked
from lineage.model import MASKING
from lineage.text import one_line, printable

# Of a longer string than 16,384 bytes Graphviz says that its end is missing.
_LONGEST_TEXT = 4_000

_POINTS_PER_PX = 0.75
_BOXES: Mapping[Look, Mapping[str, str]] = {
    Look.LIVE: {"style": "rounded,filled", "fillcolor": LIGHT["wash"], "penwidth": "2", "fontname": "Helvetica-Bold"},
    Look.DELETED: {"style": "rounded,dashed"},
    Look.CYCLIC: {"penwidth": "2.5"},
    Look.MARKER: {"style": "diagonals"},
    Look.LOG: {"style": "solid"},
    Look.GHOST: {"style": "rounded,dotted"},
    Look.STUB: {"style": "dashed"},
    Look.FOLD: {"shape": "folder", "style": "solid"},
}
_OF_NODES = {"shape": "box", "style": "rounded", "margin": "0.12,0.07", "fontname": "Helvetica"}
_OF_EDGES = {"fontname": "Helvetica", "fontsize": "9", "arrowsize": "0.7"}


def draw(diagram: Diagram) -> bytes:
    """The whole file."""
    nodes = diagram.nodes
    lines = [
        f"graph {_attributes(_of_graph(diagram))}",
        f"node {_attributes(_OF_NODES)}",
        f"edge {_attributes(_OF_EDGES)}",
        *(f"{node.key} {_attributes(_of_node(node))}" for node in nodes),
        *_edges(diagram),
        *(f"{nodes[upper].key} -> {nodes[lower].key} [style=invis]" for upper, lower in stacked(diagram)),
    ]
    body = "".join(f"  {line}\n" for line in lines)
    return f"digraph lineage {{\n{body}}}\n".encode()


def _attributes(values: Mapping[str, str]) -> str:
    return "[" + " ".join(f'{name}="{value}"' for name, value in values.items()) + "]"


def _quoted(words: str) -> str:
    """Words for a quoted string, in which Graphviz reads escapes and HTML's entities."""
    shown = printable(words)
    shown = shown if len(shown) <= _LONGEST_TEXT else shown[: _LONGEST_TEXT - 1] + "…"
    for sign, stands in (("\\", "\\\\"), ('"', '\\"'), ("&", "&amp;"), ("\n", "\\n"), ("\t", " ")):
        shown = shown.replace(sign, stands)
    return shown


def _lines(*lines: str) -> str:
    """Lines that begin at the left."""
    return "".join(f"{_quoted(one_line(line))}\\l" for line in lines if line)


def _tooltip(words: str) -> str:
    """Words for a tooltip, in which Graphviz reads escapes a second time: nothing may follow a backslash at once."""
    return _quoted(words).replace("\\\\", "\\\\\u200b")


def _of_graph(diagram: Diagram) -> dict[str, str]:
    return {
        "charset": "UTF-8",
        "rankdir": "RL" if diagram.rightwards else "TB",
        "nodesep": "0.3",
        "ranksep": "0.4",
        "fontname": "Helvetica",
        "fontcolor": LIGHT["soft"],
        "labelloc": "t",
        "labeljust": "l",
        "label": _lines(diagram.title, diagram.about, *diagram.folded),
    }


def _of_node(node: Node) -> dict[str, str]:
    glyph = GLYPHS[node.look]
    return {
        "label": _lines(f"{glyph.character} {glyph.word}", *node.lines, node.caption),
        "tooltip": _tooltip(node.text or glyph.means),
        "color": LIGHT[node.look],
        "fontcolor": LIGHT["ink" if node.look in {Look.LIVE, Look.CYCLIC} else "soft"],
        "fontsize": "9" if node.small else "11",
        **_BOXES.get(node.look, {}),
        **({"peripheries": "2"} if node.asked else {}),
    }


def _edges(diagram: Diagram) -> Iterator[str]:
    """The edges; those without a say in what stands above what have none unless nothing else does."""
    nodes = diagram.nodes
    ranked = {end for edge in diagram.edges if _ranks(edge, nodes) for end in (edge.source, edge.target)}
    for edge in diagram.edges:
        free = {} if _ranks(edge, nodes) or not {edge.source, edge.target} <= ranked else {"constraint": "false"}
        yield f"{nodes[edge.source].key} -> {nodes[edge.target].key} {_attributes(_of_edge(edge) | free)}"


def _ranks(edge: Edge, nodes: Sequence[Node]) -> bool:
    """Whether its target is to stand behind its source: what it replaced, or what is nowhere else."""
    outside = {nodes[edge.source].look, nodes[edge.target].look} & {Look.STUB, Look.GHOST}
    return bool(outside) or (edge.kind in MASKING and edge.void is None)


def _of_edge(edge: Edge) -> dict[str, str]:
    style = edge.style
    values = {"color": LIGHT[style.tone], "style": style.stroke, "penwidth": f"{style.width * _POINTS_PER_PX:.3g}"}
    if edge.label:
        values |= {"label": f" {_quoted(one_line(edge.label))}", "fontcolor": LIGHT[style.tone]}
    return values


DRAWING = Picture(
    name="dot",
    suffix=".dot",
    draw=draw,
    about="for Graphviz",
)
