"""What `lineage report` and `lineage check` print for people.

Colour is optional and only repeats what glyphs, words and columns say. The
escape codes are written here, so that memory text is never read as markup;
no line begins with memory text, so that no CI runner takes it for a command.
"""

from collections.abc import Iterator, Sequence

from lineage.model import Severity, Status
from lineage.reporting import digest, trend
from lineage.reporting.digest import RuleGroup, counted
from lineage.reporting.model import Finding, Report
from lineage.text import cells, one_line, shortened, wrapped

_GLYPHS = {Severity.ERROR: "✗", Severity.WARNING: "▲", Severity.INFO: "·", None: "✓"}
_STYLES = {
    Severity.ERROR: "1;31",
    Severity.WARNING: "33",
    Severity.INFO: "2",
    None: "32",
}
_BOLD = "1"
_DIM = "2"
_NEWEST = 3
_ID_CELLS = 12
_PREFIX_CELLS = 8
_MOST_RULES = 8
_MOST_MEND_LINES = 4
_NARROWEST, _WIDEST = 40, 110


class _Page:
    """Lines in the making: pads and paints."""

    def __init__(self, *, width: int, colour: bool) -> None:
        self.width = min(max(width, _NARROWEST), _WIDEST)
        self.colour = colour
        self.lines: list[str] = []

    def paint(self, text: str, style: str) -> str:
        """The text in a style, if there is colour."""
        return f"\x1b[{style}m{text}\x1b[0m" if self.colour and text else text

    def add(self, line: str = "") -> None:
        """One more line."""
        self.lines.append(line)

    def title(self, text: str) -> None:
        """A heading with a blank line before it."""
        self.add()
        self.add(self.paint(text, _BOLD))

    def text(self) -> str:
        """All lines; none ends in a space."""
        return "\n".join(line.rstrip() for line in self.lines)


def summary(report: Report, *, report_files: Sequence[str], width: int, colour: bool) -> str:
    """One screen: what holds, what is broken and where, what to do next. No newline at its end.

    Paths and commands are never cut, so that they can be clicked and copied;
    everything else keeps to `width` (40 to 110 columns).
    """
    page = _Page(width=width, colour=colour)
    worst = digest.worst(report)
    page.add(f"{page.paint(_GLYPHS[worst], _STYLES[worst])} {page.paint(digest.verdict(report), _BOLD)}")
    page.add(page.paint("  " + shortened(_about(report), page.width - 2), _DIM))
    _quality(page, report)
    _holds(page, report)
    groups = digest.rule_groups(report)
    _broken(page, groups)
    page.lines += [page.paint(f"  not looked for: {one_line(sentence)}", _DIM) for sentence in report.skipped]
    _next(page, report, groups, report_files)
    return page.text()


def _about(report: Report) -> str:
    names = [item.path for item in report.inputs]
    unreadable = sum(item.unreadable for item in report.inputs)
    words = [names[0] if len(names) == 1 else counted(len(names), "input")]
    words += [f"{name} {count:,}" for name, count in report.summary.by_format.items()][:4]
    if unreadable:
        words.append(f"{counted(unreadable, 'record')} unreadable")
    if report.by_hand:
        words.append(f"{counted(report.by_hand, 'link')} by hand")
    if report.as_of:
        words.append(f"as of {report.as_of}")
    return " · ".join(words)


def _quality(page: _Page, report: Report) -> None:
    found = report.quality
    if found is None or found.score is None:
        return
    aspects = [f"{name} {score:.0f}" for name, score, _, _ in trend.rows(found, report.against)]
    told = " · ".join([trend.told(found, report.against), *aspects])
    page.add(page.paint(f"  {shortened(told, page.width - 2)}", _DIM))


def _holds(page: _Page, report: Report) -> None:
    counts = report.summary
    if not counts.memories:
        return
    page.title("What holds")
    longer = counts.live_heads - counts.standalone
    # The one status that asks for something stands where no narrow terminal cuts it off.
    by_status = sorted(counts.by_status.items(), key=lambda entry: entry[0] != Status.CYCLIC)
    statuses = [f"{count:,} {status}" for status, count in by_status if count and status != Status.LIVE]
    rows = [
        (counts.live_heads, "live", f"{counts.standalone:,} standalone, {longer:,} heading a longer lineage"),
        (counts.memories - counts.live_heads, "not live", ", ".join(statuses)),
    ]
    size = max(len(f"{number:,}") for number, _, _ in rows)
    for number, name, detail in rows:
        if number:
            figure = page.paint(f"{number:>{size},}", _STYLES[None] if name == "live" else _DIM)
            page.add(f"  {figure} {name:<8}  {shortened(detail, page.width - size - 13)}")
    for head in report.live_heads[:_NEWEST]:
        identity = short(head.id)
        room = page.width - 16 - cells(identity) - 2
        words = shortened(head.text or "", room) or "(no text)"
        gap = " " * max(room - cells(words), 0)
        when = f"{digest.day(head.created_at):<10}"
        page.add(f"    {page.paint(when, _DIM)}  {words}{gap}  {page.paint(identity, _DIM)}")


