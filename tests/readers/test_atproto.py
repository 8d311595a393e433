"""AT Protocol memory records in JSON: carriers, what their fields mean, and what is wrong with them."""

import json
from pathlib import Path
from typing import Any

import pytest

import lineage
from lineage.readers.atproto import READER
from lineage.readers.base import Memory, Passed, Problem, Tombstone
from tests.records import COLLECTION, DID, OTHER_DID, Record, atproto, mindr, robrain, uri, write_json, write_jsonl

SPACE = "ats://did:plc:ssssssssssssssssssssssss/com.example.team/one"


def built(path: Path, *given: Record) -> Any:
    return lineage.build(lineage.read(write_jsonl(path / "memories.jsonl", given)))


def statuses(graph: Any) -> dict[str, str]:
    return {
        id.removeprefix(uri("")): status
        for id, status in zip(graph.memories["id"], graph.memories["status"], strict=True)
    }


def found(graph: Any, rule: str) -> list[list[str]]:
    return sorted(list(finding.memories) for finding in lineage.check(graph) if finding.rule == rule)


def voids(graph: Any) -> list[Any]:
    return [None if link != link else link for link in graph.links["void"]]


def event(key: str, operation: str = "create", *, time: Any = 1_770_000_000_000_000, **value: Any) -> Record:
    commit: Record = {"rev": "3l", "operation": operation, "collection": COLLECTION, "rkey": key}
    if operation != "delete":
        commit |= {"cid": "bafyx", "record": atproto(key, **value)["value"]}
    return {"did": DID, "time_us": time, "kind": "commit", "commit": commit}


def bare(**changes: Any) -> Record:
    value: Record = atproto("a", **changes)["value"]
    return value


def memory_of(record: Record) -> Memory:
    memory = next(item for item in READER.read(record) if isinstance(item, Memory))
    assert memory is not None
    return memory


def causes(record: Record) -> list[tuple[str, str]]:
    return [(item.rule, item.cause) for item in READER.read(record) if isinstance(item, Problem)]


# Carriers


def test_a_page_is_read_record_by_record(tmp_path: Path) -> None:
    page = {"records": [atproto("b", ["a"], at=2), {"uri": uri("x")}, atproto("a")], "cursor": "a"}
    graph = lineage.build(lineage.read(write_json(tmp_path / "page.json", page)))
    assert statuses(graph) == {"a": "superseded", "b": "live"}
    assert dict(zip(graph.memories["id"], graph.memories["line"], strict=True)) == {uri("a"): 3, uri("b"): 1}
    [unreadable] = [finding for finding in lineage.check(graph) if finding.rule == "LIN901"]
    assert uri("x") in unreadable.memories or uri("x") in unreadable.message


def test_pages_of_one_repository_and_a_single_record_are_one_corpus(tmp_path: Path) -> None:
    pages = [
        write_json(tmp_path / "1.json", {"records": [atproto("c", ["b"], at=3)], "cursor": "c"}),
        write_json(tmp_path / "2.json", {"records": [atproto("b", ["a"], at=2)], "cursor": "b"}),
        write_json(tmp_path / "3.json", {"records": []}),
        write_json(tmp_path / "get.json", atproto("a")),
    ]
    graph = lineage.build(lineage.read(*pages))
    assert statuses(graph) == {"a": "superseded", "b": "superseded", "c": "live"}
    assert found(graph, "LIN901") == []


def test_a_stream_is_applied_in_order(tmp_path: Path) -> None:
    graph = built(
        tmp_path,
        event("a", content="first words"),
        event("b", supersedes=["a"], at=2),
        event("a", "update", content="later words"),
        {"did": DID, "time_us": 1, "kind": "identity", "identity": {"did": DID}},
        {"did": DID, "time_us": 1, "kind": "account", "account": {"active": True, "did": DID}},
        event("b", "delete", time=1_770_000_002_000_000),
        event("unseen", "delete"),
    )
    assert statuses(graph) == {"a": "live", "b": "deleted"}
    rows = graph.memories.set_index("id")
    assert rows.loc[uri("a"), "text"] == "later words"
    assert rows.loc[uri("b"), "deleted_at"].isoformat() == "2026-02-02T02:40:02+00:00"


