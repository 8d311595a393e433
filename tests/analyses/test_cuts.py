"""Circles: the walk is a shortest one, the cuts break every circle and are few."""

import itertools
import random
import time
from collections.abc import Iterable

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lineage.analyses.cuts import EXACT_LINKS, fewest_cuts, heads_after, shortest_walk

Edge = tuple[int, int]


def component(edges: Iterable[Edge]) -> list[Edge]:
    """The links within the largest strongly connected component; empty where all are single."""
    graph = nx.DiGraph(edge for edge in edges if edge[0] != edge[1])
    parts = sorted(map(sorted, nx.strongly_connected_components(graph)), key=lambda part: (-len(part), part))
    if not parts or len(parts[0]) < 2:
        return []
    return sorted(graph.subgraph(parts[0]).edges)


def components(nodes: int, links: int) -> st.SearchStrategy[list[Edge]]:
    node = st.integers(0, nodes - 1)
    few_or_many = st.sampled_from([0, links // 2, links])
    return few_or_many.flatmap(
        lambda least: st.lists(st.tuples(node, node), min_size=least, max_size=links, unique=True)
    ).map(component)


def acyclic_without(edges: Iterable[Edge], cut: Iterable[Edge]) -> bool:
    graph = nx.DiGraph(edges)
    graph.remove_edges_from(list(cut))
    return bool(nx.is_directed_acyclic_graph(graph))


def by_brute_force(edges: list[Edge], prefer: set[Edge]) -> list[Edge]:
    for size in range(len(edges) + 1):
        found = [cut for cut in itertools.combinations(sorted(edges), size) if acyclic_without(edges, cut)]
        if found:
            return list(min(found, key=lambda cut: (-len(prefer & set(cut)), cut)))
    raise AssertionError


@given(components(8, 20))
def test_the_walk_is_a_shortest_circle(edges: list[Edge]) -> None:
    walk = shortest_walk(edges)
    if not edges:
        assert walk == []
        return
    assert walk[0] == walk[-1] == min(walk)
    assert len(set(walk)) == len(walk) - 1
    assert set(itertools.pairwise(walk)) <= set(edges)
    assert len(walk) - 1 == min(map(len, nx.simple_cycles(nx.DiGraph(edges))))


@given(components(6, 11), st.data())
@settings(max_examples=60, deadline=None)
def test_few_links_are_cut_as_brute_force_would(edges: list[Edge], data: st.DataObject) -> None:
    prefer = data.draw(st.sets(st.sampled_from(edges))) if edges else set()
    assert fewest_cuts(edges, prefer) == by_brute_force(edges, prefer)


@given(components(14, 70), st.data())
@settings(max_examples=100, deadline=None)
def test_every_cut_of_a_larger_component_is_needed(edges: list[Edge], data: st.DataObject) -> None:
    prefer = data.draw(st.sets(st.sampled_from(edges))) if edges else set()
    cut = fewest_cuts(edges, prefer)
    assert cut == sorted(set(cut))
    assert acyclic_without(edges, cut)
    for spared in cut:
        assert not acyclic_without(edges, set(cut) - {spared})


@given(components(14, 70), st.permutations(range(14)))
@settings(deadline=None)
def test_no_more_links_are_cut_than_run_against_the_times(edges: list[Edge], ages: list[int]) -> None:
    inverted = {(source, target) for source, target in edges if ages[source] > ages[target]}
    assert len(fewest_cuts(edges, inverted)) <= len(inverted)


@given(components(9, 40), st.randoms())
@settings(deadline=None)
def test_the_order_of_the_links_does_not_matter(edges: list[Edge], shuffler: random.Random) -> None:
    other = edges + edges[:3]
    shuffler.shuffle(other)
    assert shortest_walk(other) == shortest_walk(edges)
    assert fewest_cuts(other) == fewest_cuts(edges)


@given(components(9, 40))
@settings(deadline=None)
def test_after_the_cuts_something_heads_the_component(edges: list[Edge]) -> None:
    cut = fewest_cuts(edges)
    graph = nx.DiGraph(edges)
    graph.remove_edges_from(cut)
    heads = heads_after(edges, cut)
    assert heads == sorted(node for node, degree in graph.in_degree if not degree)
    assert bool(heads) == bool(edges)
    assert heads_after(edges, []) == []


def test_ids_will_do_as_members() -> None:
    edges = [("b", "a"), ("a", "c"), ("c", "b")]
    assert shortest_walk(edges) == ["a", "c", "b", "a"]
    assert fewest_cuts(edges) == [("a", "c")]
    assert fewest_cuts(edges, {("c", "b")}) == [("c", "b")]
    assert heads_after(edges, [("a", "c")]) == ["c"]


def test_a_link_older_than_its_target_is_cut_rather_than_another() -> None:
    both = [(1, 2), (2, 1)]
    assert fewest_cuts(both) == [(1, 2)]
    assert fewest_cuts(both, {(2, 1)}) == [(2, 1)]


def test_one_shared_link_is_cut_rather_than_two() -> None:
    two_circles = [(0, 1), (1, 2), (2, 0), (1, 3), (3, 0)]
    assert fewest_cuts(two_circles, {(2, 0), (3, 0)}) == [(0, 1)]


def test_a_million_memories_in_a_ring_are_walked_once() -> None:
    size = 1_000_000
    ring = [(node, (node + 1) % size) for node in range(size)]
    assert len(shortest_walk(ring)) == size + 1
    assert fewest_cuts(ring, {(7, 8)}) == [(7, 8)]


def test_a_chord_across_a_long_ring_gives_the_shorter_circle() -> None:
    size = 20_000
    ring = [(node, (node + 1) % size) for node in range(size)]
    assert len(shortest_walk([*ring, (9, 0)])) == 11
    assert len(fewest_cuts([*ring, (9, 0)])) == 1


@pytest.mark.parametrize("step", [1, 3, 7])
def test_large_dense_components_end_soon(step: int) -> None:
    size = 3_000
    edges = [(node, (node + step * hop) % size) for node in range(size) for hop in range(1, 40)]
    edges += [(node, (node + 1) % size) for node in range(size)]
    began = time.monotonic()
    walk, cut = shortest_walk(edges), fewest_cuts(edges)
    assert time.monotonic() - began < 30
    assert set(itertools.pairwise(walk)) <= set(edges)
    assert acyclic_without(edges, cut)


def test_the_densest_component_within_the_exact_limit_is_settled_soon() -> None:
    everyone = [(one, two) for one in range(5) for two in range(5) if one != two]
    assert len(everyone) == EXACT_LINKS
    assert fewest_cuts(everyone) == [(one, two) for one, two in everyone if one < two]
    chained = [pair for node in range(10) for pair in ((node, node + 1), (node + 1, node))]
    assert len(fewest_cuts(chained)) == 10
