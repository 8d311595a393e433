"""AT Protocol repositories in CAR files: what is read, and what must never be read silently."""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import cbrrr
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import lineage
from lineage.readers._atproto_tree import Repository
from lineage.readers.atproto import READER
from lineage.readers.base import Item, Memory, Passed, Problem
from tests.carbuilder import DID, MEMORY, Repo, frame, header, varint

ABSENT = Passed("block not in this partial repository")


def value(content: str, *supersedes: str, **changes: Any) -> dict[str, Any]:
    record = {"$type": MEMORY, "content": content, "createdAt": "2026-01-01T10:00:00.000Z", **changes}
    return record | ({"supersedes": [uri(key) for key in supersedes]} if supersedes else {})


def uri(key: str) -> str:
    return f"at://{DID}/{MEMORY}/{key}"


def repo(count: int = 3, *others: str) -> Repo:
    """Memories `k000`, `k001` … each superseding the one before, and a record of each other collection."""
    made = Repo()
    for number in range(count):
        before = [f"k{number - 1:03d}"] if number else []
        made.put(f"{MEMORY}/k{number:03d}", value(f"Memory {number}", *before))
    for collection in others:
        made.put(f"{collection}/3kaaaaaaaaaa2", {"$type": collection, "text": "hi"})
    return made.commit()


def items(path: Path, data: bytes) -> list[Item]:
    file = path / "repo.car"
    file.write_bytes(data)
    assert READER.carrier is not None
    return list(READER.carrier.read(file))


def memories(path: Path, data: bytes) -> list[Memory]:
    return [item for item in items(path, data) if isinstance(item, Memory)]


def refused(path: Path, data: bytes) -> str:
    """What the error says, which must be one sentence that begins with the path."""
    with pytest.raises(lineage.InputError) as caught:
        items(path, data)
    begin, message = f"{path / 'repo.car'}: ", str(caught.value)
    assert message.startswith(begin)
    assert "\n" not in message
    return message.removeprefix(begin)


# What is read


def test_a_repository_is_read_through_its_tree(tmp_path: Path) -> None:
    file = tmp_path / "repo.car"
    file.write_bytes(repo(200, "app.bsky.feed.post", MEMORY + "x").car())
    graph = lineage.build(lineage.read(file))
    assert Counter(graph.memories["status"])["superseded"] == 199
    assert list(graph.memories["id"][graph.memories["status"] == "live"]) == [uri("k199")]
    assert set(graph.memories["boundary"]) == {DID}
    assert len(graph.links) == 199
    assert not [finding for finding in lineage.check(graph) if finding.rule.startswith("LIN9")]


def test_items_are_numbered_by_record_and_other_collections_are_passed_over(tmp_path: Path) -> None:
    found = items(tmp_path, repo(2, "app.bsky.feed.post", "x.y.z").car())
    assert [item.line for item in found if isinstance(item, Memory)] == [2, 3]
    assert [item for item in found if not isinstance(item, Memory)] == [Passed("app.bsky.feed.post"), Passed("x.y.z")]


def test_a_repository_and_its_pages_say_the_same(tmp_path: Path) -> None:
    made = repo(30)
    made.put(f"{MEMORY}/odd", value("Odd", createdAt="2026-01-01T10:00:00", x={"deep": [1, None, True]}))
    made.commit()
    for memory in memories(tmp_path, made.car()):
        key = memory.id.removeprefix(f"at://{DID}/")
        record = {
            "uri": memory.id,
            "cid": made.records[key].encode(),
            "value": cbrrr.decode_dag_cbor(made.blocks[made.records[key]], atjson_mode=True),
        }
        assert READER.write is not None
        assert READER.write(memory) == record
        [paged] = [item for item in READER.read(record) if isinstance(item, Memory)]
        paged.line = memory.line
        paged.links, memory.links = list(paged.links), list(memory.links)
        assert paged == memory


def test_links_and_bytes_come_as_json(tmp_path: Path) -> None:
    made = Repo()
    link = made.add({"a": 1})
    made.put(f"{MEMORY}/a", value("x", link={"$link": link.encode()}, raw={"$bytes": "AQID/w"}))
    [memory] = memories(tmp_path, made.commit().car())
    assert memory.extra is not None
    assert memory.extra["value"]["link"] == {"$link": link.encode()}
    assert memory.extra["value"]["raw"] == {"$bytes": "AQID/w"}


