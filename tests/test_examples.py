"""The sample corpus shows what its README promises: the tables there are the expectation."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest

import lineage
from lineage.model import Status

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
FILES = ("agent-memories.json", "mindr.json", "stream.jsonl", "team-memories.jsonl")


def table(heading: str) -> list[list[str]]:
    """The rows of the table under a heading of the README, as lists of cells."""
    section = (EXAMPLES / "README.md").read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


STATUSES = table("What you should see: statuses")
FINDINGS = table("What you should see: findings")


@pytest.fixture(scope="module")
def graph() -> lineage.Graph:
    return lineage.build(lineage.read(*(str(EXAMPLES / name) for name in FILES)))


@pytest.fixture(scope="module")
def statuses(graph: lineage.Graph) -> dict[str, str]:
    return dict(zip(graph.memories["id"], graph.memories["status"], strict=True))


@pytest.fixture(scope="module")
def findings(graph: lineage.Graph) -> list[lineage.Finding]:
    return list(lineage.check(graph))


def named(cell: str, ids: Iterable[str]) -> set[str]:
    """The full ids of those that a cell of the README gives shortened."""
    full: set[str] = set()
    for token in re.findall(r"`([^`]+)`", cell):
        if "." not in token:
            (found,) = (each for each in ids if each.startswith(token) or each.endswith("/" + token))
            full.add(found)
    return full


@pytest.mark.parametrize(("status", "count", "examples"), STATUSES, ids=[row[0] for row in STATUSES])
def test_status(statuses: Mapping[str, str], status: str, count: str, examples: str) -> None:
    assert Counter(statuses.values())[status] == int(count)
    memories = named(examples, statuses)
    assert memories
    assert {statuses[each] for each in memories} == {status}


def test_every_status_is_in_the_table() -> None:
    assert [row[0] for row in STATUSES] == [each.value for each in Status]


@pytest.mark.parametrize(("rule", "count", "memories", "why"), FINDINGS, ids=[row[0] for row in FINDINGS])
def test_finding(
    graph: lineage.Graph, findings: Sequence[lineage.Finding], rule: str, count: str, memories: str, why: str
) -> None:
    found = [each for each in findings if each.rule == rule]
    missing = set(graph.orphans()["missing"])
    named_in_findings = {each for finding in findings for each in finding.memories} - missing
    assert len(found) == int(count)
    assert {each for finding in found for each in finding.memories} - missing == named(memories, named_in_findings)
    assert why


def test_every_finding_is_in_the_table(findings: Sequence[lineage.Finding]) -> None:
    assert {each.rule for each in findings} == {row[0] for row in FINDINGS}


def test_the_unreadable_line_is_the_one_named(findings: Sequence[lineage.Finding]) -> None:
    (finding,) = (each for each in findings if each.rule == "LIN902")
    (place,) = finding.locations
    assert (Path(place.source).name, place.line) == ("team-memories.jsonl", 30)


def test_an_event_replaces_the_record_of_the_page(graph: lineage.Graph) -> None:
    memories = graph.memories.set_index("id")
    (freeze,) = (each for each in memories.index if each.endswith("/3mrcys3wpxc2r"))
    assert "14 December" in memories.loc[freeze, "text"]


def test_lines_are_as_the_exporter_writes_them() -> None:
    lines = (EXAMPLES / "team-memories.jsonl").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    records = [json.loads(line) for line in lines]
    assert lines == [json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in records]
    assert len({tuple(each) for each in records if each["format"] == "robrain-memory/v1"}) == 1
