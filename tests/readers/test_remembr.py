"""Remembr episodes: Mindr's tags keep their meaning, everything else is only kept."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lineage
from lineage.readers import mindr
from lineage.readers.base import Memory, Problem
from lineage.readers.fields import same_json
from lineage.readers.remembr import READER
from tests import records
from tests.records import Record, write_json, write_jsonl


def episode(id: str, *tags: str, at: int | str = 1, **changes: Any) -> Record:
    """An episode as Remembr exports it."""
    return {
        "id": id,
        "session_id": None,
        "role": "user",
        "content": f"Memory {id}",
        "tags": list(tags),
        "metadata": {},
        "created_at": f"2026-01-{at:02d}T10:00:00.123456+00:00" if isinstance(at, int) else at,
        "embedding_status": "pending",
        **changes,
    }


def decision(id: str, *tags: str, **changes: Any) -> Record:
    return episode(id, "mindr:type:decision", *tags, **changes)


def marker(id: str, of: str, **changes: Any) -> Record:
    return episode(id, "mindr:type:note", "mindr:reversed_decision:true", f"mindr:original_decision:{of}", **changes)


def memory_of(record: Record) -> Memory:
    items = list(READER.read(record))
    assert isinstance(items[0], Memory)
    return items[0]


def statuses(path: Path, *given: Record) -> dict[str, str]:
    memories = lineage.build(lineage.read(write_jsonl(path / "memories.jsonl", given))).memories
    return dict(zip(memories["id"], memories["status"], strict=True))


def test_an_export_is_one_array(tmp_path: Path) -> None:
    path = write_json(tmp_path / "export.json", [decision("d1"), marker("m1", "d1", at=2), decision("d2")])
    graph = lineage.build(lineage.read(path))
    assert dict(zip(graph.memories["id"], graph.memories["status"], strict=True)) == {"d1": "reversed", "d2": "live"}
    assert set(graph.memories["format"]) == {"remembr"}


def test_after_a_migration_markers_dangle(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "memories.jsonl", [decision("new-1"), marker("new-2", "old-1", at=2)])
    graph = lineage.build(lineage.read(path))
    assert graph.memories["status"].to_list() == ["live"]
    assert [finding.memories[0] for finding in lineage.check(graph) if finding.rule == "LIN104"] == ["new-2"]


def test_mindr_and_remembr_are_one_format_to_links(tmp_path: Path) -> None:
    assert statuses(tmp_path, records.mindr("d1"), marker("m1", "d1", at=2)) == {"d1": "reversed"}


def test_conventions_and_debts_keep_their_rules(tmp_path: Path) -> None:
    convention = ("mindr:type:convention", "mindr:language:go")
    given = [
        episode("c1", *convention),
        episode("c2", *convention, at=2),
        episode("t1", "mindr:type:debt", "mindr:debt_id:h1"),
        episode("r1", "mindr:type:debt_resolved", "mindr:original_debt:h1", at=3),
        episode("x1", "mindr:type:context"),
    ]
    assert statuses(tmp_path, *given) == {"c1": "superseded", "c2": "live", "t1": "resolved"}


def test_tags_and_metadata_fill_the_columns() -> None:
    metadata = {"rationale": "because", "confidence": 0.5, "filesAffected": ["a.ts"], "sha": "x"}
    record = decision("d1", "mindr:module:a:b", "mindr:git_commit:c1", metadata=metadata, session_id="s1")
    memory = memory_of(record)
    assert (memory.kind, memory.module, memory.commit, memory.session) == ("decision", "a:b", "c1", "s1")
    assert (memory.rationale, memory.confidence, list(memory.files)) == ("because", 0.5, ["a.ts"])
    assert memory.created_at == 1767261600123456
    assert memory.extra == {"role": "user", "metadata": {"sha": "x"}, "embedding_status": "pending"}


def test_without_mindr_tags_nothing_is_read_into_an_episode() -> None:
    memory = memory_of(episode("e1", "decision", "k:v", metadata={"rationale": "one tool"}))
    assert memory.kind is None
    assert memory.rationale is None
    assert list(memory.tags) == [("", "decision"), ("", "k:v")]
    assert memory.extra is not None
    assert memory.extra["metadata"] == {"rationale": "one tool"}


def test_the_sdk_spells_the_id_otherwise() -> None:
    record = {key: value for key, value in decision("e1").items() if key != "id"} | {"episode_id": "e1"}
    assert READER.sniff(record)
    assert memory_of(record).id == "e1"


@pytest.mark.parametrize("id", [{}, {"id": None}, {"id": ""}, {"id": {}}])
def test_an_episode_without_an_id_is_unreadable(id: Record) -> None:
    record = {key: value for key, value in decision("e1").items() if key != "id"} | id
    assert READER.sniff(record)
    assert [item.rule for item in READER.read(record) if isinstance(item, Problem)] == ["LIN901"]


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"content": None}, "content"),
        ({"created_at": 1767261600000}, "created_at"),
        ({"created_at": "soon"}, "created_at"),
        ({"session_id": 1}, "session_id"),
        ({"tags": None}, "tags"),
        ({"tags": [1]}, "tags[0]"),
        ({"metadata": {"confidence": 2}}, "metadata.confidence"),
    ],
)
def test_one_broken_field_is_named_and_the_rest_is_used(changes: Record, named: str) -> None:
    record = {**decision("d1"), **changes}
    memory, *problems = READER.read(record)
    assert isinstance(memory, Memory)
    assert [item.cause.partition(": ")[0] for item in problems if isinstance(item, Problem)] == [named]


@pytest.mark.parametrize("missing", [key for key in decision("d1") if key != "id"])
def test_an_episode_that_lacks_a_key_is_recognised(missing: str) -> None:
    record = {key: value for key, value in decision("d1").items() if key != missing}
    assert READER.sniff(record)
    assert not mindr.READER.sniff(record)


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"id": "x", "created_at": "2026-01-01"},
        {"id": "x", "content": "c", "created_at": "2026-01-01"},
        {"id": "x", "role": "user", "content": "c", "created_at": "2026-01-01", "metadata": {}},
        records.mindr("d1"),
        records.robrain("a"),
        records.atproto("a"),
        {**decision("d1"), "uri": "https://example.test/1"},
        {**decision("d1"), "deleted_at": None},
        {**decision("d1"), "tags": [{"key": "type", "value": "decision"}]},
    ],
)
def test_other_records_are_left_to_others(record: Record) -> None:
    assert not READER.sniff(record)


def test_a_mindr_memory_is_made_of_an_episode() -> None:
    metadata = {"rationale": "because", "sha": "x"}
    record = mindr.write(memory_of(decision("d1", "mindr:module:api", metadata=metadata)))
    assert record["tags"] == [{"key": "type", "value": "decision"}, {"key": "module", "value": "api"}]
    assert record["metadata"] == metadata
    assert record["createdAt"] == "2026-01-01T10:00:00.123Z"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*episode("e1"), "episode_id", "deleted_at", "x"]), JSON))
def test_no_episode_is_too_odd_to_read(record: Record) -> None:
    READER.sniff(record)
    for item in READER.read(record):
        assert isinstance(item, Memory | Problem)


@given(
    st.fixed_dictionaries(
        {"id": st.text(min_size=1)},
        optional={"unknown": JSON, "role": JSON, "metadata": JSON, "embedding_status": JSON},
    )
)
def test_what_is_not_mapped_is_kept(record: Record) -> None:
    extra = memory_of(record).extra or {}
    assert all(same_json(extra[key], value) for key, value in record.items() if key != "id")
