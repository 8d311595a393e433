"""Mindr memories written back: everything a record came with, and nothing it did not."""

import json

from hypothesis import given
from hypothesis import strategies as st

from lineage.readers.base import Memory, Problem
from lineage.readers.fields import same_json
from lineage.readers.mindr import READER, write
from lineage.readers.robrain import READER as ROBRAIN
from tests import records
from tests.records import Record, mindr, robrain

FULL = mindr(
    "d1",
    tags={"module": "api", "git_commit": "a1b2"},
    sessionId="s7",
    metadata={"rationale": "because", "confidence": 0.55, "filesAffected": ["a.ts", "b.ts"], "triggers": ["keyword"]},
)


def memory_of(record: Record) -> Memory:
    items = list(READER.read(record))
    assert isinstance(items[0], Memory)
    return items[0]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
TAG_KEYS = st.sampled_from(
    [
        *("type", "module", "commit", "git_commit", "branch_lineage", "language", "x", ""),
        *("debt_id", "reversed_decision", "original_decision", "original_debt"),
    ]
)
TAG_VALUES = st.sampled_from(["decision", "debt", "debt_resolved", "convention", "context", "true", "a:b", ""])
TAGS = st.lists(
    st.fixed_dictionaries({"key": TAG_KEYS, "value": TAG_VALUES})
    | st.builds("mindr:{}:{}".format, TAG_KEYS, TAG_VALUES)
    | st.sampled_from(["foreign", "mindr:", "mindr:x", "a:b:c"])
    | JSON,
    max_size=4,
)
TIMES = st.sampled_from(["2026-01-01T10:00:00.000Z", "2026-01-01", "2026-01-01T12:00:00.1234567+02:00", 1, 1.5, -1e18])
METADATA = st.fixed_dictionaries(
    {},
    optional={
        "rationale": st.text() | JSON,
        "confidence": st.floats(-1, 2) | st.integers(0, 1) | JSON,
        "filesAffected": st.lists(st.text() | JSON, max_size=3) | JSON,
        "file": st.text() | JSON,
        "other": JSON,
    },
)
RECORDS = st.fixed_dictionaries(
    {"id": st.text(min_size=1) | st.integers() | st.floats(allow_nan=False, allow_infinity=False)},
    optional={
        "content": st.text() | JSON,
        "role": st.sampled_from(["user", "system"]) | JSON,
        "tags": TAGS | JSON,
        "metadata": METADATA | JSON,
        "reversed": st.booleans() | JSON,
        "unknown": JSON,
        **dict.fromkeys(
            ("createdAt", "created_at", "deletedAt", "deleted_at", "sessionId", "session_id"), TIMES | JSON
        ),
    },
)


@given(RECORDS)
def test_every_property_is_given_back_and_none_invented(record: Record) -> None:
    assert same_json(write(memory_of(record)), record)


@given(st.dictionaries(st.sampled_from([*FULL, "deletedAt", "reversed", "created_at", "session_id"]), JSON))
def test_no_record_is_too_odd_to_read(record: Record) -> None:
    READER.sniff(record)
    for item in READER.read(record):
        assert isinstance(item, Memory | Problem)


class TestWriting:
    def test_a_record_keeps_the_order_of_its_keys(self) -> None:
        record = {**FULL, "deletedAt": records.when(3), "reversed": True}
        assert json.dumps(write(memory_of(record))) == json.dumps(record)

    def test_a_record_that_mindr_prints_needs_no_tags_beside_the_column(self) -> None:
        assert "tags" not in (memory_of(FULL).extra or {})

    def test_a_memory_of_another_format_becomes_a_valid_one(self) -> None:
        memory = next(iter(ROBRAIN.read(robrain("a", "b", rationale="why", files_affected=["x", "y"]))))
        assert isinstance(memory, Memory)
        record = write(memory)
        assert record == {
            "id": "a",
            "sessionId": "s1",
            "role": "system",
            "content": "Decide a",
            "tags": [{"key": "type", "value": "decision"}],
            "metadata": {"rationale": "why", "filesAffected": ["x", "y"]},
            "createdAt": "2026-01-01T10:00:00.000Z",
        }
        assert [type(item) for item in READER.read(record)] == [Memory]

    def test_what_another_format_knows_survives_the_way_there_and_back(self) -> None:
        memory = Memory(
            id="a",
            format="other",
            kind="debt",
            text="t",
            module="m",
            commit="c",
            branch="b",
            files=["x"],
            tags=[("status", "open")],
            confidence=0.5,
            created_at=0,
            deleted_at=1000,
        )
        back = memory_of(write(memory))
        for name in ("id", "kind", "text", "module", "commit", "branch", "confidence", "created_at", "deleted_at"):
            assert getattr(back, name) == getattr(memory, name)
        assert list(back.files) == ["x"]
        assert ("status", "open") in back.tags

    def test_a_memory_without_anything_has_explicit_nulls(self) -> None:
        record = write(Memory(id="a", format="other"))
        assert record["sessionId"] is None
        assert record["metadata"] is None
        assert record["tags"] == []
