"""SQLite stores: read as they stand, beside a live writer too, and left byte for byte as they were."""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import lineage
from lineage.errors import InputError
from lineage.readers.base import Memory
from lineage.readers.mindr import READER, write
from tests.records import mindr, write_json

SCHEMA = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, metadata TEXT, created_at INTEGER NOT NULL);
CREATE TABLE memories (id TEXT PRIMARY KEY, content TEXT, role TEXT NOT NULL DEFAULT 'user',
    tags TEXT NOT NULL DEFAULT '[]', metadata TEXT, created_at INTEGER NOT NULL, deleted_at INTEGER, session_id TEXT);
"""
INSERT = "INSERT INTO memories VALUES (:id, :content, :role, :tags, :metadata, :created_at, :deleted_at, :session_id)"
NEW_YEAR = 1767261600000


def line(id: object, type: str = "decision", *tags: str, day: int = 0, **changes: Any) -> dict[str, Any]:
    """A row as Mindr writes it."""
    wire = ", ".join(f'"mindr:{tag}"' for tag in (f"type:{type}", *tags))
    return {
        "id": id,
        "content": f"Decision: {id}",
        "role": "system",
        "tags": f"[{wire}]",
        "metadata": None,
        "created_at": NEW_YEAR + day * 86_400_000,
        "deleted_at": None,
        "session_id": None,
        **changes,
    }


def marker(id: str, of: str, **changes: Any) -> dict[str, Any]:
    return line(id, "note", "reversed_decision:true", f"original_decision:{of}", day=1, **changes)


def connected(path: Path, journal: str = "delete") -> sqlite3.Connection:
    connection = sqlite3.connect(path, check_same_thread=False)
    connection.execute(f"PRAGMA journal_mode = {journal}")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    return connection


def store(path: Path, rows: Iterable[dict[str, Any]], schema: str = SCHEMA, insert: str = INSERT) -> Path:
    with closing(connected(path)) as connection:
        connection.executescript(schema)
        for row in rows:
            connection.execute(insert, row)
        connection.commit()
    return path


def statuses(path: Path) -> dict[str, str]:
    memories = lineage.build(lineage.read(path)).memories
    return dict(zip(memories["id"], memories["status"], strict=True))


def problems(path: Path) -> list[tuple[str, int]]:
    """Rule and row of each finding about a record."""
    findings = lineage.check(lineage.build(lineage.read(path)))
    return sorted(
        (finding.rule, finding.locations[0].line or 0) for finding in findings if finding.rule.startswith("LIN9")
    )


def contents(folder: Path) -> dict[str, tuple[str, int]]:
    return {
        file.name: (hashlib.sha256(file.read_bytes()).hexdigest(), file.stat().st_mtime_ns)
        for file in sorted(folder.iterdir())
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder for a store and the files beside it."""
    inner = tmp_path / "store"
    inner.mkdir()
    return inner


@pytest.fixture
def writer(folder: Path) -> Iterator[sqlite3.Connection]:
    """A writer that has a store open in write-ahead mode, with one row moved to the main file."""
    store(folder / "mindr.sqlite", [line("d1")])
    with closing(connected(folder / "mindr.sqlite", "wal")) as connection:
        yield connection


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