def test_floats_have_no_place_in_a_record_and_are_kept(tmp_path: Path) -> None:
    made = Repo()
    made.records[f"{MEMORY}/a"] = made.add(
        value("x") | {"score": 0.5, "link": made.add({}), "raw": [b"\x01\x02\x03\xff"]}
    )
    [memory] = memories(tmp_path, made.commit().car())
    assert memory.extra is not None
    kept = memory.extra["value"]
    assert (kept["score"], kept["raw"]) == (0.5, [{"$bytes": "AQID/w"}])
    assert kept["link"] == {"$link": made.add({}).encode()}


def test_two_records_may_share_a_block(tmp_path: Path) -> None:
    made = Repo()
    for key in "ab":
        made.put(f"{MEMORY}/{key}", value("the same"))
    assert [memory.id for memory in memories(tmp_path, made.commit().car())] == [uri("a"), uri("b")]


def test_a_block_or_root_that_stands_twice_is_one(tmp_path: Path) -> None:
    made = repo()
    data = made.car()
    start = len(header([made.root]))
    assert len(memories(tmp_path, data + data[start:])) == 3
    assert len(memories(tmp_path, header([made.root, made.root]) + data[start:])) == 3


def test_blocks_may_stand_in_any_order(tmp_path: Path) -> None:
    made = repo(40)
    blocks = [frame(cid, block) for cid, block in sorted(made.blocks.items(), key=lambda pair: pair[1])]
    assert len(memories(tmp_path, header([made.root]) + b"".join(blocks))) == 40


def test_an_empty_repository_has_no_records(tmp_path: Path) -> None:
    assert items(tmp_path, Repo().commit().car()) == []


@pytest.mark.parametrize(
    "block", [b"", b"\xff", b"\x81", b"\xa1\x61a\x01\x02", b"\x81" * 100_000 + b"\x01", b"\x61\xff"]
)
def test_a_record_that_is_no_dag_cbor_is_unreadable(tmp_path: Path, block: bytes) -> None:
    made = repo(2)
    made.records[f"{MEMORY}/bad"] = made.add_block(block)
    found = items(tmp_path, made.commit().car())
    [problem] = [item for item in found if isinstance(item, Problem)]
    assert (problem.rule, problem.id, problem.line) == ("LIN901", uri("bad"), 1)
    assert len(found) == 3


def test_a_record_of_endless_nesting_is_unreadable(tmp_path: Path) -> None:
    nested: list[Any] = []
    for _ in range(50_000):
        nested = [nested]
    made = repo(1)
    made.records[f"{MEMORY}/bad"] = made.add(value("x", engine=nested))
    [problem, memory] = items(tmp_path, made.commit().car())
    assert isinstance(problem, Problem)
    assert (problem.rule, problem.id) == ("LIN901", uri("bad"))
    assert isinstance(memory, Memory)


def test_a_record_without_content_is_unreadable(tmp_path: Path) -> None:
    made = Repo()
    made.put(f"{MEMORY}/a", {"$type": MEMORY})
    made.records[f"{MEMORY}/b"] = made.add([1])
    found = items(tmp_path, made.commit().car())
    assert [(item.rule, item.id) for item in found if isinstance(item, Problem)] == [
        ("LIN901", uri("a")),
        ("LIN901", uri("b")),
    ]


# Parts of a repository


def test_a_missing_record_is_counted(tmp_path: Path) -> None:
    made = repo()
    found = items(tmp_path, made.car(without=[made.records[f"{MEMORY}/k001"]]))
    assert [item.line for item in found if isinstance(item, Memory)] == [1, 3]
    assert [item for item in found if not isinstance(item, Memory)] == [ABSENT]


def test_a_missing_node_is_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    made = repo(100)
    found = items(tmp_path, made.car(without=made.nodes[:1]))
    assert found.count(ABSENT) == 1
    assert 90 <= len(found) - 1 < 100


