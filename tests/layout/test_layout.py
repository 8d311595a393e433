"""Where nodes and edges stand, whatever the graph."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lineage
from lineage.layout.compose import diagrams
from lineage.layout.diagram import Diagram
from lineage.layout.language import Look
from tests.graphs import graph_of, memory
from tests.layout.pictures import box, crossings, overlap, records, through, trees
from tests.records import Record


def _at(diagram: Diagram) -> dict[str, tuple[float, float]]:
    return {node.id: (node.x, node.y) for node in diagram.nodes}


@given(records())
@settings(max_examples=150)
def test_nothing_overlaps_and_every_edge_leads_from_end_to_end(memories: list[Record]) -> None:
    diagram = graph_of(*memories).diagram()
    boxes = [box(node) for node in diagram.nodes]
    assert not [
        (diagram.nodes[one].id, diagram.nodes[other].id)
        for one in range(len(boxes))
        for other in range(one)
        if overlap(boxes[one], boxes[other])
    ]
    for left, top, right, bottom in boxes:
        assert left >= 0
        assert top >= 0
        assert right <= diagram.width
        assert bottom <= diagram.height
    for edge in diagram.edges:
        source, target = diagram.nodes[edge.source], diagram.nodes[edge.target]
        assert edge.points[0] == (source.x, source.y)
        assert edge.points[-1] == (target.x, target.y)
        assert all(0 <= x <= diagram.width and 0 <= y <= diagram.height for x, y in edge.points)
        assert not list(through(edge, diagram))


@given(records())
def test_every_memory_and_link_is_drawn_once(memories: list[Record]) -> None:
    graph = graph_of(*memories)
    diagram = graph.diagram()
    ids = [node.id for node in diagram.nodes if node.look is not Look.STUB]
    assert len(set(ids)) == len(ids)
    assert set(graph.memories["id"]) <= set(ids)
    assert len(diagram.edges) == len(graph.links)
    assert [node.key for node in diagram.nodes] == [f"n{number}" for number in range(len(diagram.nodes))]


@given(records(), st.randoms())
def test_the_order_of_the_records_makes_no_difference(memories: list[Record], chance: random.Random) -> None:
    shuffled = list(memories)
    chance.shuffle(shuffled)
    assert graph_of(*shuffled).diagram() == graph_of(*memories).diagram()


@given(records())
def test_what_holds_stands_at_the_outer_edge(memories: list[Record]) -> None:
    graph = graph_of(*memories)
    for name in graph.lineages()["id"]:
        diagram = graph.lineage(name).diagram()
        ranks = [-node.x if diagram.rightwards else node.y for node in diagram.nodes]
        for node, rank in zip(diagram.nodes, ranks, strict=True):
            if node.look is Look.LIVE:
                assert rank == min(ranks)


@given(records())
def test_several_lineages_drawn_at_once_are_each_drawn_as_if_alone(memories: list[Record]) -> None:
    graph = graph_of(*memories)
    names = graph.core.ids(graph.core.lineages.oldest)
    numbers = list(range(len(names)))[::-1]
    at_once = diagrams(graph.core, numbers, max_nodes=0)
    alone = [graph.lineage(names[number]).diagram(max_nodes=0) for number in numbers]
    assert [_unasked(diagram) for diagram in at_once] == [_unasked(diagram) for diagram in alone]


def _unasked(diagram: Diagram) -> Diagram:
    return replace(diagram, nodes=[replace(node, asked=False) for node in diagram.nodes])


@given(trees())
@settings(max_examples=150)
def test_in_a_tree_no_line_crosses_another(memories: list[Record]) -> None:
    assert crossings(graph_of(*memories).diagram().edges) == 0


def test_a_replaced_memory_stands_behind_what_replaced_it() -> None:
    diagram = graph_of(memory("a"), memory("b", ["a"], at=2), memory("c", ["b"], at=3)).diagram()
    at = _at(diagram)
    assert at["c"][1] < at["b"][1] < at["a"][1]
    assert at["c"][0] == at["b"][0] == at["a"][0]


def test_a_circle_is_opened_at_one_link_which_runs_beside_it() -> None:
    diagram = graph_of(memory("a", ["c"]), memory("b", ["a"], at=2), memory("c", ["b"], at=3)).diagram()
    assert all(edge.circle for edge in diagram.edges)
    assert sorted(len(edge.points) for edge in diagram.edges) == [2, 2, 4]


def test_a_link_across_a_boundary_ends_in_a_stub() -> None:
    graph = graph_of(memory("mine", ["theirs"], at=2, boundary="x"), memory("theirs", boundary="y"))
    diagram = graph.lineage("mine").diagram()
    assert [(node.id, node.look) for node in diagram.nodes] == [("mine", Look.LIVE), ("theirs", Look.STUB)]
    assert graph.lineage("theirs").diagram().edges == []


def test_a_memory_that_names_itself_has_a_loop() -> None:
    (edge,) = graph_of(memory("a", ["a"])).diagram().edges
    assert edge.points[0] == edge.points[-1]
    assert edge.label == "supersedes (self)"


def test_many_heads_stand_below_each_other() -> None:
    wide = graph_of(memory("root"), *(memory(f"m{number:02d}", ["root"], at=2) for number in range(20))).diagram()
    assert wide.rightwards
    assert wide.height > wide.width
    few = graph_of(memory("root"), *(memory(f"m{number:02d}", ["root"], at=2) for number in range(4))).diagram()
    assert not few.rightwards


@pytest.mark.parametrize("wrong", [{"lineage": "nothing-like-it"}, {"around": "nothing-like-it"}])
def test_an_unknown_memory_is_named(wrong: dict[str, str]) -> None:
    with pytest.raises(lineage.UnknownMemory, match="nothing-like-it"):
        graph_of(memory("a")).diagram(**wrong)


@pytest.mark.parametrize("wrong", [{"max_nodes": 9}, {"max_nodes": -1}, {"top": 0}, {"around": "a", "depth": -1}])
def test_numbers_that_make_no_sense_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(lineage.UsageError):
        graph_of(memory("a")).diagram(**wrong)


Narrow = Callable[[lineage.Graph], Diagram]


@pytest.mark.parametrize(
    ("narrow", "left"),
    [
        (lambda graph: graph.diagram(top=1), "abcd"),
        (lambda graph: graph.diagram(cycles=True), "yz"),
        (lambda graph: graph.diagram(statuses=["cyclic"]), "yz"),
        (lambda graph: graph.diagram(kinds=["fact"]), "f"),
        (lambda graph: graph.diagram(around="d", depth=1), "cd"),
        (lambda graph: graph.diagram(lineage="a"), "abcd"),
        (lambda graph: graph.diagram(statuses=["live"], kinds=["decision"]), "abcd"),
    ],
)
def test_a_drawing_can_be_narrowed(narrow: Narrow, left: str) -> None:
    graph = graph_of(
        memory("a"),
        *(memory(name, [before], at=at) for name, before, at in (("b", "a", 2), ("c", "b", 3), ("d", "c", 4))),
        memory("y", ["z"]),
        memory("z", ["y"]),
        memory("f", kind="fact"),
    )
    assert sorted(node.id for node in narrow(graph).nodes if node.id) == list(left)


def test_shortened_names_end_in_stubs_of_what_was_written() -> None:
    shortened = {"kind": "resolves", "via": "tags.original_debt", "void": "ambiguous"}
    links = [{**shortened, "target": name} for name in ("0a1b2c3d", "0a1b2c")]
    graph = graph_of(memory("fix", of="mindr", role="marker", links=links), memory("other", of="mindr"))
    assert sorted((node.id, node.caption) for node in graph.diagram().nodes if node.look is Look.STUB) == [
        ("0a1b2c", "elsewhere"),
        ("0a1b2c3d", "elsewhere"),
    ]
