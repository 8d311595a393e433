"""SQLite stores: read as they stand, beside a live writer too, and left byte for byte as they were."""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import lineage
from lineage.errors import InputError
from tests.readers.stores import INSERT, connected, line, marker, statuses, store


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
        monkeypatch.setattr("time.sleep", lambda _: None)
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
