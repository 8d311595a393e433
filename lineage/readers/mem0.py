"""Mem0: an export of its memories, or `history.db`, which holds each version of them.

The export says what each memory holds now. The history says what was done to
it, a row a time: added, changed, deleted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lineage.errors import NotMemories
from lineage.model import Declared, LinkKind
from lineage.readers._sqlite import BrokenText, has_table, is_sqlite, opened, store_with, table_rows
from lineage.readers.base import Carrier, Item, Link, Memory, Passed, Problem, Reader, Record, Tombstone
from lineage.readers.fields import Fields, iso, json_type, leftover, not_of, shown

_NAME = "mem0"
_TABLE = "history"
_SIGNS = ("hash", "user_id", "agent_id", "run_id", "actor_id", "created_at", "updated_at", "metadata", "categories")
_EVENTS = ("ADD", "UPDATE", "DELETE", "NONE")
_VIA = "event"


def _is_memory(record: Record) -> bool:
    return "id" in record and "memory" in record and any(key in record for key in _SIGNS)


def _is_history(record: Record) -> bool:
    return "memory_id" in record and "event" in record and ("new_memory" in record or "old_memory" in record)


def sniff(record: Record) -> bool:
    """Whether this is a memory of an export, the whole export, or an event of a history."""
    results = record.get("results")
    if isinstance(results, list):
        return bool(results) and all(
            isinstance(item, dict) and (_is_memory(item) or _is_history(item)) for item in results
        )
    return _is_memory(record) or _is_history(record)


def read(record: Record) -> Iterator[Item]:
    """The memories of an export; events of a history are read together."""
    if not sniff(record):
        yield not_of("a memory with `id` and `memory`, or an event of a history", record)
        return
    for line, item in _listed(record):
        if not _is_history(item):
            yield from _read_memory(item, line)


def _listed(record: Record) -> Iterator[tuple[int | None, Record]]:
    results = record.get("results")
    if isinstance(results, list):
        yield from enumerate(results, 1)
    else:
        yield None, record


def _read_memory(record: Record, line: int | None) -> Iterator[Item]:
    name = _name_of(record.get("id"))
    if name is None:
        yield Problem("LIN901", f"id: expected a string, found {json_type(record.get('id'))}", line=line)
        return
    fields = Fields(record, id=name)
    memory = Memory(
        id=name,
        format=_NAME,
        text=fields.string("memory", null=False),
        created_at=fields.time("created_at"),
        updated_at=fields.time("updated_at"),
        agent=fields.string("agent_id"),
        session=fields.string("run_id"),
        tags=[("category", category) for category in fields.strings("categories")],
        line=line,
    )
    written: dict[str, Any] = {"id": memory.id, "memory": memory.text, "agent_id": memory.agent}
    written |= {"run_id": memory.session, "categories": [value for _, value in memory.tags]}
    written |= {key: iso(getattr(memory, key)) for key in ("created_at", "updated_at")}
    memory.extra = leftover(record, written)
    yield memory
    for problem in fields.problems:
        yield Problem(problem.rule, problem.cause, problem.id, line)


def _name_of(value: object) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value else None


def together(records: Sequence[Record]) -> Iterator[tuple[int, Item]]:
    """The versions that the events of one input tell of."""
    placed = [
        (number, line, item)
        for number, record in enumerate(records)
        if sniff(record)
        for line, item in _listed(record)
        if _is_history(item)
    ]
    return _versions(placed)


@dataclass
class _Versions:
    """The versions of one memory so far; the last one is in effect unless it was deleted."""

    held: list[tuple[int, Memory]] = field(default_factory=list)
    gone: bool = False


def _versions(events: Sequence[tuple[int, int | None, Record]]) -> Iterator[tuple[int, Item]]:
    """Each version as a memory `<memory_id>@<n>`, in the order of the first event of its memory."""
    known: dict[str, _Versions] = {}
    rest: list[tuple[int, Item]] = []
    for number, line, record in events:
        name = _name_of(record.get("memory_id"))
        if name is None:
            cause = f"memory_id: expected a string, found {json_type(record.get('memory_id'))}"
            rest.append((number, Problem("LIN901", cause, line=line)))
            continue
        fields = Fields(record, id=name)
        event = fields.string("event", null=False)
        if event is not None and event.upper() not in _EVENTS:
            fields.note("event", f"{shown(event)} is none of {', '.join(_EVENTS)}")
        if event is not None and event.upper() == "NONE":
            rest.append((number, Passed("event without a change")))
            continue
        versions = known.setdefault(name, _Versions())
        rest += [(number, item) for item in _apply(versions, name, fields, (number, line), record)]
        rest += [(number, Problem(one.rule, one.cause, one.id, line)) for one in fields.problems]
    for versions in known.values():
        yield from versions.held
    yield from rest


def _apply(
    versions: _Versions, name: str, fields: Fields, place: tuple[int, int | None], record: Record
) -> Iterator[Item]:
    """Let an event make a version, or delete the last one."""
    event = str(record.get("event")).upper()
    old, new = fields.string("old_memory"), fields.string("new_memory")
    created, updated = fields.time("created_at"), fields.time("updated_at")
    deletes = event == "DELETE" or (event not in _EVENTS and new is None)
    if not versions.held and (event == "UPDATE" or deletes):
        # What came before this history began is known by its text alone.
        first = created if updated is not None and updated != created else None
        _add(versions, name, place, old, first, {"known_from": event})
    when = updated if updated is not None else created
    if not deletes:
        _replace(versions, event, when)
        extra = leftover(record, _written(name, record, new))
        _add(versions, name, place, new, when, extra or {}, supersedes=event != "ADD")
        versions.held[-1][1].agent = fields.string("actor_id")
        return
    last = versions.held[-1][1]
    last.deleted_at, versions.gone = when, True
    last.extra = {**(last.extra or {}), "deletion": dict(record)}
    if when is None:
        yield Tombstone(last.id, _NAME, None)


def _replace(versions: _Versions, event: str, when: int | None) -> None:
    """End the last version, unless what follows is a beginning of its own."""
    if not versions.held or versions.gone:
        versions.gone = False
        return
    last = versions.held[-1][1]
    if event != "ADD" or last.declared is None:
        last.declared, last.invalidated_at = Declared.ENDED, when


def _add(
    versions: _Versions,
    name: str,
    place: tuple[int, int | None],
    text: str | None,
    created: int | None,
    extra: dict[str, Any],
    *,
    supersedes: bool = False,
) -> None:
    number, line = place
    before = versions.held[-1][1].id if supersedes and versions.held else None
    memory = Memory(
        id=f"{name}@{len(versions.held) + 1}",
        format=_NAME,
        text=text,
        created_at=created,
        extra=extra or None,
        links=(Link(LinkKind.SUPERSEDES, before, _VIA, implied=True),) if before is not None else (),
        line=line,
    )
    versions.held.append((number, memory))


def _written(name: str, record: Mapping[str, Any], text: str | None) -> dict[str, Any]:
    """What the columns of a version, and the version before it, give back of its event."""
    written: dict[str, Any] = {"memory_id": name, "new_memory": text}
    written |= {key: None for key in ("old_memory", "actor_id", "role", "updated_at") if record.get(key) is None}
    return written


def _read_store(path: Path) -> Iterator[Item]:
    """The versions that a `history.db` tells of, each with the number of its row."""
    problems: list[Problem] = []
    with opened(path) as connection:
        if not has_table(connection, _TABLE):
            raise NotMemories(f"{path}: a SQLite store without a table named {_TABLE}")
        events: list[tuple[int, int | None, Record]] = []
        for line, row in enumerate(table_rows(connection, _TABLE), 1):
            broken = next((column for column, cell in row.items() if isinstance(cell, bytes)), None)
            if broken is None:
                events.append((0, line, row))
            else:
                what = "the text is not UTF-8" if isinstance(row[broken], BrokenText) else "expected text, found a BLOB"
                problems.append(Problem("LIN901", f"{broken}: {what}", line=line))
    yield from (item for _, item in _versions(events))
    yield from problems


READER = Reader(
    name=_NAME,
    signs="`results` of objects with `memory`; a store with a table history",
    about="Mem0: its export (get_all), and history.db with each version of a memory",
    sniff=sniff,
    read=read,
    together=together,
    carrier=Carrier(name="sqlite", claims=is_sqlite, read=_read_store, holds=store_with(_TABLE)),
    suffixes=(".json", ".jsonl", ".ndjson", ".db"),
)
