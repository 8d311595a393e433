"""SVG: text as text, no script, nothing loaded; readable in the light, in the dark and aloud."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import dist
from pathlib import Path

from lineage.drawings.base import Picture
from lineage.layout.diagram import FONT, LINE, RADIUS, SMALL_FONT, SMALL_LINE, Diagram, Edge, Node
from lineage.layout.labels import px
from lineage.layout.language import DARK, GLYPHS, LIGHT, Glyph, LinkStyle, Look, Point, Stroke
from lineage.layout.sheet import ARROW, BORDER, TITLE, Sheet, sheet
from lineage.text import for_logs, printable

_STYLE = Path(__file__).with_name("templates") / "diagram.css"
_CORNER = 7.0
_HEAD = 6.5
_DASHES = {Stroke.SOLID: "", Stroke.DASHED: "5 4", Stroke.DOTTED: "2 2.2"}


def svg(diagram: Diagram, *, prefix: str = "ln", standalone: bool = True) -> str:
    """The diagram as an SVG element.

    A file of its own when `standalone`. Otherwise a part of a page, without a
    heading, a legend, paper or its style, which `style` gives once for all; no
    ids but those that begin with `prefix` are used, so that a page can hold many.
    """
    around = sheet(diagram)
    top = around.top if standalone else 0.0
    width, height = (around.width, around.height) if standalone else (diagram.width, diagram.height)
    inner = [
        f'<title id="{prefix}-title">{_text(diagram.title)}</title>',
        f'<desc id="{prefix}-desc">{_text(" ".join([diagram.about, *diagram.folded]))}</desc>',
        *([f"<style>{style()}</style>", '<rect class="ln-paper" width="100%" height="100%"/>'] if standalone else []),
        *(_heading(around) if standalone else []),
        f'<g transform="translate(0 {_n(top)})">' if standalone else "<g>",
        *(_panel(node) for node in diagram.nodes if node.look is Look.LIVE),
        *_edges(diagram),
        *(_node(node) for node in diagram.nodes),
        *(_legend(around) if standalone else []),
        "</g>",
    ]
    root = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ln-diagram" role="img" width="{_n(width)}" '
        f'height="{_n(height)}" viewBox="0 0 {_n(width)} {_n(height)}" aria-labelledby="{prefix}-title {prefix}-desc">'
    )
    return "\n".join([root, *inner, "</svg>"]) + "\n"


def style() -> str:
    """The style of every diagram, light and dark; its rules touch nothing outside of diagrams."""
    tones = {name: "".join(f"--ln-{tone}:{colour};" for tone, colour in every.items()) for name, every in _TONES}
    return _STYLE.read_text(encoding="utf-8").replace("/*light*/", tones["light"]).replace("/*dark*/", tones["dark"])


_TONES = (("light", LIGHT), ("dark", DARK))


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _text(value: str) -> str:
    """Any text as part of an XML document."""
    return for_logs(escape(printable(value)))


def _at(point: Point) -> str:
    return f"{_n(point[0])} {_n(point[1])}"


def _words(at: Point, value: str, kind: str) -> str:
    return f'<text class="{kind}" x="{_n(at[0])}" y="{_n(at[1])}">{_text(value)}</text>'


def _heading(around: Sheet) -> Iterator[str]:
    y = BORDER + TITLE
    yield _words((BORDER, y), around.title, "ln-heading")
    for number, line in enumerate(around.heading):
        yield _words((BORDER, y + 8 + SMALL_LINE * (number + 0.8)), line, "ln-small")


def _legend(around: Sheet) -> Iterator[str]:
    for entry in around.legend:
        x, y = entry.at
        if isinstance(entry.of, Look):
            sign = _glyph(GLYPHS[entry.of], (x + RADIUS, y))
            meaning = GLYPHS[entry.of].means
            yield f'<g class="ln-{entry.of}"><title>{_text(meaning)}</title>{sign}</g>'
        else:
            yield f"<g>{_arrow([(x, y), (x + ARROW, y)], entry.of, 0, 0)}</g>"
        yield _words(entry.words, entry.said, "ln-small")


def _glyph(glyph: Glyph, at: Point) -> str:
    radius = RADIUS * glyph.size
    made = []
    closed = f'class="{"ln-full" if glyph.filled else "ln-open"}"{_dashes(glyph.stroke)}'
    if glyph.circle:
        made.append(f'<circle {closed} cx="{_n(at[0])}" cy="{_n(at[1])}" r="{glyph.circle * radius:.2f}"/>')
    if glyph.polygon:
        made.append(f'<polygon {closed} points="{_around(glyph.polygon, at, radius)}"/>')
    made += [f'<polyline class="ln-line" points="{_around(line, at, radius)}"/>' for line in glyph.lines]
    return "".join(made)


def _around(points: Sequence[Point], at: Point, radius: float) -> str:
    return " ".join(_at((at[0] + x * radius, at[1] + y * radius)) for x, y in points)


def _dashes(stroke: Stroke) -> str:
    return f' stroke-dasharray="{_DASHES[stroke]}"' if _DASHES[stroke] else ""


def _edges(diagram: Diagram) -> Iterator[str]:
    """Plain edges first, those that stand out last, so that they lie above; each names its ends."""
    nodes = diagram.nodes
    for edge in sorted(diagram.edges, key=lambda edge: (edge.circle, edge.void is not None)):
        source, target = nodes[edge.source], nodes[edge.target]
        rims = (_rim(source), _rim(target))
        label = _words(edge.label_at, edge.label, f"ln-label ln-t-{edge.style.tone}") if edge.label else ""
        yield (
            f'<g class="ln-edge" data-source="{source.key}" data-target="{target.key}">'
            f"<title>{_text(_said(edge, source, target))}</title>{_arrow(edge.points, edge.style, *rims)}{label}</g>"
        )


def _said(edge: Edge, source: Node, target: Node) -> str:
    ends = [node.id or " ".join(node.lines) for node in (source, target)]
    effect = f", without effect: {edge.void}" if edge.void else ""
    return f"{ends[0]} {edge.kind} {ends[1]}{effect}{', part of a circle' if edge.circle else ''}"


def _rim(node: Node) -> float:
    return RADIUS * GLYPHS[node.look].size + (4.5 if node.asked else 1.5)


def _towards(begin: Point, end: Point, length: float) -> Point:
    part = length / (dist(begin, end) or 1.0)
    return begin[0] + part * (end[0] - begin[0]), begin[1] + part * (end[1] - begin[1])


def _arrow(points: Sequence[Point], look: LinkStyle, before: float, after: float) -> str:
    """A line with round corners that begins and ends so far from its ends, and its head."""
    last, previous = points[-1], points[-2]
    tip, foot = _towards(last, previous, after), _towards(last, previous, after + _HEAD)
    aside = ((tip[1] - foot[1]) / 2, (foot[0] - tip[0]) / 2)
    head = [tip, (foot[0] + aside[0], foot[1] + aside[1]), (foot[0] - aside[0], foot[1] - aside[1])]
    line = [_towards(points[0], points[1], before), *points[1:-1], _towards(last, previous, after + _HEAD / 2)]
    return (
        f'<path class="ln-link ln-t-{look.tone}" stroke-width="{look.width}"{_dashes(look.stroke)}'
        f' d="{_rounded(line)}"/>'
        f'<polygon class="ln-head ln-t-{look.tone}" points="{" ".join(map(_at, head))}"/>'
    )


def _rounded(points: Sequence[Point]) -> str:
    made = [f"M{_at(points[0])}"]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        room = min(_CORNER, dist(before, corner) / 2, dist(corner, after) / 2)
        made.append(f"L{_at(_towards(corner, before, room))}Q{_at(corner)} {_at(_towards(corner, after, room))}")
    return "".join([*made, f"L{_at(points[-1])}"])


def _node(node: Node) -> str:
    kinds = ["ln-node", f"ln-{node.look}", *(["ln-few"] if node.small else []), *(["ln-asked"] if node.asked else [])]
    return (
        f'<g class="{" ".join(kinds)}" data-key="{node.key}" data-look="{node.look}">'
        f"<title>{_text(_told(node))}</title>{''.join(_drawn(node))}</g>"
    )


def _told(node: Node) -> str:
    """All that is known of a node, for whoever points at it or has it read."""
    facts = [GLYPHS[node.look].word, node.kind or "", node.day or node.caption, node.id]
    return "\n".join(part for part in ((node.text or "").strip(), " · ".join(fact for fact in facts if fact)) if part)


def _drawn(node: Node) -> Iterable[str]:
    x, y = node.label
    line = SMALL_LINE if node.small else LINE
    bottom = y + line * len(node.lines)
    if node.asked:
        radius = RADIUS * GLYPHS[node.look].size + 3
        yield f'<circle class="ln-ring" cx="{_n(node.x)}" cy="{_n(node.y)}" r="{_n(radius)}"/>'
    yield _glyph(GLYPHS[node.look], (node.x, node.y))
    size = SMALL_FONT if node.small else FONT
    for number, words in enumerate(node.lines):
        yield _words((x, y + line * (number + 0.5) + 0.35 * size), words, "ln-words")
    if node.caption:
        yield _words((x, bottom + SMALL_LINE / 2 + 0.35 * SMALL_FONT), node.caption, "ln-small")


def _panel(node: Node) -> str:
    """What lies behind a memory in effect: its sign and its words."""
    x, y = node.label
    # Words in bold may run wider than they are measured.
    widths = [px(node.caption, SMALL_FONT), *(1.06 * px(words, FONT) for words in node.lines)]
    left, top = node.x - RADIUS - 5, min(node.y - RADIUS, y) - 3
    width, height = x + max(widths) + 6 - left, y + LINE * len(node.lines) + SMALL_LINE + 3 - top
    return f'<rect class="ln-panel" x="{_n(left)}" y="{_n(top)}" width="{_n(width)}" height="{_n(height)}" rx="6"/>'


def _draw(diagram: Diagram) -> bytes:
    return ('<?xml version="1.0" encoding="UTF-8"?>\n' + svg(diagram)).encode()


DRAWING = Picture(name="svg", suffix=".svg", draw=_draw, about="a picture for pages and documents, its text as text")
