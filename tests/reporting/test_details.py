"""What a page is told beside the report."""

from typing import Any

import pytest

import lineage
from lineage.graph.query import numbered
from lineage.reporting import details as under_test
from lineage.reporting.details import details
from lineage.reporting.model import Details
from tests.graphs import graph_of, memory
from tests.records import robrain


def detailed(*records: Any, full: bool = False, limit: int = 10_000) -> Details:
    graph = graph_of(*records, now="2026-12-01")
    return details(graph.core, lineage.report(graph, limit=limit).model, full=full)


def test_a_head_is_told_as_its_record_has_it() -> None:
    record = robrain("a", rejected=[{"option": "x", "reason": "slow"}, {"option": "y", "reason": ""}])
    head = detailed(record).heads["a"]
    assert head.format == "robrain"
    assert head.module is None
    assert list(head.rejected) == [("x", "slow"), ("y", "")]
    assert head.provenance == {"session": "s1", "turn": "4"}
    assert head.signals == {"relevance": "0.6", "injected": "3", "used": "2"}


def test_what_findings_are_about_is_quoted() -> None:
    told = detailed(memory("a", declared="live"), memory("b", ["a", "ghost"], at=2), "nonsense")
    assert told.said == {"a": "Decide a", "b": "Decide b"}


def test_no_more_is_quoted_than_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_test, "FINDINGS", 2)
    records = [robrain(f"m{number}") for number in range(4)]
    assert list(detailed(*records).said) == ["m0", "m1"]
    assert list(detailed(*records, full=True).said) == ["m0", "m1", "m2", "m3"]


def test_lineages_in_trouble_are_drawn_first_and_leave_room_for_the_largest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_test, "_LINEAGES", 4)
    records = [
        memory(f"{letter}{step}", [f"{letter}{step - 1}"] if step else [], at=step + 1)
        for letter in "abcd"
        for step in range(2)
    ]
    records += [memory(f"e{step}", [f"e{step - 1}"] if step else [], at=step + 1) for step in range(4)]
    for record in records:
        if record["id"] in {"a0", "b0", "c0", "d0"}:
            record["declared"] = "live"
    drawn = detailed(*records).diagrams
    assert list(drawn) == ["a0", "b0", "c0", "e0"]
    assert [len(diagram.nodes) for diagram in drawn.values()] == [2, 2, 2, 4]
    assert len(detailed(*records, full=True).diagrams) == 5


def test_ids_that_nothing_has_have_no_number() -> None:
    graph = graph_of(memory("a"), memory("b", ["gone"])).core
    assert numbered(graph, ["b", "nobody", "a"]).tolist() == [1, -1, 0]
    assert graph.id(int(numbered(graph, ["gone"])[0])) == "gone"
