"""What stands around a diagram: a heading above it and a legend of what occurs below."""

from collections.abc import Sequence
from dataclasses import dataclass

from lineage.layout.diagram import RADIUS, SMALL_FONT, SMALL_LINE, Diagram
from lineage.layout.labels import px
from lineage.layout.language import GLYPHS, LinkStyle, Look, Point
from lineage.text import ems, wrapped

BORDER = 12.0
TITLE = 16.0
ARROW = 24.0
"""The length of the arrow that stands for links of a style."""

_LEAST_WIDTH = 400.0
_BETWEEN = 18.0
_PAD = 6.0


@dataclass(frozen=True)
class Entry:
    """A thing in the legend: `at` is the left end of its sign and the middle of its height, `words` where they begin.

    Both are in the px of the diagram.
    """

    of: Look | LinkStyle
    said: str
    at: Point
    words: Point


@dataclass(frozen=True)
class Sheet:
    """The size of everything in px, the diagram beginning at `top`; the lines of the heading, and the legend."""

    width: float
    height: float
    top: float
    title: str
    heading: Sequence[str]
    legend: Sequence[Entry]


def sheet(diagram: Diagram) -> Sheet:
    """Measure a diagram with its heading and legend."""
    width = max(diagram.width, _LEAST_WIDTH)
    room = width - 2 * BORDER
    title = wrapped(diagram.title, room / TITLE, 1, ems)[0]
    said = [words for words in (diagram.about, *diagram.folded) if words]
    heading = [line for words in said for line in wrapped(words, room / SMALL_FONT, 3, ems)]
    legend, bottom = _legend(diagram, width - BORDER)
    top = BORDER + 1.5 * TITLE + SMALL_LINE * len(heading) + _PAD
    return Sheet(width, top + bottom + BORDER, top, title, heading, legend)


def _legend(diagram: Diagram, right: float) -> tuple[list[Entry], float]:
    """The entries in rows, and where the last row ends."""
    entries: list[Entry] = []
    x, y = BORDER, diagram.height + SMALL_LINE + _PAD
    occurring: list[Look | LinkStyle] = [*diagram.looks, *diagram.styles]
    for entry in occurring:
        said = GLYPHS[entry].word if isinstance(entry, Look) else entry.word
        before = (2 * RADIUS if isinstance(entry, Look) else ARROW) + _PAD
        breadth = before + px(said, SMALL_FONT)
        if x > BORDER and x + breadth > right:
            x, y = BORDER, y + 1.5 * SMALL_LINE
        entries.append(Entry(entry, said, (x, y), (x + before, y + 0.35 * SMALL_FONT)))
        x += breadth + _BETWEEN
    return entries, y + SMALL_LINE / 2
