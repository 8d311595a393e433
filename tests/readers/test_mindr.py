"""Mindr memories in JSON: what their tags and metadata mean, and what is wrong with them."""

from pathlib import Path
from typing import Any

import pytest

import lineage
from lineage.readers.base import Memory, Problem
from lineage.readers.fields import same_json
from lineage.readers.mindr import READER, write
from tests import records
from tests.records import Record, mindr, resolution, reversal, robrain, write_json, write_jsonl


def built(path: Path, *given: Record) -> Any:
    return lineage.build(lineage.read(write_jsonl(path / "memories.jsonl", given)))


def statuses(graph: Any) -> dict[str, str]:
    return dict(zip(graph.memories["id"], graph.memories["status"], strict=True))


def found(graph: Any, rule: str) -> list[list[str]]:
    return sorted(list(finding.memories) for finding in lineage.check(graph) if finding.rule == rule)


def row(graph: Any, id: str) -> Any:
    return graph.memories.set_index("id").loc[id]


def links(graph: Any) -> set[tuple[str, str, str, str]]:
    columns = (graph.links[name] for name in ("source", "target", "kind", "via"))
    return set(zip(*columns, strict=True))


def memory_of(record: Record) -> Memory:
    items = list(READER.read(record))
    assert isinstance(items[0], Memory)
    return items[0]


def causes(record: Record) -> list[str]:
    return [item.cause for item in READER.read(record) if isinstance(item, Problem)]


def wire(record: Record) -> Record:
    """The record with its tags as Mindr sends them to Remembr."""
    return {**record, "tags": [f"mindr:{tag['key']}:{tag['value']}" for tag in record["tags"]]}


FULL = mindr(
    "d1",
    tags={"module": "api", "commit": "old", "git_commit": "a1b2", "branch_lineage": "main"},
    sessionId="s7",
    metadata={
        "rationale": "because",
        "confidence": 0.55,
        "filesAffected": ["a.ts", "b.ts"],
        "date": "2026-05-04 18:40:36 -0700",
        "triggers": ["keyword"],
    },
)


class TestMarkers:
    def test_a_marker_reverses_its_decision(self, tmp_path: Path) -> None:
        graph = built(tmp_path, mindr("d1"), reversal("m1", "d1"), mindr("d2"))
        assert statuses(graph) == {"d1": "reversed", "d2": "live"}
        assert links(graph) == {("m1", "d1", "reverses", "tags.original_decision")}

    def test_any_memory_with_both_tags_is_a_marker(self, tmp_path: Path) -> None:
        marker = mindr("m1", at=2, tags={"original_decision": "d1", "module": "x", "reversed_decision": "true"})
        assert statuses(built(tmp_path, mindr("d1"), marker)) == {"d1": "reversed"}

    @pytest.mark.parametrize(
        "tags",
        [
            {"reversed_decision": "true"},
            {"original_decision": "d1"},
            {"reversed_decision": "false", "original_decision": "d1"},
            {"reversed_decision": "True", "original_decision": "d1"},
            {"reversed_decision": "true", "original_decision": ""},
        ],
    )
    def test_half_a_marker_is_an_ordinary_note(self, tmp_path: Path, tags: dict[str, str]) -> None:
        graph = built(tmp_path, mindr("d1"), mindr("n1", type="note", at=2, tags=tags))
        assert statuses(graph) == {"d1": "live", "n1": "live"}
        assert not len(graph.links)

    @pytest.mark.parametrize("gone", ["2026-01-03T10:00:00.000Z", 1767434400000])
    def test_a_deleted_marker_is_gone(self, tmp_path: Path, gone: object) -> None:
        graph = built(tmp_path, mindr("d1"), reversal("m1", "d1", deletedAt=gone))
        assert statuses(graph) == {"d1": "live"}

    def test_a_marker_outweighs_reversed_false(self, tmp_path: Path) -> None:
        graph = built(tmp_path, mindr("d1", reversed=False), reversal("m1", "d1"))
        assert statuses(graph) == {"d1": "reversed"}

    def test_reversed_true_needs_no_marker(self, tmp_path: Path) -> None:
        graph = built(tmp_path, mindr("d1", reversed=True), mindr("d2", reversed=False))
        assert statuses(graph) == {"d1": "reversed", "d2": "live"}

    def test_a_marker_on_what_is_no_decision_has_no_effect(self, tmp_path: Path) -> None:
        graph = built(tmp_path, mindr("n1", type="note"), reversal("m1", "n1"))
        assert statuses(graph) == {"n1": "live"}
        assert found(graph, "LIN108") == [["m1", "n1"]]

    def test_a_marker_whose_target_is_missing_is_an_orphan(self, tmp_path: Path) -> None:
        graph = built(tmp_path, mindr("d1"), reversal("m1", "nowhere"))
        assert [ids[0] for ids in found(graph, "LIN104")] == ["m1"]


