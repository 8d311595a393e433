"""Mem0: exports, and the versions that a history tells of."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import lineage
from tests.readers import stores
from tests.readers.rows import extra, found, graph_of, links, row, statuses

SCHEMA = """CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT,
    created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT);"""

Event = tuple[str, str | None, str | None, str, int]


def history(path: Path, *events: Event) -> Path:
    """A store of events: memory, old text, new text, event, day of January."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCHEMA)
        for number, (memory, old, new, event, day) in enumerate(events):
            changed = None if event == "ADD" else f"2026-01-{day:02d}T00:00:00"
            values = (f"e{number}", memory, old, new, event, "2026-01-01T00:00:00", changed, int(event == "DELETE"))
            connection.execute("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)", values)
        connection.commit()
    return path


CHANGED = (("m", None, "Postgres", "ADD", 1), ("m", "Postgres", "SQLite", "UPDATE", 3))


def test_an_update_supersedes_the_version_before(tmp_path: Path) -> None:
    graph = graph_of(history(tmp_path / "history.db", *CHANGED))
    assert statuses(graph) == {"m@1": "superseded", "m@2": "live"}
    assert links(graph) == {("m@2", "supersedes", "m@1", None)}
    assert graph.links["implied"].tolist() == [True]
    first, last = row(graph, "m@1"), row(graph, "m@2")
    assert (first["text"], last["text"]) == ("Postgres", "SQLite")
    assert (first["declared"], last["declared"] == "ended") == ("ended", False)
    assert first["invalidated_at"] == last["created_at"]
    assert (first["line"], last["line"]) == (1, 2)


def test_a_deletion_is_no_withdrawal(tmp_path: Path) -> None:
    graph = graph_of(history(tmp_path / "history.db", *CHANGED, ("m", "SQLite", None, "DELETE", 5)))
    assert statuses(graph) == {"m@1": "superseded", "m@2": "deleted"}
    assert str(row(graph, "m@2")["deleted_at"]).startswith("2026-01-05")
    before = lineage.build(lineage.read(tmp_path / "history.db"), as_of="2026-01-04")
    assert statuses(before) == {"m@1": "superseded", "m@2": "live"}


def test_a_history_that_begins_late_shows_what_came_before(tmp_path: Path) -> None:
    graph = graph_of(history(tmp_path / "h.db", ("m", "old", "new", "UPDATE", 3), ("n", "gone", None, "DELETE", 4)))
    assert statuses(graph) == {"m@1": "superseded", "m@2": "live", "n@1": "deleted"}
    assert row(graph, "m@1")["text"] == "old"
    assert row(graph, "n@1")["text"] == "gone"


def test_what_is_added_again_is_a_beginning_of_its_own(tmp_path: Path) -> None:
    events = (*CHANGED, ("m", "SQLite", None, "DELETE", 5), ("m", None, "DuckDB", "ADD", 6))
    graph = graph_of(history(tmp_path / "history.db", *events))
    assert statuses(graph) == {"m@1": "superseded", "m@2": "deleted", "m@3": "live"}
    assert links(graph) == {("m@2", "supersedes", "m@1", "deleted-source")}


def test_events_in_json_are_read_together(tmp_path: Path) -> None:
    records = [
        {
            "id": "e1",
            "memory_id": "m",
            "old_memory": None,
            "new_memory": "a",
            "event": "ADD",
            "created_at": "2026-01-01",
        },
        {
            "id": "e2",
            "memory_id": "m",
            "old_memory": "a",
            "new_memory": "b",
            "event": "UPDATE",
            "updated_at": "2026-01-02",
        },
        {"id": "e3", "memory_id": "m", "old_memory": "b", "new_memory": "b", "event": "NONE"},
    ]
    assert statuses(graph_of(tmp_path / "h.jsonl", records)) == {"m@1": "superseded", "m@2": "live"}


def test_an_export(tmp_path: Path) -> None:
    memory: dict[str, Any] = {
        "id": "m1",
        "memory": "Uses Postgres",
        "hash": "ff",
        "metadata": {"topic": "db"},
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": None,
        "user_id": "u",
        "agent_id": "a",
        "run_id": "r",
        "categories": ["tech"],
    }
    for content in ({"results": [memory]}, [memory]):
        graph = graph_of(tmp_path / "export.json", content)
        found_row = row(graph, "m1")
        assert (found_row["text"], found_row["agent"], found_row["session"]) == ("Uses Postgres", "a", "r")
        assert found_row["tags"] == [("category", "tech")]
        assert extra(graph, "m1") == {"hash": "ff", "metadata": {"topic": "db"}, "user_id": "u"}


def test_a_number_is_an_id_and_nothing_is_none(tmp_path: Path) -> None:
    records = [{"id": 5, "memory": "x", "hash": "a"}, {"id": None, "memory": "x", "hash": "a"}]
    graph = graph_of(tmp_path / "export.jsonl", records)
    assert statuses(graph) == {"5": "live"}
    assert extra(graph, "5")["id"] == 5
    assert len(found(graph, "LIN901")) == 1


def test_a_store_is_read_by_the_reader_whose_table_it_holds(tmp_path: Path) -> None:
    history(tmp_path / "a.db", *CHANGED)
    stores.store(tmp_path / "b.sqlite", [stores.line("d1")])
    graph = lineage.build(lineage.read(tmp_path))
    assert sorted(zip(graph.memories["format"], graph.memories["id"], strict=True)) == [
        ("mem0", "m@1"),
        ("mem0", "m@2"),
        ("mindr", "d1"),
    ]


def test_a_store_of_neither_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        connection.execute("CREATE TABLE notes (id TEXT)")
    with pytest.raises(lineage.InputError, match=r"without a table named history; .*without a table named memories"):
        lineage.read(tmp_path / "x.db")


def test_hostile_cells(tmp_path: Path) -> None:
    path = history(tmp_path / "h.db", *CHANGED)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO history VALUES ('x', X'ff', NULL, 'y', 'ADD', 'no time', 7, 0, NULL, NULL)")
        connection.execute("INSERT INTO history VALUES ('y', NULL, NULL, 'y', 'ADD', NULL, NULL, 0, NULL, NULL)")
        connection.execute("INSERT INTO history VALUES ('z', 'q', NULL, 'y', 'ODD', 'no', 7, 0, NULL, NULL)")
        connection.commit()
    graph = graph_of(path)
    assert set(statuses(graph)) == {"m@1", "m@2", "q@1"}
    assert len(found(graph, "LIN901")) == 2
    assert len(found(graph, "LIN905")) >= 3