def test_a_commit_alone_is_a_partial_repository(tmp_path: Path) -> None:
    made = repo()
    assert items(tmp_path, header([made.root]) + frame(made.root, made.blocks[made.root])) == [ABSENT]


# What must not be read silently


def test_an_altered_block_is_named(tmp_path: Path) -> None:
    made = repo()
    cid = made.records[f"{MEMORY}/k001"]
    altered = made.car().replace(b"Memory 1", b"Memory 7")
    assert cid.encode() in refused(tmp_path, altered)
    assert "does not match its hash" in refused(tmp_path, altered)


def test_an_altered_block_that_nothing_reaches_is_named_too(tmp_path: Path) -> None:
    made = repo()
    stray = frame(made.add_block(b"\xf6"), b"\xf5")
    assert "does not match its hash" in refused(tmp_path, made.car() + stray)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_any_altered_byte_is_an_error_or_changes_no_memory(tmp_path: Path, data: st.DataObject) -> None:
    whole = repo(5).car()
    place = data.draw(st.integers(0, len(whole) - 1))
    bit = 1 << data.draw(st.integers(0, 7))
    altered = whole[:place] + bytes([whole[place] ^ bit]) + whole[place + 1 :]
    true = {memory.id: memory.text for memory in memories(tmp_path, whole)}
    try:
        got = items(tmp_path, altered)
    except lineage.InputError:
        return
    assert {item.id: item.text for item in got if isinstance(item, Memory)}.items() <= true.items()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.floats(0, 1, exclude_max=True))
def test_a_file_cut_short_is_an_error_or_partial(tmp_path: Path, part: float) -> None:
    whole = repo(5).car()
    try:
        got = items(tmp_path, whole[: int(len(whole) * part)])
    except lineage.InputError:
        return
    assert ABSENT in got


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.binary(max_size=80), st.booleans())
@example(b"", False)
@example(b"\x80" * 20, False)
def test_arbitrary_bytes_are_an_error(tmp_path: Path, tail: bytes, headed: bool) -> None:
    made = repo(1)
    start = header([made.root]) if headed else b""
    with pytest.raises(lineage.InputError):
        items(tmp_path, start + tail)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**64), 2**64 - 1) | st.binary(max_size=4) | st.text(max_size=4),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["e", "l", "p", "k", "v", "t", "did", "data", "sig", "version"]), inner)
        ),
        max_leaves=8,
    ),
    st.sampled_from(["commit", "node", "entries", "entry", "record"]),
)
def test_well_hashed_nonsense_is_an_error_or_a_problem(tmp_path: Path, nonsense: Any, where: str) -> None:
    made = repo(1)
    link = made.records[f"{MEMORY}/k000"]
    if where == "record":
        made.records[f"{MEMORY}/k001"] = made.add(nonsense)
        made.commit()
    elif where == "commit":
        made.root = made.add(nonsense)
    else:
        shape = {"node": nonsense, "entries": {"l": None, "e": nonsense}}
        entry = {"p": 0, "k": f"{MEMORY}/a".encode(), "v": link, "t": None}
        entry |= nonsense if isinstance(nonsense, dict) else {"k": nonsense}
        made.commit(data=made.add(shape.get(where, {"l": None, "e": [entry]})))
    try:
        got = items(tmp_path, made.car())
    except lineage.InputError:
        return
    assert all(isinstance(item, Memory | Passed | Problem) for item in got)


def test_a_cut_file_says_where(tmp_path: Path) -> None:
    whole = repo().car()
    assert refused(tmp_path, whole[:-1]).startswith("the file is cut short within the block at byte")
    assert refused(tmp_path, whole + b"\x80") == f"the file is cut short within the length at byte {len(whole):,}"
    assert refused(tmp_path, whole[:20]) == "the file is cut short within its header"


@pytest.mark.parametrize("length", [b"\x80" * 9 + b"\x01", b"\x85\x00", b"\xff" * 30])
def test_a_malformed_length_is_named(tmp_path: Path, length: bytes) -> None:
    whole = repo().car()
    assert refused(tmp_path, whole + length + bytes(100)) == f"the length at byte {len(whole):,} is malformed"


