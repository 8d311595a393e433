"""Reading a SQLite store without touching it.

Opening a store, even read-only, may create, change or remove the files beside
it, so a private copy is opened instead. The write-ahead log is copied too: it
holds rows that are not in the main file yet. The shared memory (`-shm`) is
not: SQLite builds it anew, and it means nothing away from its writer.
"""

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lineage.errors import InputError
from lineage.sources import reason

MAGIC = b"SQLite format 3\0"

_TRIES = 20
_PAUSE = 0.02
_TICK = 20_000_000  # nanoseconds; the clock that stamps files is finer than that
_WAL_HEADER = 32  # bytes at the beginning of a log; they change whenever it begins again
_MODE, _LOGGED = 18, b"\x02"  # the place in a main file that says it is written through a log

_Stamp = tuple[int, int]


class BrokenText(bytes):
    """A text cell that is not UTF-8."""


def is_sqlite(head: bytes) -> bool:
    """Whether a file that begins like this is a SQLite store."""
    return head.startswith(MAGIC)


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a private copy of the store, gone when the context ends.

    Whatever goes wrong with the store inside the context is an `InputError`.
    """
    try:
        with TemporaryDirectory(prefix="lineage-") as folder:
            copy = _snapshot(path, Path(folder))
            with closing(sqlite3.connect(copy)) as connection:
                connection.text_factory = _text
                # A hostile schema must not be able to run functions of its choice.
                connection.execute("PRAGMA trusted_schema = OFF")
                connection.execute("PRAGMA query_only = ON")
                yield connection
    except sqlite3.Error as error:
        raise InputError(f"{path}: not a readable SQLite store ({error})") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be copied for reading ({reason(error)})") from error


def has_table(connection: sqlite3.Connection, name: str) -> bool:
    """Whether the store holds a table of this name that is neither a view nor virtual."""
    query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? AND rootpage > 0"
    return connection.execute(query, (name,)).fetchone() is not None


def store_with(name: str) -> Callable[[Path], bool]:
    """What tells whether a store holds a table of this name; False for one that cannot be read at all."""

    def holds(path: Path) -> bool:
        try:
            with opened(path) as connection:
                return has_table(connection, name)
        except InputError:
            return False

    return holds


def table_rows(connection: sqlite3.Connection, table: str) -> Iterator[dict[str, Any]]:
    """The rows of a table as they were inserted, one at a time, by column name."""
    cursor = connection.execute(f'SELECT * FROM "{table}" ORDER BY rowid')  # noqa: S608 - a name of our own
    names = [column[0] for column in cursor.description]
    for row in cursor:
        yield dict(zip(names, row, strict=True))


def _text(raw: bytes) -> str | BrokenText:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return BrokenText(raw)


def _snapshot(path: Path, folder: Path) -> Path:
    """A copy of the store in `folder`, taken while no writer changed what was copied."""
    store = os.path.realpath(path)  # SQLite looks for the side files beside the real file
    copy = folder / "store"
    for _ in range(_TRIES):
        _await_tick(store)
        before = _state(store)
        shutil.copyfile(store, copy)
        for suffix in ("-wal", "-journal"):
            _copy_side_file(store + suffix, folder / f"store{suffix}")
        if _state(store) == before:
            return copy
        time.sleep(_PAUSE)
    raise InputError(f"{path}: its writer changed it each time it was copied for reading")


def _await_tick(store: str) -> None:
    """Wait where a second write could still bear the time of the last one, and so go unseen."""
    if abs(time.time_ns() - os.stat(store).st_mtime_ns) < _TICK:
        time.sleep(_PAUSE)


def _state(store: str) -> tuple[_Stamp | bytes | None, ...]:
    """What must stay as it is while copying.

    With a write-ahead log that is the beginning of the log alone. As long as
    the log has not begun again it holds every page that a checkpoint has
    written to the main file meanwhile, and its complete transactions count.
    """
    header = _head(store + "-wal", _WAL_HEADER)
    if len(header) == _WAL_HEADER and _head(store, _MODE + 1)[_MODE:] == _LOGGED:
        return (header,)
    return _stamp(store), _stamp(store + "-journal"), header


def _head(file: str, size: int) -> bytes:
    try:
        with open(file, "rb") as stream:
            return stream.read(size)
    except FileNotFoundError:
        return b""


def _stamp(file: str) -> _Stamp | None:
    try:
        found = os.stat(file)
    except FileNotFoundError:
        return None
    return found.st_size, found.st_mtime_ns


def _copy_side_file(file: str, copy: Path) -> None:
    copy.unlink(missing_ok=True)  # an earlier try may have left one
    try:
        shutil.copyfile(file, copy)
    except FileNotFoundError:
        return
