"""RoBrain interchange files: what a line says, what is wrong with it, and back again."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lineage
from tests.graphs import found, graph_of, statuses
from tests.records import chain, robrain, when


def row(**changes: Any) -> Any:
    return graph_of(robrain("a", **changes)).memories.iloc[0]


def test_a_line_becomes_a_row() -> None:
    memory = row(
        rationale="why",
        rejected=[{"option": "npm", "reason": "drift"}],
        files_affected=["package.json"],
        reviewed_at="2026-01-03T10:00:00.500Z",
        session_id="s9",
        source_turn_sequence=0,
        source_excerpt="please",
        historical_relevance=0.25,
        injected_count=14,
        used_count=11,
    )
    assert memory["text"] == "Decide a"
    assert memory["kind"] == "decision"
    assert memory["declared"] == "live"
    assert memory["rejected"] == [("npm", "drift")]
    assert memory["files"] == ["package.json"]
    assert memory["reviewed_at"].isoformat() == "2026-01-03T10:00:00.500000+00:00"
    assert (memory["session"], memory["turn"], memory["excerpt"]) == ("s9", 0, "please")
    assert (memory["relevance"], memory["injected"], memory["used"]) == (0.25, 14, 11)
    assert memory["extra"] is None


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({"created_at": "yesterday"}, "lifecycle.created_at: 'yesterday' is no date"),
        ({"created_at": "+010000-01-01T00:00:00.000Z"}, "lifecycle.created_at"),
        ({"created_at": "0044-03-15 BC"}, "lifecycle.created_at"),
        ({"created_at": None}, "lifecycle.created_at: expected a string, found null"),
        ({"files_affected": "a.ts"}, "files_affected: expected a list, found a string"),
        ({"files_affected": ["a.ts", 7]}, "files_affected[1]: expected a string, found a number"),
        ({"rejected": [{"option": "x"}]}, "rejected[0].reason: the key is missing"),
        ({"quality": []}, "quality: expected an object, found a list"),
        ({"historical_relevance": 1.5}, "quality.historical_relevance: 1.5 is outside 0 to 1"),
        ({"injected_count": True}, "quality.injected_count: expected a whole number, found a boolean"),
        ({"source_excerpt": "x" * 301}, "provenance.source_excerpt: 301 characters, 300 are allowed"),
    ],
)
def test_what_breaks_the_contract_is_said_and_the_rest_is_used(changes: dict[str, Any], cause: str) -> None:
    graph = graph_of(robrain("a", **changes))
    [finding] = lineage.check(graph, select=["LIN905"])
    assert cause in finding.message
    assert finding.memories == ["a"]
    assert statuses(graph) == {"a": "live"}


@pytest.mark.parametrize("key", ["rationale", "lifecycle", "quality", "scope"])
def test_every_key_must_be_there(key: str) -> None:
    record = robrain("a")
    del record[key]
    graph = graph_of(record)
    assert found(graph)["LIN905"] == [["a"]]
    assert statuses(graph) == {"a": "live"}


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"format": "robrain-memory/v2"}, "LIN902"),
        ({"format": "robrain-memory/"}, "LIN902"),
        ({"id": 7}, "LIN901"),
        ({"decision": None}, "LIN901"),
    ],
)
def test_a_line_that_cannot_be_used_is_left_out(changes: dict[str, Any], rule: str) -> None:
    graph = graph_of(robrain("b"), {**robrain("a"), **changes})
    assert statuses(graph) == {"b": "live"}
    assert len(found(graph)[rule]) == 1


def test_times_are_kept_to_the_microsecond_and_in_utc() -> None:
    assert row(created_at="2026-03-01T12:00:00.123456+05:30")["created_at"].isoformat() == (
        "2026-03-01T06:30:00.123456+00:00"
    )
    assert row(created_at="2026-03-01")["created_at"].isoformat() == "2026-03-01T00:00:00+00:00"


def test_a_life_of_decisions() -> None:
    """A chain of seven, a fork of which one branch was thrown out, a rejected head, and one thrown out alone."""
    records = [
        *chain(*"tuvwxyz"),
        robrain("f", invalidated_at=when(2)),
        robrain("fa", "f", at=2),
        robrain("fb", "f", at=3),
        robrain("fc", "f", at=4, invalidated_at=when(5)),
        robrain("h0", invalidated_at=when(2)),
        robrain("h1", "h0", at=2, invalidated_at=when(3)),
        robrain("r", invalidated_at=when(3)),
    ]
    graph = graph_of(*records)
    by_status: dict[str, set[str]] = {}
    for id, status in statuses(graph).items():
        by_status.setdefault(status, set()).add(id)
    assert by_status == {
        "live": {"z", "fa", "fb"},
        "superseded": {*"tuvwxy", "f", "h0"},
        "retracted": {"fc", "h1", "r"},
    }
    findings = found(graph)
    assert findings["LIN202"] == [["h1", "h0"]]
    assert findings["LIN106"] == [["fb", "fa"]]
    summary = lineage.report(graph).model.summary
    assert (summary.longest_depth, summary.forks) == (6, 1)


def test_odd_corpora_are_told_as_they_are() -> None:
    """Circles of two and three, one that names itself, one whose past is missing, a stale one."""
    records = [
        robrain("a", "b"),
        robrain("b", "a", at=2),
        robrain("c", "e"),
        robrain("d", "c", at=2),
        robrain("e", "d", at=3),
        robrain("s", "s"),
        robrain("o", "gone"),
        robrain("old"),
        robrain("new", "old", at=2),
    ]
    graph = graph_of(*records)
    assert set(statuses(graph).values()) == {"cyclic", "live", "superseded"}
    findings = found(graph)
    assert findings["LIN101"] == [["a", "b"], ["c", "d", "e"]]
    assert findings["LIN102"] == [["s"]]
    assert findings["LIN103"] == [["o", "gone"]]
    assert findings["LIN201"] == [["new", "old"]]
    assert findings["LIN202"] == [["b", "a"], ["e", "d", "c"]]


def test_line_separators_inside_strings_end_no_line(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    text = json.dumps(robrain("a", decision="one\u2028two\u2029three\x85four"), ensure_ascii=False)
    path.write_text(text + "\n" + json.dumps(robrain("b")) + "\n", encoding="utf-8")
    graph = lineage.build(lineage.read(path))
    assert graph.memories["line"].tolist() == [1, 2]


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """A RoBrain record in which anything but id, decision and format may be anything, and more may stand beside it."""
    record = robrain(draw(st.text(min_size=1, max_size=5)), draw(st.none() | st.text(max_size=5)))
    for _ in range(draw(st.integers(0, 4))):
        holder = draw(st.sampled_from([record, *(part for part in record.values() if isinstance(part, dict))]))
        key = draw(st.sampled_from([*sorted(set(holder) - {"format", "id", "decision"}), "new key"]))
        if draw(st.integers(0, 3)):
            holder[key] = draw(json_values | st.just("2026-05-01T10:00:00+02:00"))
        else:
            holder.pop(key, None)
    return record


def same(one: Any, two: Any) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(two, sort_keys=True)


@settings(deadline=None, max_examples=200)
@given(records())
def test_a_record_converted_to_its_own_format_equals_itself(record: dict[str, Any]) -> None:
    graph = lineage.build(lineage.read(io.BytesIO(json.dumps(record).encode())))
    [line] = lineage.convert(graph, "robrain")
    assert same(json.loads(line), record)


def test_other_formats_are_written_as_full_lines() -> None:
    from tests.records import atproto, mindr

    graph = graph_of(mindr("m"), atproto("p"))
    for line in lineage.convert(graph, "robrain"):
        assert set(json.loads(line)) == set(robrain("x"))
