"""Suggested links: only said, never made, and taken back by --links after review."""

import json
from pathlib import Path

import pytest

import lineage
from tests.cli.conftest import Run
from tests.records import robrain, write_jsonl


@pytest.fixture
def memories(tmp_path: Path) -> Path:
    redis, caches = "Use Redis for the session cache", ["src/session.ts"]
    records = [
        robrain("older", at=1, decision=redis, files_affected=caches),
        robrain(
            "newer",
            at=5,
            decision="Use Memcached for the session cache",
            files_affected=caches,
            rejected=[{"option": "Redis", "reason": "cost"}],
        ),
        robrain("apart", at=6, decision="Name branches after tickets", files_affected=["docs/git.md"]),
    ]
    return write_jsonl(tmp_path / "m.jsonl", records)


def test_the_newer_decision_on_the_same_file_is_suggested_with_reasons(memories: Path) -> None:
    found = lineage.build(lineage.read(memories)).suggest()
    assert list(found.columns) == ["source", "kind", "target", "note", "score", "reasons"]
    (row,) = found.to_dict("records")
    assert (row["source"], row["kind"], row["target"], row["score"]) == ("newer", "supersedes", "older", 0.73)
    assert row["reasons"] == (
        "50% of their words are the same; both name src/session.ts; "
        "the newer one rejects 'redis', which the older one names"
    )


def test_suggesting_changes_nothing(memories: Path) -> None:
    graph = lineage.build(lineage.read(memories))
    graph.suggest()
    assert len(graph.links) == 0
    assert set(graph.memories["status"]) == {"live"}


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_the_file_is_given_back_by_links(run: Run, memories: Path, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"links.{ending}"
    result = run("suggest", memories, "-o", file)
    assert result.exit_code == 0
    assert "1 suggestion" in result.stderr
    rows = run("list", memories, "--links", file, "-f", "jsonl").stdout.splitlines()
    assert {row["id"]: row["status"] for row in map(json.loads, rows)} == {
        "older": "superseded",
        "newer": "live",
        "apart": "live",
    }


def test_a_table_is_for_reading(run: Run, memories: Path, tmp_path: Path) -> None:
    shown = run("suggest", memories).stdout
    assert shown.splitlines()[0].split()[:3] == ["SCORE", "NEWER", "OLDER"]
    assert "newer" in shown
    refused = run("suggest", memories, "-f", "table", "-o", tmp_path / "x.csv")
    assert refused.exit_code == 2
    assert not (tmp_path / "x.csv").exists()


def test_the_least_score_counts(run: Run, memories: Path) -> None:
    assert run("suggest", memories, "-f", "jsonl", "--least", "0.9").stdout == ""
    assert run("suggest", memories, "-f", "csv", "--least", "0.9").stdout == "source,kind,target,note,score,reasons\n"


def test_an_input_is_not_overwritten(run: Run, memories: Path) -> None:
    assert run("suggest", memories, "-f", "jsonl", "-o", memories).exit_code == 2


def test_pairs_of_one_lineage_and_of_unknown_time_are_left_out(tmp_path: Path) -> None:
    text = "Use Redis for the session cache"
    linked = [robrain("a", decision=text), robrain("b", "a", at=2, decision=text)]
    assert lineage.build(lineage.read(write_jsonl(tmp_path / "l.jsonl", linked))).suggest(0).empty
