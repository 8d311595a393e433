"""Small builders of records in the formats that are read, for tests.

Each gives a complete and valid record; keyword arguments named after the
format's own keys change it. `at` is a day of January 2026 or an ISO time.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

DID = "did:plc:aaaaaaaaaaaaaaaaaaaaaaaa"
OTHER_DID = "did:plc:bbbbbbbbbbbbbbbbbbbbbbbb"
COLLECTION = "dev.bastienrobert.memory.record"

Record = dict[str, Any]


def when(at: int | str) -> str:
    """An ISO time: a day of January 2026 at ten, or the text as it is."""
    return f"2026-01-{at:02d}T10:00:00.000Z" if isinstance(at, int) else at


def robrain(id: str, supersedes: str | None = None, *, at: int | str = 1, **changes: Any) -> Record:
    """A RoBrain memory; keys of `lifecycle`, `provenance` and `quality` may be given directly."""
    record: Record = {
        "format": "robrain-memory/v1",
        "id": id,
        "decision": f"Decide {id}",
        "rationale": "because",
        "rejected": [],
        "files_affected": ["src/a.ts"],
        "scope": "team",
        "lifecycle": {
            "created_at": when(at),
            "invalidated_at": None,
            "reviewed_at": None,
            "supersedes_id": supersedes,
        },
        "provenance": {"session_id": "s1", "source_turn_sequence": 4, "source_excerpt": None},
        "quality": {"historical_relevance": 0.6, "injected_count": 3, "used_count": 2},
    }
    for key, value in changes.items():
        group = next((part for part in ("lifecycle", "provenance", "quality") if key in record[part]), None)
        (record[group] if group else record)[key] = value
    return record


def chain(*ids: str) -> list[Record]:
    """RoBrain memories that replace each other, oldest first; all but the last are invalidated."""
    return [
        robrain(
            id,
            ids[place - 1] if place else None,
            at=place + 1,
            invalidated_at=when(place + 2) if place + 1 < len(ids) else None,
        )
        for place, id in enumerate(ids)
    ]


def mindr(
    id: str,
    *,
    type: str | None = "decision",
    at: int | str = 1,
    tags: Mapping[str, str] | Sequence[tuple[str, str]] = (),
    **changes: Any,
) -> Record:
    """A Mindr memory; `tags` come after the `type` tag, in order."""
    pairs = [*([("type", type)] if type else []), *(tags.items() if isinstance(tags, Mapping) else tags)]
    return {
        "id": id,
        "sessionId": None,
        "role": "system",
        "content": f"Decision: {id}",
        "tags": [{"key": key, "value": value} for key, value in pairs],
        "metadata": None,
        "createdAt": when(at),
        **changes,
    }


def reversal(id: str, of: str, *, at: int | str = 2, **changes: Any) -> Record:
    """A Mindr marker that reverses a decision."""
    tags = {"reversed_decision": "true", "original_decision": of}
    return mindr(id, type="note", at=at, tags=tags, **{"content": f"Reversed decision {of}", **changes})


def resolution(id: str, of: str, *, at: int | str = 2, **changes: Any) -> Record:
    """A Mindr marker that resolves a debt."""
    return mindr(id, type="debt_resolved", at=at, tags={"original_debt": of}, **changes)


def uri(key: str, *, did: str = DID) -> str:
    """The URI of an AT Protocol memory record."""
    return f"at://{did}/{COLLECTION}/{key}"


def atproto(key: str, supersedes: Iterable[str] = (), *, at: int | str = 1, did: str = DID, **changes: Any) -> Record:
    """An AT Protocol record as `getRecord` gives it; `supersedes` are record keys or whole URIs."""
    value: Record = {
        "$type": COLLECTION,
        "kind": "decision",
        "content": f"Memory {key}",
        "createdAt": when(at),
        **changes,
    }
    targets = [other if "://" in other else uri(other, did=did) for other in supersedes]
    if targets:
        value["supersedes"] = targets
    return {
        "uri": uri(key, did=did),
        "cid": "bafyreib2rxk3rybk3aobmv5cjuql3bm2twh4jo5uxgf5kpqcsgz7soitae",
        "value": value,
    }


def page(*records: Record, cursor: str | None = None) -> Record:
    """A page of `listRecords`."""
    return {"records": list(records), **({"cursor": cursor} if cursor else {})}


def json_lines(records: Iterable[Record | str]) -> str:
    """Records as JSON lines; a string stands for itself."""
    return "".join(
        (record if isinstance(record, str) else json.dumps(record, ensure_ascii=False)) + "\n" for record in records
    )


def write_jsonl(path: Path, records: Iterable[Record | str]) -> Path:
    """Write records as JSON lines and give back the path; a string stands for a line as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(json_lines(records).encode("utf-8", "surrogatepass"))
    return path


def write_json(path: Path, value: object) -> Path:
    """Write one JSON document and give back the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")
    return path
