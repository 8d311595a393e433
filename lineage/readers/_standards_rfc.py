"""The index of the RFC series, as text and as XML."""

import re
from collections.abc import Iterator

from lineage.readers._standards_entry import RELATIONS, Entry

_ENTRY = re.compile(r"^(\d{4,6})[ \t]+(\S[^\n]*(?:\n[ \t]+\S[^\n]*)*)", re.MULTILINE)
_GROUP = re.compile(r"\((Format|Obsoletes|Obsoleted by|Updates|Updated by|Also|Status|DOI)[:\s]\s*([^()]*)\)")
_DATE = re.compile(r"\s*((?:\d{1,2} )?[A-Z][a-z]+ \d{4})\.\s*$")
_AUTHORS = re.compile(r"\.\s+(?=[A-Z]\.[\s-]?(?:[A-Z]\.[\s-]?)*[^\W\d_])")
_DOCUMENT = re.compile(r"\bRFC0*(\d{1,6})\b")


def is_text_index(text: str) -> bool:
    """Whether a text is the index: entries by number, each with its status."""
    return len(_ENTRY.findall(text[:200_000])) > 0 and bool(re.search(r"\(Status:\s", text)) and "RFC" in text


def documents(text: str) -> list[str]:
    """The RFCs that a text names, without zeros before their numbers."""
    return [f"RFC{number}" for number in _DOCUMENT.findall(text)]


def text_entries(text: str) -> Iterator[Entry]:
    """The entries of the index as text; a number that was not issued is none."""
    line, place = 1, 0
    for found in _ENTRY.finditer(text):
        line += text.count("\n", place, found.start())
        place = found.start()
        entry = _entry(found[1], " ".join(found[2].split()), line)
        if entry:
            yield entry


def _entry(number: str, told: str, line: int) -> Entry | None:
    if told.rstrip(". ").lower() == "not issued":
        return None
    groups = dict(_GROUP.findall(told))
    if "Status" not in groups:
        return None
    rest = _GROUP.sub("", told).strip()
    dated = _DATE.search(rest)
    rest = rest[: dated.start()].strip() if dated else rest
    apart = _AUTHORS.search(rest)
    title, people = (rest[: apart.start()], rest[apart.end() :]) if apart else _halves(rest)
    entry = Entry(
        f"RFC{int(number)}", title.rstrip("."), groups["Status"].strip(), line=line, declares=False, accepted=True
    )
    entry.created = dated[1] if dated else None
    entry.people = people.rstrip(".") or None
    for name, value in groups.items():
        relation = name.lower().replace(" ", "-")
        if relation in RELATIONS:
            entry.relations[relation] = documents(value)
        elif name in {"Format", "DOI", "Also"}:
            entry.extra[name.lower()] = value.strip()
    return entry


def _halves(rest: str) -> tuple[str, str]:
    """Title and authors where these have no initials: parted at the last full stop."""
    title, stop, people = rest.rstrip(". ").rpartition(". ")
    return (title, people) if stop else (rest, "")
