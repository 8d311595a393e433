"""Circles, orphans and competing heads: order of ids, wording, edges of the definitions."""

import itertools
import random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lineage
from lineage.analyses.circles import Circles
from lineage.model import Status, code
from tests.rules.decisions import Record, findings, graph_of, ids, marker, memory, superseded_by


def test_a_circle_names_all_its_members_a_shortest_walk_and_the_way_out() -> None:
    records = [memory("a", 1, "b", "c"), memory("b", 2, "a"), memory("c", 3, "b")]
    (found,) = findings("LIN101", *records)
    assert list(found.memories) == ["a", "b", "c"]
    assert found.message == "3 memories supersede each other in a circle: 'a' → 'b' → 'a'."
    assert found.mend == "Remove the supersedes link 'b' → 'a'; then 'a' holds."


def test_the_link_that_is_cut_is_the_one_against_the_times() -> None:
    (found,) = findings("LIN101", memory("a", 1, "b"), memory("b", 2, "a"))
    assert found.mend == "Remove the supersedes link 'a' → 'b'; then 'b' holds."
    (found,) = findings("LIN101", memory("a", 2, "b"), memory("b", 1, "a"))
    assert found.mend == "Remove the supersedes link 'b' → 'a'; then 'a' holds."


@pytest.mark.parametrize(
    "change",
    [{"declared": "ended", "invalidated_at": "2026-01-05T10:00:00Z"}, {"declared": "reversed"}],
)
def test_nothing_holds_where_the_head_that_is_left_has_ended(change: Record) -> None:
    (found,) = findings("LIN101", memory("a", 1, "b"), memory("b", 2, "a", **change))
    assert found.mend.endswith("; then nothing in it is in effect.")


def test_a_circle_settled_from_outside_leaves_nothing_in_it_in_effect() -> None:
    (found,) = findings("LIN101", memory("a", 1, "b"), memory("b", 2, "a"), memory("c", 3, "b"))
    assert list(found.memories) == ["a", "b"]
    assert found.mend == "Remove the supersedes link 'a' → 'b'; then nothing in it is in effect."


def test_a_long_circle_is_shortened_in_the_message_alone() -> None:
    names = [f"n{number:02}" for number in range(20)]
    records = [memory(name, 1, names[number - 1]) for number, name in enumerate(names)]
    (found,) = findings("LIN101", *records)
    assert list(found.memories) == names
    assert found.message == (
        "20 memories supersede each other in a circle: "
        "'n00' → 'n19' → 'n18' → 'n17' → 'n16' → 'n15' → (14 more) → 'n00'."
    )


def test_of_many_links_to_cut_the_first_are_named() -> None:
    names = "abcdef"
    records = [memory(name, 1, *(other for other in names if other != name)) for name in names]
    (found,) = findings("LIN101", *records)
    assert found.mend == (
        "Remove the supersedes links 'b' → 'a', 'c' → 'a', 'c' → 'b', 'd' → 'a', 11 more; then 'a' holds."
    )


def test_circles_come_in_order_of_id_whatever_the_order_of_the_input() -> None:
    records = [memory("d", 1, "e"), memory("e", 2, "d"), memory("b", 3, "a"), memory("a", 4, "b")]
    for seed in range(5):
        random.Random(seed).shuffle(records)
        graph = graph_of(records).core
        circles = Circles(graph)
        assert [graph.ids(circles.circle(number).walk) for number in range(2)] == [["a", "b", "a"], ["d", "e", "d"]]


def test_two_links_to_itself_are_one_self_supersession() -> None:
    itself = {"kind": "reverses", "target": "a", "via": "tags"}
    assert ids("LIN102", memory("a", 1, "a", itself)) == [["a"]]
    assert ids("LIN102", memory("a", 1, {"kind": "relates", "target": "a", "via": "see"})) == []


def test_an_orphan_names_the_memory_that_declares_the_link_first() -> None:
    (found,) = findings("LIN103", memory("b", 1, "gone"))
    assert (list(found.memories), found.message) == (
        ["b", "gone"],
        "'b' supersedes 'gone', which is not in the corpus.",
    )
    (found,) = findings("LIN103", memory("b", 1, superseded_by("gone")))
    assert list(found.memories) == ["b", "gone"]
    assert found.message == "'b' is superseded by 'gone', which is not in the corpus."
    assert found.mend == "Read the input that holds 'gone' together with this one, or correct the id in 'b'."


def test_a_handle_in_place_of_a_did_is_named_as_the_cause() -> None:
    (found,) = findings("LIN103", memory("b", 1, "at://alice.example.com/c/a"))
    assert "is a handle" in found.message
    assert "DID" in found.mend
    (found,) = findings("LIN103", memory("b", 1, "at://did:plc:alice/c/a"))
    assert "handle" not in found.message