def short(identity: str) -> str:
    """An id in twelve cells: the end of a path or an address, else the beginning, by which `trace` finds it."""
    line = one_line(identity)
    if cells(line) <= _ID_CELLS:
        return line
    if "/" in line and line.isascii():
        return "…" + line[1 - _ID_CELLS :]
    return shortened(line, _PREFIX_CELLS + 1)


def _broken(page: _Page, groups: Sequence[RuleGroup]) -> None:
    grave = [group for group in groups if group.severity is not Severity.INFO]
    notes = [group for group in groups if group.severity is Severity.INFO]
    page.title("What is broken" if grave else "Nothing is broken")
    size = max((len(f"{group.count:,}") for group in groups), default=1)
    _rule_lines(page, grave[:_MOST_RULES], size)
    rest = grave[_MOST_RULES:]
    if rest:
        page.add(
            f"    and {counted(sum(group.count for group in rest), 'finding')} of {counted(len(rest), 'more rule')}"
        )
    if notes:
        start = f"  {_counted(Severity.INFO, sum(group.count for group in notes), size)}  "
        rules = ", ".join(f"{group.rule} {group.count:,}" for group in notes)
        page.add(page.paint(start + shortened(rules, page.width - cells(start)), _DIM))


def _counted(severity: Severity, count: int, size: int) -> str:
    noun = digest.NOUNS[severity]
    return f"{_GLYPHS[severity]} {count:>{size},} {noun if count == 1 else noun + 's':<8}"


def _rule_lines(page: _Page, groups: Sequence[RuleGroup], size: int) -> None:
    """Glyph, count, severity, rule and first place; where one place does not fit, each gets its own line."""
    rows = [
        (
            group.severity,
            _counted(group.severity, group.count, size),
            f"{group.rule} {one_line(group.name)}",
            one_line(digest.first_place(group.listed[0]) or ""),
        )
        for group in groups
    ]
    column = max((len(name) for _, _, name, _ in rows), default=0)
    beside = all(cells(head) + column + cells(where) + 6 <= page.width for _, head, _, where in rows)
    for severity, head, name, where in rows:
        start = f"  {page.paint(head, _STYLES[severity])}  "
        if beside:
            page.add(f"{start}{name:<{column}}  {where}")
            continue
        page.add(start + shortened(name, page.width - cells(head) - 4))
        if where:
            page.add(f"{'':<{cells(head) + 2}}→ {where}")


def _next(page: _Page, report: Report, groups: Sequence[RuleGroup], report_files: Sequence[str]) -> None:
    gravest = groups[0].listed[0] if groups and groups[0].severity is not Severity.INFO else None
    if gravest is None and not report_files:
        return
    page.title("What to do next")
    if gravest is not None:
        advice = f"{gravest.rule}: {gravest.mend or gravest.message}"
        for line in wrapped(advice, page.width - 4, _MOST_MEND_LINES):
            page.add(f"  │ {line}")
        for command in digest.commands(report, gravest):
            page.add("    " + page.paint(f"$ {command}", "36"))
    for path in report_files:
        page.add(f"  Report: {page.paint(one_line(path), _BOLD)}")


def findings(report: Report, *, width: int, colour: bool) -> str:
    """Every listed finding, one line each and how to mend it below, then the counts. No newline at its end.

    Lines are not wrapped: they are for `grep`, for editors and for logs too.
    """
    page = _Page(width=width, colour=colour)
    for group in digest.rule_groups(report):
        for item in group.listed:
            _finding(page, item, group.severity)
        if group.count > len(group.listed):
            left = group.count - len(group.listed)
            page.add(page.paint(f"… {counted(left, 'more finding')} of {group.rule} not listed (--limit)", _DIM))
    page.lines += list(_count_line(page, report))
    page.lines += [page.paint(f"not looked for: {one_line(sentence)}", _DIM) for sentence in report.skipped]
    return page.text()


def _finding(page: _Page, item: Finding, severity: Severity) -> None:
    where = digest.first_place(item)
    start = page.paint(f"{one_line(where)}:", _BOLD) + " " if where else ""
    rule = f"{page.paint(f'{severity} {item.rule}', _STYLES[severity])} {one_line(item.name)}"
    page.add(f"{start}{rule}: {one_line(item.message)}")
    if item.mend:
        page.add(f"    {page.paint('mend:', _STYLES[None])} {one_line(item.mend)}")


def _count_line(page: _Page, report: Report) -> Iterator[str]:
    worst = digest.worst(report)
    found = digest.findings_line(report.summary.findings)
    if page.lines:
        yield ""
    memories = counted(report.summary.memories, *digest.subject(report))
    glyph = page.paint(_GLYPHS[worst], _STYLES[worst])
    yield f"{glyph} {page.paint(found or 'No findings', _BOLD)} in {memories}"
