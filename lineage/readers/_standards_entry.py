"""What all series of standards have in common: an entry with its relations to others, and the memory it becomes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lineage.model import Declared, DeclaredBy, LinkKind, Void
from lineage.readers.base import Link, Memory
from lineage.readers.fields import microseconds

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ISO = re.compile(r"\b(\d{4})-(\d\d?)-(\d\d?)\b")
_WORDED = re.compile(r"\b(?:(\d{1,2})[-\s])?([A-Za-z]{3,9})[-,\s]+(\d{4})\b")
_NUMBER = re.compile(r"\d{1,6}")

LIVE = frozenset({"accepted", "approved", "implemented", "done", "active", "final"})
ENDED = frozenset(
    {"superseded", "deprecated", "rejected", "withdrawn", "obsolete", "retired", "retracted", "historic", "replaced"}
)
UNACCEPTED = frozenset({"proposed", "draft", "rejected"})

_FORWARD, _BACKWARD = DeclaredBy.SUCCESSOR, DeclaredBy.PREDECESSOR
RELATIONS: Mapping[str, tuple[LinkKind, DeclaredBy]] = {
    "obsoletes": (LinkKind.SUPERSEDES, _FORWARD),
    "supersedes": (LinkKind.SUPERSEDES, _FORWARD),
    "replaces": (LinkKind.SUPERSEDES, _FORWARD),
    "obsoleted-by": (LinkKind.SUPERSEDES, _BACKWARD),
    "superseded-by": (LinkKind.SUPERSEDES, _BACKWARD),
    "supersededby": (LinkKind.SUPERSEDES, _BACKWARD),
    "replaced-by": (LinkKind.SUPERSEDES, _BACKWARD),
    "updates": (LinkKind.AMENDS, _FORWARD),
    "updated-by": (LinkKind.AMENDS, _BACKWARD),
    "requires": (LinkKind.RELATES, _FORWARD),
    "see-also": (LinkKind.RELATES, _FORWARD),
    "dependencies": (LinkKind.RELATES, _FORWARD),
}
"""The kind of link that the name of a field stands for, and which end states it."""


@dataclass
class Entry:
    """One standard: its id, and under the name of each relation the ids of others."""

    id: str
    title: str | None = None
    status: str | None = None
    created: str | None = None
    updated: str | None = None
    people: str | None = None
    summary: str | None = None
    relations: dict[str, list[str]] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    line: int = 1
    accepted: bool | None = None
    """Whether it was accepted, where its status word alone does not tell."""
    declares: bool = True
    """Whether its status says if it is in effect."""

    @property
    def word(self) -> str:
        """Its status as one word in lower case."""
        found = re.match(r"\W*([A-Za-z]+)", self.status or "")
        return found[1].lower() if found else ""

    @property
    def unaccepted(self) -> bool:
        """Whether it was never accepted, so that it retires nothing."""
        return self.word in UNACCEPTED if self.accepted is None else not self.accepted


def numbered(series: str, value: object) -> list[str]:
    """The ids that a value names by number: `649, 749` of the series PEP are PEP-649 and PEP-749."""
    parts = value if isinstance(value, list) else re.split(r"[,;\n]", value) if isinstance(value, str) else []
    found = []
    for part in parts:
        number = _NUMBER.search(re.sub(r".*/(?=\d)", "", part)) if isinstance(part, str) else None
        if number:
            found.append(f"{series}-{int(number[0])}")
    return found


def moment(text: str | None) -> int | None:
    """Microseconds since 1970 of the first date in a text: 2019-05-03, 03-May-2019, May 2019 (its first day)."""
    if not text:
        return None
    iso = _ISO.search(text)
    if iso:
        return microseconds(f"{iso[1]}-{int(iso[2]):02d}-{int(iso[3]):02d}")
    for day, month, year in _WORDED.findall(text):
        if month[:3].lower() in _MONTHS:
            return microseconds(f"{year}-{_MONTHS.index(month[:3].lower()) + 1:02d}-{int(day or 1):02d}")
    return None


def memories(entries: Sequence[Entry]) -> Iterator[Memory]:
    """The entries of one input as memories."""
    unaccepted = {entry.id for entry in entries if entry.unaccepted}
    for entry in entries:
        yield Memory(
            id=entry.id,
            format="standards",
            kind="standard",
            text=entry.title or entry.id,
            rationale=entry.summary,
            created_at=moment(entry.created),
            updated_at=moment(entry.updated),
            declared=_declared(entry),
            agent=entry.people,
            tags=[("status", entry.status)] if entry.status else [],
            extra=entry.extra or None,
            links=list(_links(entry, unaccepted)),
            line=entry.line,
        )


def _declared(entry: Entry) -> Declared | None:
    if entry.word in ENDED:
        return Declared.ENDED
    return Declared.LIVE if entry.declares and entry.word in LIVE else None


def _links(entry: Entry, unaccepted: set[str]) -> Iterator[Link]:
    for name, others in entry.relations.items():
        kind, by = RELATIONS[name]
        for other in dict.fromkeys(others):
            acting = entry.id if by is _FORWARD else other
            refused = kind is LinkKind.SUPERSEDES and acting in unaccepted
            yield Link(kind, other, name, by, void=Void.UNACCEPTED_SOURCE if refused else None)