def test_a_stream_tells_on_a_backfill(tmp_path: Path) -> None:
    page = write_json(tmp_path / "page.json", {"records": [atproto("a"), atproto("b", at=2)], "cursor": "a"})
    stream = write_jsonl(tmp_path / "stream.jsonl", [event("a", "delete"), event("b", "update", content="new")])
    graph = lineage.build(lineage.read(page, stream))
    assert statuses(graph) == {"a": "deleted", "b": "live"}
    assert "new" in set(graph.memories["text"])


def test_events_give_streamed_memories_and_tombstones() -> None:
    assert memory_of(event("a")).streamed
    assert not memory_of(atproto("a")).streamed
    assert list(READER.read(event("a", "delete", time=7))) == [Tombstone(uri("a"), "atproto", 7)]


@pytest.mark.parametrize("time", [None, "7", True, -1, 10**18, 7.5])
def test_a_delete_without_a_usable_time_is_still_a_delete(time: Any) -> None:
    items = list(READER.read(event("a", "delete", time=time)))
    assert items[0] == Tombstone(uri("a"), "atproto", None)
    assert [item.rule for item in items[1:] if isinstance(item, Problem)] == ["LIN905"]


@pytest.mark.parametrize(
    "changes",
    [
        {"operation": "merge"},
        {"operation": ["create"]},
        {"operation": None},
        {"rkey": 4},
        {"rkey": "a/b"},
        {"rkey": ""},
        {"collection": None},
        {"record": None},
        {"record": {"createdAt": "2026-01-01T00:00:00Z"}},
    ],
)
def test_an_event_that_names_no_record_is_unreadable(changes: Record) -> None:
    broken = event("a")
    broken["commit"] |= changes
    [item] = READER.read(broken)
    assert isinstance(item, Problem)
    assert item.rule == "LIN901"


def test_an_event_of_no_did_or_no_commit_is_unreadable() -> None:
    for broken in ({**event("a"), "did": "did:plc:a/b"}, {**event("a"), "commit": []}):
        assert [rule for rule, _ in causes(broken)] == ["LIN901"]


def test_a_bare_value_is_known_by_its_content(tmp_path: Path) -> None:
    graph = built(tmp_path, bare(supersedes=["b"]), atproto("b"))
    [id] = set(graph.memories["id"]) - {uri("b")}
    assert id.startswith("sha256:")
    assert len(id) == len("sha256:") + 16
    assert memory_of({"createdAt": "2026-01-01T10:00:00.000Z", "content": "é"}).id == "sha256:f1e257539236ec9e"
    assert voids(graph) == ["boundary"]
    assert statuses(graph) == {id: "live", "b": "live"}


@pytest.mark.parametrize(
    ("record", "what"),
    [
        (bare() | {"$type": "app.bsky.feed.post"}, "app.bsky.feed.post"),
        ({"$type": "app.bsky.actor.profile"}, "app.bsky.actor.profile"),
        ({"uri": f"at://{DID}/app.bsky.feed.post/a", "value": {"text": "hi"}}, "app.bsky.feed.post"),
        ({"uri": f"at://{DID}/{COLLECTION}x/a", "value": bare()}, COLLECTION + "x"),
        ({"uri": uri("a"), "value": {"$type": COLLECTION + "x"}}, COLLECTION + "x"),
        ({"did": DID, "kind": "identity", "identity": {}}, "identity event"),
        (event("a") | {"commit": {"operation": "create", "collection": "app.bsky.feed.post"}}, "app.bsky.feed.post"),
    ],
)
def test_what_is_no_memory_is_passed_over(record: Record, what: str) -> None:
    assert READER.sniff(record)
    assert list(READER.read(record)) == [Passed(what)]


@pytest.mark.parametrize(
    "record",
    [
        robrain("a"),
        robrain("a") | {"$type": COLLECTION},
        mindr("a"),
        {"format": "lineage-memory/v1", "id": "a", "content": "x", "createdAt": "2026-01-01T00:00:00Z"},
        {"id": "1", "content": "x", "createdAt": "2026-01-01T00:00:00Z"},
        {"role": "user", "content": "x", "createdAt": "2026-01-01T00:00:00Z"},
        {"content": "x"},
        {"records": [1, 2]},
        {"records": [], "total": 0},
        {"records": {}},
        {"uri": "https://example.com/a", "value": 1},
        {"did": 1, "kind": "commit"},
        {"did": "x", "kind": "commit", "commit": {}},
        {},
    ],
)
def test_other_records_are_left_to_other_readers(record: Record) -> None:
    assert not READER.sniff(record)