def test_an_orphan_of_a_reversal_is_none_of_a_supersession() -> None:
    lost = marker("m", 1, "gone")
    assert ids("LIN103", lost) == []
    assert ids("LIN104", lost, marker("n", 1, "lost", "resolves"), memory("b", 1, "gone2")) == [
        ["m", "gone"],
        ["n", "lost"],
    ]


def test_competing_heads_stand_newest_first_then_by_id() -> None:
    assert ids(
        "LIN106", memory("a", 1), memory("b", 2, "a"), memory("d", 3, "a"), memory("c", 3, "a"), memory("e", None, "a")
    ) == [["c", "d", "b", "e"]]


def test_heads_compete_through_a_chain_of_shared_ancestors() -> None:
    assert ids(
        "LIN106", memory("x", 1), memory("y", 1), memory("h1", 2, "x"), memory("h2", 3, "x", "y"), memory("h3", 4, "y")
    ) == [["h3", "h2", "h1"]]


def test_one_lineage_may_hold_two_groups_of_competing_heads() -> None:
    records = [memory("x", 1), memory("h1", 2, "x"), memory("h2", 3, "x")]
    records += [memory("y", 1), memory("h3", 4, "y"), memory("h4", 5, "y")]
    # A claim of a rejected memory ties the two histories together without effect.
    tie = memory("tie", 6, "h2", "h4", declared="ended", invalidated_at="2026-01-07T10:00:00Z")
    assert ids("LIN106", *records, tie) == [["h2", "h1"], ["h4", "h3"]] or ids("LIN106", *records, tie) == [
        ["h4", "h3"],
        ["h2", "h1"],
    ]
    assert len(graph_of([*records, tie]).core.lineages) == 1


def test_heads_tied_only_by_a_claim_without_effect_do_not_compete() -> None:
    rejected = memory("b", 2, "a", "c", declared="ended", invalidated_at="2026-01-03T10:00:00Z")
    assert ids("LIN106", memory("a", 1), rejected, memory("c", 3)) == []


def test_heads_that_merged_do_not_compete() -> None:
    assert ids("LIN106", memory("a", 1), memory("b", 2), memory("c", 3, "a", "b")) == []


def test_heads_named_by_one_missing_successor_do_not_share_an_ancestor() -> None:
    assert ids("LIN106", memory("a", 1, superseded_by("gone")), memory("b", 2, superseded_by("gone"))) == []


def test_a_missing_ancestor_in_another_boundary_makes_no_rivals() -> None:
    def claims(name: str, theirs: str) -> Record:
        link = {"kind": "supersedes", "target": "gone", "via": "supersedes[0]", "target_boundary": theirs}
        return memory(name, 2, link, of="atproto", boundary=f"did:{name}")

    assert ids("LIN106", claims("b", "did:z"), claims("c", "did:z")) == []


def test_heads_share_an_ancestor_below_a_circle() -> None:
    circle = [memory("x", 1, "y"), memory("y", 2, "x", "r"), memory("r", 1)]
    assert ids("LIN106", *circle, memory("h1", 3, "x"), memory("h2", 4, "y")) == [["h2", "h1"]]


def test_a_chain_of_a_hundred_thousand_under_two_heads_is_followed() -> None:
    size = 100_000
    records = [memory("n0", 1)] + [memory(f"n{number}", 1, f"n{number - 1}") for number in range(1, size)]
    assert ids("LIN106", *records, memory("other", 2, "n0")) == [["other", f"n{size - 1}"]]


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 11)), max_size=14, unique=True))
@settings(deadline=None)
def test_competing_heads_are_those_that_a_search_from_each_finds_to_meet(pairs: list[tuple[int, int]]) -> None:
    acts_on = {node: [f"n{other}" for source, other in pairs if source == node] for node in range(9)}
    graph = graph_of([memory(f"n{node}", node + 1, *others) for node, others in acts_on.items()])
    onward = nx.DiGraph((f"n{source}", f"n{target}") for source, target in pairs if source != target)
    live = np.flatnonzero(graph.core.status == code(Status.LIVE))
    heads = [node for node in graph.core.ids(live) if node in onward]
    meeting = nx.Graph()
    for one, two in itertools.combinations(heads, 2):
        if nx.descendants(onward, one) & nx.descendants(onward, two):
            meeting.add_edge(one, two)
    found = [sorted(finding.memories) for finding in lineage.check(graph, select=["LIN106"])]
    assert sorted(found) == sorted(map(sorted, nx.connected_components(meeting)))
