"""A badge for a README, as SVG: how many memories are in effect, and how many faults there are.

It is drawn here, so that showing it asks nobody. Text is about as wide as
DejaVu Sans sets it; whatever font there is has to fill that width.
"""

from lineage.renderers.base import Renderer
from lineage.reporting import digest
from lineage.reporting.model import Report
from lineage.text import ems, xml

# White text stands on each of these with a contrast of 4.5 or more.
_GROUND = "#555"
_COLOURS = {"error": "#cb2431", "warning": "#9a6700", "fine": "#2c7a2c", "empty": "#6a737d"}
_FONT = 11
_SET = 0.89 * _FONT
"""What an em of the generous measure comes to, in pixels."""
_HEIGHT = 20
_MARGIN = 6


def _width(text: str) -> int:
    """The width of a text in pixels."""
    return round(sum(map(ems, text)) * _SET)


def _text(text: str, left: int, width: int) -> str:
    middle = left + width / 2 + _MARGIN
    return f'<text x="{middle:g}" y="14" textLength="{width}">{xml(text)}</text>'


def render(report: Report) -> bytes:
    """The whole SVG file."""
    badge = digest.badge(report)
    name = xml(f"{badge.label}: {badge.message}")
    left, right = _width(badge.label), _width(badge.message)
    edge, width = left + 2 * _MARGIN, left + right + 4 * _MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{_HEIGHT}" role="img" aria-label="{name}">',
        f"  <title>{name}</title>",
        f'  <clipPath id="lineage-badge"><rect width="{width}" height="{_HEIGHT}" rx="3"/></clipPath>',
        '  <g clip-path="url(#lineage-badge)">',
        f'    <rect width="{edge}" height="{_HEIGHT}" fill="{_GROUND}"/>',
        f'    <rect x="{edge}" width="{width - edge}" height="{_HEIGHT}" fill="{_COLOURS[badge.mood]}"/>',
        "  </g>",
        f'  <g fill="#fff" font-family="Verdana,\'DejaVu Sans\',sans-serif" font-size="{_FONT}" text-anchor="middle">',
        f"    {_text(badge.label, 0, left)}",
        f"    {_text(badge.message, edge, right)}",
        "  </g>",
        "</svg>",
        "",
    ]
    return "\n".join(lines).encode()


RENDERER = Renderer(
    name="badge",
    about="for a README: a badge (SVG)",
    suffix=".badge.svg",
    render=render,
)