class TestUntouched:
    def test_reading_leaves_nothing_behind(self, folder: Path) -> None:
        path = store(folder / "mindr.sqlite", [line("d1")])
        before = contents(folder)
        assert statuses(path) == {"d1": "live"}
        assert contents(folder) == before

    def test_rows_in_the_log_are_seen_beside_a_live_writer(self, folder: Path, writer: sqlite3.Connection) -> None:
        writer.execute(INSERT, marker("m1", "d1"))
        writer.execute(INSERT, line("d2"))
        writer.commit()
        before = contents(folder)
        assert set(before) == {"mindr.sqlite", "mindr.sqlite-wal", "mindr.sqlite-shm"}
        assert statuses(folder / "mindr.sqlite") == {"d1": "reversed", "d2": "live"}
        assert contents(folder) == before
        writer.execute(INSERT, line("d3"))
        writer.commit()
        assert len(statuses(folder / "mindr.sqlite")) == 3

    def test_what_is_not_committed_is_not_seen(self, folder: Path, writer: sqlite3.Connection) -> None:
        writer.execute(INSERT, line("d2"))
        assert statuses(folder / "mindr.sqlite") == {"d1": "live"}

    def test_a_copied_store_needs_no_shared_memory(self, folder: Path, tmp_path: Path, writer: Any) -> None:
        writer.execute(INSERT, line("d2"))
        writer.commit()
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        for name in ("mindr.sqlite", "mindr.sqlite-wal"):
            shutil.copyfile(folder / name, elsewhere / name)
        before = contents(elsewhere)
        assert set(statuses(elsewhere / "mindr.sqlite")) == {"d1", "d2"}
        assert contents(elsewhere) == before

    def test_a_folder_that_cannot_be_written_is_read(self, folder: Path, writer: sqlite3.Connection) -> None:
        writer.execute(INSERT, line("d2"))
        writer.commit()
        folder.chmod(0o500)
        try:
            assert len(statuses(folder / "mindr.sqlite")) == 2
        finally:
            folder.chmod(0o700)

    def test_the_log_is_beside_the_file_that_a_link_leads_to(self, folder: Path, tmp_path: Path, writer: Any) -> None:
        writer.execute(INSERT, line("d2"))
        writer.commit()
        link = tmp_path / "link.sqlite"
        link.symlink_to(folder / "mindr.sqlite")
        assert len(statuses(link)) == 2

    def test_a_transaction_that_was_broken_off_is_rolled_back(self, folder: Path) -> None:
        path = store(folder / "mindr.sqlite", [line(f"d{number}", content="x" * 2000) for number in range(200)])
        script = """
            import os, sqlite3, sys
            connection = sqlite3.connect(sys.argv[1])
            connection.execute("PRAGMA cache_size = 5")
            connection.execute("UPDATE memories SET content = 'lost', deleted_at = 1")
            os._exit(0)
        """
        subprocess.run([sys.executable, "-c", textwrap.dedent(script), str(path)], check=True)
        assert b"lost" in path.read_bytes()
        before = contents(folder)
        assert "mindr.sqlite-journal" in before
        assert set(statuses(path).values()) == {"live"}
        assert contents(folder) == before

    def test_a_busy_writer_never_shows_half_a_transaction(self, folder: Path, writer: sqlite3.Connection) -> None:
        writer.execute("PRAGMA wal_autocheckpoint = 20")
        stop = threading.Event()

        def keep_writing() -> None:
            number = 0
            while not stop.is_set():
                number += 1
                writer.execute(INSERT, line(f"a{number}"))
                writer.execute(INSERT, line(f"b{number}"))
                writer.commit()
                stop.wait(0.005)

        thread = threading.Thread(target=keep_writing)
        thread.start()
        try:
            counts = [len(statuses(folder / "mindr.sqlite")) for _ in range(5)]
        finally:
            stop.set()
            thread.join()
        assert all(count % 2 == 1 for count in counts)
        assert counts == sorted(counts)

    def test_a_store_that_changes_during_the_copy_is_copied_again(
        self, folder: Path, writer: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        writer.execute(INSERT, line("d2"))
        writer.commit()
        plain, copied = shutil.copyfile, []

        def interrupted(source: str, target: Path) -> object:
            done = plain(source, target)
            copied.append(source)
            if len(copied) == 1:
                # The log moves into the main file, and begins again with another row.
                writer.execute("PRAGMA wal_checkpoint(RESTART)")
                writer.execute(INSERT, line("d3"))
                writer.commit()
            return done

        monkeypatch.setattr(shutil, "copyfile", interrupted)
        assert set(statuses(folder / "mindr.sqlite")) == {"d1", "d2", "d3"}
        assert len(copied) > 2

    def test_a_store_that_never_rests_is_refused(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = store(folder / "mindr.sqlite", [line("d1")])
        plain = shutil.copyfile

        def restless(source: str, target: Path) -> object:
            done = plain(source, target)
            os.utime(source, ns=(0, path.stat().st_mtime_ns + 1_000_000_000))
            return done

        monkeypatch.setattr(shutil, "copyfile", restless)
        monkeypatch.setattr("time.sleep", lambda seconds: None)
        with pytest.raises(InputError, match=r"mindr\.sqlite: its writer changed it"):
            lineage.read(path)


class TestRefused:
    def refusal(self, path: Path) -> str:
        with pytest.raises(InputError) as caught:
            lineage.build(lineage.read(path))
        message = str(caught.value)
        assert path.name in message
        assert "\n" not in message
        return message

    def test_a_store_of_something_else(self, folder: Path) -> None:
        path = store(folder / "other.sqlite", [], schema="CREATE TABLE notes (id TEXT);")
        assert "without a table named memories" in self.refusal(path)

    @pytest.mark.parametrize(
        "schema",
        [
            "CREATE VIEW memories AS SELECT 'x' AS id;",
            "CREATE VIRTUAL TABLE memories USING fts5(id, content);",
        ],
    )
    def test_what_only_looks_like_a_table(self, folder: Path, schema: str) -> None:
        assert "without a table named memories" in self.refusal(store(folder / "m.sqlite", [], schema=schema))

    def test_a_damaged_store(self, folder: Path) -> None:
        path = store(folder / "mindr.sqlite", [line(f"d{number}") for number in range(500)])
        whole = path.read_bytes()
        path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
        assert "not a readable SQLite store" in self.refusal(path)

    def test_a_header_and_nothing_else(self, folder: Path) -> None:
        path = folder / "mindr.sqlite"
        path.write_bytes(b"SQLite format 3\0")
        assert "mindr.sqlite: " in self.refusal(path)
