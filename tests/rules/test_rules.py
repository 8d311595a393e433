"""What rules find beyond their examples: order of ids, wording, edges of the definitions."""

import io
import json
import random
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

import lineage
from lineage.analyses.circles import Circles
from lineage.graph.core import Graph
from lineage.model import DeclaredBy, LinkKind, Void, code
from lineage.report.model import Finding
from lineage.rules import one_sided_link

Record = dict[str, Any]


def memory(name: str, day: int | None = None, *acts_on: str | Record, of: str = "robrain", **columns: Any) -> Record:
    """A decision made on that day of January 2026 that supersedes, or acts by these links."""
    links = [
        {"kind": "supersedes", "target": act, "via": "supersedes"} if isinstance(act, str) else act for act in acts_on
    ]
    times = {} if day is None else {"created_at": f"2026-01-{day:02}T10:00:00Z"}
    record = {"format": "lineage-memory/v1", "id": name, "of": of, "kind": "decision", "text": f"Decide {name}"}
    return {**record, **times, **({"links": links} if links else {}), **columns}


def marker(name: str, day: int, target: str, kind: str = "reverses", **columns: Any) -> Record:
    return memory(name, day, {"kind": kind, "target": target, "via": "tags"}, of="mindr", role="marker", **columns)


def superseded_by(name: str) -> Record:
    return {"kind": "supersedes", "source": name, "via": "superseded_by", "declared_by": "predecessor"}


def graph_of(records: Sequence[Record], **options: Any) -> Graph:
    text = "".join(json.dumps(record) + "\n" for record in records)
    return lineage.build(lineage.read(io.BytesIO(text.encode())), **options)


def findings(rule: str, *records: Record, **options: Any) -> list[Finding]:
    return list(lineage.check(graph_of(records, **options), select=[rule]))


def ids(rule: str, *records: Record, **options: Any) -> list[list[str]]:
    return [list(finding.memories) for finding in findings(rule, *records, **options)]


def test_a_circle_names_all_its_members_a_shortest_walk_and_the_way_out() -> None:
    records = [memory("a", 1, "b", "c"), memory("b", 2, "a"), memory("c", 3, "b")]
    (found,) = findings("LIN101", *records)
    assert list(found.memories) == ["a", "b", "c"]
    assert found.message == "3 memories supersede each other in a circle: 'a' → 'b' → 'a'."
    assert found.mend == "Remove the supersedes links 'a' → 'b', 'a' → 'c'; then 'c' holds." or (
        found.mend == "Remove the supersedes link 'b' → 'a'; then 'a' holds."
    )


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


def test_circles_come_in_order_of_id_whatever_the_order_of_the_input() -> None:
    records = [memory("d", 1, "e"), memory("e", 2, "d"), memory("b", 3, "a"), memory("a", 4, "b")]
    for seed in range(5):
        random.Random(seed).shuffle(records)
        graph = graph_of(records)
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
    assert len(graph_of([*records, tie]).lineages) == 1


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


def test_what_is_written_ambiguously_is_quoted() -> None:
    link = {"kind": "resolves", "target": "0a1b2c3d4e5f", "via": "tags.original_debt", "void": "ambiguous"}
    (found,) = findings("LIN107", memory("r", 1, link, of="mindr", role="marker"))
    assert list(found.memories) == ["r"]
    assert found.message == "'r' refers to '0a1b2c3d4e5f', which several memories answer to."


def test_the_wrong_target_is_said_to_be_no_debt_or_no_decision() -> None:
    note = memory("n", 1, of="mindr", kind="note")
    (found,) = findings("LIN108", note, marker("m", 2, "n", "resolves"))
    assert (list(found.memories), found.message) == (
        ["m", "n"],
        "'m' resolves 'n', which is no debt, and so has no effect.",
    )
    assert findings("LIN108", note, marker("m", 2, "n"))[0].mend.startswith("Point the marker at the decision")


def test_a_stale_memory_comes_last_and_what_acts_on_it_newest_first() -> None:
    stale = memory("a", 1, declared="live")
    (found,) = findings("LIN201", stale, memory("b", 2, "a"), memory("c", 4, "a"), marker("m", 3, "a"))
    assert list(found.memories) == ["c", "m", "b", "a"]
    assert found.message == "'a' is declared live, but 'c' has superseded it, as have 2 more."


def test_a_memory_that_acts_in_two_ways_is_named_once() -> None:
    both = memory("b", 2, "a", {"kind": "reverses", "target": "a", "via": "tags"})
    assert ids("LIN201", memory("a", 1, declared="live"), both) == [["b", "a"]]


def test_stale_live_goes_by_what_the_record_declares_as_of_the_date() -> None:
    ended = memory("a", 1, declared="ended", invalidated_at="2026-01-05T10:00:00Z")
    later = memory("b", 3, "a")
    assert ids("LIN201", ended, later) == []
    assert ids("LIN201", ended, later, as_of="2026-01-04") == []


def test_a_deleted_memory_is_not_stale() -> None:
    deleted = memory("a", 1, declared="live", deleted_at="2026-01-09T10:00:00Z")
    assert ids("LIN201", deleted, memory("b", 2, "a")) == []


def test_a_headless_lineage_lists_its_memories_newest_first_without_markers() -> None:
    chain = [memory("a", 1, of="mindr"), memory("b", 2, "a", of="mindr"), marker("m", 3, "b")]
    (found,) = findings("LIN202", *chain)
    assert list(found.memories) == ["b", "a"]
    assert "'b' (reversed)" in found.mend
    assert ids("LIN202", *chain, memory("c", 4, "b", of="mindr")) == []


