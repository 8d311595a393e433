"""Knowledge graphs of the MCP memory server: entities merged, relations as links, their directions."""

from pathlib import Path
from typing import Any

import pytest

from tests.readers.rows import extra, found, graph_of, links, row, statuses


def entity(name: str, *observations: Any, kind: str = "decision", **more: Any) -> dict[str, Any]:
    return {"type": "entity", "name": name, "entityType": kind, "observations": list(observations), **more}


def relation(source: str, kind: str, target: str, **more: Any) -> dict[str, Any]:
    return {"type": "relation", "from": source, "to": target, "relationType": kind, **more}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "memory.jsonl"


@pytest.mark.parametrize(
    ("name", "kind", "forwards"),
    [
        ("supersedes", "supersedes", True),
        ("replaces", "supersedes", True),
        ("Overrides", "supersedes", True),
        ("deprecates", "supersedes", True),
        ("superseded_by", "supersedes", False),
        ("replaced by", "supersedes", False),
        ("superseded-by", "supersedes", False),
        ("extends", "extends", True),
        ("amends", "amends", True),
        ("contradicts", "conflicts", True),
        ("uses", "relates", True),
        ("does not supersede", "relates", True),
    ],
)
def test_what_a_relation_does(file: Path, name: str, kind: str, forwards: bool) -> None:
    graph = graph_of(file, [entity("A", "x"), entity("B", "y"), relation("A", name, "B")])
    assert links(graph) == {("A", kind, "B", None) if forwards else ("B", kind, "A", None)}
    superseded = {"supersedes": "B" if forwards else "A"}.get(kind)
    assert {id for id, status in statuses(graph).items() if status == "superseded"} == {superseded} - {None}
    assert set(graph.links["via"]) == {name}


def test_lines_of_one_entity_are_one_memory(file: Path) -> None:
    graph = graph_of(file, [entity("A", "one", "two"), entity("B"), entity("A", "two", "three")])
    assert row(graph, "A")["text"] == "one\ntwo\nthree"
    assert (row(graph, "A")["kind"], row(graph, "A")["line"]) == ("decision", 1)
    assert row(graph, "B")["text"] == "B"
    assert len(graph.memories) == 2
    assert found(graph, "LIN905") == []


def test_lines_that_disagree_are_told_of_and_kept(file: Path) -> None:
    graph = graph_of(file, [entity("A", "one"), entity("A", kind="library"), entity("A", kind="tool")])
    assert row(graph, "A")["kind"] == "decision"
    assert [memories for memories, _ in found(graph, "LIN905")] == [["A"], ["A"]]
    assert "'library', where an earlier line says 'decision'" in found(graph, "LIN905")[0][1]
    assert extra(graph, "A") == {"entityType": "library", "also": [{"entityType": "tool"}]}


def test_what_is_not_there_is_a_ghost(file: Path) -> None:
    records = [
        entity("A"),
        relation("A", "supersedes", "old"),
        relation("new", "replaces", "A"),
        relation("x", "y", "z"),
    ]
    graph = graph_of(file, records)
    assert links(graph) == {("A", "supersedes", "old", "dangling"), ("new", "supersedes", "A", "dangling")}
    assert statuses(graph) == {"A": "live"}
    assert len(found(graph, "LIN103")) == 2
    assert [message for _, message in found(graph, "LIN905") if "'x', 'z'" in message]


def test_objects_as_observations_and_unknown_properties_are_kept(file: Path) -> None:
    observed = [{"content": "use Redis", "at": "2026-01-01"}, {"n": 1}]
    graph = graph_of(file, [entity("A", *observed, id=7), entity("B"), relation("A", "uses", "B", weight=2)])
    assert row(graph, "A")["text"] == 'use Redis\n{"n":1}'
    assert extra(graph, "A")["observations"] == observed
    assert extra(graph, "A")["id"] == 7
    assert extra(graph, "A")["relations"][0]["weight"] == 2


def test_other_spellings(file: Path) -> None:
    records = [
        {"_type": "entity", "name": "A", "entityType": "fact", "observations": []},
        {"name": "B", "entityType": "fact", "observations": ["b"]},
        {"from": "A", "to": "B", "relationType": "supersedes"},
    ]
    assert statuses(graph_of(file, records)) == {"A": "live", "B": "superseded"}


def test_a_whole_graph_in_one_object(tmp_path: Path) -> None:
    whole = {"entities": [entity("A"), entity("B")], "relations": [relation("B", "supersedes", "A")]}
    graph = graph_of(tmp_path / "graph.json", whole)
    assert statuses(graph) == {"A": "superseded", "B": "live"}
    assert row(graph, "B")["line"] == 2


def test_bad_records_do_not_cost_the_good_ones(file: Path) -> None:
    records = [
        entity("A"),
        {"type": "entity", "name": None, "entityType": "x", "observations": []},
        {"type": "relation", "from": "A", "to": 5.5, "relationType": "supersedes"},
        {"type": "entity", "name": "B", "observations": "text"},
        {"type": "relation", "from": "B", "to": "A"},
    ]
    graph = graph_of(file, records)
    assert statuses(graph) == {"A": "live", "B": "live"}
    assert len(found(graph, "LIN901")) == 2
    assert len(found(graph, "LIN905")) == 2


def test_names_mean_something_within_one_input_only(tmp_path: Path) -> None:
    import lineage

    for name, other in (("one", "B"), ("two", "C")):
        (tmp_path / name).mkdir()
        graph_of(tmp_path / name / "memory.jsonl", [entity("A", name), entity(other), relation(other, "replaces", "A")])
    graph = lineage.build(lineage.read(tmp_path / "one", tmp_path / "two"))
    assert len(graph.memories) == 4
    assert sorted(graph.memories["status"]) == ["live", "live", "superseded", "superseded"]
