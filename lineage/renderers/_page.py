"""What the HTML page shows beside its lists: tiles, diagrams, charts, and what links to what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from lineage.drawings.svg import svg
from lineage.layout.diagram import Diagram
from lineage.layout.labels import short_id
from lineage.layout.language import GLYPHS
from lineage.model import Severity
from lineage.renderers import _charts as charts
from lineage.reporting import digest
from lineage.reporting.digest import counted
from lineage.reporting.model import Details, Finding, Head, HeadDetails, Report
from lineage.text import printable

_UNKNOWN = HeadDetails(format="", module=None, rejected=(), tags=(), provenance={}, signals={})
_GRAVE = (Severity.ERROR, Severity.WARNING)
_UNREADABLE = ("LIN901", "LIN902")
_MOST_UNREADABLE = 20
_LONGEST_NAME = 500
_WIDE, _WHOLE = 380.0, 760.0


@dataclass(frozen=True)
class Tile:
    """A number at the top, and where it leads."""

    name: str
    count: int
    kind: str
    anchor: str


@dataclass(frozen=True)
class Figure:
    """A diagram on the page; `key` is its element's id."""

    key: str
    id: str
    name: str
    svg: str
    size: str
    width: float
    height: float
    findings: Sequence[Finding]
    folded: Sequence[str] = field(default_factory=list)

    @property
    def breadth(self) -> str:
        """How much of the page's width it wants."""
        return "whole" if self.width > _WHOLE else "wide" if self.width > _WIDE else ""


def known(id: str) -> str:
    """What a memory is called on the page."""
    return printable(id)[:_LONGEST_NAME]


def anchor(id: str) -> str:
    """Where the row of a live head, or a memory in a diagram, is to be found."""
    return "#memory=" + quote(known(id), safe="")


def context(report: Report, heads: Sequence[Head]) -> dict[str, Any]:
    """What the templates ask for; without details their parts stay empty."""
    details = report.details
    troubles = _troubles(report)
    drawn = _figures(report, details, troubles) if details else {}
    told = dict(details.heads) if details else {}
    told |= {head.id: _UNKNOWN for head in heads if head.id not in told}
    inside = {
        node.id for diagram in (details.diagrams.values() if details else ()) for node in diagram.nodes if node.id
    }
    return {
        "tiles": _tiles(report),
        "drawn": drawn,
        "undrawn": _undrawn(report, drawn),
        "legend": _legend(details),
        "here": inside | {head.id for head in heads},
        "told": told,
        "troubles": {head.id: troubles.get(head.id, [])[:3] for head in heads},
        "said": details.said if details else {},
        "facets": _facets(heads, told),
        "rules": [f"{group.rule} {group.name}" for group in digest.rule_groups(report)],
        "severities": list(dict.fromkeys(digest.NOUNS[group.severity] for group in digest.rule_groups(report))),
        "unreadable": [item for item in report.findings if item.rule in _UNREADABLE][:_MOST_UNREADABLE],
        **_over_time(details),
    }


def sections(report: Report) -> list[str]:
    """The sections that only a report with details has."""
    details = report.details
    if details is None:
        return []
    where = details.places.files or details.places.modules
    return [*(["time"] if len(details.activity.starts) else []), *(["where"] if where else [])]


def _over_time(details: Details | None) -> dict[str, Any]:
    if details is None or not len(details.activity.starts):
        return {"charts": [], "activity": None, "outside": "", "periods": [], "places": details and details.places}
    found = details.activity
    drawn = [charts.events(found), charts.in_effect(found)]
    if details.survival.ended:
        drawn.append(charts.lasting(details.survival))
    columns = (found.made, found.superseded, found.reversed, found.in_effect)
    starts = [str(start) for start in found.starts]
    outside = f"{counted(found.outside, 'time')} before 1970 or still to come: not shown." if found.outside else ""
    return {
        "charts": drawn,
        "activity": found,
        "outside": outside,
        "periods": list(zip(starts, *(column.tolist() for column in columns), strict=True))[::-1],
        "places": details.places,
    }


def _tiles(report: Report) -> list[Tile]:
    counts, found = report.summary, report.summary.findings
    statuses = [
        Tile(status, count, status, "lineages")
        for status, count in counts.by_status.items()
        if status != "live" and (count or status in {"superseded", "reversed"})
    ]
    levels = [
        Tile(
            f"{digest.NOUNS[level]}s" if found.get(level, 0) != 1 else digest.NOUNS[level],
            found.get(level, 0),
            level,
            "findings",
        )
        for level in Severity
    ]
    return [
        Tile("live", counts.live_heads, "live", "live_heads"),
        *statuses,
        *levels,
        Tile("orphans", counts.orphans, "orphans", "orphans"),
        Tile("cycles", counts.cycles, "cycles", "cycles"),
    ]


def _troubles(report: Report) -> dict[str, list[Finding]]:
    """The errors and warnings that name each memory."""
    found: dict[str, list[Finding]] = {}
    for item in report.findings:
        if item.severity in _GRAVE:
            for memory in dict.fromkeys(item.memories):
                found.setdefault(memory, []).append(item)
    return found


def _figures(report: Report, details: Details, troubles: Mapping[str, Sequence[Finding]]) -> dict[str, Figure]:
    rows = {row.id: row for row in report.lineages}
    made = {}
    for number, (lineage, diagram) in enumerate(details.diagrams.items(), start=1):
        row, key = rows.get(lineage), f"lineage-{number}"
        size = f"{counted(row.size, 'node')}, {counted(len(row.live_heads), 'live head')}" if row else ""
        held = _named(diagram, lineage, troubles)
        drawing = svg(diagram, prefix=key, standalone=False).replace("<svg ", f'<svg id="{key}" ', 1)
        made[lineage] = Figure(
            key, lineage, short_id(lineage), drawing, size, diagram.width, diagram.height, held, list(diagram.folded)
        )
    return made


def _named(diagram: Diagram, lineage: str, troubles: Mapping[str, Sequence[Finding]]) -> list[Finding]:
    """The errors and warnings about the memories of a diagram, one of each rule."""
    ids = [lineage, *(node.id for node in diagram.nodes)]
    by_rule = {item.rule: item for id in reversed(ids) for item in troubles.get(id, ())}
    return [by_rule[rule] for rule in sorted(by_rule)]


def _undrawn(report: Report, drawn: Mapping[str, Figure]) -> str:
    total = len(report.lineages) + int(report.truncated.get("lineages", 0))
    listed = {row.id for row in report.lineages}
    rest = total - len(listed & set(drawn))
    return f"{counted(rest, 'more lineage')} without a diagram here: `lineage draw` draws them." if rest else ""


def _legend(details: Details | None) -> list[Any]:
    looks = {look for diagram in (details.diagrams.values() if details else ()) for look in diagram.looks}
    return [glyph for look, glyph in GLYPHS.items() if look in looks]


def _facets(heads: Sequence[Head], told: Mapping[str, HeadDetails]) -> dict[str, list[str]]:
    return {
        "kind": sorted({head.kind for head in heads if head.kind}),
        "scope": sorted({head.scope for head in heads if head.scope}),
        "module": sorted({known for head in heads if (known := told[head.id].module)}),
        "format": sorted({known for head in heads if (known := told[head.id].format)}),
    }
