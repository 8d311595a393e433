"""Small Mindr stores (SQLite), for tests."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import lineage

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