def test_a_length_beyond_the_file_reserves_no_memory(tmp_path: Path) -> None:
    whole = repo().car()
    assert "cut short" in refused(tmp_path, whole + varint(2**62) + bytes(100))
    assert "cut short" in refused(tmp_path, varint(2**62) + b"\xa2eroots")


@pytest.mark.parametrize("block", [b"", b"\x01", b"\x12\x20" + bytes(32), b"\x01\x71\x13\x40" + bytes(64)])
def test_a_block_of_another_hash_cannot_be_checked(tmp_path: Path, block: bytes) -> None:
    assert "no CID of version 1" in refused(tmp_path, repo().car() + varint(len(block)) + block)


def test_a_raw_block_is_checked_too(tmp_path: Path) -> None:
    raw = cbrrr.CID.cidv1_raw_sha256_32_from(b"picture")
    assert len(memories(tmp_path, repo().car() + frame(raw, b"picture"))) == 3
    assert raw.encode() in refused(tmp_path, repo().car() + frame(raw, b"forgery"))


@pytest.mark.parametrize(
    ("head", "cause"),
    [
        (header([], 1), "the header of the CAR file names no root"),
        (header([], 2), "the CAR file is of version 2; only version 1 is read"),
        (b"\x0a\xa1gversion\x02", "the CAR file is of version 2; only version 1 is read"),
        (b"\x08\xa1eroots\x80", "the CAR file is of version None; only version 1 is read"),
        (b"\x01\xf6", "the CAR file is of version None; only version 1 is read"),
        (varint(70_000) + bytes(70_000), "a header of 70,000 bytes is too long for a CAR file"),
        (b"\x01\xff", "the header of the CAR file is not DAG-CBOR: "),
    ],
)
def test_a_header_that_cannot_be_used_is_named(tmp_path: Path, head: bytes, cause: str) -> None:
    assert refused(tmp_path, head).startswith(cause)


@pytest.mark.parametrize(
    "changes",
    [
        {"sig": "absent"},
        {"sig": b""},
        {"sig": "text"},
        {"version": 1},
        {"version": True},
        {"did": "alice.example"},
        {"did": 4},
        {"data": None},
        {"data": b"bytes"},
    ],
)
def test_a_root_that_is_no_signed_commit_is_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    made = repo().commit(**changes)
    assert refused(tmp_path, made.car()) == f"the root {made.root.encode()} is not a signed commit of a repository"


def test_a_version_2_commit_is_read(tmp_path: Path) -> None:
    assert len(memories(tmp_path, repo().commit(version=2, rev="absent").car())) == 3


def test_a_root_that_is_not_in_the_file_is_named(tmp_path: Path) -> None:
    made = repo()
    assert refused(tmp_path, made.car(without=[made.root])) == f"the root {made.root.encode()} is not in the file"


# Search trees that no server would build


def tree(made: Repo, *entries: dict[str, Any], left: Any = None) -> cbrrr.CID:
    return made.add({"l": left, "e": list(entries)})


def entry(made: Repo, key: str, right: Any = None, shared: int = 0) -> dict[str, Any]:
    return {"p": shared, "k": key.encode(), "v": made.add(value(key)), "t": right}


def test_a_node_that_stands_twice_is_refused(tmp_path: Path) -> None:
    made = Repo()
    below = tree(made)
    for _ in range(40):
        below = tree(made, left=below)
    twice = tree(made, entry(made, f"{MEMORY}/a", below), entry(made, f"{MEMORY}/b", below))
    assert "stands in the search tree twice" in refused(tmp_path, made.commit(data=twice).car())


def test_a_deep_tree_needs_no_stack(tmp_path: Path) -> None:
    made = Repo()
    below = tree(made, entry(made, f"{MEMORY}/a"))
    for _ in range(5 * sys.getrecursionlimit()):
        below = tree(made, left=below)
    assert [memory.id for memory in memories(tmp_path, made.commit(data=below).car())] == [uri("a")]


@pytest.mark.parametrize("keys", ["ba", "aa"])
def test_keys_out_of_order_are_refused(tmp_path: Path, keys: str) -> None:
    made = Repo()
    top = tree(made, *(entry(made, f"{MEMORY}/{key}") for key in keys))
    assert "is out of order in the search tree" in refused(tmp_path, made.commit(data=top).car())


