"""The report as Markdown for a job summary or a comment: the most important first, at most 60 KB.

Memory text is escaped so that it cannot link, mention or format, and ids and
places are code spans, in which forges look for nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lineage.model import Severity
from lineage.renderers.base import Renderer
from lineage.reporting import digest, trend
from lineage.reporting.digest import Part, RuleGroup, counted
from lineage.reporting.model import Cycle, Finding, Head, LineageRow, Orphan, Report
from lineage.text import markdown, markdown_code, shortened

_MOST_BYTES = 60_000
_MOST_BYTES_OF_DRAWING = 20_000
_FOR_SENTENCE = 250
_MOST_FINDINGS = 25
_MOST_HEADS = 50
_MOST_ROWS = 25
_MOST_IDS = 6
_MOST_INPUTS = 10
_GLYPHS = {Severity.ERROR: "✗", Severity.WARNING: "▲", None: "✓"}
_BREAK = "\\\n  "


def _text(value: str | None, cells: int = 300) -> str:
    return markdown(shortened(value or "", cells)) or "_no text_"


def _code(value: str) -> str:
    return markdown_code(shortened(value, 160))


def _codes(values: Sequence[str]) -> str:
    more = len(values) - _MOST_IDS
    shown = [_code(value) for value in values[:_MOST_IDS]]
    return ", ".join(shown) + (f" and {more:,} more" if more > 0 else "")


def _place(source: str, line: int | None) -> str:
    return _code(source if line is None else f"{source}:{line}")


def _finding(item: Finding) -> str:
    lines = [f"- {_text(item.message, 400)}"]
    if item.mend:
        lines.append(f"**Mend:** {_text(item.mend, 400)}")
    where = [_place(place.source, place.line) for place in item.locations[:_MOST_IDS]]
    if where:
        lines.append(" ".join(where))
    if item.memories:
        lines[-1] += f" about {_codes(item.memories)}" if where else f" About {_codes(item.memories)}"
    return _BREAK.join(lines)


def _head(item: Head) -> str:
    where = f"{_code(item.id)} at {_place(item.source, item.line)}"
    replaces = f", replaces {_codes(item.replaces)}" if item.replaces else ""
    return f"- {digest.day(item.created_at)} {_text(item.text)} ({where}{replaces})"


def _orphan(item: Orphan) -> str:
    return f"- {_code(item.id)} {item.kind} {_code(item.missing)}, which is missing ({_place(item.source, item.line)})"


def _cycle(item: Cycle) -> str:
    walk = " → ".join(map(_code, item.memories[:_MOST_IDS])) + (" → …" if len(item.memories) > _MOST_IDS else "")
    if not item.cut:
        return f"- {walk}"
    links = ", ".join(f"{_code(source)} → {_code(target)}" for source, target in item.cut[:_MOST_IDS])
    more = f" and {len(item.cut) - _MOST_IDS:,} more" if len(item.cut) > _MOST_IDS else ""
    then = f"; then {_codes(item.then)} would hold" if item.then else ""
    return f"- {walk}{_BREAK}**To break it,** remove {links}{more}{then}"


def _lineage(item: LineageRow) -> str:
    heads = f"headed by {_codes(item.live_heads)}" if item.live_heads else "none holds"
    return f"- {_code(item.id)}: {counted(item.size, 'record')}, depth {item.depth:,}, {heads}"


def _rule_title(group: RuleGroup) -> str:
    many = counted(group.count, digest.NOUNS[group.severity])
    return f"{_GLYPHS[group.severity]} {many}: {_text(group.name, 60)} ({group.rule})"


def _sections(report: Report) -> Iterable[tuple[str, Part]]:
    """Heading and entries of each section, the entries already worded, the most important first."""
    groups = digest.rule_groups(report)
    for group in groups:
        if group.severity is not Severity.INFO:
            shown = [_finding(item) for item in group.listed[:_MOST_FINDINGS]]
            noun = f"finding of {group.rule}"
            yield _rule_title(group), Part(shown, group.count, (noun, noun.replace("finding", "findings")))
    for name, title, worded, most in (
        ("cycles", "Cycles", _cycle, _MOST_ROWS),
        ("orphans", "Orphans", _orphan, _MOST_ROWS),
        ("live_heads", "Live heads", _head, _MOST_HEADS),
        ("lineages", "Lineages", _lineage, _MOST_ROWS),
    ):
        part = digest.beginning(report, name, most)
        if part.total:
            yield f"{title}: {part.total:,}", replace(part, shown=[worded(item) for item in part.shown])
    notes = [
        f"- {counted(group.count, 'note')}: {_text(group.name, 60)} ({group.rule})"
        for group in groups
        if (group.severity is Severity.INFO)
    ]
    if notes:
        yield "Notes", Part(notes, len(notes), ("rule", "rules"))


def _opening(report: Report) -> str:
    statuses = [f"{count:,} {status}" for status, count in report.summary.by_status.items() if count]
    inputs = [
        f"- {_code(item.path)}: {counted(item.records, 'record')}"
        + (f", {item.unreadable:,} unreadable" if item.unreadable else "")
        for item in report.inputs[:_MOST_INPUTS]
    ]
    more = len(report.inputs) - _MOST_INPUTS
    if more > 0:
        inputs.append(f"- and {counted(more, 'more input', 'more inputs')}")
    if report.by_hand:
        inputs.append(f"- {counted(report.by_hand, 'link')} by hand")
    facts = " · ".join([*statuses, digest.findings_line(report.summary.findings) or "no findings"])
    blocks = [f"## {_GLYPHS[digest.worst(report)]} {digest.verdict(report)}", _text(report.title, 120), facts]
    return "\n\n".join([*blocks, "\n".join(inputs), _quality(report)]).rstrip()


def _quality(report: Report) -> str:
    """The grade, and what it is made of as a table; empty without one."""
    found = report.quality
    if found is None or found.score is None:
        return ""
    rows = [
        f"| {name} | {score:.1f} | {change} | {_text(reasons, 200)} |"
        for name, score, change, reasons in trend.rows(found, report.against)
    ]
    head = f"Quality: **{trend.told(found, report.against)}**"
    return "\n".join([head, "", "| part | of 100 | change | why |", "| --- | ---: | ---: | --- |", *rows])


def _drawn(report: Report) -> Iterable[str]:
    """What is broken as a diagram, which forges draw; none where it would take too much of the room."""
    broken = report.details and report.details.broken
    if broken:
        from lineage.drawings.mermaid import mermaid

        drawing = mermaid(broken)
        if len(drawing.encode()) <= _MOST_BYTES_OF_DRAWING:
            yield f"```mermaid\n{drawing}```"


def fitting(entries: Sequence[str], room: int) -> list[str]:
    """The first entries that together take no more bytes than there is room."""
    kept: list[str] = []
    for entry in entries:
        room -= len(entry.encode()) + 1
        if room < 0:
            break
        kept.append(entry)
    return kept


def render(report: Report) -> bytes:
    """The whole Markdown file."""
    blocks = [_opening(report), *_drawn(report)]
    sections = list(_sections(report))
    frame = sum(len(title.encode()) + _FOR_SENTENCE for title, _ in sections)
    room = _MOST_BYTES - sum(len(block.encode()) + 2 for block in blocks) - frame - _FOR_SENTENCE
    omitted = False
    for title, part in sections:
        kept = replace(part, shown=fitting(part.shown, room))
        room -= sum(len(entry.encode()) + 1 for entry in kept.shown)
        blocks += [f"### {title}", "\n".join(kept.shown)]
        if kept.omitted:
            omitted = True
            blocks.append(f"_{kept.sentence}_")
    if omitted:
        blocks.append("The JSON report has every entry: `lineage report -f json --limit 0`.")
    return ("\n\n".join(block for block in blocks if block) + "\n").encode()


RENDERER = Renderer(
    name="markdown",
    about="for a job summary or a comment, the most important first",
    suffix=".md",
    render=render,
    detailed=True,
)
