"""Remembr episodes: JSON or JSONL, in which Mindr's tags keep their meaning.

A migration from Mindr gives every memory a new id, so what its markers point
at is usually not here.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from lineage.readers import _mindr_tags as shared
from lineage.readers.base import Item, Memory, Reader, Record, Traits
from lineage.readers.fields import Fields, leftover

_NAME = "remembr"
_PIECES = ("id", "episode_id", "session_id", "role", "content", "metadata", "created_at")
_OWN = frozenset({"episode_id", "embedding_status"})
_WRITTEN = frozenset({"wire", "plain"})
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def sniff(record: Record) -> bool:
    """Whether this is a Remembr episode, be it one that lacks a piece or two."""
    if shared.stranger(record) or not shared.remembered(record):
        return False
    tags = record.get("tags")
    form = shared.tag_form(tags)
    if form == "object":
        return False
    pieces = sum(key in record for key in _PIECES)
    if form == "wire" or not _OWN.isdisjoint(record):
        return pieces >= 2
    # Without a mark of its own, the rest must be all the more like an episode.
    return isinstance(tags, list) and pieces >= 5


def read(record: Record) -> list[Item]:
    """One episode as a memory, its problems after it."""
    key = "id" if "id" in record or "episode_id" not in record else "episode_id"
    name = shared.identity(record.get(key))
    if name is None:
        return [shared.without_id(record, key)]
    fields = Fields(record, id=name)
    shared.note_missing(fields, "content", "created_at")
    pairs, forms = shared.tag_pairs(fields)
    memory = Memory(
        id=name,
        format=_NAME,
        text=fields.string("content", null=False),
        tags=pairs,
        session=fields.string("session_id"),
        created_at=fields.time("created_at", null=False),
    )
    if "wire" in forms or "object" in forms:
        shared.classify(memory, fields)
        shared.describe(memory, fields)
    extra = leftover(record, _columns(memory, key)) or {}
    if forms and forms <= _WRITTEN:
        del extra["tags"]
    memory.extra = extra or None
    return [memory, *fields.problems]


def _columns(memory: Memory, key: str) -> dict[str, Any]:
    """What the columns but `tags` give back."""
    record: dict[str, Any] = {key: memory.id, "content": memory.text, "session_id": memory.session}
    metadata = shared.described(memory)
    if metadata:
        record["metadata"] = metadata
    if memory.created_at is not None:
        record["created_at"] = (_EPOCH + timedelta(microseconds=memory.created_at)).isoformat()
    return record


READER = Reader(
    name=_NAME,
    signs="an object with `content`, `session_id` and `embedding_status`",
    about="Remembr episodes, as exported, or as Mindr migrates its memories to",
    sniff=sniff,
    read=read,
    traits=Traits(rationale=True),
    family="mindr",
)