def test_a_forced_reader_says_what_it_cannot_read() -> None:
    assert [rule for rule, _ in causes({"id": "1"})] == ["LIN901"]


# Columns


def test_every_property_has_its_column() -> None:
    memory = memory_of(
        atproto(
            "a",
            kind="hunch",
            scope="api",
            content="Keep it",
            createdAt="2026-01-02T03:04:05.678Z",
            updatedAt="2026-01-02T05:04:05+02:00",
            occurredAt={"from": "2019-01-01T00:00:00Z", "to": "2019-12-31T00:00:00Z", "precision": "year"},
            provenance={"agent": "codex", "client": "https://app.example/c.json", "sourceUri": uri("z")},
        )
    )
    assert (memory.id, memory.format, memory.kind, memory.scope) == (uri("a"), "atproto", "hunch", "api")
    assert (memory.text, memory.boundary, memory.declared) == ("Keep it", DID, None)
    assert (memory.created_at, memory.updated_at) == (1_767_323_045_678_000, 1_767_323_045_000_000)
    assert (memory.occurred_from, memory.occurred_to) == (1_546_300_800_000_000, 1_577_750_400_000_000)
    assert (memory.agent, memory.client, memory.source_uri) == ("codex", "https://app.example/c.json", uri("z"))


def test_links_say_where_they_stand_and_what_they_reach() -> None:
    space = f"{SPACE}/{OTHER_DID}/{COLLECTION}/y"
    targets = ["b", f"at://{OTHER_DID}/{COLLECTION}/x", "at://alice.example/c/a", space, f"at://{DID}"]
    links = memory_of(atproto("a", targets)).links
    assert [link.other for link in links] == [uri("b"), *targets[1:]]
    assert [link.via for link in links] == [f"supersedes[{place}]" for place in range(5)]
    assert [link.boundary for link in links] == [DID, OTHER_DID, "alice.example", f"{SPACE}/{OTHER_DID}", DID]


def test_a_target_named_twice_is_one_link(tmp_path: Path) -> None:
    graph = built(tmp_path, atproto("a"), atproto("b", ["a", "a", f"{uri('a')}?x=1"], at=2))
    assert list(graph.links["via"]) == ["supersedes[0]"]
    assert statuses(graph) == {"a": "superseded", "b": "live"}


def test_another_repository_or_space_cannot_retire_a_memory(tmp_path: Path) -> None:
    one, two = (f"{SPACE}{part}/{DID}/{COLLECTION}/a" for part in ("", "b"))
    inside = {"uri": f"{SPACE}/{DID}/{COLLECTION}/b", "value": bare(supersedes=[one])}
    graph = built(
        tmp_path,
        atproto("a"),
        atproto("x", [uri("a")], did=OTHER_DID, at=2),
        {"uri": one, "value": bare()},
        {"uri": two, "value": bare(supersedes=[one], at=2)},
        inside,
    )
    assert [status for id, status in statuses(graph).items() if status != "live"] == ["superseded"]
    assert statuses(graph)[one] == "superseded"
    assert len(found(graph, "LIN105")) == 2


def test_a_handle_stays_a_ghost(tmp_path: Path) -> None:
    graph = built(tmp_path, atproto("a"), atproto("b", [f"at://alice.example/{COLLECTION}/a"], at=2))
    assert statuses(graph) == {"a": "live", "b": "live"}
    assert voids(graph) == ["dangling"]
    [orphan] = [finding for finding in lineage.check(graph) if finding.rule == "LIN103"]
    assert "handle" in orphan.message


# The contract of the format

