"""Statuses, voids, lineages and depths, as the semantics say."""

import pytest

import lineage
from tests.graphs import found, graph_of, memory, statuses, voids
from tests.records import DID, OTHER_DID, atproto, chain, mindr, resolution, reversal, robrain, uri, when


def test_a_chain_has_one_live_head() -> None:
    graph = graph_of(*chain("a", "b", "c"))
    assert statuses(graph) == {"a": "superseded", "b": "superseded", "c": "live"}
    assert graph.lineages().loc[0, ["id", "size", "depth"]].tolist() == ["a", 3, 2]
    assert graph.memories.set_index("id")["generation"].to_dict() == {"a": 0, "b": 1, "c": 2}


def test_a_deleted_source_claims_nothing() -> None:
    graph = graph_of(memory("a"), memory("b", ["a"], at=2, deleted_at="2026-01-03T10:00:00Z"))
    assert statuses(graph) == {"a": "live", "b": "deleted"}
    assert voids(graph) == {("b", "a"): "deleted-source"}


def test_a_retracted_source_never_held() -> None:
    graph = graph_of(memory("a"), memory("b", ["a"], at=2, declared="ended"))
    assert statuses(graph) == {"a": "live", "b": "retracted"}
    assert voids(graph) == {("b", "a"): "retracted-source"}


def test_one_that_a_missing_memory_supersedes_is_superseded_not_retracted() -> None:
    link = {"kind": "supersedes", "source": "gone"}
    graph = graph_of(memory("a", declared="ended", links=[link]), memory("b", links=[link | {"source": "lost"}]))
    assert statuses(graph) == {"a": "superseded", "b": "live"}
    assert found(graph)["LIN103"] == [["a", "gone"], ["b", "lost"]]


def test_a_reversed_successor_does_not_bring_its_predecessor_back() -> None:
    graph = graph_of(
        mindr("c1", type="decision"),
        memory("d2", ["d1"], of="mindr", at=2),
        memory("d1", of="mindr"),
        reversal("m", "d2", at=3),
    )
    assert statuses(graph) == {"c1": "live", "d1": "superseded", "d2": "reversed"}
    assert found(graph)["LIN202"] == [["d2", "d1"]]


def test_deleted_outranks_reversed_and_reversed_outranks_superseded() -> None:
    graph = graph_of(
        memory("a", of="mindr", deleted_at="2026-01-09T10:00:00Z"),
        memory("b", ["a", "c"], of="mindr", at=2),
        memory("c", of="mindr"),
        reversal("m", "c"),
        reversal("n", "a"),
    )
    assert statuses(graph) == {"a": "deleted", "b": "live", "c": "reversed"}


def test_a_cycle_settled_from_outside_is_superseded() -> None:
    graph = graph_of(memory("a", ["b"]), memory("b", ["a"], at=2), memory("c", ["a"], at=3))
    assert statuses(graph) == {"a": "superseded", "b": "superseded", "c": "live"}
    assert graph.memories.set_index("id")["generation"].to_dict() == {"a": 0, "b": 0, "c": 1}


def test_links_said_from_both_ends_are_one() -> None:
    graph = graph_of(memory("b", ["a"], at=2), memory("a", links=[{"kind": "supersedes", "source": "b"}]))
    assert graph.links[["source", "target", "declared_by", "void"]].values.tolist() == [["b", "a", "both", None]]


def test_links_that_do_not_mask_leave_lineages_apart() -> None:
    graph = graph_of(memory("a"), memory("b", links=[{"kind": "amends", "target": "a"}]))
    assert statuses(graph) == {"a": "live", "b": "live"}
    assert graph.memories["lineage"].tolist() == ["a", "b"]


def test_depth_is_the_longest_path_through_forks_and_merges() -> None:
    records = [memory("a"), memory("b", ["a"]), memory("c", ["b"]), memory("d", ["a", "c"]), memory("e", ["d", "b"])]
    graph = graph_of(*records)
    assert graph.memories.set_index("id")["generation"].to_dict() == {"a": 0, "b": 1, "c": 2, "d": 3, "e": 4}
    row = graph.lineages().iloc[0]
    assert (row["depth"], row["forks"], row["merges"]) == (4, 2, 2)


def test_a_stranger_can_neither_retire_nor_join() -> None:
    mine, theirs = atproto("a"), atproto("x", [uri("a")], at=2, did=OTHER_DID)
    graph = graph_of(mine, theirs)
    assert set(statuses(graph).values()) == {"live"}
    assert graph.memories["lineage"].nunique() == 2
    assert graph.links["void"].tolist() == ["boundary"]


