"""What changed as one self-contained HTML page, in the look of the report: no script, nothing loaded.

Every value passes `printable` on its way into the page (the environment's
`finalize`) and is then escaped, so the template cannot forget either.
"""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lineage.differences.base import Difference
from lineage.model import Severity
from lineage.renderers._page.environment import environment
from lineage.reporting import changelog, digest
from lineage.reporting.changelog import Section
from lineage.reporting.diff import Diff

if TYPE_CHECKING:
    from jinja2 import Template

_TEMPLATES = Path(__file__).with_name("templates")
_GLYPHS = {Severity.ERROR: "✗", Severity.WARNING: "▲", Severity.INFO: "·", None: "✓"}
_MOST_BYTES = 4_000_000


@dataclass(frozen=True)
class _Limits:
    """How much the page shows of each list, of each text (in characters), and of the ids beside a memory."""

    rows: int = 500
    text: int = 700
    ids: int = 6
    places: int = 4


def _cut(section: Section, limits: _Limits) -> Section:
    return replace(section, part=replace(section.part, shown=section.part.shown[: limits.rows]))


def _context(diff: Diff, limits: _Limits) -> dict[str, Any]:
    sections = [_cut(section, limits) for section in changelog.sections(diff)]
    return {
        "diff": diff,
        "limits": limits,
        "glyphs": _GLYPHS,
        "nouns": digest.NOUNS,
        "day": digest.day,
        "story": changelog.story,
        "reworded": changelog.reworded,
        "verdict": changelog.verdict(diff),
        "worst": changelog.worst(diff),
        "sides": list(zip(("Old", "New"), changelog.sides(diff), strict=True)),
        "sections": sections,
        "omissions": [section.part.sentence for section in sections if section.part.omitted],
    }


@cache
def _template() -> "Template":
    from jinja2 import FileSystemLoader

    return environment().overlay(loader=FileSystemLoader(_TEMPLATES)).get_template("diff.html.j2")


def render(diff: Diff) -> bytes:
    """The whole page; lists are cut further where it would exceed a few megabytes."""
    limits = _Limits()
    page = _template().render(_context(diff, limits)).encode("utf-8", "backslashreplace")
    while len(page) > _MOST_BYTES and limits.rows > 1:
        limits = replace(limits, rows=max(limits.rows // 4, 1))
        page = _template().render(_context(diff, limits)).encode("utf-8", "backslashreplace")
    return page


DIFFERENCE = Difference(name="html", about="one page for people, complete in itself", suffix=".html", render=render)
