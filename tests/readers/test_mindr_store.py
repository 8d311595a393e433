"""Mindr's own store: what its rows mean, and what a bad one costs."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import lineage
from lineage.readers.base import Memory
from lineage.readers.mindr import READER, write
from tests.readers.stores import NEW_YEAR, SCHEMA, connected, line, marker, statuses, store
from tests.records import mindr, write_json


def problems(path: Path) -> list[tuple[str, int]]:
    """Rule and row of each finding about a record."""
    findings = lineage.check(lineage.build(lineage.read(path)))
    return sorted(
        (finding.rule, finding.locations[0].line or 0) for finding in findings if finding.rule.startswith("LIN9")
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for a store and the files beside it."""
    inner = tmp_path / "store"
    inner.mkdir()
    return inner


class TestRows:
    def test_markers_deletions_and_logs(self, folder: Path) -> None:
        rows = [
            line("d1"),
            line("d2"),
            line("d3", deleted_at=NEW_YEAR + 1),
            marker("m1", "d1"),
            marker("m2", "d2", deleted_at=NEW_YEAR + 2),
            line("x1", "context"),
        ]
        path = store(folder / "mindr.sqlite", rows)
        assert statuses(path) == {"d1": "reversed", "d2": "live", "d3": "deleted"}

    def test_a_row_is_the_record_that_mindr_prints_of_it(self, folder: Path, tmp_path: Path) -> None:
        metadata = {"rationale": "why", "filesAffected": ["a.ts"], "sha": "x"}
        record = mindr("d1", tags={"module": "a:b"}, metadata=metadata, sessionId="s1")
        row = line("d1", "decision", "module:a:b", session_id="s1")
        row["metadata"] = '{"rationale": "why", "filesAffected": ["a.ts"], "sha": "x"}'
        path = store(folder / "mindr.sqlite", [row, line("d2")])
        both = [record, mindr("d2")]
        assert READER.carrier
        items = list(READER.carrier.read(path))
        assert [write(item) for item in items if isinstance(item, Memory)] == both
        printed = lineage.build(lineage.read(write_json(tmp_path / "printed.json", both))).memories
        stored = lineage.build(lineage.read(path)).memories
        assert stored.drop(columns="source").equals(printed.drop(columns="source"))

    def test_a_deletion_is_written_too(self, folder: Path) -> None:
        path = store(folder / "mindr.sqlite", [line("d1", deleted_at=NEW_YEAR + 1)])
        assert READER.carrier
        (item,) = READER.carrier.read(path)
        assert isinstance(item, Memory)
        assert write(item)["deletedAt"] == "2026-01-01T10:00:00.001Z"

    def test_lines_are_row_numbers(self, folder: Path) -> None:
        rows = [line("d1", role="robot"), line(None), line("d2", metadata="{"), line("d3")]
        path = store(folder / "mindr.sqlite", rows)
        memories = lineage.build(lineage.read(path)).memories
        assert dict(zip(memories["id"], memories["line"], strict=True)) == {"d1": 1, "d2": 3, "d3": 4}
        assert problems(path) == [("LIN901", 2), ("LIN905", 1), ("LIN905", 3)]

    @pytest.mark.parametrize(
        ("changes", "rule"),
        [
            ({"tags": "not json"}, "LIN905"),
            ({"tags": '{"type": "decision"}'}, "LIN905"),
            ({"tags": '["mindr:type:decision", NaN]'}, "LIN905"),
            ({"tags": "[" * 100_000}, "LIN905"),
            ({"tags": '[7, "mindr:type:decision"]'}, "LIN905"),
            ({"metadata": "not json"}, "LIN905"),
            ({"metadata": "[1]"}, "LIN905"),
            ({"metadata": '{"confidence": 7}'}, "LIN905"),
            ({"content": None}, "LIN905"),
            ({"content": b"text"}, "LIN905"),
            ({"content": b"\xff\xfe"}, "LIN905"),
            ({"metadata": b"\xff"}, "LIN905"),
            ({"created_at": "yesterday"}, "LIN905"),
            ({"created_at": 2**62}, "LIN905"),
            ({"created_at": float("inf")}, "LIN905"),
            ({"deleted_at": "soon"}, "LIN905"),
            ({"id": None}, "LIN901"),
            ({"id": b"\xff"}, "LIN901"),
        ],
    )
    def test_a_bad_row_costs_no_other(self, folder: Path, changes: dict[str, Any], rule: str) -> None:
        path = store(folder / "mindr.sqlite", [line("a"), {**line("bad"), **changes}, line("z")])
        found = statuses(path)
        assert (found["a"], found["z"]) == ("live", "live")
        assert ("bad" in found) == (rule == "LIN905")
        assert {rule for rule, _ in problems(path)} >= {rule}
        assert {number for _, number in problems(path)} == {2}

    def test_text_that_is_not_utf8_makes_its_row_unreadable(self, folder: Path) -> None:
        path = store(folder / "mindr.sqlite", [line("a"), line("bad"), line("z")])
        with closing(connected(path)) as connection:
            connection.execute("UPDATE memories SET content = CAST(x'ff41' AS TEXT) WHERE id = 'bad'")
            connection.commit()
        assert statuses(path) == {"a": "live", "z": "live"}
        assert problems(path) == [("LIN901", 2)]

    def test_a_blob_that_holds_text_is_used(self, folder: Path) -> None:
        path = store(folder / "mindr.sqlite", [line("d1", content=b"caf\xc3\xa9")])
        assert lineage.build(lineage.read(path)).memories["text"].to_list() == ["café"]

    def test_iso_times_and_numeric_ids_will_do(self, folder: Path) -> None:
        schema = "CREATE TABLE memories (id, content, role, tags, metadata, created_at, deleted_at, session_id);"
        rows = [line(7, created_at="2026-01-01T10:00:00.000Z"), marker("m1", "7")]
        path = store(folder / "mindr.sqlite", rows, schema=schema)
        memories = lineage.build(lineage.read(path)).memories
        assert memories[["id", "status"]].to_numpy().tolist() == [["7", "reversed"]]
        assert str(memories["created_at"][0]).startswith("2026-01-01 10:00:00")
        assert not problems(path)

    def test_a_column_that_is_not_known_is_kept(self, folder: Path) -> None:
        schema = SCHEMA.replace("session_id TEXT", "session_id TEXT, weight REAL DEFAULT 0.5, seal BLOB DEFAULT x'ff'")
        names = ", ".join(line("x"))
        insert = f"INSERT INTO memories ({names}) VALUES ({', '.join(':' + name for name in line('x'))})"
        path = store(folder / "mindr.sqlite", [line("d1")], schema=schema, insert=insert)
        assert READER.carrier
        item = next(READER.carrier.read(path))
        assert isinstance(item, Memory)
        assert write(item)["weight"] == 0.5
        assert write(item)["seal"] == {"$bytes": "/w=="}