def test_a_ghost_in_another_boundary_joins_nothing() -> None:
    lost = uri("lost", did=OTHER_DID)
    graph = graph_of(
        atproto("a", [lost]), atproto("b", [lost]), atproto("c", [uri("gone")]), atproto("d", [uri("gone")])
    )
    by_id = graph.memories.set_index("id")["lineage"]
    assert by_id[uri("a")] != by_id[uri("b")]
    assert by_id[uri("c")] == by_id[uri("d")]
    assert found(graph)["LIN106"] == [[uri("c"), uri("d")]]


def test_an_orphan_is_live_and_its_ghost_no_memory() -> None:
    graph = graph_of(robrain("b", "gone"))
    assert statuses(graph) == {"b": "live"}
    assert graph.orphans()[["id", "missing", "kind"]].values.tolist() == [["b", "gone", "supersedes"]]
    assert set(graph.lineage("b").memories["role"].astype(str)) == {"memory", "ghost"}


def test_a_marker_in_the_file_outweighs_reversed_false() -> None:
    graph = graph_of(mindr("d", reversed=False), reversal("m", "d"))
    assert statuses(graph) == {"d": "reversed"}


def test_a_debt_is_resolved_by_hash_by_id_or_by_its_first_characters() -> None:
    long = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeee01"
    graph = graph_of(
        mindr("t1", type="debt", tags={"debt_id": "h"}),
        mindr("t2", type="debt", tags={"debt_id": "h"}, at=9),
        mindr(long, type="debt"),
        mindr("t3", type="debt"),
        resolution("r1", "h", at=5),
        resolution("r2", long[:12], at=5),
        resolution("r3", "t3", at=5),
    )
    assert statuses(graph) == {"t1": "resolved", "t2": "live", long: "resolved", "t3": "resolved"}


@pytest.mark.parametrize("marker_at", [2, 20])
def test_as_of_forgets_what_comes_later(marker_at: int) -> None:
    records = (mindr("d"), reversal("m", "d", at=marker_at))
    assert statuses(graph_of(*records, as_of="2026-01-10")) == {"d": "reversed" if marker_at == 2 else "live"}
    assert statuses(graph_of(*records)) == {"d": "reversed"}


def test_as_of_before_everything_there_is_nothing() -> None:
    graph = graph_of(*chain("a", "b"), as_of="2025-01-01")
    assert graph.memories.empty
    assert graph.live_heads().empty


def test_as_of_a_declared_reversal_waits_for_its_marker() -> None:
    records = (mindr("d", reversed=True), reversal("m", "d", at=20), mindr("e", reversed=True))
    assert statuses(graph_of(*records, as_of="2026-01-10")) == {"d": "live", "e": "reversed"}


def test_as_of_a_convention_deleted_later_still_replaced_the_one_before() -> None:
    records = (
        mindr("c1", type="convention", tags={"language": "go"}),
        mindr("c2", type="convention", tags={"language": "go"}, at=2, deletedAt=when(20)),
    )
    assert statuses(graph_of(*records, as_of="2026-01-10")) == {"c1": "superseded", "c2": "live"}
    assert statuses(graph_of(*records)) == {"c1": "live", "c2": "deleted"}


def test_one_id_in_two_formats_is_two_memories() -> None:
    graph = graph_of(robrain("x"), mindr("x"), reversal("m", "x"), robrain("y", "x", at=2))
    assert statuses(graph) == {"mindr:x".removeprefix("mindr:"): "reversed", "robrain:x": "superseded", "y": "live"}


def test_the_same_did_under_another_collection_is_no_memory() -> None:
    record = atproto("a")
    record["value"]["$type"] = record["value"]["$type"] + "x"
    record["uri"] = f"at://{DID}/dev.bastienrobert.memory.recordx/a"
    graph = graph_of(record, atproto("b"))
    assert statuses(graph) == {uri("b"): "live"}
    assert graph.corpus.inputs[0].passed


def test_what_is_missing_takes_no_name_from_what_is_there() -> None:
    graph = graph_of(reversal("m", "a"), robrain("a"))
    assert statuses(graph) == {"a": "live"}
    assert found(graph)["LIN104"] == [["m", "mindr:a"]]


def test_as_of_a_declared_reversal_waits_for_a_marker_it_names_itself() -> None:
    decision = memory("d", of="mindr", declared="reversed", links=[{"kind": "reverses", "source": "m"}])
    marker = memory("m", of="mindr", at=20, role="marker", kind="note")
    assert statuses(graph_of(decision, marker, as_of="2026-01-10")) == {"d": "live"}
    assert statuses(graph_of(decision, marker)) == {"d": "reversed"}


def test_a_link_said_from_both_ends_survives_conversion() -> None:
    older = memory("old", links=[{"kind": "supersedes", "source": "new"}])
    graph = graph_of(older, memory("new", ["old"], at=2))
    again = graph_of(*(line.decode() for line in lineage.convert(graph, "lineage")))
    assert statuses(again) == statuses(graph) == {"old": "superseded", "new": "live"}
