"""One memory an id: equal ones, different ones, and versions from a stream."""

import copy
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

import lineage
from tests.graphs import found, graph_of, statuses
from tests.records import DID, atproto, mindr, reversal, robrain, uri, write_jsonl


def event(operation: str, key: str, record: dict[str, Any] | None = None, *, at: int = 1) -> dict[str, Any]:
    commit: dict[str, Any] = {"operation": operation, "collection": "dev.bastienrobert.memory.record", "rkey": key}
    if record:
        commit |= {"record": record["value"], "cid": record["cid"]}
    return {"did": DID, "time_us": 1_770_000_000_000_000 + at, "kind": "commit", "commit": commit}


def test_equal_records_are_one_memory() -> None:
    graph = graph_of(robrain("a"), robrain("a"), robrain("a", new_key=1))
    assert statuses(graph) == {"a": "live"}
    assert found(graph)["LIN903"] == [["a"], ["a"]]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_of_different_records_the_latest_wins_in_any_order(order: tuple[int, ...]) -> None:
    versions = [
        robrain("a"),
        robrain("a", invalidated_at="2026-01-09T10:00:00.000Z"),
        robrain("a", reviewed_at="2026-01-05T10:00:00.000Z"),
    ]
    graph = graph_of(*(versions[place] for place in order))
    assert statuses(graph) == {"a": "retracted"}
    assert found(graph)["LIN904"] == [["a"], ["a"]]


def test_the_same_time_is_decided_by_content_not_by_order() -> None:
    one, two = robrain("a", decision="One"), robrain("a", decision="Two")
    forward, backward = graph_of(one, two), graph_of(two, one)
    assert forward.memories["text"].tolist() == backward.memories["text"].tolist()


def test_records_that_link_differently_are_different() -> None:
    graph = graph_of(robrain("x"), robrain("y"), robrain("a", "x", at=2), robrain("a", "y", at=2))
    assert "LIN904" in found(graph)
    assert sorted(statuses(graph).values()) == ["live", "live", "superseded"]


def test_a_record_that_says_nothing_of_being_reversed_equals_one_that_does() -> None:
    for records in itertools.permutations((mindr("d"), mindr("d", reversed=True), mindr("d", reversed=False))):
        graph = graph_of(*records)
        assert statuses(graph) == {"d": "reversed"}
        assert "LIN904" not in found(graph)


def test_the_links_of_the_loser_are_gone() -> None:
    graph = graph_of(mindr("d"), reversal("m", "d"), {**reversal("m", "e", at=5)}, mindr("e"))
    assert statuses(graph) == {"d": "live", "e": "reversed"}


def test_an_update_replaces_in_silence_and_a_deletion_deletes() -> None:
    changed = copy.deepcopy(atproto("a"))
    changed["value"]["content"] = "Changed"
    graph = graph_of(
        atproto("a"),
        event("create", "b", atproto("b")),
        event("update", "a", changed, at=2),
        event("delete", "b", at=3),
        event("delete", "never", at=4),
    )
    assert statuses(graph) == {uri("a"): "live", uri("b"): "deleted"}
    assert graph.memories.set_index("id")["text"][uri("a")] == "Changed"
    assert not {"LIN903", "LIN904"} & set(found(graph))
    assert any("not read" in sentence for sentence in graph.corpus.passed_over)


def test_a_memory_created_again_after_its_deletion_is_there() -> None:
    graph = graph_of(
        event("create", "a", atproto("a")), event("delete", "a", at=2), event("create", "a", atproto("a", at=3), at=3)
    )
    assert statuses(graph) == {uri("a"): "live"}


def test_a_stream_deletes_what_was_read_at_rest() -> None:
    assert statuses(graph_of(event("delete", "a", at=2), atproto("a"))) == {uri("a"): "deleted"}


def test_what_a_stream_deleted_is_not_written_back() -> None:
    graph = graph_of(atproto("a"), event("create", "b", atproto("b")), event("delete", "b", at=3))
    assert [json.loads(line)["uri"] for line in lineage.convert(graph, "atproto")] == [uri("a")]


def test_a_memory_deleted_and_created_again_as_it_was_at_rest_is_there() -> None:
    graph = graph_of(atproto("a"), event("delete", "a", at=2), event("create", "a", atproto("a"), at=3))
    assert statuses(graph) == {uri("a"): "live"}


@pytest.mark.parametrize("order", [("one", "both"), ("both", "one")])
def test_copies_in_another_input_do_not_part_a_series(order: tuple[str, str], tmp_path: Path) -> None:
    older = mindr("c1", type="convention", tags={"language": "ts"})
    newer = mindr("c2", type="convention", tags={"language": "ts"}, at=2)
    paths = {
        "one": write_jsonl(tmp_path / "one.jsonl", [newer]),
        "both": write_jsonl(tmp_path / "both.jsonl", [older, newer]),
    }
    graph = lineage.build(lineage.read(*(paths[name] for name in order)))
    assert statuses(graph) == {"c1": "superseded", "c2": "live"}


def test_findings_about_records_name_them_as_the_graph_does() -> None:
    lacking = robrain("x")
    del lacking["rationale"]
    graph = graph_of(mindr("x"), lacking, robrain("y"), mindr("y"), mindr("y"))
    assert found(graph)["LIN905"] == [["robrain:x"]]
    assert found(graph)["LIN903"] == [["y"]]
