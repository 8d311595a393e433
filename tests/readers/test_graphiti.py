"""Graphiti's edges: what ended, and what replaced it."""

from pathlib import Path
from typing import Any

import pytest

from tests.readers.rows import extra, found, graph_of, links, row, statuses


def edge(uuid: str, begin: int | None, end: int | None = None, **changes: Any) -> dict[str, Any]:
    """An edge that holds from one day of January to another."""
    times = [None if day is None else f"2026-01-{day:02d}T00:00:00Z" for day in (begin, end)]
    return {
        "uuid": uuid,
        "group_id": "g",
        "source_node_uuid": "n1",
        "target_node_uuid": f"of-{uuid}",
        "created_at": "2026-01-01T00:00:00Z",
        "name": "USES",
        "fact": f"It uses {uuid}",
        "episodes": ["e1"],
        "expired_at": None,
        "valid_at": times[0],
        "invalid_at": times[1],
        **changes,
    }


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "edges.jsonl"


def test_the_one_edge_that_begins_then_supersedes(file: Path) -> None:
    graph = graph_of(file, [edge("a", 1, 5), edge("b", 5, 9), edge("c", 9)])
    assert statuses(graph) == {"a": "superseded", "b": "superseded", "c": "live"}
    assert links(graph) == {("b", "supersedes", "a", None), ("c", "supersedes", "b", None)}
    assert graph.links["implied"].all()
    assert row(graph, "a")["declared"] == "ended"
    assert row(graph, "c")["declared"] == "live"
    assert row(graph, "a")["text"] == "It uses a"
    assert row(graph, "a")["tags"] == [("name", "USES")]


@pytest.mark.parametrize(
    "others",
    [
        [],
        [edge("b", 6)],
        [edge("b", 5, source_node_uuid="n2")],
        [edge("b", 5, name="LIKES")],
        [edge("b", 5), edge("c", 5)],
    ],
)
def test_where_the_times_do_not_settle_it_nothing_is_implied(file: Path, others: list[dict[str, Any]]) -> None:
    graph = graph_of(file, [edge("a", 1, 5), *others])
    assert links(graph) == set()
    assert statuses(graph)["a"] == "retracted"


def test_an_edge_does_not_replace_itself_and_a_copy_is_no_second_candidate(file: Path) -> None:
    assert links(graph_of(file, [edge("a", 5, 5)])) == set()
    graph = graph_of(file, [edge("a", 1, 5), edge("b", 5), edge("b", 5)])
    assert links(graph) == {("b", "supersedes", "a", None)}


def test_only_an_expiry_ends_too(file: Path) -> None:
    graph = graph_of(file, [edge("a", 1, expired_at="2026-01-03T00:00:00Z")])
    assert statuses(graph) == {"a": "retracted"}


def test_a_fact_learnt_of_after_it_ended_is_no_fault(file: Path) -> None:
    graph = graph_of(file, [edge("a", 1, 2, created_at="2026-01-09T00:00:00Z")])
    assert found(graph, "LIN204") == []


def test_an_export_with_nodes(tmp_path: Path) -> None:
    node = {"uuid": "n1", "name": "Project", "labels": ["Entity"], "summary": ""}
    graph = graph_of(tmp_path / "g.json", {"edges": [edge("a", 1, 5), edge("b", 5)], "nodes": [node]})
    assert statuses(graph) == {"a": "superseded", "b": "live"}
    assert row(graph, "b")["line"] == 2
    assert statuses(graph_of(tmp_path / "g.jsonl", [edge("a", 1), node])) == {"a": "live"}


def test_what_fills_no_column_is_kept_and_faults_are_told(file: Path) -> None:
    graph = graph_of(file, [edge("a", 1, attributes={"x": [1]}, valid_at="soon"), edge("", 1), edge("b", 2, fact=7)])
    assert extra(graph, "a")["attributes"] == {"x": [1]}
    assert extra(graph, "a")["valid_at"] == "soon"
    assert len(found(graph, "LIN901")) == 1
    assert len(found(graph, "LIN905")) == 2
