"""AT Protocol memory records (`dev.bastienrobert.memory.record`), at rest or as a stream.

They come as pages of `listRecords`, answers of `getRecord`, Jetstream events,
bare values, and whole repositories in a CAR file. A record of any other
collection is passed over.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lineage.errors import InputError
from lineage.readers._atproto_plain import plain_row
from lineage.readers._atproto_tree import Repository
from lineage.readers._atproto_uri import COLLECTION, SCHEMES, boundary_of, collection_of, is_did, without_query
from lineage.readers._atproto_value import FORMAT, MOST_NESTED, problems, row, too_deep, written
from lineage.readers._car import UNREADABLE, claims
from lineage.readers.base import Carrier, Item, Memory, Passed, Problem, Reader, Record, Tombstone
from lineage.readers.fields import json_type, leftover, merged, shown

_OTHER_FORMATS = ("robrain-memory/", "lineage-memory/")
# A value without `$type` that has one of these is a record of another format.
_FOREIGN_KEYS = frozenset(
    {"id", "uuid", "type", "format", "tags", "metadata", "role", "session_id", "sessionId", "decision", "memory"}
)
_ABSENT = Passed("block not in this partial repository")
_WRITES = ("create", "update")
_LATEST = 253_402_300_799_999_999


def sniff(record: Record) -> bool:
    """Whether the record is of the AT Protocol, be it a memory or anything else."""
    format_ = record.get("format")
    if isinstance(format_, str) and format_.startswith(_OTHER_FORMATS):
        return False
    if isinstance(record.get("$type"), str) or _is_envelope(record) or _is_event(record):
        return True
    return _is_page(record) or _is_untyped(record)


def read(record: Record) -> Iterator[Item]:
    """The items of one record, page or event."""
    kind = record.get("$type")
    if kind == COLLECTION:
        yield from _read_bare(record)
    elif _is_envelope(record):
        yield from _read_envelope(record)
    elif isinstance(record.get("records"), list):
        yield from _read_page(record["records"])
    elif _is_event(record):
        yield from _read_event(record)
    elif isinstance(kind, str):
        yield Passed(kind)
    elif "content" in record:
        yield from _read_bare(record)
    else:
        yield Problem("LIN901", "this is no record, page or event of the AT Protocol")


def write(memory: Memory) -> dict[str, Any] | None:
    """The record of a memory: `{uri, cid, value}`, or the bare value where it has no AT URI.

    None for a deleted one: a repository does not hold what was deleted from it.
    """
    if memory.deleted_at is not None:
        return None
    native = memory.format == FORMAT
    value = written(memory) if native else {"$type": COLLECTION} | written(memory)
    record = {"uri": memory.id, "value": value} if memory.id.startswith(SCHEMES) else value
    return merged(record, memory.extra) if native else record


def read_car(path: Path) -> Iterator[Item]:
    """The items of a repository in a CAR file, numbered by record.

    The hash of every block is checked before the first item is given, and the
    root must be a signed commit. Its signature is not verified: the key that
    made it is not in the file, and only the network knows it.
    """
    try:
        yield from _read_repository(Repository(path))
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def _is_envelope(record: Record) -> bool:
    uri = record.get("uri")
    return isinstance(uri, str) and uri.startswith(SCHEMES) and "value" in record


def _is_page(record: Record) -> bool:
    items = record.get("records")
    if not isinstance(items, list):
        return False
    if not items:
        return record.keys() <= {"records", "cursor"}
    return any(isinstance(item, Mapping) and _is_envelope(item) for item in items)


def _is_event(record: Record) -> bool:
    kind, did = record.get("kind"), record.get("did")
    return (
        isinstance(kind, str)
        and isinstance(did, str)
        and did.startswith("did:")
        and (kind in record or "time_us" in record)
    )


def _is_untyped(record: Record) -> bool:
    return "content" in record and "createdAt" in record and _FOREIGN_KEYS.isdisjoint(record)


def _read_page(records: list[Any]) -> Iterator[Item]:
    for number, record in enumerate(records, 1):
        if isinstance(record, Mapping):
            yield from _read_envelope(record, number)
        else:
            yield Problem("LIN901", f"expected an object with uri and value, found {json_type(record)}", line=number)


def _read_envelope(envelope: Record, line: int | None = None, *, streamed: bool = False) -> Iterator[Item]:
    """A record as `{uri, cid, value}`."""
    uri = envelope.get("uri")
    if not isinstance(uri, str):
        found = json_type(uri) if "uri" in envelope else "nothing"
        yield Problem("LIN901", f"uri: expected a string, found {found}", line=line)
        return
    id = without_query(uri)
    collection = collection_of(id)
    if collection is None:
        yield Problem("LIN901", f"uri: {shown(uri)} names no record", line=line)
    elif collection != COLLECTION:
        yield Passed(collection)
    else:
        yield from _read_value(envelope, id, line, streamed=streamed)


def _read_value(envelope: Record, id: str, line: int | None, *, streamed: bool = False) -> Iterator[Item]:
    value, boundary = envelope.get("value"), boundary_of(id)
    if not isinstance(value, Mapping):
        found = json_type(value) if "value" in envelope else "nothing"
        yield Problem("LIN901", f"value: expected an object, found {found}", id, line)
        return
    kind = value.get("$type")
    if isinstance(kind, str) and kind != COLLECTION:
        yield Passed(kind)
        return
    uri = envelope["uri"]
    notes: list[str] = []
    if uri == id:
        rest = {key: item for key, item in envelope.items() if key not in {"uri", "value"}}
        memory = plain_row(value, rest, id, id[: id.rindex("/") + 1], boundary, line)
    else:
        notes.append(f"uri: {shown(uri[len(id) :])} behind the record's URI is cut")
        memory = None
    if memory is None:
        memory = row(value, id=id, boundary=boundary, notes=notes)
    if memory is None:
        yield from problems(notes, id=id, line=line, rule="LIN901")
        return
    if memory.extra is None:
        memory.extra = leftover(envelope, {"uri": id, "value": written(memory)})
    memory.line, memory.streamed = line, streamed
    yield from _kept(memory, notes)


def _read_bare(value: Record) -> Iterator[Item]:
    """A record's value without a URI: its identity is a hash of it."""
    if too_deep(value):
        yield Problem("LIN901", f"nested more than {MOST_NESTED} deep")
        return
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    id = "sha256:" + hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    notes: list[str] = []
    memory = row(value, id=id, boundary=id, notes=notes)
    if memory is None:
        yield from problems(notes, id=None, line=None, rule="LIN901")
        return
    memory.extra = leftover(value, written(memory))
    yield from _kept(memory, notes)


