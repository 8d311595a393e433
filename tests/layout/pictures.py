"""Graphs to lay out, and what can be said of any diagram."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from hypothesis import strategies as st

from lineage.layout.diagram import FONT, LINE, SMALL_FONT, SMALL_LINE, Diagram, Edge, Node
from lineage.layout.labels import px
from tests.graphs import memory
from tests.records import Record

Box = tuple[float, float, float, float]
Segment = tuple[float, float, float, float]

KINDS = ("supersedes", "supersedes", "supersedes", "relates", "conflicts")


@st.composite
def records(draw: Callable[..., int], most: int = 14) -> list[Record]:
    """Memories that name each other, themselves and missing ones in any way."""
    names = [f"m{number:02d}" for number in range(draw(st.integers(1, most)))]
    targets = st.sampled_from([*names, "gone", "lost"])
    link = st.builds(lambda kind, target: {"kind": kind, "target": target}, st.sampled_from(KINDS), targets)
    declared = st.sampled_from([None, None, "live", "ended"])
    return [
        memory(
            name,
            at=1 + number,
            links=draw(st.lists(link, max_size=3)),
            declared=draw(declared),
            text="Decide " * number,
        )
        for number, name in enumerate(names)
    ]


@st.composite
def trees(draw: Callable[..., int], most: int = 24) -> list[Record]:
    """Memories of which each replaces an earlier one: a tree of forks."""
    size = draw(st.integers(1, most))
    return [
        memory(f"m{number:02d}", [f"m{draw(st.integers(0, number - 1)):02d}"] if number else (), at=1 + number)
        for number in range(size)
    ]


def box(node: Node) -> Box:
    """The room of a node's glyph and text: left, top, right, bottom."""
    size, line = (SMALL_FONT, SMALL_LINE) if node.small else (FONT, LINE)
    wide = max([*(px(words, size) for words in node.lines), px(node.caption, SMALL_FONT)])
    high = line * len(node.lines) + (SMALL_LINE if node.caption else 0)
    left, top = node.label
    return min(left, node.x - 6.5), min(top, node.y - 6.5), left + wide, max(top + high, node.y + 6.5)


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def segments(edge: Edge) -> list[Segment]:
    """The straight pieces of an edge: left, top, right, bottom."""
    return [
        (min(x, onward), min(y, down), max(x, onward), max(y, down)) for (x, y), (onward, down) in pairwise(edge.points)
    ]


def through(edge: Edge, diagram: Diagram) -> Iterable[Node]:
    """The nodes other than its ends whose glyphs an edge runs through."""
    for number, node in enumerate(diagram.nodes):
        if number not in {edge.source, edge.target} and any(
            overlap(piece, (node.x - 4, node.y - 4, node.x + 4, node.y + 4)) for piece in segments(edge)
        ):
            yield node


def crossings(edges: Sequence[Edge]) -> int:
    """How often pieces of edges cross at a right angle, inside of both."""
    upright = [piece for edge in edges for piece in segments(edge) if piece[0] == piece[2]]
    level = [piece for edge in edges for piece in segments(edge) if piece[1] == piece[3]]
    return sum(left < x < right and top < y < bottom for x, top, _, bottom in upright for left, y, right, _ in level)
