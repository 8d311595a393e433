"""What the other rules find beyond their examples: order of ids, wording, edges of the definitions."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from lineage.graph.core import Graph
from lineage.model import DeclaredBy, LinkKind, Void, code
from lineage.rules import one_sided_link
from tests.rules.decisions import findings, ids, marker, memory


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
    stale = memory("a", 1, of="mindr", declared="live")
    acting = [memory("b", 2, "a", of="mindr"), memory("c", 4, "a", of="mindr"), marker("m", 3, "a")]
    (found,) = findings("LIN201", stale, *acting)
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
