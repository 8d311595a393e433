"""The report as one self-contained HTML page: nothing loaded, no link to anywhere, whole without its script.

The page shows the top of each list: a page of any corpus stays small enough to open.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from lineage.renderers._page import charts, overview
from lineage.renderers._page.anchors import fragment
from lineage.renderers._page.environment import environment
from lineage.renderers._page.figures import Figure, figures, legend, links
from lineage.renderers._page.findings import GRAVE, Group, Told, groups, troubles
from lineage.renderers._page.limits import Limits, everything
from lineage.renderers.base import Renderer
from lineage.reporting import digest, trend
from lineage.reporting.digest import Part, counted
from lineage.reporting.model import Details, Report

_FEW = 1_000
_MOST_BYTES_OF_FEW = 1_000_000
_MOST_BYTES = 4_000_000
_ROUNDING = 0.95


def _parts(report: Report, limits: Limits) -> dict[str, Part]:
    kept = {"live_heads": limits.heads, "orphans": limits.rows, "cycles": limits.cycles, "lineages": limits.rows}
    inputs = Part(report.inputs[: limits.inputs], len(report.inputs), ("input", "inputs"))
    return {name: digest.beginning(report, name, limit) for name, limit in kept.items()} | {"inputs": inputs}


def _gravest(shown: Sequence[Group]) -> list[tuple[Group, Told]]:
    """The first finding of each of the gravest rules."""
    return [(group, group.shown[0]) for group in shown if group.severity in GRAVE][:3]


def _unmentioned(report: Report, told: int) -> str:
    rest = sum(report.summary.findings.get(level, 0) for level in GRAVE) - told
    return f"and {counted(rest, 'more error or warning', 'more errors and warnings')}" if rest > 0 else ""


def _menu(report: Report, parts: Mapping[str, Part]) -> list[tuple[str, str, int | None]]:
    """The parts of the page: anchor, title, and how many entries there are."""
    totals = {name: part.total for name, part in parts.items()}
    return [
        ("findings", "Findings", sum(report.summary.findings.values())),
        ("live_heads", "Live heads", totals["live_heads"]),
        ("lineages", "Lineages", totals["lineages"]),
        *([("quality", "Quality", None)] if report.quality and report.quality.score is not None else []),
        ("time", "Time", None),
        ("places", "Files and modules", None),
        ("orphans", "Orphans", totals["orphans"]),
        ("cycles", "Cycles", totals["cycles"]),
        ("inputs", "Intake", totals["inputs"]),
    ]


def _charts(report: Report, details: Details) -> list[charts.Chart]:
    many = digest.subject(report)[1]
    drawn = []
    if len(details.activity.starts):
        drawn += [charts.made_and_ended(details.activity, many), charts.in_effect(details.activity, many)]
    if details.survival.ended:
        drawn.append(charts.survival(details.survival, many))
    return drawn


def _addresses(heads: Sequence[Any], drawn: Sequence[Figure]) -> tuple[dict[str, str], dict[tuple[str, str], str]]:
    """Where each memory stands: its row, or else its node in a diagram; and the addresses of those nodes."""
    memories = {head.id: fragment("memory", head.id) for head in heads}
    nodes: dict[tuple[str, str], str] = {}
    for figure in drawn:
        for node in figure.memories:
            if node.id not in memories:
                nodes[figure.key, node.key] = memories[node.id] = fragment("memory", node.id)
    return memories, nodes


def _top(report: Report, shown: Sequence[Group]) -> dict[str, Any]:
    gravest = _gravest(shown)
    return {
        "subject": digest.subject(report),
        "verdict": digest.verdict(report),
        "worst": digest.worst(report),
        "read": overview.read(report),
        "unread": overview.unread(report),
        "moment": overview.moment(report),
        "tiles": overview.tiles(report),
        "holds": overview.holds(report),
        "bar": overview.bar(report.summary.by_status),
        "gravest": gravest,
        "unmentioned": _unmentioned(report, len(gravest)),
        "findings_line": digest.findings_line(report.summary.findings),
        "tallies": overview.tallies(report),
        "quality": report.quality if report.quality and report.quality.score is not None else None,
        "graded": trend.told(report.quality, report.against) if report.quality else "",
        "aspects": list(trend.rows(report.quality, report.against)) if report.quality else [],
    }


def _omissions(shown: Sequence[Group], parts: Mapping[str, Part], drawn: Sequence[Figure]) -> list[str]:
    said = [part.sentence for part in [*shown, *parts.values()] if part.omitted]
    total = parts["lineages"].total
    if len(drawn) < total:
        said.append(
            f"Diagrams of {len(drawn):,} of {counted(total, 'lineage')}: those in trouble first, then the largest."
        )
    return said


def _context(report: Report, details: Details, limits: Limits) -> dict[str, Any]:
    parts = _parts(report, limits)
    shown = groups(report, details, limits)
    drawn = figures(report, details.diagrams, limits)
    memories, nodes = _addresses(parts["live_heads"].shown, drawn)
    lineages = {
        name: fragment("lineage", name)
        for name in [*(figure.lineage for figure in drawn), *(row.id for row in parts["lineages"].shown)]
    }
    of_heads, of_lineages = troubles(report, limits, details.heads, lineages)
    return {
        "report": report,
        "summary": report.summary,
        "details": details,
        "limits": limits,
        "groups": shown,
        "figures": drawn,
        "pictures": {figure.lineage: figure for figure in drawn},
        "legend": legend(drawn),
        "link_styles": links(drawn),
        "memories": memories,
        "nodes": nodes,
        "lineage_addresses": lineages,
        "troubles": of_heads,
        "lineage_troubles": of_lineages,
        "charts": _charts(report, details),
        "lasting": charts.lasting(details.survival, digest.subject(report), past=report.as_of is not None),
        "unreadable": overview.unreadable(report.findings),
        "menu": _menu(report, parts),
        "omissions": [*_omissions(shown, parts, drawn), *map("Not looked for: {}.".format, report.skipped)],
        **_top(report, shown),
        **parts,
    }


def render(report: Report) -> bytes:
    """The whole page; unless it is to hold everything, lists are cut further where it would get too large."""
    if report.details is None:
        raise ValueError("the page shows the details of a report, and there are none")
    template = environment().get_template("report.html.j2")
    full = report.details.full
    limits = everything() if full else Limits()
    room = _MOST_BYTES_OF_FEW if report.summary.memories <= _FEW else _MOST_BYTES
    page = template.render(_context(report, report.details, limits)).encode()
    while not full and len(page) > room and limits.heads > 1:
        limits = limits.tighter(_ROUNDING * room / len(page))
        page = template.render(_context(report, report.details, limits)).encode()
    return page


RENDERER = Renderer(
    name="html",
    about="one page for people, complete in itself",
    suffix=".html",
    render=render,
    detailed=True,
)
