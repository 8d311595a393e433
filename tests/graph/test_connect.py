"""Components, circles, depths and lineages against a graph library, on graphs of every shape."""

import io
import json

import networkx as nx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import lineage
from lineage.graph.connect import ends, strong_components, weak_components
from tests.graphs import memory

SIZE = 12
Edges = list[tuple[int, int]]
nodes = st.integers(0, SIZE - 1)
any_edges = st.lists(st.tuples(nodes, nodes), max_size=24)
single_edges = st.dictionaries(nodes, nodes, max_size=SIZE).map(lambda found: list(found.items()))


def arrays(edges: Edges) -> tuple[np.ndarray, np.ndarray]:
    return np.array([edge[0] for edge in edges], np.int32), np.array([edge[1] for edge in edges], np.int32)


def parts(labels: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(labels == label).tolist()) for label in set(labels.tolist())}


def library(edges: Edges) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(SIZE))
    graph.add_edges_from(edges)
    return graph


@settings(deadline=None, max_examples=300)
@given(any_edges | single_edges)
def test_components_are_those_of_the_library(edges: Edges) -> None:
    graph = library(edges)
    assert parts(weak_components(*arrays(edges), SIZE)) == set(map(frozenset, nx.weakly_connected_components(graph)))
    assert parts(strong_components(*arrays(edges), SIZE)) == set(
        map(frozenset, nx.strongly_connected_components(graph))
    )


@settings(deadline=None, max_examples=200)
@given(single_edges)
def test_paths_end_at_their_root_or_circle(edges: Edges) -> None:
    found = ends(*arrays(edges), SIZE)
    graph = library([edge for edge in edges if edge[0] != edge[1]])
    circles = [part for part in nx.strongly_connected_components(graph) if len(part) > 1]
    assert set(np.flatnonzero(found.circle).tolist()) == set().union(*circles)
    for node in range(SIZE):
        last = [other for other in nx.descendants(graph, node) | {node} if not graph.out_degree(other)]
        circle = [part for part in circles if part & (nx.descendants(graph, node) | {node})]
        assert found.end[node] == (last[0] if last else min(circle[0]))
        if last:
            assert found.depth[node] == nx.shortest_path_length(graph, node, last[0])


@settings(deadline=None, max_examples=200)
@given(any_edges | single_edges, st.sets(nodes, max_size=4))
def test_generations_and_lineages_are_those_of_the_library(edges: Edges, missing: set[int]) -> None:
    older: dict[int, list[str]] = {node: [] for node in range(SIZE)}
    for source, target in edges:
        older[source].append(f"n{target:02}")
    lines = [json.dumps(memory(f"n{node:02}", older[node])) for node in range(SIZE) if node not in missing]
    if not lines:
        return
    frame = lineage.build(lineage.read(io.BytesIO("\n".join(lines).encode()))).memories.set_index("id")
    there = [edge for edge in edges if not set(edge) & missing and edge[0] != edge[1]]
    known = library(there).subgraph(set(range(SIZE)) - missing)
    contracted = nx.condensation(known)
    depth: dict[int, int] = {}
    for part in reversed(list(nx.topological_sort(contracted))):
        depth[part] = max((depth[after] + 1 for after in contracted.successors(part)), default=0)
    for node in known:
        assert frame.loc[f"n{node:02}", "generation"] == depth[contracted.graph["mapping"][node]]
    joined = library([edge for edge in edges if edge[0] not in missing])
    for part in nx.weakly_connected_components(joined):
        members = sorted(f"n{node:02}" for node in part - missing)
        assert {frame.loc[name, "lineage"] for name in members} <= {members[0]} if members else True
