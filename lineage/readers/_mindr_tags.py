"""What Mindr and Remembr share: the shape of their records, and what tags say.

A tag is `{"key": …, "value": …}`, or on the wire `mindr:<key>:<value>`, where
the value may hold colons. Any other string is foreign: it is kept as a pair
with an empty key, and means nothing here.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from lineage.model import LinkKind, Role
from lineage.readers.base import Link, Memory, Problem, Record
from lineage.readers.fields import Fields, json_type, keyed_tags, shown

_WIRE = "mindr"
_PREFIX = "mindr:"
_LOGS = frozenset({"context", "session_checkpoint", "metering"})
FIRST_MILLISECOND = -62_135_596_800_000  # of the year 1, since 1970
LAST_MILLISECOND = 253_402_300_799_999  # of the year 9999

_STRANGE_KEYS = frozenset({"$type", "uri", "commit"})
_STRANGE_FORMATS = ("robrain-memory/", "lineage-memory/")
_MINDR_KEYS = frozenset({"createdAt", "sessionId", "deletedAt", "deleted_at"})
_REMEMBR_KEYS = frozenset({"created_at", "session_id", "embedding_status", "episode_id"})

Pair = tuple[str, str]


def stranger(record: Record) -> bool:
    """Whether the record names another format as its own."""
    form = record.get("format")
    return not _STRANGE_KEYS.isdisjoint(record) or (isinstance(form, str) and form.startswith(_STRANGE_FORMATS))


def remembered(record: Record) -> bool:
    """Whether the record's keys are Remembr's (`created_at`) rather than Mindr's (`createdAt`)."""
    return _MINDR_KEYS.isdisjoint(record) and not _REMEMBR_KEYS.isdisjoint(record)


def tag_form(tags: object) -> Literal["object", "wire"] | None:
    """The form of the first tag in a list that is Mindr's; None where there is no such tag."""
    if isinstance(tags, list):
        for item in tags:
            if isinstance(item, str) and item.startswith(_PREFIX):
                return "wire"
            if isinstance(item, dict) and "key" in item and "value" in item:
                return "object"
    return None


def identity(value: object) -> str | None:
    """The id as text; numbers are written out, an empty or any other value is none."""
    if isinstance(value, str):
        return value or None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return str(value)
    except ValueError:  # more digits than Python writes out
        return None


def without_id(record: Record, key: str) -> Problem:
    """The problem of a record whose `key` holds no id."""
    value = record.get(key)
    found = "an empty string" if value == "" else json_type(value) if key in record else "nothing"
    return Problem("LIN901", f"`{key}` must be a string, found {found}")


def wired(item: str) -> Pair | None:
    """The pair of a tag on the wire; None for a foreign tag."""
    parts = item.split(":", 2)
    return (parts[1], parts[2]) if len(parts) == 3 and parts[0] == _WIRE and parts[1] else None


def tag_pairs(fields: Fields) -> tuple[list[Pair], set[str]]:
    """The pairs of `tags`, and the forms they came in: `object`, `wire`, `plain`, `odd`.

    An `odd` tag is one that its pair does not give back, or that yields none.
    """
    found = fields.value("tags", never_null="a list")
    pairs: list[Pair] = []
    forms: set[str] = set()
    if found is None or not isinstance(found, list):
        if found is not None:
            fields.note("tags", f"expected a list, found {json_type(found)}")
        return pairs, forms
    for position, item in enumerate(found):
        if isinstance(item, dict):
            key, value = item.get("key"), item.get("value")
            if isinstance(key, str) and isinstance(value, str):
                pairs.append((key, value))
                # An empty key is that of a foreign tag.
                forms.add("object" if key and len(item) == 2 else "odd")
            else:
                pairs += _odd_tag(fields, position, item)
                forms.add("odd")
        elif isinstance(item, str):
            pair = wired(item)
            if pair is None and item.startswith(_PREFIX):
                fields.note(f"tags[{position}]", f"{shown(item)} has no key or no value")
            forms.add("plain" if pair is None else "wire")
            pairs.append(pair or ("", item))
        else:
            fields.note(f"tags[{position}]", f"expected an object or a string, found {json_type(item)}")
            forms.add("odd")
    return pairs, forms


def _odd_tag(fields: Fields, position: int, item: Mapping[str, Any]) -> list[Pair]:
    for name in ("key", "value"):
        if not isinstance(item.get(name), str):
            found = json_type(item[name]) if name in item else "nothing"
            fields.note(f"tags[{position}].{name}", f"expected a string, found {found}")
    key, value = item.get("key"), identity(item.get("value"))
    return [(key, value)] if isinstance(key, str) and value is not None else []


def classify(memory: Memory, fields: Fields) -> None:
    """Set what the tags of a memory say: kind, role, links, handle, series and provenance."""
    tags = keyed_tags(memory.tags)
    kinds = [value for key, value in memory.tags if key == "type"]
    memory.kind = kind = "decision" if "decision" in kinds else kinds[0] if kinds else None
    memory.module = tags.get("module")
    memory.commit = tags.get("git_commit", tags.get("commit"))
    memory.branch = tags.get("branch_lineage")
    memory.links = links = _links(kind, tags, memory.tags)
    if kind == "debt_resolved" and not tags.get("original_debt"):
        fields.note("tags", "a debt_resolved memory without a tag original_debt resolves nothing")
    if links or kind == "debt_resolved":
        memory.role = Role.MARKER
    elif kind in _LOGS:
        memory.role = Role.LOG
    elif kind == "debt":
        memory.handle = tags.get("debt_id")
    elif kind == "convention" and tags.get("language"):
        memory.series = ("convention.language", tags["language"])


def _links(kind: str | None, tags: Mapping[str, str], pairs: Sequence[Pair]) -> tuple[Link, ...]:
    links: tuple[Link, ...] = ()
    decision, debt = tags.get("original_decision"), tags.get("original_debt")
    if decision and ("reversed_decision", "true") in pairs:
        links += (Link(LinkKind.REVERSES, decision, "tags.original_decision"),)
    if debt and kind == "debt_resolved":
        links += (Link(LinkKind.RESOLVES, debt, "tags.original_debt", loose=True),)
    return links


def describe(memory: Memory, fields: Fields) -> None:
    """Set what `metadata` says: rationale, confidence and files. Tags are to be classified first."""
    if fields.value("metadata") is None:
        return
    metadata = fields.inner("metadata")
    memory.rationale = metadata.string("rationale")
    memory.confidence = metadata.number("confidence", low=0, high=1)
    if memory.kind == "debt":
        file = metadata.string("file")
        memory.files = () if file is None else (file,)
    else:
        memory.files = metadata.strings("filesAffected")


def described(memory: Memory) -> dict[str, Any]:
    """The metadata as the columns give it back: the inverse of `describe`."""
    metadata: dict[str, Any] = {}
    if memory.rationale is not None:
        metadata["rationale"] = memory.rationale
    if memory.confidence is not None:
        metadata["confidence"] = memory.confidence
    if memory.files and memory.kind == "debt":
        metadata["file"] = memory.files[0]
    elif memory.files:
        metadata["filesAffected"] = list(memory.files)
    return metadata


def note_missing(fields: Fields, *keys: str) -> None:
    """Note every one of the keys that the record does not have."""
    for key in keys:
        if key not in fields:
            fields.note(key, "the key is missing")
