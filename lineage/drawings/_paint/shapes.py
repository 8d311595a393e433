"""The shapes in a diagram as matplotlib's paths, in px."""

from collections.abc import Sequence
from math import dist
from typing import TYPE_CHECKING

from lineage.drawings._paint.brush import breadth
from lineage.layout.diagram import FONT, LINE, RADIUS, SMALL_FONT, SMALL_LINE, Node
from lineage.layout.language import Glyph, Point

if TYPE_CHECKING:
    from matplotlib.path import Path

BOLD_FONT = 0.9 * FONT
"""The size at which bold words take about the room that plain ones of the size FONT take."""

_CORNER = 6.0
_HEAD = 6.5
_PAD = 6.0


def arrow(points: Sequence[Point], before: float, after: float) -> tuple["Path", "Path"]:
    """The line of an arrow along some points, with round corners, and its head.

    They begin and end so far from the first and the last point.
    """
    from matplotlib.path import Path

    last, previous = points[-1], points[-2]
    tip, foot = _towards(last, previous, after), _towards(last, previous, after + _HEAD)
    aside = ((tip[1] - foot[1]) / 2, (foot[0] - tip[0]) / 2)
    head = [tip, (foot[0] + aside[0], foot[1] + aside[1]), (foot[0] - aside[0], foot[1] - aside[1]), tip]
    line = [_towards(points[0], points[1], before), *points[1:-1], _towards(last, previous, after + _HEAD / 2)]
    return _rounded(line), Path(head, closed=True)


def _towards(begin: Point, end: Point, length: float) -> Point:
    """The point so far from one point in the direction of another."""
    part = length / (dist(begin, end) or 1.0)
    return begin[0] + part * (end[0] - begin[0]), begin[1] + part * (end[1] - begin[1])


def _rounded(points: Sequence[Point]) -> "Path":
    from matplotlib.path import Path

    vertices, codes = [points[0]], [Path.MOVETO]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        room = min(_CORNER, dist(before, corner) / 2, dist(corner, after) / 2)
        vertices += [_towards(corner, before, room), corner, _towards(corner, after, room)]
        codes += [Path.LINETO, Path.CURVE3, Path.CURVE3]
    return Path([*vertices, points[-1]], [*codes, Path.LINETO])


def sign(glyph: Glyph, at: Point) -> tuple[list["Path"], list["Path"]]:
    """The closed and the open shapes of a glyph around a point."""
    from matplotlib.path import Path

    radius = RADIUS * glyph.size

    def around(points: Sequence[Point]) -> list[Point]:
        return [(at[0] + x * radius, at[1] + y * radius) for x, y in points]

    closed = [Path.circle(at, glyph.circle * radius)] if glyph.circle else []
    if glyph.polygon:
        closed.append(Path(around([*glyph.polygon, glyph.polygon[0]]), closed=True))
    return closed, [Path(around(line)) for line in glyph.lines]


def panel(node: Node) -> "Path":
    """What lies behind a memory in effect: its sign and its words."""
    from matplotlib.patches import BoxStyle

    x, y = node.label
    widths = [breadth(node.caption, SMALL_FONT), *(breadth(words, BOLD_FONT, bold=True) for words in node.lines)]
    left, right = node.x - RADIUS - _PAD, x + max(widths) + 1.5 * _PAD
    top, bottom = min(node.y - RADIUS, y) - _PAD / 2, y + LINE * len(node.lines) + SMALL_LINE + _PAD / 2
    return BoxStyle.Round(pad=0, rounding_size=_PAD)(left, top, right - left, bottom - top, 1)