LONG = {
    "content of 2,500": {"content": "a" * 2500},
    "content of 10,000 bytes": {"content": "😀" * 2500},
    "content of 400 families": {"content": "👨‍👩‍👧‍👦" * 400},
    "content of 2,500 composed": {"content": "e\u0301" * 2500},
    "content of 2,500 line ends": {"content": "\r\n" * 2500},
    "empty content": {"content": ""},
    "scope of 512": {"scope": "€" * 170 + "ss"},
    "agent of 256": {"provenance": {"agent": "a" * 256}},
    "20 targets": {"supersedes": [uri(f"t{n}") for n in range(20)]},
    "no targets": {"supersedes": []},
    "unknown kind": {"kind": "hunch"},
    "empty kind": {"kind": ""},
    "an offset": {"createdAt": "2026-05-01T10:00:00+02:00"},
    "a short offset": {"createdAt": "2026-05-01T10:00:00+0200"},
    "nine digits": {"createdAt": "2026-05-01T10:00:00.123456789Z"},
    "midnight as 24": {"createdAt": "2026-05-01T24:00:00Z"},
    "a leap second": {"createdAt": "2016-12-31T23:59:60Z"},
    "year 0": {"createdAt": "0000-02-29T00:00:00Z"},
    "year 9999": {"createdAt": "9999-12-31T23:59:59Z"},
    "an empty provenance": {"provenance": {}},
    "mailto": {"provenance": {"sourceUri": "mailto:a@b.c"}},
    "a type within": {"occurredAt": {"$type": COLLECTION + "#occurrence", "from": "2026-01-01T00:00:00Z"}},
    "unknown properties": {"x-rank": 4, "nothing": None, "score": 0.5, "engine": {"deep": [1, {"z": True}]}},
    "no collection": {"supersedes": [f"at://{DID}", f"at://{DID}/{COLLECTION}", f"{uri('a')}/"]},
}


@pytest.mark.parametrize("changes", LONG.values(), ids=LONG)
def test_what_the_lexicon_allows_is_no_finding(changes: Record) -> None:
    record = atproto("a") | {"value": bare() | changes}
    assert causes(record) == []
    assert READER.write is not None
    assert READER.write(memory_of(record)) == record


WRONG: dict[str, tuple[Record, str]] = {
    "content over 2,500": ({"content": "a" * 2501}, "content: 2,501 graphemes are over the limit of 2,500"),
    "content over 10,000": ({"content": "😀" * 2501}, "content: 10,004 bytes are over the limit of 10,000"),
    "scope": ({"scope": "€" * 171}, "scope: 513 bytes are over the limit of 512"),
    "agent": ({"provenance": {"agent": "a" * 257}}, "provenance.agent: 257 bytes are over the limit of 256"),
    "kind": ({"kind": None}, "kind: expected a string, found null"),
    "type": ({"$type": 4}, "$type: expected a string, found a number"),
    "updatedAt": ({"updatedAt": None}, "updatedAt: expected a string, found null"),
    "created number": ({"createdAt": 1}, "createdAt: expected a string, found a number"),
    "date": ({"createdAt": "2026-05-01"}, "createdAt: '2026-05-01' has no time and is taken as its midnight in UTC"),
    "no offset": (
        {"createdAt": "2026-05-01T10:00:00"},
        "createdAt: '2026-05-01T10:00:00' has no offset and is taken as UTC",
    ),
    "lower case": (
        {"createdAt": "2026-05-01t10:00:00Z"},
        "createdAt: '2026-05-01t10:00:00Z' is not written like 2026-01-31T10:00:00Z",
    ),
    "no seconds": (
        {"createdAt": "2026-05-01T10:00"},
        "createdAt: '2026-05-01T10:00' is not written like 2026-01-31T10:00:00Z and is taken as UTC",
    ),
    "minus zero": (
        {"createdAt": "2026-05-01T10:00:00-00:00"},
        "createdAt: '2026-05-01T10:00:00-00:00' has the offset -00:00, which means that it is unknown",
    ),
    "digits": (
        {"createdAt": f"2026-05-01T10:00:00.{'1' * 21}Z"},
        "createdAt: '2026-05-01T10:00:00.111111111111111111111Z' has more than 20 digits behind the second",
    ),
    "no day": (
        {"createdAt": "2026-02-30T10:00:00Z"},
        "createdAt: '2026-02-30T10:00:00Z' is no date and time that exists",
    ),
    "garbage": ({"createdAt": "yesterday"}, "createdAt: 'yesterday' is no date and time"),
    "occurrence": ({"occurredAt": "2024"}, "occurredAt: expected an object, found a string"),
    "no from": ({"occurredAt": {}}, "occurredAt.from: the key is missing"),
    "precision": (
        {"occurredAt": {"from": "2024-02-01T00:00:00Z", "precision": "hour"}},
        "occurredAt.precision: 'hour' is none of year, month, day, instant",
    ),
    "provenance": ({"provenance": []}, "provenance: expected an object, found a list"),
    "client": ({"provenance": {"client": "not a uri"}}, "provenance.client: 'not a uri' is no URI"),
    "source": ({"provenance": {"sourceUri": "/etc"}}, "provenance.sourceUri: '/etc' is no URI"),
    "21 targets": (
        {"supersedes": [uri(f"t{n}") for n in range(21)]},
        "supersedes: 21 items are over the limit of 20",
    ),
    "number": ({"supersedes": 4}, "supersedes: expected a list, found a number"),
    "null": ({"supersedes": [None]}, "supersedes[0]: expected an AT URI, found null"),
    "web": ({"supersedes": ["https://a.b/c"]}, "supersedes[0]: 'https://a.b/c' is not an at:// or ats:// URI"),
    "upper case": ({"supersedes": ["AT://a/b/c"]}, "supersedes[0]: 'AT://a/b/c' is not an at:// or ats:// URI"),
    "key alone": ({"supersedes": ["3kaaaaaaaaaa2"]}, "supersedes[0]: '3kaaaaaaaaaa2' is not an at:// or ats:// URI"),
    "space": ({"supersedes": [" at://a/b/c"]}, "supersedes[0]: ' at://a/b/c' is not an at:// or ats:// URI"),
}


