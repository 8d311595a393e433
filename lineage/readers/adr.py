"""Architecture Decision Records: Markdown files, one decision each.

Read are the dialects of adr-tools and Nygard, MADR 2 to 4, log4brains,
Backstage, and those that keep status and links in front matter. The id of a
record is its path below the input, because numbers are used again; references
are resolved by the target of their link first, then by number or slug within
the same folder.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lineage.model import Declared, DeclaredBy, LinkKind, Void
from lineage.readers import _front_matter
from lineage.readers._adr_record import Parsed, parse
from lineage.readers._adr_references import Known, References, number_of
from lineage.readers._adr_statements import UNACCEPTED, Statement, is_nothing, of_key, status_of
from lineage.readers.base import Document, Documents, Item, Link, Memory, Problem, Reader, Traits
from lineage.readers.fields import microseconds

_NO_RECORD = re.compile(r"(?:readme|index|contributing|changelog)$|(?:.*[-_.])?template(?:[-_.].*)?$", re.IGNORECASE)
_FOLDER = re.compile(
    r"(?:^|/)(?:adrs?|decisions?|architecture[-_]decisions?|decision[-_]records?)/[^/]*$", re.IGNORECASE
)
_FILE = re.compile(r"(?:adr[-_ ]?)?\d{3,8}[-_ .]", re.IGNORECASE)
_ITEM = re.compile(r"^[-*|] ?[*_]*status[*_]*\s*[:|]", re.IGNORECASE | re.MULTILINE)
_SIGNS = r"[^\w\n]*"


def _headed(words: str) -> re.Pattern[str]:
    """A heading, marked or underlined, of these words and signs around them."""
    named = rf"{_SIGNS}(?:{words}){_SIGNS}"
    return re.compile(rf"^(?:#{{1,4}}[ \t]+{named}|{named}\n(?:-{{3,}}|={{3,}})[ \t]*)$", re.IGNORECASE | re.MULTILINE)


_SECTION = _headed("status")
_PARTS = _headed("decision|decision outcome|context|context and problem statement|consequences|considered options")
_TITLE = re.compile(r"^(?:#[ \t]+[^\s#<]|[^\s#|>-][^\n]*\n=+[ \t]*$)", re.MULTILINE)
_OTHERS = frozenset({"permalink", "eip", "pep", "cip", "kep-number", "description", "metadata"})
_TYPES = frozenset({"adr", "decision", "architecture-decision", "architecture decision"})
_PEOPLE = ("decision-makers", "deciders", "decision-maker", "authors", "author", "decision_makers")
_MAPPED = frozenset({"title", "status", "date", "created", "tags", "rejected", "confidence", "links"})
_DATED = re.compile(r"(\d{4})(\d\d)(\d\d)(?!\d)")


def claims(document: Document) -> bool:
    """Whether a document has a title or status, and what decision records alone have beside it."""
    stem = posixpath.splitext(posixpath.basename(document.path))[0]
    if _NO_RECORD.match(stem):
        return False
    text = document.text
    fields = _front_matter.glimpse(text) if text.startswith("---") else None
    if fields:
        return _claims_fields(fields, text, stem, document.path)
    placed = bool(_FOLDER.search(document.path) or _FILE.match(stem))
    status = bool(_SECTION.search(text) or _ITEM.search(text))
    titled = bool(_TITLE.search(text))
    parts = _parts(text)
    return (titled and parts > 1) or (status and (parts > 0 or (placed and titled)))


def _parts(text: str) -> int:
    """How many different headings of decision records there are."""
    return len({re.sub(r"\W", "", part.lower()) for part in _PARTS.findall(text)})


def _claims_fields(fields: Mapping[str, str], text: str, stem: str, path: str) -> bool:
    kind = fields.get("type", "").lower()
    if fields.keys() & _OTHERS or (kind and kind not in _TYPES):
        return False
    titled = bool(_TITLE.search(text)) or not is_nothing(fields.get("title", ""))
    status = fields.get("status", "")
    known = status_of(status) is not None
    linked = any(of_key(key) for key in fields)
    placed = bool(_FOLDER.search(path) or _FILE.match(stem))
    parts = _parts(text)
    if not titled and not status:
        return False
    return (
        parts > 1 or kind in _TYPES or (known and (linked or placed or parts > 0)) or (linked and (placed or parts > 0))
    )


def read(documents: Sequence[Document]) -> Iterator[tuple[int, Item]]:
    """The records of one input, with their links resolved among each other."""
    split = [_front_matter.split(document.text) for document in documents]
    parsed = [parse(matter) for matter in split]
    known = [_known(document, one) for document, one in zip(documents, parsed, strict=True)]
    references = References(known)
    unaccepted = {name.id for name, one in zip(known, parsed, strict=True) if one.status in UNACCEPTED}
    for number, (document, matter, one, name) in enumerate(zip(documents, split, parsed, known, strict=True)):
        links: dict[Link, None] = {}
        for statement in one.statements:
            link, differs = _link(statement, name, references, unaccepted)
            if link:
                links[link] = None
            if differs:
                cause = f"{statement.via}: a link says {statement.other.text!r} and leads to {statement.other.target!r}"
                yield number, Problem("LIN905", cause, name.id, statement.line)
        if matter.problem:
            yield number, Problem("LIN905", matter.problem, name.id, 1)
        yield number, _memory(document, matter, one, list(links))


def _known(document: Document, parsed: Parsed) -> Known:
    folder, file = posixpath.split(document.path)
    stem = posixpath.splitext(file)[0]
    number = number_of(stem)
    if number is None and parsed.label:
        number = number_of(parsed.label)
    return Known(document.path, folder, stem, number, [parsed.label] if parsed.label else [])


def _link(
    statement: Statement, source: Known, references: References, unaccepted: set[str]
) -> tuple[Link | None, bool]:
    """The link of a statement, and whether its words and its target name two records."""
    found = references(statement.other, source)
    if found is None:
        return None, False
    if found.id == source.id and statement.kind is not LinkKind.SUPERSEDES:
        return None, found.differs
    acting = source.id if statement.by is DeclaredBy.SUCCESSOR else found.id
    void = None
    if found.ambiguous:
        void = Void.AMBIGUOUS
    elif statement.kind is LinkKind.SUPERSEDES and acting in unaccepted:
        void = Void.UNACCEPTED_SOURCE
    return Link(statement.kind, found.id, statement.via, statement.by, void=void), found.differs


def _memory(document: Document, matter: _front_matter.FrontMatter, parsed: Parsed, links: list[Link]) -> Memory:
    fields = {key.lower(): value for key, value in matter.fields.items()}
    people = next((parsed.header[key] for key in _PEOPLE if key in parsed.header), None)
    people = people or next((", ".join(_words(fields[key])) for key in _PEOPLE if _words(fields.get(key))), None)
    extra: dict[str, Any] = {"body": matter.body}
    kept = {key: value for key, value in matter.fields.items() if key.lower() not in _MAPPED or key.lower() == "links"}
    if kept:
        extra["front_matter"] = kept
    return Memory(
        id=document.path,
        format="adr",
        kind="decision",
        text=parsed.title or posixpath.splitext(posixpath.basename(document.path))[0],
        rationale=parsed.rationale or (fields["context"] if isinstance(fields.get("context"), str) else None),
        created_at=_date(parsed, document),
        declared=Declared.LIVE if parsed.live else Declared.ENDED if parsed.ended else None,
        agent=people,
        tags=_tags(parsed, fields),
        rejected=_rejected(parsed, fields),
        confidence=_confidence(fields.get("confidence")),
        extra=extra,
        links=links,
        line=parsed.line,
    )


def _date(parsed: Parsed, document: Document) -> int | None:
    """The date it states, or the one that the name of its file begins with."""
    if parsed.date:
        stated = microseconds(parsed.date.strip()) or microseconds(parsed.date.strip()[:10])
        if stated is not None:
            return stated
    dated = _DATED.match(posixpath.basename(document.path))
    return microseconds("-".join(dated.groups())) if dated else None


def _tags(parsed: Parsed, fields: Mapping[str, Any]) -> list[tuple[str, str]]:
    status = parsed.status or parsed.said
    named = _words(fields.get("tags")) or re.split(r"[,\s]+", parsed.header.get("tags", ""))
    return [*([("status", status)] if status else []), *(("tag", name) for name in named if name)]


def _words(value: object) -> list[str]:
    """A string, or a list of them, as a list; placeholders left out."""
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, str) and not is_nothing(item)]


def _rejected(parsed: Parsed, fields: Mapping[str, Any]) -> list[tuple[str | None, str | None]]:
    listed: list[tuple[str | None, str | None]] = [(option, None) for option in parsed.rejected]
    given = fields.get("rejected")
    for item in given if isinstance(given, list) else []:
        if isinstance(item, str) and not is_nothing(item):
            listed.append((item, None))
        elif isinstance(item, dict):
            option, reason = (_one(item, *keys) for keys in (("option", "name"), ("why", "reason")))
            listed.append((option, reason))
    return listed


def _one(item: Mapping[str, Any], *keys: str) -> str | None:
    return next((item[key] for key in keys if isinstance(item.get(key), str)), None)


def _confidence(value: object) -> float | None:
    try:
        number = float(value) if isinstance(value, str) else -1.0
    except ValueError:
        return None
    return number if 0 <= number <= 1 else None


READER = Reader(
    name="adr",
    signs="Markdown with a title, and a status or two of the headings Context, Decision, Consequences",
    about="Architecture Decision Records: Markdown files and directories of them (adr-tools, MADR, log4brains …)",
    documents=Documents(claims, read),
    local=True,
    traits=Traits(rationale=True, two_sided=True, retracts=False),
    suffixes=(".md", ".markdown", ".mdx"),
)
