"""Agent decision logs: `[2026-08-10 09:15] DECISION: …` and its indented fields, one file many.

The minute is the id. Of two entries of one minute the later gets `#2`; a
reference to that minute is then ambiguous, unless one of them makes it. Such a
log is only ever appended to, so that a `STATUS` says nothing of later times.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lineage.model import LinkKind, Void
from lineage.readers.base import Document, Documents, Item, Link, Memory, Problem, Reader, Traits
from lineage.readers.fields import microseconds

_ENTRY = re.compile(r"\[(\d{4}-\d\d-\d\d \d\d:\d\d)\]\s*DECISION:[ \t]*(.*)$")
_ANY_ENTRY = re.compile(r"^\[\d{4}-\d\d-\d\d \d\d:\d\d\]\s*DECISION:", re.MULTILINE)
_LOOSE_ENTRY = re.compile(r"\[[^\]\n]*\]\s*DECISION:")
_FIELD = re.compile(r"\s+([A-Z][A-Z _-]{1,20}):[ \t]*(.*)$")
_MINUTE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(?:#\d+)?")


@dataclass
class _Entry:
    minute: str
    text: str
    line: int
    id: str = ""
    fields: dict[str, str] = field(default_factory=dict)


def claims(document: Document) -> bool:
    """Whether a line of it is an entry."""
    return _ANY_ENTRY.search(document.text) is not None


def read(documents: Sequence[Document]) -> Iterator[tuple[int, Item]]:
    """The entries of the logs of one input."""
    places: list[tuple[int, _Entry]] = []
    for number, document in enumerate(documents):
        for found in _entries(document.text):
            if isinstance(found, Problem):
                yield number, found
            else:
                places.append((number, found))
    minutes: Counter[str] = Counter()
    for _, entry in places:
        minutes[entry.minute] += 1
        count = minutes[entry.minute]
        entry.id = entry.minute if count == 1 else f"{entry.minute}#{count}"
    for number, entry in places:
        created = microseconds(entry.minute.replace(" ", "T"))
        if created is None:
            yield number, Problem("LIN905", f"{entry.minute} is no date and time", entry.id, entry.line)
        yield number, _memory(entry, created, minutes)


def _entries(text: str) -> Iterator[_Entry | Problem]:
    entry: _Entry | None = None
    last = ""
    for line, told in enumerate(text.split("\n"), 1):
        begun = _ENTRY.match(told)
        named = _FIELD.match(told) if entry else None
        if begun:
            if entry:
                yield entry
            entry, last = _Entry(begun[1], begun[2].strip(), line), ""
        elif _LOOSE_ENTRY.match(told):
            yield Problem("LIN901", "an entry begins with [YYYY-MM-DD HH:MM]", line=line)
        elif entry and named:
            last = named[1].strip()
            entry.fields[last] = named[2].strip()
        elif entry and told[:1].isspace() and told.strip():
            # A writer wrapped the line.
            if last:
                entry.fields[last] = f"{entry.fields[last]} {told.strip()}".strip()
            else:
                entry.text = f"{entry.text} {told.strip()}".strip()
        elif entry and told.strip():
            yield entry
            entry = None
    if entry:
        yield entry


def _memory(entry: _Entry, created: int | None, minutes: Counter[str]) -> Memory:
    fields = dict(entry.fields)
    status = fields.pop("STATUS", "").rstrip(". ")
    files = fields.pop("FILES", "")
    links = [_link(name, entry, minutes) for name in _MINUTE.findall(fields.pop("SUPERSEDES", ""))]
    return Memory(
        id=entry.id,
        format="agent-decision-log",
        kind="decision",
        text=entry.text,
        rationale=fields.pop("REASON", None),
        created_at=created,
        files=[name.strip() for name in files.split(",") if name.strip()],
        tags=[("status", status)] if status else [],
        extra=dict(fields) or None,
        links=links,
        line=entry.line,
    )


def _link(name: str, entry: _Entry, minutes: Counter[str]) -> Link:
    """A reference to a minute with two entries means the other one, where one of them makes it."""
    void = None
    if name == entry.minute and minutes[name] == 2:
        name = name if entry.id != name else f"{name}#2"
    elif minutes[name] > 1:
        void = Void.AMBIGUOUS
    return Link(LinkKind.SUPERSEDES, name, "SUPERSEDES", void=void)


READER = Reader(
    name="agent-decision-log",
    signs="a line that begins with [YYYY-MM-DD HH:MM] DECISION:",
    about="Agent decision logs (decisions.txt): entries by the minute",
    documents=Documents(claims, read),
    local=True,
    traits=Traits(rationale=True),
    suffixes=(".txt", ".md", ".log"),
)