def _kept(memory: Memory, notes: list[str]) -> Iterator[Item]:
    if too_deep(memory.extra):
        yield Problem("LIN901", f"nested more than {MOST_NESTED} deep", memory.id, memory.line)
        return
    yield memory
    if notes:
        yield from problems(notes, id=memory.id, line=memory.line)


def _read_event(event: Record) -> Iterator[Item]:
    if event["kind"] != "commit":
        yield Passed(f"{event['kind']} event")
        return
    commit = event.get("commit")
    if not isinstance(commit, Mapping):
        yield Problem("LIN901", f"commit: expected an object, found {json_type(commit)}")
        return
    collection = commit.get("collection")
    if isinstance(collection, str) and collection != COLLECTION:
        yield Passed(collection)
        return
    uri = f"at://{event['did']}/{collection}/{commit.get('rkey')}"
    if not is_did(event["did"]) or not isinstance(commit.get("rkey"), str) or collection_of(uri) != COLLECTION:
        yield Problem("LIN901", "did, collection and rkey of the event name no record")
        return
    operation = commit.get("operation")
    if operation == "delete":
        yield from _read_delete(event, uri)
    elif isinstance(operation, str) and operation in _WRITES:
        yield from _read_envelope(_envelope(event, commit, uri), streamed=True)
    else:
        yield Problem("LIN901", "commit.operation: it is none of create, update and delete", uri)


def _envelope(event: Record, commit: Record, uri: str) -> dict[str, Any]:
    """A create or update event as `{uri, cid, value}`, the rest of its properties beside them."""
    envelope = {key: item for key, item in event.items() if key not in {"did", "commit"}}
    envelope["commit"] = {
        key: item for key, item in commit.items() if key not in {"collection", "rkey", "record", "cid"}
    }
    envelope["uri"] = uri
    envelope["value"] = commit.get("record")
    if "cid" in commit:
        envelope["cid"] = commit["cid"]
    return envelope


def _read_delete(event: Record, uri: str) -> Iterator[Item]:
    time = event.get("time_us")
    usable = isinstance(time, int) and not isinstance(time, bool) and 0 <= time <= _LATEST
    yield Tombstone(uri, FORMAT, time if usable else None)
    if not usable:
        yield Problem("LIN905", "time_us: expected microseconds since 1970", uri)


def _read_repository(repository: Repository) -> Iterator[Item]:
    did, json_of = repository.did, repository.json
    begin, home = COLLECTION.encode() + b"/", f"at://{did}/{COLLECTION}/"
    number = 0
    for key, cid in repository.entries():
        if key is None:
            yield _ABSENT
            continue
        number += 1
        if not key.startswith(begin):
            yield Passed(key.partition(b"/")[0].decode("ascii"))
            continue
        found = json_of(cid)
        if found is None:
            yield _ABSENT
            continue
        link, value = found
        text = link["$link"]
        id = f"at://{did}/{key.decode('ascii')}"
        memory = plain_row(value, {"cid": text}, id, home, did, number)
        if memory is not None:
            yield memory
        elif value is UNREADABLE:
            yield Problem("LIN901", f"the block {text} is not DAG-CBOR", id, number)
        else:
            yield from _read_value({"uri": id, "cid": text, "value": value}, id, number)


READER = Reader(
    name=FORMAT,
    signs="a record URI with its value, a page of such, an event, or a record of the memory collection; a CAR file",
    about="AT Protocol memory records: listRecords, getRecord, Jetstream events, repositories (CAR)",
    sniff=sniff,
    read=read,
    write=write,
    carrier=Carrier(name="car", claims=claims, read=read_car),
    suffixes=(".json", ".jsonl", ".ndjson", ".car"),
)
