"""Mindr memories: JSON, JSONL, or Mindr's own SQLite store.

What happens to a memory is said by other memories (markers), in their tags.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from lineage.model import Declared
from lineage.readers import _mindr_tags as shared
from lineage.readers._mindr_store import rows
from lineage.readers._sqlite import is_sqlite, store_with
from lineage.readers.base import Carrier, Item, Memory, Problem, Reader, Record, Traits
from lineage.readers.fields import Fields, iso_milliseconds, json_type, leftover, merged, shown

_NAME = "mindr"
_PIECES = ("id", "role", "content", "metadata", "createdAt", "sessionId")
_SNAKE = {"sessionId": "session_id", "createdAt": "created_at", "deletedAt": "deleted_at"}
_ORDER = ("id", "sessionId", "role", "content", "tags", "metadata", "createdAt", "deletedAt", "reversed")
_ROLES = ("user", "system")
_WRITTEN = frozenset({"object", "plain"})


def sniff(record: Record) -> bool:
    """Whether this is a Mindr memory, be it one that lacks a piece or two."""
    if shared.stranger(record):
        return False
    tags = record.get("tags")
    form = shared.tag_form(tags)
    if shared.remembered(record) and form != "object":
        return False
    pieces = sum(key in record for key in _PIECES)
    if form is not None:
        return pieces >= 2
    # Without a tag of Mindr's own, the rest must be all the more like one of its memories.
    return pieces >= (3 if tags == [] else 5) and ("createdAt" in record or "sessionId" in record)


def read(record: Record) -> list[Item]:
    """One record as a memory, its problems after it."""
    name = shared.identity(record.get("id"))
    if name is None:
        return [shared.without_id(record, "id")]
    fields = Fields(record, id=name)
    created = _spelling(record, "createdAt")
    shared.note_missing(fields, "content", "role", "tags", created)
    pairs, forms = shared.tag_pairs(fields)
    memory = Memory(
        id=name,
        format=_NAME,
        text=fields.string("content", null=False),
        tags=pairs,
        session=fields.string(_spelling(record, "sessionId")),
        created_at=_moment(fields, created, null=False),
        deleted_at=_moment(fields, _spelling(record, "deletedAt")),
        declared=_declared(fields),
    )
    role = fields.string("role", null=False)
    if role is not None and role not in _ROLES:
        fields.note("role", f"expected user or system, found {shown(role)}")
    shared.classify(memory, fields)
    shared.describe(memory, fields)
    extra = leftover(record, _columns(memory, record)) or {}
    if forms and forms <= _WRITTEN:
        del extra["tags"]
    memory.extra = extra or None
    return [memory, *fields.problems]


def _spelling(record: Record, key: str) -> str:
    """`key`, or the store's spelling of it where the record has only that."""
    snake = _SNAKE[key]
    return snake if snake in record and key not in record else key


def _moment(fields: Fields, key: str, *, null: bool = True) -> int | None:
    """A time: text, or milliseconds since 1970 as the store keeps it."""
    value = fields.value(key)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return fields.time(key, null=null)
    if not shared.FIRST_MILLISECOND <= value <= shared.LAST_MILLISECOND:
        fields.note(key, "a number that is no time this tool can hold")
        return None
    if key in _SNAKE:
        fields.note(key, "expected a string, found a number; taken as milliseconds since 1970")
    return int(value * 1000)


def _declared(fields: Fields) -> Declared | None:
    value = fields.value("reversed")
    if value is not None and not isinstance(value, bool):
        fields.note("reversed", f"expected a boolean, found {json_type(value)}")
    return Declared.REVERSED if value is True else None


def _columns(memory: Memory, known: Mapping[str, Any]) -> dict[str, Any]:
    """What the columns but `tags` give back; a key that is `known` in its other spelling is left to it."""
    record: dict[str, Any] = {"id": memory.id}
    if memory.text is not None:
        record["content"] = memory.text
    metadata = shared.described(memory)
    if metadata:
        record["metadata"] = metadata
    if memory.session is not None and "session_id" not in known:
        record["sessionId"] = memory.session
    if memory.created_at is not None and "created_at" not in known:
        record["createdAt"] = iso_milliseconds(memory.created_at)
    if memory.deleted_at is not None and "deleted_at" not in known:
        record["deletedAt"] = iso_milliseconds(memory.deleted_at)
    if memory.declared is Declared.REVERSED:
        record["reversed"] = True
    return record


def write(memory: Memory) -> dict[str, Any]:
    """The record of a row; a row of another format gets what a Mindr memory can hold."""
    if memory.format != _NAME:
        return _translated(memory)
    extra = memory.extra or {}
    record = _columns(memory, extra)
    if memory.tags:
        record["tags"] = _tags(memory.tags)
    merged(record, extra)
    return {key: record[key] for key in _ORDER if key in record} | record


def _tags(pairs: Iterable[tuple[str, str]]) -> list[Any]:
    """Tags as Mindr writes them; a foreign tag, whose key is empty, stays a string."""
    return [{"key": key, "value": value} if key else value for key, value in pairs]


def _translated(memory: Memory) -> dict[str, Any]:
    said = (
        ("type", memory.kind),
        ("module", memory.module),
        ("git_commit", memory.commit),
        ("branch_lineage", memory.branch),
    )
    tags = [(key, value) for key, value in said if value is not None and (key, value) not in memory.tags]
    metadata = shared.described(memory)
    if len(memory.files) > 1:
        metadata["filesAffected"] = list(memory.files)
    if memory.format == "remembr":
        kept = (memory.extra or {}).get("metadata")
        merged(metadata, kept if isinstance(kept, dict) else None)
    record: dict[str, Any] = {
        "id": memory.id,
        "sessionId": memory.session,
        "role": "system",
        "content": memory.text or "",
        "tags": _tags([*tags, *memory.tags]),
        "metadata": metadata or None,
        "createdAt": iso_milliseconds(memory.created_at),
    }
    if memory.deleted_at is not None:
        record["deletedAt"] = iso_milliseconds(memory.deleted_at)
    if memory.declared is Declared.REVERSED:
        record["reversed"] = True
    return record


def _read_store(path: Path) -> Iterator[Item]:
    """The items of a store, row by row."""
    for line, (record, problems) in enumerate(rows(path), start=1):
        for item in (*read(record), *problems) if record is not None else problems:
            if isinstance(item, Problem):
                yield replace(item, line=line)
            elif isinstance(item, Memory):
                item.line = line
                yield item


READER = Reader(
    name=_NAME,
    signs="an object with `type` and `tags`, or with tags that begin with mindr:; a store with a table memories",
    about="Mindr memories: JSON, JSONL, and the store .mindr/mindr.sqlite",
    sniff=sniff,
    read=read,
    write=write,
    traits=Traits(rationale=True),
    carrier=Carrier(name="sqlite", claims=is_sqlite, read=_read_store, holds=store_with("memories")),
    suffixes=(".json", ".jsonl", ".ndjson", ".sqlite", ".sqlite3", ".db"),
)