@pytest.mark.parametrize(("changes", "cause"), WRONG.values(), ids=WRONG)
def test_what_the_lexicon_forbids_is_named_and_the_rest_is_used(changes: Record, cause: str) -> None:
    record = atproto("a") | {"value": bare() | changes}
    assert causes(record) == [("LIN905", cause)]
    memory = memory_of(record)
    assert memory.text == record["value"]["content"]
    assert READER.write is not None
    assert READER.write(memory) == record


@pytest.mark.parametrize(
    ("supersedes", "cause"),
    [
        (uri("a"), "supersedes: expected a list, found a string"),
        ({"uri": uri("a"), "cid": "bafy"}, "supersedes: expected a list, found an object"),
        ([{"uri": uri("a"), "cid": "bafy"}], "supersedes[0]: a strong reference stands where an AT URI should"),
        ([f"{uri('a')}?x=1"], "supersedes[0]: '?x=1' behind the record's URI is cut"),
        ([f"{uri('a')}#/content"], "supersedes[0]: '#/content' behind the record's URI is cut"),
    ],
)
def test_a_target_in_another_form_is_used(tmp_path: Path, supersedes: Any, cause: str) -> None:
    record = atproto("b", at=2)
    record["value"]["supersedes"] = supersedes
    graph = built(tmp_path, atproto("a"), record)
    assert statuses(graph) == {"a": "superseded", "b": "live"}
    assert causes(record) == [("LIN905", cause)]
    assert found(graph, "LIN905") == [[uri("b")]]


@pytest.mark.parametrize("content", ["missing", None, 4, ["x"]])
def test_no_content_is_no_memory(tmp_path: Path, content: Any) -> None:
    record = atproto("a")
    record["value"]["content"] = content
    if content == "missing":
        del record["value"]["content"]
    graph = built(tmp_path, record, atproto("b"))
    assert statuses(graph) == {"b": "live"}
    [item] = READER.read(record)
    assert isinstance(item, Problem)
    assert (item.rule, item.id) == ("LIN901", uri("a"))


def test_missing_keys_are_named() -> None:
    record: Record = {"uri": uri("a"), "value": {"content": "x"}}
    assert [cause for _, cause in causes(record)] == ["$type: the key is missing", "createdAt: the key is missing"]


@pytest.mark.parametrize(
    "name", [None, 4, f"at://{DID}", f"at://{DID}//a", f"ats://{DID}/{COLLECTION}/a", "https://a/b/c"]
)
def test_a_record_whose_uri_names_no_record_is_unreadable(name: Any) -> None:
    assert [rule for rule, _ in causes({"records": [{"uri": name, "value": bare()}]})] == ["LIN901"]


def test_what_follows_the_own_uri_is_cut() -> None:
    record = atproto("a") | {"uri": uri("a") + "?x=1"}
    assert causes(record) == [("LIN905", "uri: '?x=1' behind the record's URI is cut")]
    assert memory_of(record).id == uri("a")
    assert READER.write is not None
    assert READER.write(memory_of(record)) == record


@pytest.mark.parametrize("depth", [150, 300, 900])
def test_endless_nesting_is_unreadable(depth: int) -> None:
    value = json.loads("[" * depth + "]" * depth)
    for record in (atproto("a", engine=value), bare(engine=value)):
        assert [rule for rule, _ in causes(record)] == (["LIN901"] if depth > 200 else [])