@pytest.mark.parametrize(
    ("key", "shared"),
    [
        ("a/b", 1),
        ("ab", 0),
        ("a/", 0),
        ("/b", 0),
        ("a/b/c", 0),
        ("a/b c", 0),
        ("a/é", 0),
        ("a/" + "b" * 1100, 0),
        ("", 0),
    ],
)
def test_a_malformed_key_is_refused(tmp_path: Path, key: str, shared: int) -> None:
    made = Repo()
    top = tree(made, entry(made, key, shared=shared), entry(made, "c/d"))
    assert refused(tmp_path, made.commit(data=top).car()) == f"the node {top.encode()} of the search tree is malformed"


def test_keys_cannot_grow_without_end(tmp_path: Path) -> None:
    made = Repo()
    long = [entry(made, "a/b"), *(entry(made, "c", shared=3 + number) for number in range(2000))]
    assert "is malformed" in refused(tmp_path, made.commit(data=tree(made, *long)).car())


@pytest.mark.parametrize("field", ["v", "t", "l", "e"])
def test_a_link_that_is_none_is_refused(tmp_path: Path, field: str) -> None:
    made = Repo()
    fields: dict[str, Any] = {"p": 0, "k": b"a/b", "v": made.add({}), "t": None}
    node: dict[str, Any] = {"l": None, "e": [fields]}
    (node if field in node else fields)[field] = b"bytes"
    top = made.add(node)
    assert refused(tmp_path, made.commit(data=top).car()) == f"the node {top.encode()} of the search tree is malformed"


def test_a_link_of_another_kind_leads_nowhere(tmp_path: Path) -> None:
    made = Repo()
    top = tree(made, entry(made, f"{MEMORY}/a"), left=cbrrr.CID(b"\x00\x01"))
    assert [type(item) for item in items(tmp_path, made.commit(data=top).car())] == [Passed, Memory]
    below = tree(made, left=cbrrr.CID(b"\x00\x01"))
    assert items(tmp_path, made.commit(data=below).car()) == [ABSENT]


@pytest.mark.parametrize("block", [b"\xff", b"\x80"])
def test_a_node_that_is_none_is_refused(tmp_path: Path, block: bytes) -> None:
    made = Repo()
    node = made.add_block(block)
    assert f"the node {node.encode()} is not" in refused(tmp_path, made.commit(data=node).car())


# Recognised, opened, installed


@pytest.mark.parametrize(
    ("head", "is_car"),
    [
        (repo(1).car()[:64], True),
        (b"\x0a\xa1gversion\x02", True),
        (b"\x11\xa2eroots\x80gversion\x01", True),
        (b"", False),
        (b"\xa2eroots", False),
        (json.dumps({"records": []}).encode(), False),
        (b"SQLite format 3\0", False),
        (b"\x80" * 64, False),
    ],
)
def test_a_car_file_is_told_by_its_first_bytes(head: bytes, is_car: bool) -> None:
    assert READER.carrier is not None
    assert READER.carrier.claims(head) is is_car


def test_a_file_that_cannot_be_opened_is_an_input_error(tmp_path: Path) -> None:
    assert READER.carrier is not None
    with pytest.raises(lineage.InputError, match=r"none\.car: no such file or directory"):
        list(READER.carrier.read(tmp_path / "none.car"))


def test_a_missing_library_is_named_with_the_way_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cbrrr", None)
    with pytest.raises(lineage.MissingExtra, match=r"pip install 'decision-lineage\[car\]'"):
        items(tmp_path, repo(1).car())


def test_the_file_is_not_changed(tmp_path: Path) -> None:
    data = repo().car()
    memories(tmp_path, data)
    assert [path.name for path in tmp_path.iterdir()] == ["repo.car"]
    assert (tmp_path / "repo.car").read_bytes() == data


def test_a_cid_is_written_as_others_write_it(tmp_path: Path) -> None:
    made = repo(1)
    (tmp_path / "repo.car").write_bytes(made.car())
    archive = Repository(tmp_path / "repo.car")
    assert archive.text(made.root.cid_bytes) == made.root.encode()
    assert archive.did == DID