class TestDebts:
    def test_a_resolution_names_a_debt_id_and_spares_what_came_later(self, tmp_path: Path) -> None:
        debts = [mindr(f"t{day}", type="debt", at=day, tags={"debt_id": "h1"}) for day in (1, 2, 9)]
        graph = built(tmp_path, *debts, resolution("r1", "h1", at=5))
        assert statuses(graph) == {"t1": "resolved", "t2": "resolved", "t9": "live"}

    def test_a_resolution_names_a_memory_or_the_beginning_of_its_id(self, tmp_path: Path) -> None:
        long = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeee01"
        graph = built(
            tmp_path,
            mindr(long, type="debt"),
            mindr("t2", type="debt"),
            resolution("r1", long[:12]),
            resolution("r2", "t2"),
        )
        assert statuses(graph) == {long: "resolved", "t2": "resolved"}
        assert ("r2", "t2", "resolves", "tags.original_debt") in links(graph)

    def test_a_resolution_of_nothing_is_a_violation_but_still_a_marker(self, tmp_path: Path) -> None:
        graph = built(tmp_path, mindr("t1", type="debt"), mindr("r1", type="debt_resolved", at=2))
        assert statuses(graph) == {"t1": "live"}
        assert found(graph, "LIN905") == [["r1"]]

    def test_a_debt_id_on_anything_else_is_no_name(self, tmp_path: Path) -> None:
        graph = built(tmp_path, mindr("n1", type="note", tags={"debt_id": "h1"}), resolution("r1", "h1"))
        assert statuses(graph) == {"n1": "live"}

    def test_the_file_of_a_debt_is_in_its_metadata(self, tmp_path: Path) -> None:
        record = mindr("t1", type="debt", metadata={"file": "src/a.ts", "line": 4, "filesAffected": ["b.ts"]})
        assert list(row(built(tmp_path, record), "t1")["files"]) == ["src/a.ts"]


class TestConventions:
    def test_the_newest_of_one_language_holds(self, tmp_path: Path) -> None:
        given = [mindr(f"c{day}", type="convention", at=day, tags={"language": "go"}) for day in (3, 1, 2)]
        graph = built(tmp_path, *given, mindr("p1", type="convention", tags={"language": "python"}))
        assert statuses(graph) == {"c1": "superseded", "c2": "superseded", "c3": "live", "p1": "live"}
        assert links(graph) == {
            ("c2", "c1", "supersedes", "convention.language"),
            ("c3", "c2", "supersedes", "convention.language"),
        }

    def test_without_a_language_nothing_is_implied(self, tmp_path: Path) -> None:
        graph = built(tmp_path, mindr("c1", type="convention"), mindr("c2", type="convention", at=2))
        assert statuses(graph) == {"c1": "live", "c2": "live"}

    def test_a_language_on_anything_else_implies_nothing(self, tmp_path: Path) -> None:
        given = [mindr(f"b{day}", type="bug_pattern", at=day, tags={"language": "go"}) for day in (1, 2)]
        assert statuses(built(tmp_path, *given)) == {"b1": "live", "b2": "live"}

    def test_a_deleted_one_is_skipped_over(self, tmp_path: Path) -> None:
        tags = {"language": "go"}
        graph = built(
            tmp_path,
            mindr("c1", type="convention", at=1, tags=tags),
            mindr("c2", type="convention", at=2, tags=tags, deletedAt=records.when(8)),
            mindr("c3", type="convention", at=3, tags=tags),
        )
        assert statuses(graph) == {"c1": "superseded", "c2": "deleted", "c3": "live"}


