"""What a report says in words: the verdict, findings by rule, what is left out.

Shared by every renderer for people. Plain text, not yet escaped for any
output: it may hold ids and paths.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from lineage.model import Severity
from lineage.reporting.model import Finding, Location, Report
from lineage.text import one_line

NOUNS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_LISTS = {
    "live_heads": ("live head", "newest"),
    "orphans": ("orphan", "first"),
    "cycles": ("cycle", "first"),
    "lineages": ("lineage", "largest"),
}
_LONGEST_COMMAND = 400
_MOST_INPUTS = 3


@dataclass(frozen=True)
class Part:
    """The beginning of one list, and how many entries there are in all."""

    shown: Sequence[Any]
    total: int
    noun: tuple[str, str]
    order: str = "first"

    @property
    def omitted(self) -> int:
        """How many entries the page leaves out."""
        return self.total - len(self.shown)

    @property
    def sentence(self) -> str:
        """What is shown of how much."""
        one, many = self.noun
        rest = f"{self.omitted:,} more {'is' if self.omitted == 1 else 'are'} left out"
        return f"The {self.order} {len(self.shown):,} of {counted(self.total, one, many)}; {rest}."


@dataclass(frozen=True)
class RuleGroup:
    """The findings of one rule: `count` of all, `listed` those that the report carries."""

    rule: str
    name: str
    severity: Severity
    count: int
    listed: Sequence[Finding]


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """The number and its noun: `1 error`, `1,204 memories`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def subject(report: Report) -> tuple[str, str]:
    """What the memories of this report are called, singular and plural."""
    return ("decision", "decisions") if set(report.summary.by_kind) == {"decision"} else ("memory", "memories")


def verdict(report: Report) -> str:
    """One sentence, without a full stop: how much holds, and whether something needs mending."""
    return f"{_holding(report)}; {_needing(report)}"


def _holding(report: Report) -> str:
    live, total = report.summary.live_heads, report.summary.memories
    one, many = subject(report)
    past = report.as_of is not None
    when = f" on {day(report.as_of)}" if past else ""
    if not total:
        return f"No {one} was found{when and ' that existed' + when}"
    hold = "held" if past else "holds" if live == 1 else "hold"
    if live == total:
        return f"The one {one} {hold}{when}" if total == 1 else f"All {total:,} {many} {hold}{when}"
    if not live:
        return f"None of {counted(total, one, many)} {'held' if past else 'holds'}{when}"
    return f"{live:,} of {counted(total, one, many)} {hold}{when}"


def _needing(report: Report) -> str:
    errors, warnings = (report.summary.findings.get(level, 0) for level in (Severity.ERROR, Severity.WARNING))
    if errors:
        return f"{counted(errors, 'error')} {'needs' if errors == 1 else 'need'} a hand"
    if warnings:
        return f"{counted(warnings, 'warning')} {'is' if warnings == 1 else 'are'} worth a look"
    return "nothing needs mending"


def worst(report: Report) -> Severity | None:
    """The gravest severity that has findings, notes aside."""
    return next((level for level in (Severity.ERROR, Severity.WARNING) if report.summary.findings.get(level)), None)


@dataclass(frozen=True)
class Badge:
    """What a badge says on its left and on its right; `mood` is error, warning, fine, or empty for no memory at all."""

    label: str
    message: str
    mood: str


def badge(report: Report) -> Badge:
    """A badge: how much holds, and how much there is of the gravest severity."""
    label, live = subject(report)[1], f"{report.summary.live_heads:,} live"
    level = worst(report)
    if level:
        return Badge(label, f"{live} · {counted(report.summary.findings[level], NOUNS[level])}", str(level))
    return Badge(label, live, "fine" if report.summary.memories else "empty")


def findings_line(findings: Mapping[str, int]) -> str:
    """The counts by severity: `3 errors, 1 warning, 12 notes`; empty if there are none."""
    return ", ".join(counted(findings[level], NOUNS[level]) for level in Severity if findings.get(level))


def rule_groups(report: Report) -> list[RuleGroup]:
    """The findings by rule, the gravest first, otherwise in the report's order."""
    listed: dict[tuple[str, str], list[Finding]] = {}
    for item in report.findings:
        listed.setdefault((item.severity, item.rule), []).append(item)
    ranks = list(map(str, Severity))
    return [
        RuleGroup(rule, items[0].name, Severity(severity), max(report.counts.get(rule, 0), len(items)), items)
        for (severity, rule), items in sorted(listed.items(), key=lambda entry: ranks.index(entry[0][0]))
    ]


def place(location: Location) -> str:
    """Where something stands, in the form editors and terminals make clickable."""
    return location.source if location.line is None else f"{location.source}:{location.line}"


def first_place(finding: Finding) -> str | None:
    """Where a finding's acting memory stands."""
    return place(finding.locations[0]) if finding.locations else None


def day(instant: str | None) -> str:
    """The date of an instant, or a dash."""
    return instant[:10] if instant else "—"


def beginning(report: Report, name: str, limit: int) -> Part:
    """The first entries of `live_heads`, `orphans`, `cycles` or `lineages`."""
    listed: Sequence[Any] = getattr(report, name)
    total = len(listed) + int(report.truncated.get(name, 0))
    noun, order = _LISTS[name]
    return Part(listed[:limit], total, (noun, noun + "s"), order)


def commands(report: Report, finding: Finding) -> Iterator[str]:
    """Commands that lead on from a finding, ready for a POSIX shell.

    An id that cannot be shown as it is, or that is far too long, cannot be
    copied from a terminal either: then there is no command for it.
    """
    inputs = _inputs([item.path for item in report.inputs])
    if finding.memories and finding.lineage is not None and inputs:
        words = [finding.memories[0], *inputs]
        options = ["--as-of", report.as_of] if report.as_of else []
        dashes = ["--"] if any(word.startswith("-") for word in words) else []
        command = shlex.join(["lineage", "trace", *options, *dashes, *words])
        if command == one_line(command) and len(command) <= _LONGEST_COMMAND:
            yield command
    yield shlex.join(["lineage", "rules", finding.rule])


def _inputs(paths: Sequence[str]) -> Sequence[str]:
    """What to name on a command line to read the same again: the inputs, or the folder that holds so many."""
    if "-" in paths:
        return []
    if len(paths) <= _MOST_INPUTS:
        return paths
    folder = PurePath(paths[0]).parent
    return [str(folder)] if folder.name and all(PurePath(path).is_relative_to(folder) for path in paths) else []
