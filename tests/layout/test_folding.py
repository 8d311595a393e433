"""What is drawn of more memories than there is room for: everything, some of it as one."""

from hypothesis import given, settings
from hypothesis import strategies as st

from lineage.layout.diagram import Diagram
from lineage.layout.language import Look
from tests.graphs import graph_of, memory
from tests.layout.pictures import records, trees
from tests.records import Record


def _chain(size: int, *, before: str = "m") -> list[Record]:
    names = [f"{before}{number:05d}" for number in range(size)]
    return [memory(name, names[at - 1 : at] if at else ()) for at, name in enumerate(names)]


def _folds(diagram: Diagram) -> list[tuple[int, str]]:
    return [(node.count, " ".join(node.lines)) for node in diagram.nodes if node.look is Look.FOLD]


def _drawn(diagram: Diagram) -> int:
    return sum(node.count for node in diagram.nodes)


def test_what_fits_is_not_folded() -> None:
    diagram = graph_of(*_chain(12)).diagram(max_nodes=12)
    assert len(diagram.nodes) == 12
    assert diagram.folded == []


def test_a_run_of_superseded_memories_becomes_one_node() -> None:
    diagram = graph_of(*_chain(43)).diagram(max_nodes=10)
    assert _folds(diagram) == [(41, "41 superseded")]
    assert [node.id for node in diagram.nodes] == ["m00042", "", "m00000"]
    assert [(edge.source, edge.target) for edge in diagram.edges] == [(0, 1), (1, 2)]
    assert diagram.folded[0] == "41 superseded memories in unbroken runs are folded into one node"
    assert diagram.folded[-1] == "3 nodes are drawn for 43"


def test_the_longest_runs_are_folded_and_no_more_than_it_takes() -> None:
    graph = graph_of(*_chain(20, before="long"), *_chain(8, before="short"))
    assert _folds(graph.diagram(max_nodes=15)) == [(18, "18 superseded")]


def test_nothing_is_folded_without_a_limit() -> None:
    assert len(graph_of(*_chain(400)).diagram(max_nodes=0).nodes) == 400


def test_the_oldest_standalone_memories_are_folded_first() -> None:
    graph = graph_of(*_chain(6), *(memory(f"alone{number:02d}", at=1 + number) for number in range(20)))
    diagram = graph.diagram(max_nodes=14)
    assert len(diagram.nodes) <= 14
    assert "alone19" in {node.id for node in diagram.nodes}
    assert _folds(diagram)[0][1].startswith("standalone: ")
    assert _drawn(diagram) == 26


def test_heads_that_hang_alike_become_one_node() -> None:
    graph = graph_of(memory("root"), *(memory(f"m{number:02d}", ["root"], at=2) for number in range(30)))
    diagram = graph.diagram(max_nodes=10)
    assert _folds(diagram) == [(30, "30 live")]
    assert [edge.count for edge in diagram.edges] == [30]
    assert [edge.label for edge in diagram.edges] == ["×30"]


def test_what_was_asked_for_is_never_folded() -> None:
    graph = graph_of(*_chain(60))
    assert "m00030" in {node.id for node in graph.lineage("m00030").diagram(max_nodes=10).nodes}


def test_what_lies_further_away_is_folded_and_said_so() -> None:
    graph = graph_of(*_chain(60))
    diagram = graph.diagram(around="m00030", depth=2)
    assert [node.id or node.count for node in diagram.nodes] == [27, *(f"m{n:05d}" for n in range(32, 27, -1)), 28]
    assert diagram.folded == ["55 further away are folded into 2 nodes"]


def test_circles_are_not_folded_as_plain_memories() -> None:
    ring = [memory(f"ring{number}", [f"ring{(number + 1) % 6}"]) for number in range(6)]
    diagram = graph_of(*_chain(30), *ring).diagram(max_nodes=12)
    assert sum(node.look is Look.CYCLIC for node in diagram.nodes) == 6


def test_a_fold_tells_its_days() -> None:
    chain = [memory(f"m{n:02d}", [f"m{n - 1:02d}"] if n else (), at=1 + n) for n in range(13)]
    (fold,) = (node for node in graph_of(*chain).diagram(max_nodes=10).nodes if node.look is Look.FOLD)
    assert fold.caption == "2026-01-02 to 2026-01-12"


@given(st.one_of(records(most=60), trees(most=60)), st.integers(10, 40))
@settings(max_examples=60, deadline=None)
def test_every_memory_is_drawn_in_at_most_so_many_nodes(memories: list[Record], most: int) -> None:
    graph = graph_of(*memories)
    whole = graph.diagram(max_nodes=0)
    diagram = graph.diagram(max_nodes=most)
    assert len(diagram.nodes) <= max(most, 2 * len(Look))
    assert _drawn(diagram) == len(whole.nodes)
    assert bool(diagram.folded) == (len(whole.nodes) > len(diagram.nodes))


def test_a_chain_of_a_hundred_thousand() -> None:
    graph = graph_of(*_chain(100_000))
    assert _folds(graph.lineage("m50000").diagram()) == [(49_998, "49,998 superseded"), (49_999, "49,999 superseded")]