def test_a_single_reversed_memory_is_no_headless_lineage() -> None:
    assert ids("LIN202", memory("a", 1, of="mindr"), marker("m", 2, "a")) == []


def test_a_lineage_that_is_headless_for_a_circle_says_so() -> None:
    (found,) = findings("LIN202", memory("a", 1, "b"), memory("b", 2, "a"))
    assert found.mend.startswith("Break the circle")


def test_every_kind_of_link_can_be_inverted_in_time() -> None:
    older = memory("a", 1, {"kind": "amends", "target": "b", "via": "amends"})
    (found,) = findings("LIN203", older, memory("b", 2))
    assert list(found.memories) == ["a", "b"]
    assert found.message == (
        "'a' amends 'b' but is older: it was created at 2026-01-01T10:00:00Z, 'b' at 2026-01-02T10:00:00Z."
    )
    assert ids("LIN203", memory("a", None, "b"), memory("b", 2)) == []
    assert ids("LIN203", memory("a", 1, "gone")) == []


@pytest.mark.parametrize(("microseconds", "expected"), [("000000", []), ("000001", [["b", "a"]])])
def test_a_second_between_source_and_target_is_allowed(microseconds: str, expected: list[list[str]]) -> None:
    target = memory("a", created_at=f"2026-01-01T10:00:01.{microseconds}Z")
    assert ids("LIN203", target, memory("b", 1, "a")) == expected


def test_all_impossible_times_of_a_memory_are_one_finding() -> None:
    record = memory("a", 5, reviewed_at="2026-01-03T10:00:00Z", updated_at="2026-01-02T10:00:00Z")
    (found,) = findings("LIN204", record)
    assert found.message == (
        "'a' was updated (2026-01-02T10:00:00Z) before it was created (2026-01-05T10:00:00Z)"
        " and was reviewed (2026-01-03T10:00:00Z) before it was created (2026-01-05T10:00:00Z)."
    )


def test_a_memory_updated_as_it_was_created_is_possible() -> None:
    assert ids("LIN204", memory("a", 5, updated_at="2026-01-05T10:00:00Z")) == []


def test_the_future_is_named_and_measured_from_now() -> None:
    (found,) = findings("LIN205", memory("a", 1, reviewed_at="2999-01-01T00:00:00Z"), as_of="2026-01-02")
    assert found.message == "'a' bears a time that has not come yet: reviewed_at is 2999-01-01T00:00:00Z."


def test_markers_of_two_kinds_on_one_memory_are_not_redundant() -> None:
    decision = memory("a", 1, of="mindr")
    assert ids("LIN206", decision, marker("m", 2, "a"), marker("n", 3, "a", "resolves")) == []


def test_the_later_markers_are_redundant_in_order_of_time_then_id() -> None:
    decision = memory("a", 1, of="mindr")
    found = findings("LIN206", decision, marker("n", 2, "a"), marker("m", 2, "a"), marker("k", 3, "a"))
    assert sorted(list(one.memories) for one in found) == [["k", "a"], ["n", "a"]]
    assert "'n' reverses 'a', which 'm' had reversed already." in {one.message for one in found}


def test_a_review_after_the_date_has_not_happened() -> None:
    record = memory("a", 1, reviewed_at="2026-01-05T10:00:00Z")
    assert ids("LIN301", record) == []
    assert ids("LIN301", record, as_of="2026-01-04") == [["a"]]
    assert ids("LIN301", record, as_of="2026-01-05T10:00:00Z") == []


@pytest.mark.parametrize("field", ["session", "commit", "agent", "source_uri"])
def test_any_provenance_will_do(field: str) -> None:
    assert ids("LIN303", memory("a", 1), memory("b", 1, **{field: "known"})) == [["a"]]


def test_both_places_of_a_duplicate_are_named() -> None:
    (found,) = findings("LIN903", memory("a", 1), memory("b", 1), memory("a", 1))
    assert "1 and at" in found.message
    (found,) = findings("LIN904", memory("a", 1), memory("a", 2))
    assert ":2, which is used" in found.message


def links(**columns: Sequence[int]) -> Any:
    arrays = {name: np.array(values) for name, values in columns.items()}
    kind, void = arrays["kind"], arrays["void"]
    return SimpleNamespace(
        **arrays,
        effective=lambda wanted: (kind == code(wanted)) & (void < 0),
        voided=lambda reason: void == code(reason),
    )


def test_a_link_stated_at_one_end_counts_only_between_two_sided_formats() -> None:
    supersedes, amends = code(LinkKind.SUPERSEDES), code(LinkKind.AMENDS)
    successor, predecessor, both = map(code, DeclaredBy)
    fake = SimpleNamespace(
        links=links(
            source=[0, 0, 1, 3, 0, 0, 1],
            target=[1, 2, 2, 1, 4, 1, 4],
            kind=[supersedes, supersedes, supersedes, supersedes, supersedes, amends, supersedes],
            void=[-1, -1, -1, -1, code(Void.RETRACTED_SOURCE), -1, -1],
            declared_by=[successor, both, predecessor, successor, successor, successor, successor],
            implied=[False, False, False, False, False, False, True],
        ),
        trait={"two_sided": np.array([True, True, True, False, True])}.__getitem__,
        id=lambda node: "abcde"[node],
    )
    facts = one_sided_link.check(cast(Graph, fake))
    assert [facts.members(number).tolist() for number in range(len(facts))] == [[0, 1], [1, 2]]
    assert [facts.words["silent"](number) for number in range(2)] == ["'b'", "'b'"]
    assert facts.mend is not None
    assert facts.mend(0) == "State the link in 'b' as well."
