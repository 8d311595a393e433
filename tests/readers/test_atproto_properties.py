"""AT Protocol records of every shape: nothing raises, nothing is lost, and the quick way reads like the slow one."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lineage.model import DeclaredBy, LinkKind
from lineage.readers._atproto_plain import plain_row
from lineage.readers._atproto_value import row, written
from lineage.readers.atproto import READER
from lineage.readers.base import Link, Memory
from lineage.readers.fields import leftover, same_json
from tests.records import COLLECTION, DID, OTHER_DID, Record, uri

TEXT = st.text(max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
TIMES = st.one_of(
    st.datetimes().map(lambda time: time.isoformat(timespec="milliseconds") + "Z"),
    st.datetimes().map(lambda time: time.isoformat(timespec="seconds") + "Z"),
    st.datetimes().map(lambda time: time.isoformat() + "+02:00"),
    st.from_regex(r"[0-9]{4}-[0-9W-]{2,5}[T ][0-9:.]{6,12}Z", fullmatch=True),
    st.sampled_from(["2026-01-01", "2026-01-01T24:00:00.000Z", "0000-01-01T00:00:00Z", "2026-01-01T00:00:60Z", "x"]),
)
TARGETS = st.one_of(
    st.sampled_from(["a", "b", "é", "a b", "a/b", "a?x", "a#y", ""]).map(uri),
    st.sampled_from(["a", "", f"at://{OTHER_DID}/{COLLECTION}/x", "at://a.b", "at://", "ats://s/t/k/a/c/r", "ats://s"]),
    JSON,
    st.builds(lambda target: {"uri": target, "cid": "b"}, TEXT),
)
VALUES = st.fixed_dictionaries(
    {},
    optional={
        "$type": st.just(COLLECTION) | st.just(COLLECTION) | JSON,
        "content": TEXT | st.sampled_from(["x" * 2500, "x" * 2501, "é" * 6000]) | JSON,
        "createdAt": TIMES | JSON,
        "updatedAt": TIMES | JSON,
        "kind": TEXT | JSON,
        "scope": TEXT | st.just("s" * 200) | JSON,
        "occurredAt": st.fixed_dictionaries(
            {}, optional={"from": TIMES, "to": TIMES | JSON, "precision": st.sampled_from(["day", "hour", None])}
        )
        | JSON,
        "provenance": st.fixed_dictionaries(
            {},
            optional={"agent": TEXT, "client": TEXT | st.just("at:x"), "sourceUri": TEXT | st.just("a:b"), "x": JSON},
        )
        | JSON,
        "supersedes": st.lists(TARGETS, max_size=3) | JSON,
        "x": JSON,
    },
)
PLAIN = st.fixed_dictionaries(
    {"$type": st.just(COLLECTION), "content": TEXT, "createdAt": TIMES},
    optional={
        "updatedAt": TIMES,
        "kind": TEXT,
        "scope": TEXT,
        "occurredAt": st.fixed_dictionaries(
            {"from": TIMES}, optional={"to": TIMES, "precision": st.sampled_from(["day", "hour"])}
        ),
        "provenance": st.fixed_dictionaries(
            {}, optional={"agent": TEXT, "client": TEXT | st.just("at:x"), "sourceUri": TEXT | st.just("a:b\n")}
        ),
        "supersedes": st.lists(TARGETS, max_size=3),
    },
)
URIS = (
    st.sampled_from([uri("a"), uri("a") + "?x", f"ats://s/t/k/{DID}/{COLLECTION}/a", f"at://{DID}", "at://", ""]) | JSON
)
ENVELOPES = st.fixed_dictionaries({"value": VALUES | PLAIN | JSON}, optional={"uri": URIS, "cid": JSON, "x": JSON})
EVENTS = st.fixed_dictionaries(
    {"did": st.just(DID) | JSON, "kind": st.sampled_from(["commit", "identity"]) | JSON},
    optional={
        "time_us": JSON,
        "commit": JSON
        | st.fixed_dictionaries(
            {"collection": st.just(COLLECTION) | JSON, "rkey": st.sampled_from(["a", "a/b", "?"]) | JSON},
            optional={
                "operation": st.sampled_from(["create", "update", "delete"]) | JSON,
                "record": VALUES,
                "cid": JSON,
                "rev": JSON,
            },
        ),
    },
)
RECORDS = st.one_of(
    ENVELOPES,
    VALUES,
    EVENTS,
    st.dictionaries(TEXT, JSON, max_size=3),
    st.fixed_dictionaries({"records": st.lists(ENVELOPES | JSON, max_size=3) | JSON}, optional={"cursor": JSON}),
)


def write(memory: Memory) -> Record:
    assert READER.write is not None
    return READER.write(memory)


def memories(record: Record) -> list[Memory]:
    return [item for item in READER.read(record) if isinstance(item, Memory)]


@given(RECORDS)
def test_no_record_raises(record: Record) -> None:
    READER.sniff(record)
    assert all(item is not None for item in READER.read(record))


@given(st.one_of(VALUES, PLAIN), st.fixed_dictionaries({}, optional={"cid": JSON, "x": JSON, "commit": JSON}))
def test_a_record_is_written_as_it_came(value: Record, beside: Record) -> None:
    envelope = {"uri": uri("a"), **beside, "value": value}
    for record in (envelope, value):
        for memory in memories(record):
            assert same_json(write(memory), record)
            assert json.loads(json.dumps(memory.extra)) == memory.extra


@given(st.one_of(VALUES, PLAIN))
def test_an_event_is_written_as_a_record_with_all_it_held(value: Record) -> None:
    commit = {"operation": "create", "collection": COLLECTION, "rkey": "a", "record": value, "cid": "b", "rev": "3l"}
    event = {"did": DID, "time_us": 7, "kind": "commit", "commit": commit, "x": 1}
    for memory in memories(event):
        expected = {"uri": uri("a"), "cid": "b", "value": value}
        beside = {"time_us": 7, "kind": "commit", "commit": {"operation": "create", "rev": "3l"}, "x": 1}
        assert same_json(write(memory), expected | beside)
        [again] = memories(write(memory))
        assert (again.id, again.text, again.extra) == (memory.id, memory.text, memory.extra)


@given(st.one_of(PLAIN, VALUES))
def test_the_quick_way_and_the_slow_way_read_alike(value: Record) -> None:
    home = uri("")
    quick = plain_row(value, {"cid": "b"}, uri("a"), home, DID, 4)
    notes: list[str] = []
    slow = row(value, id=uri("a"), boundary=DID, notes=notes)
    if quick is None:
        return
    assert notes == []
    assert slow is not None
    slow.line = 4
    slow.extra = leftover({"uri": uri("a"), "cid": "b", "value": value}, {"uri": uri("a"), "value": written(slow)})
    slow.links, quick.links = list(slow.links), list(quick.links)
    assert quick == slow


def test_the_quick_way_serves_what_nearly_all_records_are() -> None:
    plain: dict[str, Any] = {"$type": COLLECTION, "content": "x", "createdAt": "2026-01-01T00:00:00Z"}
    full = plain | {
        "kind": "fact",
        "scope": "api",
        "updatedAt": "2026-01-01T00:00:00.000Z",
        "occurredAt": {"from": "2026-01-01T00:00:00Z", "precision": "day"},
        "provenance": {"agent": "codex", "client": "https://a.b/c", "sourceUri": "at://x"},
        "supersedes": [uri("b"), f"at://{OTHER_DID}/{COLLECTION}/c"],
    }
    for value in (plain, full):
        assert plain_row(value, {}, uri("a"), uri(""), DID, None) is not None


def test_a_memory_of_another_format_becomes_a_bare_record() -> None:
    memory = Memory(
        id="7",
        format="robrain",
        kind="decision",
        text="Keep it",
        rationale="because",
        scope="team",
        created_at=1_767_323_045_678_901,
        session="s1",
        agent="codex",
        files=["a.ts"],
        extra={"x": 1},
        links=[
            Link(LinkKind.SUPERSEDES, "6", "lifecycle.supersedes_id"),
            Link(LinkKind.SUPERSEDES, uri("b"), "x"),
            Link(LinkKind.SUPERSEDES, uri("c"), "x", DeclaredBy.PREDECESSOR),
            Link(LinkKind.EXTENDS, uri("d"), "x"),
        ],
    )
    expected = {
        "$type": COLLECTION,
        "content": "Keep it",
        "createdAt": "2026-01-02T03:04:05.678901Z",
        "kind": "decision",
        "scope": "team",
        "provenance": {"agent": "codex"},
        "supersedes": [uri("b")],
    }
    assert write(memory) == expected
    memory.id = uri("a")
    assert write(memory) == {"uri": uri("a"), "value": expected}
    assert write(Memory(id="8", format="mindr", created_at=2**63 - 1)) == {"$type": COLLECTION, "content": ""}
