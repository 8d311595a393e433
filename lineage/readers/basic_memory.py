"""Memory notes in Markdown: Basic Memory's, and those that coding assistants keep one to a file.

A note has front matter (`title`, `type`, `permalink`, or `name` and
`description`), observations (`- [category] text #tag`) and relations
(`- supersedes [[Title]]`). A wiki link names a note by its title, permalink,
path or file name. The id of a note is its path below the input.
"""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lineage.model import Declared, DeclaredBy, LinkKind, Void
from lineage.readers import _front_matter
from lineage.readers.base import Document, Documents, Item, Link, Memory, Problem, Reader, Traits
from lineage.readers.fields import microseconds

_FORWARD, _BACKWARD = DeclaredBy.SUCCESSOR, DeclaredBy.PREDECESSOR
_VERBS = {
    **dict.fromkeys(
        ("supersedes", "supercedes", "replaces", "overrides", "deprecates", "obsoletes"), LinkKind.SUPERSEDES
    ),
    **dict.fromkeys(("amends", "clarifies", "updates"), LinkKind.AMENDS),
    **dict.fromkeys(("extends", "builds on"), LinkKind.EXTENDS),
    **dict.fromkeys(("contradicts", "conflicts with"), LinkKind.CONFLICTS),
}
_PASSIVE = {
    **dict.fromkeys(
        ("superseded by", "superceded by", "replaced by", "overridden by", "deprecated by"), LinkKind.SUPERSEDES
    ),
    "amended by": LinkKind.AMENDS,
    "extended by": LinkKind.EXTENDS,
}
_WIKI = r"\[\[([^\[\]]{1,300})\]\]"
_ANY_VERB = "|".join(verb.replace(" ", "[ _-]") for verb in (*_PASSIVE, *_VERBS))
_SAID = re.compile(
    rf"(\b(?:not|never|no\s+longer)\s+|n['’]t\s+)?\b({_ANY_VERB}):?\s+((?:{_WIKI}[\s,]*(?:and\s+)?)+)", re.IGNORECASE
)
_RELATION = re.compile(rf"[ \t]*[-*+][ \t]+([A-Za-z][\w /-]{{0,60}}?):?[ \t]+{_WIKI}", re.MULTILINE)
_LINK = re.compile(_WIKI)
_OBSERVATION = re.compile(r"^[ \t]*[-*+][ \t]+\[([^\W\d_][^\[\]()\n]{1,39})\][ \t]+(\S[^\n]*)$", re.MULTILINE)
_HASHTAG = re.compile(r"(?<!\S)#([\w/-]{1,60})")
_FENCED = re.compile(r"^(```|~~~).*?(?:^\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_TITLE = re.compile(r"^#[ \t]+(\S[^\n]*)$", re.MULTILINE)
_KINDS = frozenset({"feedback", "project", "user", "reference", "memory", "note", "fact", "preference", "convention"})
_INDEX = frozenset({"memory.md", "index.md", "readme.md"})
_ENDED = frozenset({"superseded", "deprecated", "archived", "obsolete", "retired", "rejected", "withdrawn"})
_MAPPED = frozenset(
    {"title", "name", "description", "type", "tags", "created", "updated", "created_at", "updated_at", "date"}
)


@dataclass
class _Note:
    path: str
    fields: Mapping[str, Any]
    body: str
    line: int
    problem: str | None
    names: set[str] = field(default_factory=set)

    @property
    def title(self) -> str | None:
        heading = _TITLE.search(self.body)
        return _said(self.fields, "title", "name") or (heading[1].strip() if heading else None)


def claims(document: Document) -> bool:
    """Whether its front matter is that of a note, or it says in the way of notes what it supersedes."""
    if posixpath.basename(document.path).lower() in _INDEX:
        return False
    fields = _front_matter.glimpse(document.text)
    if fields is None:
        return bool(_SAID.search(document.text))
    if "permalink" in fields or fields.get("type", "").lower() in _KINDS:
        return True
    described = "name" in fields and "description" in fields
    return (described and "metadata" in fields) or bool(_SAID.search(document.text))


def read(documents: Sequence[Document]) -> Iterator[tuple[int, Item]]:
    """The notes of one input, with their wiki links resolved among each other."""
    notes = [_note(document) for document in documents]
    named: defaultdict[str, list[str]] = defaultdict(list)
    for note in notes:
        for name in note.names:
            named[name].append(note.path)
    for number, note in enumerate(notes):
        if note.problem:
            yield number, Problem("LIN905", note.problem, note.path, 1)
        yield number, _memory(note, named)


def _note(document: Document) -> _Note:
    matter = _front_matter.split(document.text)
    fields = {key.lower().replace("-", "_"): value for key, value in matter.fields.items()}
    body = _FENCED.sub(lambda found: "\n" * found[0].count("\n"), matter.body)
    note = _Note(document.path, fields, body, matter.line, matter.problem)
    stem = posixpath.splitext(document.path)[0]
    names = (
        document.path,
        stem,
        posixpath.basename(stem),
        note.title,
        _said(fields, "permalink"),
        _said(fields, "name"),
    )
    note.names = {_folded(name) for name in names if name}
    return note


def _folded(name: str) -> str:
    """A name as a link may write it: without a place in the note, its case, and what stands for spaces."""
    name = re.split(r"[|#]", name, maxsplit=1)[0]
    return " ".join(re.sub(r"\.md$|[\s_-]+", " ", name.strip().lower()).split())


def _said(fields: Mapping[str, Any], *keys: str) -> str | None:
    return next((fields[key] for key in keys if isinstance(fields.get(key), str) and fields[key].strip()), None)


def _memory(note: _Note, named: Mapping[str, list[str]]) -> Memory:
    metadata = note.fields.get("metadata")
    inner = metadata if isinstance(metadata, dict) else {}
    observed = [f"[{category}] {text.strip()}" for category, text in _OBSERVATION.findall(note.body)]
    described = _said(note.fields, "description")
    prose = next(
        (part for part in re.split(r"\n\s*\n", note.body) if part.strip() and part.strip()[0] not in "#-*+"), None
    )
    rationale = " ".join(prose.split()) if prose else "; ".join(observed) or None
    status = _said(note.fields, "status") or _said(inner, "status") or ""
    created = _said(note.fields, "created", "created_at", "date") or _said(inner, "created", "created_at")
    updated = _said(note.fields, "updated", "updated_at", "modified") or _said(inner, "updated", "updated_at")
    extra: dict[str, Any] = {"body": note.body}
    kept = {key: value for key, value in note.fields.items() if key not in _MAPPED}
    if kept:
        extra["front_matter"] = kept
    return Memory(
        id=note.path,
        format="basic-memory",
        kind=_said(inner, "type") or _said(note.fields, "type"),
        text=described or note.title or posixpath.basename(note.path),
        rationale=rationale,
        created_at=microseconds(created.strip()) if created else None,
        updated_at=microseconds(updated.strip()) if updated else None,
        declared=Declared.ENDED if status.lower() in _ENDED else None,
        session=_said(inner, "originsessionid", "originSessionId", "session"),
        tags=_tags(note, status),
        extra=extra,
        links=list(_links(note, named)),
        line=1,
    )


def _tags(note: _Note, status: str) -> list[tuple[str, str]]:
    given = note.fields.get("tags")
    listed = given if isinstance(given, list) else re.split(r"[,\s]+", given) if isinstance(given, str) else []
    names = [str(name).lstrip("#") for name in listed] + _HASHTAG.findall(
        "\n".join(text for _, text in _OBSERVATION.findall(note.body))
    )
    return [*([("status", status)] if status else []), *(("tag", name) for name in dict.fromkeys(names) if name)]


def _links(note: _Note, named: Mapping[str, list[str]]) -> Iterator[Link]:
    found: dict[tuple[LinkKind, str, DeclaredBy], Link] = {}
    said: set[str] = set()
    for verb, other, via in _statements(note):
        kind, by = (_PASSIVE[verb], _BACKWARD) if verb in _PASSIVE else (_VERBS.get(verb, LinkKind.RELATES), _FORWARD)
        link = _resolved(kind, other, by, via, named)
        said.add(link.other)
        found.setdefault((kind, link.other, by), link)
    for name in _LINK.findall(note.body):
        link = _resolved(LinkKind.RELATES, name, _FORWARD, "link", named)
        # A page that is no memory is only mentioned.
        if link.other not in said and link.void is None and _folded(name) in named and link.other != note.path:
            found.setdefault((link.kind, link.other, _FORWARD), link)
    yield from found.values()


def _statements(note: _Note) -> Iterator[tuple[str, str, str]]:
    """What the note says of others: the verb, the name of the other, and where it says so."""
    for key, value in note.fields.items():
        verb = key.replace("_", " ")
        if verb in _VERBS or verb in _PASSIVE:
            yield from ((verb, name, key) for name in _named(value))
    for negated, verb, names in ((hit[1], hit[2], hit[3]) for hit in _SAID.finditer(note.body)):
        if not negated:
            plain = re.sub(r"[\s_-]+", " ", verb.lower())
            yield from ((plain, name, plain) for name in _LINK.findall(names))
    for verb, name in _RELATION.findall(note.body):
        plain = re.sub(r"[\s_-]+", " ", verb.lower()).strip()
        if plain not in _VERBS and plain not in _PASSIVE and not _SAID.search(f"{verb} [[x]]"):
            yield plain, name, plain


def _named(value: object) -> Iterable[str]:
    for item in value if isinstance(value, list) else [value]:
        while isinstance(item, list) and item:
            # `[[Title]]` without quotes is a list within a list to YAML.
            item = item[0]  # noqa: PLW2901
        if isinstance(item, str) and item.strip().lower() not in {"", "none", "n/a", "null", "-"}:
            yield from _LINK.findall(item) or [item]


def _resolved(kind: LinkKind, name: str, by: DeclaredBy, via: str, named: Mapping[str, list[str]]) -> Link:
    words = " ".join(re.split(r"[|#]", name, maxsplit=1)[0].split())
    alike = sorted(set(named.get(_folded(name), [])))
    if len(alike) == 1:
        return Link(kind, alike[0], via, by)
    return Link(kind, words, via, by, void=Void.AMBIGUOUS if alike else None)


READER = Reader(
    name="basic-memory",
    signs="Markdown with `permalink`, or the `type` or `metadata` of a note, or `supersedes [[…]]`",
    about="memory notes in Markdown with [[links]]: Basic Memory, and those of coding assistants",
    documents=Documents(claims, read),
    local=True,
    traits=Traits(),
    suffixes=(".md",),
)
