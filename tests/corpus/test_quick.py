"""A quick look at many lines says the same as reading each of them."""

import json
import random
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lineage
from lineage.corpus import helper, reading
from tests.records import robrain, write_jsonl

texts = st.text(max_size=8) | st.sampled_from(["", " ", "\u2028", "é😀", "null", '"},{"', "\\", "\x7f"])
times = st.sampled_from(
    [
        None,
        "2026-01-01T10:00:00.000Z",
        "2024-02-29T23:59:59.999Z",
        "2026-02-29T10:00:00.000Z",
        "2026-01-01T24:00:00.000Z",
        "2026-01-01T10:00:60.000Z",
        "2026-01-01T10:00:00Z",
        "2026-01-01T10:00:00.123456Z",
        "2026-01-01T10:00:00+05:30",
        "2026-01-01T10:00:00.0+0100",
        "2026-01-01",
        "0000-01-01T10:00:00.000Z",
        "0001-01-01T00:00:00.000Z",
        "+010000-01-01T00:00:00.000Z",
        "９９９９-01-01T10:00:00.000Z",
        "yesterday",
        "2026-01-01T10:00:00.000Z2",
        "026-01-01T10:00:00.000Z",
        17,
    ]
)
numbers = st.sampled_from([None, 0, 1, 1.0, 0.5, 1.5, -1, True, 2**63, 2**70, 1e300, "3"])
odd = st.sampled_from([None, 1, [], {}, "x", [None], [{"option": "a"}], [{"option": "a", "reason": None}]])


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """A RoBrain line, often with something wrong or unusual about it."""
    record = robrain(
        draw(texts),
        draw(texts | st.none()),
        created_at=draw(times),
        invalidated_at=draw(times),
        reviewed_at=draw(times),
        decision=draw(texts),
        rationale=draw(texts | st.none()),
        session_id=draw(texts | st.none()),
        historical_relevance=draw(numbers),
        injected_count=draw(numbers),
        source_turn_sequence=draw(numbers),
    )
    for _ in range(draw(st.integers(0, 1))):
        holder: dict[str, Any] = draw(st.sampled_from([record, record["lifecycle"], record["quality"]]))
        key = draw(st.sampled_from([*holder, "new_key"]))
        if draw(st.booleans()):
            holder[key] = draw(odd)
        else:
            holder.pop(key, None)
    separators = draw(st.sampled_from([(",", ":"), (", ", ": "), (" ,", " :\t")]))
    line = json.dumps(record, ensure_ascii=draw(st.booleans()), separators=separators)
    damage = draw(
        st.sampled_from(["", "", "", "twice", "cut", "NaN", "bytes", "half", "space", "blank", "crlf", "key twice"])
    )
    data = line.encode("utf-8", "surrogatepass")
    match damage:
        case "twice":
            data += data
        case "cut":
            data = data[: len(data) // 2]
        case "NaN":
            data = data.replace(b"0.5", b"NaN")
        case "bytes":
            data = data.replace(b"a.ts", b"a\xff.ts")
        case "half":
            data = data.replace(b"a.ts", b"a\\ud83d.ts")
        case "space":
            data = b" \t" + data + b" "
        case "blank":
            data = b""
        case "crlf":
            data += b"\r"
        case "key twice":
            data = data.replace(b"{", b'{"id":"first",', 1)
    return data


def both(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[pd.DataFrame, pd.DataFrame, list[Any]]]:
    """What a quick and an exact reading give: memories, links, findings."""
    read = []
    for quick_from in (0, 1 << 60):
        monkeypatch.setattr(reading, "QUICK_FROM", quick_from)
        try:
            graph = lineage.build(lineage.read(path), now="2026-06-01")
        except lineage.NothingReadable as error:
            read.append((pd.DataFrame(), pd.DataFrame(), [str(error)]))
            continue
        memories = graph.memories.sort_values(["line", "id"]).reset_index(drop=True)
        links = graph.links.sort_values(["source", "target"]).reset_index(drop=True)
        read.append((memories, links, lineage.check(graph)))
    return read


def assert_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick, exact = both(path, monkeypatch)
    pd.testing.assert_frame_equal(quick[0], exact[0], check_categorical=False)
    pd.testing.assert_frame_equal(quick[1], exact[1], check_categorical=False)
    assert quick[2] == exact[2]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(content=st.lists(lines(), min_size=1, max_size=12), ending=st.sampled_from([b"\n", b""]))
def test_a_quick_look_says_what_reading_says(
    content: list[bytes], ending: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memories.jsonl"
    path.write_bytes(b"\n".join(content) + ending)
    assert_same(path, monkeypatch)


def test_two_objects_on_one_line_and_a_blank_line_do_not_make_up_for_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (json.dumps(robrain(name)) for name in "ab")
    path = tmp_path / "memories.jsonl"
    path.write_text(f"{one}{two}\n\n{one}\n", encoding="utf-8")
    assert_same(path, monkeypatch)
    broken = '{"format": "robrain-memory/v1", "lifecycle":\n' + json.dumps(robrain("c")["lifecycle"]) + "}\n"
    path.write_text(broken + f"{one}{two}\n", encoding="utf-8")
    assert_same(path, monkeypatch)


def test_a_second_process_gives_the_same_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = random.Random(3)
    records: list[Any] = []
    for number in range(400):
        before = f"m{source.randrange(number)}" if number and source.random() < 0.5 else None
        records.append(robrain(f"m{number}", before, at=1 + number % 28))
        if number % 90 == 0:
            records += ["not json", robrain(f"v{number}", format="robrain-memory/v2"), ""]
        if number % 50 == 0:
            records.append(
                {
                    "id": f"x{number}",
                    "content": "note",
                    "tags": [{"key": "type", "value": "note"}],
                    "role": "user",
                    "createdAt": "2026-01-01T10:00:00.000Z",
                }
            )
    path = write_jsonl(tmp_path / "memories.jsonl", records)
    monkeypatch.setattr(reading, "QUICK_FROM", 0)
    alone = lineage.build(lineage.read(path), now="2026-06-01")
    monkeypatch.setattr(helper, "PARALLEL_FROM", 1)
    helped = lineage.build(lineage.read(path), now="2026-06-01")
    pd.testing.assert_frame_equal(
        alone.memories.sort_values("line").reset_index(drop=True),
        helped.memories.sort_values("line").reset_index(drop=True),
    )
    assert lineage.check(alone) == lineage.check(helped)
    assert alone.corpus.inputs == helped.corpus.inputs


def test_a_file_that_changes_under_the_reader_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "QUICK_FROM", 0)
    path = write_jsonl(tmp_path / "memories.jsonl", [robrain("a"), robrain("b")])
    graph = lineage.build(lineage.read(path))
    write_jsonl(path, [robrain("something longer"), robrain("b")])
    with pytest.raises(lineage.InputError, match="changed while it was being read"):
        graph.live_heads()