class TestColumns:
    def test_tags_and_metadata_fill_the_columns(self, tmp_path: Path) -> None:
        memory = row(built(tmp_path, FULL), "d1")
        assert memory[["kind", "module", "commit", "branch", "session", "rationale"]].to_list() == [
            "decision",
            "api",
            "a1b2",
            "main",
            "s7",
            "because",
        ]
        assert memory["confidence"] == 0.55
        assert list(memory["files"]) == ["a.ts", "b.ts"]

    def test_the_older_tag_for_a_commit_will_do(self) -> None:
        assert memory_of(mindr("d1", tags={"commit": "old"})).commit == "old"

    @pytest.mark.parametrize(
        ("types", "kind"),
        [
            (["note", "decision"], "decision"),
            (["note", "debt"], "note"),
            (["preference"], "preference"),
            ([], None),
        ],
    )
    def test_the_type_tag_is_the_kind(self, types: list[str], kind: str | None) -> None:
        memory = memory_of(mindr("d1", type=None, tags=[("type", name) for name in types]))
        assert memory.kind == kind
        assert not causes(mindr("d1", type=None, tags=[("type", name) for name in types]))

    @pytest.mark.parametrize("type", ["context", "session_checkpoint", "metering"])
    def test_logs_have_no_status(self, tmp_path: Path, type: str) -> None:
        assert statuses(built(tmp_path, mindr("d1"), mindr("x1", type=type))) == {"d1": "live"}

    def test_wire_tags_mean_what_object_tags_mean(self, tmp_path: Path) -> None:
        given = [FULL, reversal("m1", "d1"), mindr("d2", tags={"module": "a:b:c"})]
        objects, wires = built(tmp_path, *given), built(tmp_path, *map(wire, given))
        unlike = ["extra"]
        assert objects.memories.drop(columns=unlike).equals(wires.memories.drop(columns=unlike))
        assert objects.links.equals(wires.links)
        assert row(wires, "d2")["module"] == "a:b:c"

    def test_a_foreign_tag_is_kept_and_means_nothing(self) -> None:
        record = mindr("d1", tags=[])
        record["tags"] += ["urgent", "type:note"]
        memory = memory_of(record)
        assert memory.kind == "decision"
        assert list(memory.tags) == [("type", "decision"), ("", "urgent"), ("", "type:note")]
        assert not causes(record)

    def test_an_empty_content_is_legal(self) -> None:
        assert not causes(mindr("d1", content=""))

    def test_a_number_is_an_id(self, tmp_path: Path) -> None:
        graph = built(tmp_path, {**mindr("x"), "id": 7}, reversal("m1", "7"))
        assert statuses(graph) == {"7": "reversed"}

    def test_the_stores_spelling_of_keys_will_do(self) -> None:
        record = mindr("d1", session_id="s1", created_at=1767261600123, deleted_at="2026-01-03T10:00:00.000Z")
        del record["createdAt"], record["sessionId"]
        memory = memory_of(record)
        assert (memory.session, memory.created_at) == ("s1", 1767261600123000)
        assert memory.deleted_at == memory_of(mindr("x", at=3)).created_at
        assert not causes(record)
        assert write(memory) == record


