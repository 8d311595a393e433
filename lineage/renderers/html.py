"""The report as one self-contained HTML page: nothing is loaded, no link leads away, and its script is no condition.

Every value passes `printable` on its way into the page (the environment's
`finalize`) and is then escaped, so a template cannot forget either. The page
shows the top of each list: a page of any corpus stays small enough to open.
"""

import base64
import hashlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lineage.drawings.svg import style as diagram_style
from lineage.model import Severity
from lineage.renderers import _page as page
from lineage.renderers.base import Renderer
from lineage.reporting import digest
from lineage.reporting.digest import Part, RuleGroup, counted
from lineage.reporting.model import Report
from lineage.text import printable, shortened

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES = Path(__file__).with_name("templates")
_GLYPHS = {Severity.ERROR: "✗", Severity.WARNING: "▲", Severity.INFO: "·", None: "✓"}
_LISTS = ("heads", "findings", "rows", "cycles", "inputs", "places_shown")
_FEW, _MOST_BYTES_OF_FEW = 1_000, 1_000_000
_MOST_BYTES = 4_000_000
_MOST_OPEN = 20
_LONGEST = 2_000


@dataclass(frozen=True)
class Limits:
    """How much of each list the page shows; `text` is in characters."""

    heads: int = 500
    findings: int = 200
    rows: int = 500
    cycles: int = 200
    inputs: int = 100
    text: int = 700
    ids: int = 8
    places: int = 4
    walk: int = 12
    kinds: int = 12
    places_shown: int = 15

    def none(self) -> "Limits":
        """Every entry of every list."""
        return replace(self, **dict.fromkeys(_LISTS, sys.maxsize))

    def tighter(self) -> "Limits":
        """Half of each list."""
        return replace(self, **{name: max(getattr(self, name) // 2, 1) for name in _LISTS})


@dataclass(frozen=True)
class Group(Part):
    """The findings of one rule; `mend` is set where one way to mend serves all of them."""

    rule: str = ""
    name: str = ""
    severity: Severity = Severity.INFO
    mend: str = ""
    opened: bool = False


def _group(group: RuleGroup, limits: Limits) -> Group:
    mends = {finding.mend for finding in group.listed}
    return Group(
        shown=group.listed[: limits.findings],
        total=group.count,
        noun=(f"finding of {group.rule}", f"findings of {group.rule}"),
        rule=group.rule,
        name=group.name,
        severity=group.severity,
        mend=mends.pop() if len(mends) == 1 and len(group.listed) > 1 else "",
        opened=group.severity is not Severity.INFO and group.count <= _MOST_OPEN,
    )


def _parts(report: Report, limits: Limits) -> dict[str, Part]:
    kept = {"live_heads": limits.heads, "orphans": limits.rows, "cycles": limits.cycles, "lineages": limits.rows}
    inputs = Part(report.inputs[: limits.inputs], len(report.inputs), ("input", "inputs"))
    return {name: digest.beginning(report, name, limit) for name, limit in kept.items()} | {"inputs": inputs}


def _bar(by_status: Mapping[str, int]) -> list[dict[str, Any]]:
    """The pieces of the bar of statuses, in thousandths of its length."""
    total = sum(by_status.values())
    pieces: list[dict[str, Any]] = []
    before = 0
    for status, count in by_status.items():
        if count:
            start, end = (round(1000 * edge / total) for edge in (before, before + count))
            pieces.append({"status": status, "count": count, "start": start, "width": max(end - start, 2)})
        before += count
    return pieces


def _tallies(report: Report) -> list[tuple[str, Mapping[str, int]]]:
    summary = report.summary
    records = ("memories", "markers", "logs", "ghosts")
    shape = ("lineages", "standalone", "longest_depth", "forks", "merges", "orphans", "cycles")
    return [
        ("Records", {name: getattr(summary, name) for name in records}),
        ("Status", summary.by_status),
        ("Lineages", {name.replace("_", " "): getattr(summary, name) for name in shape}),
        ("Links", summary.links),
        ("Kinds", summary.by_kind),
        ("Formats", summary.by_format),
    ]


def _subtitle(report: Report, inputs: str) -> str:
    unreadable = sum(item.unreadable for item in report.inputs)
    words = [inputs, counted(report.summary.memories, *digest.subject(report))]
    if unreadable:
        words.append(f"{counted(unreadable, 'record')} unreadable")
    if report.as_of:
        words.append(f"as of {report.as_of}")
    return " · ".join([*words, f"made {report.generated_at[:16].replace('T', ' ')} UTC"])


def _holds(report: Report) -> str:
    live, alone = report.summary.live_heads, report.summary.standalone
    heads = "live head" if live == 1 else "live heads"
    return f"{heads}: {alone:,} standalone, {live - alone:,} at the head of a longer lineage" if live else heads


def _gravest(report: Report) -> list[Any]:
    """The first finding of each of the gravest rules: one severity only, three at most."""
    level = digest.worst(report)
    return [group.listed[0] for group in digest.rule_groups(report) if group.severity is level and level][:3]


def _unmentioned(report: Report, told: int) -> str:
    rest = sum(report.summary.findings.get(level, 0) for level in (Severity.ERROR, Severity.WARNING)) - told
    return f"and {counted(rest, 'more error or warning', 'more errors and warnings')}" if rest > 0 else ""


def _context(report: Report, limits: Limits) -> dict[str, Any]:
    groups = [_group(group, limits) for group in digest.rule_groups(report)]
    parts = _parts(report, limits)
    gravest = _gravest(report)
    names = [item.path for item in report.inputs]
    inputs = names[0] if len(names) == 1 else counted(len(names), "input")
    menu: list[tuple[str, str, int | None]] = [("findings", "Findings", sum(report.summary.findings.values()))]
    menu += [(name, (part.noun[1]).capitalize(), part.total) for name, part in parts.items()]
    menu += [(name, name.capitalize(), None) for name in page.sections(report)]
    shown = parts["live_heads"].shown
    return {
        **page.context(report, shown),
        "report": report,
        "summary": report.summary,
        "limits": limits,
        "glyphs": _GLYPHS,
        "nouns": digest.NOUNS,
        "day": digest.day,
        "subject": digest.subject(report),
        "verdict": digest.verdict(report),
        "worst": digest.worst(report),
        "subtitle": _subtitle(report, inputs),
        "inputs_line": inputs,
        "holds": _holds(report),
        "bar": _bar(report.summary.by_status),
        "gravest": gravest,
        "unmentioned": _unmentioned(report, len(gravest)),
        "findings_line": digest.findings_line(report.summary.findings),
        "groups": groups,
        "tallies": _tallies(report),
        "parts": [{"anchor": anchor, "title": title, "total": total} for anchor, title, total in menu],
        "omissions": [part.sentence for part in [*groups, *parts.values()] if part.omitted],
        **parts,
    }


def _clip(value: str, limit: int) -> str:
    """The printable text, its end replaced by how much of it is left out."""
    rest = len(value) - limit
    return printable(value) if rest <= 0 else f"{printable(value[:limit])}… ({rest:,} more characters)"


@cache
def environment() -> "Environment":
    """How pages are made: everything escaped and printable, the style and its hash at hand, `clip` and `shortened`."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    def finalize(value: Any) -> Any:
        return _clip(value, _LONGEST) if isinstance(value, str) and not hasattr(value, "__html__") else value

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(clip=_clip, shortened=shortened, anchor=page.anchor, known=page.known)
    sheet = diagram_style() + (_TEMPLATES / "report.css").read_text(encoding="utf-8")
    script = (_TEMPLATES / "report.js").read_text(encoding="utf-8")
    environment.globals.update(style=sheet, style_hash=_hash(sheet), script=script, script_hash=_hash(script))
    return environment


def _hash(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"


def render(report: Report) -> bytes:
    """The whole page; lists are cut further where it would exceed a few megabytes, unless it is to be full."""
    template = environment().get_template("report.html.j2")
    limits = Limits()
    if report.details is not None and report.details.full:
        return template.render(_context(report, limits.none())).encode()
    page = template.render(_context(report, limits)).encode()
    most = _MOST_BYTES_OF_FEW if report.summary.memories <= _FEW else _MOST_BYTES
    while len(page) > most and limits.heads > 1:
        limits = limits.tighter()
        page = template.render(_context(report, limits)).encode()
    return page


RENDERER = Renderer(
    name="html",
    about="one page for people, complete in itself",
    suffix=".html",
    render=render,
    detailed=True,
)
