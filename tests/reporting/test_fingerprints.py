"""What a finding is known by from run to run."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import lineage
from tests.graphs import graph_of
from tests.records import mindr, robrain, write_jsonl
from tests.rules.decisions import marker, memory

Record = dict[str, Any]


def prints(*records: Record | str, **options: Any) -> list[tuple[str, tuple[str, ...], str]]:
    """Rule, memories and fingerprint of every finding."""
    frame = lineage.report(graph_of(*records), limit=0, **options).findings
    return [(row.rule, tuple(row.memories), row.fingerprint) for row in frame.itertuples()]


BROKEN: list[Record | str] = [
    robrain("selfish", "selfish"),
    robrain("cut-off", "gone"),
    memory("x", 1, "y"),
    memory("y", 2, "x"),
    "{",
]
UNRELATED = [robrain("new-1", rationale=None), robrain("new-2", "new-1", at=3), robrain("new-3", "elsewhere"), "[1]"]


def test_they_are_sixteen_hex_digits_and_stay_what_they_were() -> None:
    found = {rule: digits for rule, _, digits in prints(*BROKEN)}
    assert all(re.fullmatch("[0-9a-f]{16}", digits) for digits in found.values())
    # Baselines hold these: they may not change with a version.
    assert found["LIN102"] == "e510ee78bde83d8f"
    assert found["LIN103"] == "cd56d3b9f3a8b43e"


def test_they_outlive_moved_lines_other_files_and_unrelated_records(tmp_path: Path) -> None:
    before = prints(*BROKEN)
    after = prints(*UNRELATED[:2], *reversed(BROKEN), *UNRELATED[2:])
    assert set(before) < set(after)
    moved = write_jsonl(tmp_path / "another place.jsonl", ["", *BROKEN])
    report = lineage.report(lineage.build(lineage.read(moved)))
    assert sorted(report.findings["fingerprint"]) == sorted(digits for _, _, digits in before)


def test_a_severity_changes_nothing() -> None:
    assert set(prints(*BROKEN, severity={"LIN103": "error"})) == set(prints(*BROKEN))


def told_apart(rule: str, *records: Mapping[str, Any] | str) -> int:
    """How many findings of a rule the fingerprints tell apart."""
    found = lineage.report(graph_of(*records), select=[rule]).findings
    assert len(found) == 2
    return int(found["fingerprint"].nunique())


def test_what_a_rule_finds_twice_about_the_same_memories_is_told_apart() -> None:
    note = memory("note", 1, of="mindr", kind="note")
    acts = [{"kind": kind, "target": "note", "via": "tags"} for kind in ("reverses", "resolves")]
    both = {**marker("m", 2, "note"), "links": acts}
    assert told_apart("LIN108", note, both) == 2
    assert told_apart("LIN104", both) == 2
    inverted = memory("old", 1, "new", {"kind": "amends", "target": "new", "via": "amends"})
    assert told_apart("LIN203", inverted, memory("new", 2)) == 2
    assert told_apart("LIN905", robrain("a", scope=None, files_affected="x")) == 2
    assert told_apart("LIN901", "{", "[1]", robrain("a")) == 2
    assert told_apart("LIN902", *({"format": f"robrain-memory/v{n}", "id": "a"} for n in (2, 3)), robrain("b")) == 2


def test_ambiguous_references_of_one_memory_are_told_apart() -> None:
    debts = [mindr(f"{start}-{end}", type="debt") for start in ("aaaaaaaa", "bbbbbbbb") for end in "12"]
    links = [{"kind": "resolves", "target": start, "via": "t", "void": "ambiguous"} for start in ("aaaa", "bbbb")]
    assert told_apart("LIN107", memory("m", 3, *links, of="mindr", role="marker"), *debts) == 2


def test_a_replacement_and_what_it_replaced_are_not_confused() -> None:
    dangling = memory("a", 1, "ghost", {"kind": "supersedes", "source": "ghost", "via": "superseded_by"})
    assert told_apart("LIN103", dangling) == 2


def test_the_json_report_is_as_the_interface_has_it() -> None:
    document = lineage.report(graph_of(*BROKEN)).to_dict()
    keys = ["rule", "name", "severity", "message", "memories", "lineage", "locations"]
    assert all(list(finding) == keys for finding in document["findings"])


def test_which_of_the_memories_stands_first_is_no_matter() -> None:
    root = memory("root", 1, of="mindr")

    def rivals(first: int, second: int) -> tuple[tuple[str, ...], str]:
        ((_, ids, digits),) = prints(
            root, memory("a", first, "root", of="mindr"), memory("b", second, "root", of="mindr"), select=["LIN106"]
        )
        return ids, digits

    (before, known), (after, again) = rivals(2, 3), rivals(3, 2)
    assert before == after[::-1]
    assert known == again