class TestRecognition:
    @pytest.mark.parametrize("missing", [key for key in FULL if key != "id"])
    def test_a_record_that_lacks_a_key_is_used(self, tmp_path: Path, missing: str) -> None:
        record = {key: value for key, value in FULL.items() if key != missing}
        graph = built(tmp_path, record)
        assert graph.memories["format"].to_list() == ["mindr"]
        optional = missing in {"sessionId", "metadata"}
        assert found(graph, "LIN905") == ([] if optional else [["d1"]])

    @pytest.mark.parametrize("tags", [FULL["tags"], [], ["foreign"]])
    @pytest.mark.parametrize("id", [{}, {"id": None}, {"id": ""}, {"id": True}, {"id": ["d1"]}])
    def test_a_record_without_an_id_is_unreadable(self, tmp_path: Path, id: Record, tags: list[Any]) -> None:
        record = {key: value for key, value in FULL.items() if key != "id"} | id | {"tags": tags}
        graph = built(tmp_path, mindr("good"), record)
        assert statuses(graph) == {"good": "live"}
        assert len(found(graph, "LIN901")) == 1
        assert READER.sniff(record)

    @pytest.mark.parametrize(
        "record",
        [
            {},
            {"id": "x"},
            {"id": "x", "tags": [{"key": "type", "value": "decision"}]},
            {"id": "x", "content": "hello"},
            {"id": "x", "role": "user", "content": "hello", "createdAt": records.when(1)},
            {"id": "x", "title": "t", "content": "c", "tags": ["blog"], "createdAt": records.when(1)},
            {"content": "c", "kind": "decision", "createdAt": records.when(1)},
            {"id": "x", "content": "c", "tags": None, "metadata": {}},
            {**FULL, "$type": records.COLLECTION},
            {**FULL, "uri": records.uri("x")},
            {**FULL, "commit": {}},
            {**FULL, "format": "lineage-memory/v1"},
            {**FULL, "format": "robrain-memory/v2"},
            robrain("a"),
            records.atproto("a"),
            records.atproto("a")["value"],
        ],
    )
    def test_other_records_are_left_to_others(self, record: Record) -> None:
        assert not READER.sniff(record)

    def test_an_array_of_memories_is_read(self, tmp_path: Path) -> None:
        path = write_json(tmp_path / "memories.json", [mindr("d1"), reversal("m1", "d1")])
        graph = lineage.build(lineage.read(path))
        assert statuses(graph) == {"d1": "reversed"}


class TestViolations:
    @pytest.mark.parametrize(
        ("changes", "named"),
        [
            ({"content": 3}, "content"),
            ({"content": None}, "content"),
            ({"role": "robot"}, "role"),
            ({"role": None}, "role"),
            ({"tags": "mindr:type:decision"}, "tags"),
            ({"tags": None}, "tags"),
            ({"tags": [7]}, "tags[0]"),
            ({"tags": [{"key": "type"}]}, "tags[0].value"),
            ({"tags": [{"key": 1, "value": "x"}]}, "tags[0].key"),
            ({"tags": ["mindr:type"]}, "tags[0]"),
            ({"tags": ["mindr::x"]}, "tags[0]"),
            ({"metadata": "text"}, "metadata"),
            ({"metadata": {"rationale": 1}}, "metadata.rationale"),
            ({"metadata": {"confidence": 1.01}}, "metadata.confidence"),
            ({"metadata": {"confidence": "high"}}, "metadata.confidence"),
            ({"metadata": {"filesAffected": ["a", 1]}}, "metadata.filesAffected[1]"),
            ({"createdAt": "yesterday"}, "createdAt"),
            ({"createdAt": None}, "createdAt"),
            ({"createdAt": 1767261600000}, "createdAt"),
            ({"createdAt": 1e300}, "createdAt"),
            ({"deletedAt": "soon"}, "deletedAt"),
            ({"sessionId": 3}, "sessionId"),
            ({"reversed": "yes"}, "reversed"),
        ],
    )
    def test_one_broken_field_is_named_once_and_the_rest_is_used(self, changes: Record, named: str) -> None:
        record = {**FULL, **changes}
        assert [cause.partition(": ")[0] for cause in causes(record)] == [named]
        memory = memory_of(record)
        assert memory.id == "d1"
        assert same_json(write(memory), record)

    def test_milliseconds_are_used_all_the_same(self) -> None:
        assert memory_of({**FULL, "createdAt": 1767261600000}).created_at == memory_of(FULL).created_at

    def test_a_number_in_a_tag_is_written_out(self) -> None:
        record = reversal("m1", "7")
        record["tags"][-1]["value"] = 7
        assert [link.other for link in memory_of(record).links] == ["7"]
        assert len(causes(record)) == 1
