"""What stands on top of the page: what was read, the tiles, the bar of statuses, and all counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lineage.layout.labels import joined
from lineage.model import Severity
from lineage.reporting import digest
from lineage.reporting.digest import counted
from lineage.reporting.model import Finding, Report

_UNREAD = frozenset({"LIN901", "LIN902"})


@dataclass(frozen=True)
class Tile:
    """A number that leads to the part of the page it is about."""

    look: str
    anchor: str
    number: int
    name: str


def tiles(report: Report) -> list[Tile]:
    """The numbers to see first."""
    summary = report.summary
    live = "live head" if summary.live_heads == 1 else "live heads"
    return [
        Tile("live", "live_heads", summary.live_heads, live),
        Tile("superseded", "time", summary.by_status.get("superseded", 0), "superseded"),
        Tile("reversed", "time", summary.by_status.get("reversed", 0), "reversed"),
        *(_tile(level, "findings", summary.findings.get(level, 0), digest.NOUNS[level]) for level in Severity),
        _tile("broken", "orphans", summary.orphans, "orphan"),
        _tile("broken", "cycles", summary.cycles, "cycle"),
    ]


def _tile(look: str, anchor: str, number: int, noun: str) -> Tile:
    return Tile(str(look), anchor, number, noun if number == 1 else noun + "s")


@dataclass(frozen=True)
class Stretch:
    """A status in the bar of all, in thousandths of its length."""

    status: str
    count: int
    start: int
    width: int


def bar(by_status: Mapping[str, int]) -> list[Stretch]:
    """The statuses that occur, one after the other."""
    total = sum(by_status.values())
    made: list[Stretch] = []
    before = 0
    for status, count in by_status.items():
        if count:
            start, end = (round(1000 * edge / total) for edge in (before, before + count))
            made.append(Stretch(status, count, start, max(end - start, 2)))
        before += count
    return made


def tallies(report: Report) -> list[tuple[str, Mapping[str, int]]]:
    """Every count of the summary, by what it is about."""
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


def read(report: Report) -> str:
    """What the report is made from."""
    summary = report.summary
    kinds = [counted(summary.memories, *digest.subject(report))]
    kinds += [counted(number, noun) for noun, number in (("marker", summary.markers), ("log", summary.logs)) if number]
    names = [item.path for item in report.inputs]
    by_hand = f", with {counted(report.by_hand, 'link')} by hand" if report.by_hand else ""
    return f"{joined(kinds)} from {names[0] if len(names) == 1 else counted(len(names), 'input')}{by_hand}"


def unread(report: Report) -> str:
    """What could not be read, and what was passed over; empty if everything was read."""
    bad = sum(item.unreadable for item in report.inputs)
    passed = sum(sum(item.passed.values()) for item in report.inputs)
    said = [f"{counted(bad, 'record')} unreadable"] if bad else []
    return joined([*said, *([f"{counted(passed, 'record')} passed over as no memories"] if passed else [])])


def moment(report: Report) -> str:
    """When the report was made, to the minute."""
    return f"{report.generated_at[:16].replace('T', ' ')} UTC"


def holds(report: Report) -> str:
    """What kind of live heads there are."""
    live, alone = report.summary.live_heads, report.summary.standalone
    if not live:
        return "Nothing is in effect."
    return f"{alone:,} standalone, {live - alone:,} at the head of a longer lineage."


def unreadable(findings: Sequence[Finding]) -> dict[str, list[Finding]]:
    """The findings about records that could not be read, by their input."""
    found: dict[str, list[Finding]] = {}
    for item in findings:
        if item.rule in _UNREAD and item.locations:
            found.setdefault(item.locations[0].source, []).append(item)
    return found
