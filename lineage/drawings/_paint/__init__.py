"""A diagram painted by matplotlib, in light tones: below its title, above a legend of what occurs."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from lineage.drawings._paint.brush import LINES, PANELS, SIGNS, WORDS, Brush, breadth
from lineage.drawings._paint.shapes import BOLD_FONT, arrow, panel, sign
from lineage.layout.diagram import FONT, LINE, RADIUS, SMALL_FONT, SMALL_LINE, Diagram, Edge, Node
from lineage.layout.language import GLYPHS, LIGHT, LinkStyle, Look, Point
from lineage.layout.sheet import ARROW, BORDER, TITLE, Sheet, sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.path import Path

_PX_PER_INCH = 96
_POINTS_PER_INCH = 72
_MOST_INCHES = 100.0
# However long and narrow a diagram is, its image has a dot in every direction.
_LEAST_INCHES = 0.02
_LINE_OF_SIGN = 1.5


def paint(diagram: Diagram, ax: "Axes | None" = None) -> "Axes":
    """Paint a diagram into axes, its text in proportion to their present size.

    Where there are none, they are made in a new pyplot figure, which notebooks show by themselves.
    """
    if ax is None:
        from matplotlib import pyplot

        width, height = inches(diagram)
        scale = min(1, _MOST_INCHES / max(width, height))
        made = pyplot.figure(figsize=(width * scale, height * scale), facecolor=LIGHT["paper"])
        ax = made.add_axes((0, 0, 1, 1))
    around = sheet(diagram)
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.set_xlim(0, around.width)
    ax.set_ylim(around.height - around.top, -around.top)
    room = ax.get_window_extent()
    dots = min(room.width / around.width, room.height / around.height)
    brush = Brush(ax, dots * _POINTS_PER_INCH / ax.figure.dpi)
    _around(brush, around)
    for style in diagram.styles:
        _edges(brush, style, [edge for edge in diagram.edges if edge.style == style], diagram.nodes)
    for look in diagram.looks:
        _nodes(brush, look, [node for node in diagram.nodes if node.look is look])
    return ax


def inches(diagram: Diagram) -> tuple[float, float]:
    """The width and height of a painted diagram at 96 px to the inch."""
    around = sheet(diagram)
    return around.width / _PX_PER_INCH, around.height / _PX_PER_INCH


def figure(diagram: Diagram, scale: float) -> "Figure":
    """A figure with a painted diagram, so many times its size; it is none of pyplot's."""
    from matplotlib.figure import Figure

    width, height = (max(side * scale, _LEAST_INCHES) for side in inches(diagram))
    made = Figure(figsize=(width, height), facecolor=LIGHT["paper"])
    paint(diagram, made.add_axes((0, 0, 1, 1)))
    return made


def _around(brush: Brush, around: Sheet) -> None:
    y = BORDER + TITLE - around.top
    brush.words((BORDER, y), around.title, TITLE, "ink", bold=True)
    for number, line in enumerate(around.heading):
        brush.words((BORDER, y + TITLE / 2 + SMALL_LINE * (number + 0.8)), line, SMALL_FONT, "soft")
    for entry in around.legend:
        x, y = entry.at
        if isinstance(entry.of, Look):
            _signs(brush, entry.of, [(x + RADIUS, y)])
        else:
            _arrows(brush, entry.of, [arrow([(x, y), (x + ARROW, y)], 0, 0)])
        brush.words(entry.words, entry.said, SMALL_FONT, "soft")


def _edges(brush: Brush, style: LinkStyle, edges: Sequence[Edge], nodes: Sequence[Node]) -> None:
    """The edges of one style, from the rim of a sign to the rim of another."""
    ends = [(_radius(nodes[edge.source]), _radius(nodes[edge.target])) for edge in edges]
    _arrows(brush, style, [arrow(edge.points, *rims) for edge, rims in zip(edges, ends, strict=True)])
    for edge in edges:
        if edge.label:
            brush.words(edge.label_at, edge.label, SMALL_FONT, style.tone, halo=True)


def _radius(node: Node) -> float:
    return RADIUS * GLYPHS[node.look].size + (4.5 if node.asked else 1.5)


def _arrows(brush: Brush, style: LinkStyle, arrows: Sequence[tuple["Path", "Path"]]) -> None:
    lines, heads = [line for line, _ in arrows], [head for _, head in arrows]
    brush.paths(lines, LINES, edge=style.tone, width=style.width, stroke=style.stroke)
    brush.paths(heads, LINES, fill=style.tone)


def _signs(brush: Brush, look: Look, places: Iterable[Point]) -> None:
    glyph = GLYPHS[look]
    made = [sign(glyph, at) for at in places]
    fill = look if glyph.filled else "paper"
    closed, lines = [path for shapes, _ in made for path in shapes], [path for _, shapes in made for path in shapes]
    brush.paths(closed, SIGNS, edge=look, fill=fill, width=_LINE_OF_SIGN, stroke=glyph.stroke)
    brush.paths(lines, SIGNS, edge=look, width=_LINE_OF_SIGN)


def _nodes(brush: Brush, look: Look, nodes: Sequence[Node]) -> None:
    """The nodes of one look: what lies behind them, their signs, the ring of the one asked for, their words."""
    from matplotlib.path import Path

    if look is Look.LIVE:
        brush.paths([panel(node) for node in nodes], PANELS, fill="wash")
    _signs(brush, look, [(node.x, node.y) for node in nodes])
    rings = [Path.circle((node.x, node.y), RADIUS * GLYPHS[look].size + 3) for node in nodes if node.asked]
    brush.paths(rings, SIGNS, edge="ink", width=_LINE_OF_SIGN)
    for node in nodes:
        _words(brush, node)
    if look is Look.DELETED:
        brush.paths([path for node in nodes for path in _strikes(node)], WORDS, edge=look, width=1)


def _words(brush: Brush, node: Node) -> None:
    for words, at in _baselines(node):
        if node.look is Look.LIVE:
            brush.words(at, words, BOLD_FONT, "ink", bold=True)
        else:
            tone = "ink" if node.look is Look.CYCLIC else "soft"
            brush.words(at, words, SMALL_FONT if node.small else FONT, tone)
    x, y = node.label
    top = y + (SMALL_LINE if node.small else LINE) * len(node.lines)
    brush.words((x, top + SMALL_LINE / 2 + 0.35 * SMALL_FONT), node.caption, SMALL_FONT, "soft")


def _baselines(node: Node) -> Iterator[tuple[str, Point]]:
    """The lines of a node, and where each begins."""
    size, line = (SMALL_FONT, SMALL_LINE) if node.small else (FONT, LINE)
    x, y = node.label
    for number, words in enumerate(node.lines):
        yield words, (x, y + line * (number + 0.5) + 0.35 * size)


def _strikes(node: Node) -> Iterator["Path"]:
    """The lines that strike out what a deleted memory says."""
    from matplotlib.path import Path

    for words, (x, y) in _baselines(node):
        yield Path([(x, y - 0.3 * FONT), (x + breadth(words, FONT), y - 0.3 * FONT)])
