"""What a comparison says in words: the verdict, its sections, and what became of each memory.

Shared by every way to show it to people. Plain text, not yet escaped for any
output: it may hold ids and memory text.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from lineage.model import Severity, Status
from lineage.reporting.diff import ADDED, GONE, Diff, Listed, Memory, Reworded
from lineage.reporting.digest import NOUNS, Part, counted
from lineage.reporting.model import Finding
from lineage.text import one_line

Kind = Literal["finding", "memory", "text"]

_GRAVE = (Severity.ERROR, Severity.WARNING)
_BY = {
    Status.SUPERSEDED: "superseded by",
    Status.REVERSED: "reversed by",
    Status.RESOLVED: "resolved by",
    Status.CYCLIC: "in a circle: superseded by",
}
_WORDS = {ADDED: "new", GONE: "gone from the export"}
_LEAD = 24
"""Characters of a text that are shown before the first that changed."""


@dataclass(frozen=True)
class Section:
    """One list of a comparison: `sign` says at a glance what it is about, `detail` how its entries are counted."""

    anchor: str
    title: str
    sign: str
    kind: Kind
    part: Part
    detail: str = ""


def worst(diff: Diff) -> Severity | None:
    """The gravest severity that has new findings, notes aside."""
    return next((level for level in _GRAVE if diff.findings_new.counts.get(level)), None)


def verdict(diff: Diff) -> str:
    """One sentence, without a full stop: what became of the live heads, and whether something new needs mending."""
    if diff.empty:
        return "Nothing changed"
    gained, lost = diff.heads_gained.total, diff.heads_lost.total
    heads = f"{_signed(gained, 'gained')}, {_signed(lost, 'lost')}" if gained or lost else "The live heads are the same"
    return f"{heads}; {_needing(diff)}"


def _signed(number: int, what: str) -> str:
    return f"{counted(number, 'live head')} {what}" if what == "gained" else f"{number:,} {what}"


def _needing(diff: Diff) -> str:
    counts = diff.findings_new.counts
    told = [counted(counts[level], f"new {NOUNS[level]}") for level in _GRAVE if counts.get(level)]
    return " and ".join(told) or "no new error or warning"


def sides(diff: Diff) -> list[tuple[str, str]]:
    """What was compared: the inputs of each side, and how much is in them."""
    return [
        (
            side.inputs[0].path if len(side.inputs) == 1 else counted(len(side.inputs), "input"),
            f"{counted(side.memories, 'memory', 'memories')}, {side.live_heads:,} live",
        )
        for side in (diff.old, diff.new)
    ]


def sections(diff: Diff) -> list[Section]:
    """The lists that hold something, the most important first; no memory stands in two of them for one reason."""
    grave, notes = _by_gravity(diff.findings_new)
    fixed, settled = _by_gravity(diff.findings_fixed)
    made = [
        _findings("new", "New errors and warnings", "new error or warning", "new errors and warnings", grave),
        _memories("lost", "Live heads lost", "−", ("live head lost", "live heads lost"), diff.heads_lost),
        _memories("gained", "Live heads gained", "+", ("live head gained", "live heads gained"), diff.heads_gained),
        _memories("otherwise", "Other changes of status", "±", ("change", "changes"), diff.otherwise),
        _texts(diff.reworded),
        _memories("added", "Added, not in effect", "+", ("memory added", "memories added"), diff.added_past),
        _memories(
            "removed", "Removed, was not in effect", "−", ("memory removed", "memories removed"), diff.removed_past
        ),
        _findings("fixed", "Errors and warnings fixed", "error or warning fixed", "errors and warnings fixed", fixed),
        _findings("notes", "New notes", "new note", "new notes", notes),
        _findings("settled", "Notes no longer found", "note", "notes", settled),
    ]
    return [section for section in made if section.part.total]


def _by_gravity(found: Listed[Finding]) -> Iterator[Listed[Finding]]:
    for grave in (True, False):
        counts = {level: count for level, count in found.counts.items() if (level in _GRAVE) is grave}
        entries = [item for item in found.entries if (item.severity in _GRAVE) is grave]
        yield Listed(entries, sum(counts.values()), counts)


def _findings(anchor: str, title: str, one: str, many: str, found: Listed[Finding]) -> Section:
    levels = [level for level in _GRAVE if found.counts.get(level)]
    detail = ", ".join(counted(found.counts[level], NOUNS[level]) for level in levels)
    sign = "✓" if anchor in {"fixed", "settled"} else "!"
    return Section(anchor, title, sign, "finding", Part(found.entries, found.total, (one, many)), detail)


def _memories(anchor: str, title: str, sign: str, nouns: tuple[str, str], listed: Listed[Memory]) -> Section:
    part = Part(listed.entries, listed.total, nouns, "newest")
    return Section(anchor, title, sign, "memory", part, tally(listed.counts, was=anchor in {"gained", "removed"}))


def _texts(listed: Listed[Reworded]) -> Section:
    part = Part(listed.entries, listed.total, ("text changed", "texts changed"), "newest")
    return Section("reworded", "Text changed under the same id", "~", "text", part, tally(listed.counts))


def tally(counts: Mapping[str, int], *, was: bool = False) -> str:
    """How many of each status, in words; `was` says that it is the status before."""
    return ", ".join(
        f"{count:,} {_WORDS.get(status) or ('was ' if was else '') + status}" for status, count in counts.items()
    )


def story(memory: Memory) -> list[tuple[str, Sequence[str]]]:
    """What became of a memory: phrases, each with the ids that follow it."""
    live = Status.LIVE
    if memory.after is None:
        was = "" if memory.before == live else f"was {memory.before}, "
        return [(was + _WORDS[GONE], ())]
    if memory.after != live:
        lead = "new, and already " if memory.before is None else f"was {memory.before}, now "
        return [_standing(memory, "" if memory.before == live else lead)]
    told: list[tuple[str, Sequence[str]]] = [(f"restored: was {memory.before}" if memory.before else "new", ())]
    return [*told, ("replaces", memory.replaces)] if memory.replaces else told


def _standing(memory: Memory, lead: str) -> tuple[str, Sequence[str]]:
    by = _BY.get(Status(memory.after)) if memory.by and memory.after else None
    return (lead + by, memory.by) if by else (f"{lead}{memory.after}", ())


def reworded(item: Reworded) -> tuple[str, str] | None:
    """The old and new text on a line each, from shortly before where they part; None where only spaces differ."""
    before, after = one_line(item.before or ""), one_line(item.after or "")
    if before == after:
        return None
    pairs = enumerate(zip(before, after, strict=False))
    parting = next((place for place, (one, other) in pairs if one != other), min(len(before), len(after)))
    begin = before.rfind(" ", 0, max(parting - _LEAD, 0)) + 1
    lead = "…" if begin else ""
    return lead + before[begin:], lead + after[begin:]


def flattened(parts: Sequence[tuple[str, Sequence[str]]], named: Callable[[Sequence[str]], str]) -> str:
    """The phrases of a story as one text; `named` words the ids after a phrase."""
    return ", ".join(f"{phrase} {named(ids)}" if ids else phrase for phrase, ids in parts)
