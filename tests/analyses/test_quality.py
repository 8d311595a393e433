"""Every number of the quality is worked out here again, by another way: record by record."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

import lineage
from lineage.model import GRADES, HALF_LIFE, WEIGHTS
from tests.cli.conftest import Run, run
from tests.graphs import graph_of, memory
from tests.records import write_jsonl

__all__ = ["run"]

NOW = "2026-06-01T00:00:00Z"
OFFERS = {"robrain": {"rationale", "rejected", "files", "review"}, "mindr": {"rationale", "files"}, "atproto": set()}

MEMORY = st.fixed_dictionaries(
    {"of": st.sampled_from(sorted(OFFERS)), "day": st.integers(1, 28)},
    optional={
        "rationale": st.sampled_from(["why", "", "  "]),
        "rejected": st.just([{"option": "npm", "reason": None}]),
        "files": st.sampled_from([[], ["a.py"]]),
        "reviewed_at": st.just("2026-05-01T00:00:00Z"),
        "commit": st.sampled_from(["abc", ""]),
        "session": st.just("s"),
        "injected": st.integers(0, 60),
        "used": st.integers(0, 60),
        "relevance": st.floats(0, 1),
    },
)


def record(number: int, drawn: dict[str, Any]) -> dict[str, Any]:
    drawn = dict(drawn)
    day = drawn.pop("day")
    return memory(f"m{number}", [], at=day, **drawn)


def parts_of(row: dict[str, Any], created: str) -> dict[str, float]:
    """The parts of the score of one record, straight from it."""
    offers = OFFERS[row["of"]]
    has = {
        "rationale": bool((row.get("rationale") or "").strip()),
        "rejected": bool(row.get("rejected")),
        "files": bool(row.get("files")),
        "review": "reviewed_at" in row,
    }
    origin = any((row.get(name) or "").strip() for name in ("session", "commit"))
    found = {"completeness": (sum(has[name] for name in offers) + origin) / (len(offers) + 1)}
    if row["of"] == "robrain":
        found["trust"] = float(has["review"])
    if row["of"] == "mindr":
        found["trust"] = float(bool((row.get("commit") or "").strip()))
    if row.get("injected") and "used" in row:
        found["use"] = min(row["used"] / row["injected"], 1.0)
    if "relevance" in row:
        found["relevance"] = row["relevance"]
    last = max(created, row.get("reviewed_at", ""))
    idle = (_day(NOW) - _day(last)) if last else 0
    found["freshness"] = 0.5 ** (max(idle, 0) / HALF_LIFE)
    return found


def _day(moment: str) -> float:
    from datetime import datetime

    return datetime.fromisoformat(moment).timestamp() / 86_400


@given(st.lists(MEMORY, min_size=1, max_size=8))
def test_scores_are_what_the_records_come_to(drawn: list[dict[str, Any]]) -> None:
    records = [record(number, one) for number, one in enumerate(drawn)]
    graph = graph_of(*records, now=NOW)
    frame = graph.quality().set_index("id")
    for row in records:
        expected = parts_of(row, row["created_at"])
        found = frame.loc[row["id"]]
        for name in WEIGHTS:
            if name in expected:
                assert found[name] == pytest.approx(expected[name]), name
            else:
                assert math.isnan(found[name]), name
        weight = sum(WEIGHTS[name] for name in expected)
        assert found["score"] == pytest.approx(100 * sum(WEIGHTS[name] * expected[name] for name in expected) / weight)
    aspects = lineage.report(graph).quality["aspects"]
    live = frame[frame["status"] == "live"]
    for aspect, column in (("coverage", "completeness"), ("freshness", "freshness"), ("use", "use")):
        mean = live[column].mean()
        assert aspects[aspect]["score"] == (None if math.isnan(mean) else pytest.approx(100 * mean, abs=0.051))


@given(st.integers(1, 5_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_is_wilsons(pair: tuple[int, int]) -> None:
    used, injected = pair
    graph = graph_of(memory("m", [], injected=injected, used=used))
    found = graph.quality().iloc[0]
    expected = binomtest(used, injected).proportion_ci(method="wilson")
    assert (found["use_low"], found["use_high"]) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_a_corpus_is_graded_by_its_links_and_by_what_memories_say() -> None:
    graph = graph_of(
        memory("a", [], at=1),
        memory("b", ["a"], at=2, declared="live"),
        memory("c", ["a"], at=3, declared="live"),
        memory("d", ["gone"], at=4),
        memory("x", ["y"], at=5),
        memory("y", ["x"], at=6),
        now=NOW,
    )
    quality = lineage.report(graph).quality
    # a is superseded twice; gone is missing; x and y close a circle: 3 of 5 links are unsound.
    assert quality["aspects"]["integrity"]["score"] == 40.0
    # One of b and c is a head too many; x and y have no head.
    assert quality["aspects"]["consistency"]["score"] == pytest.approx(100 * (1 - 3 / 6))
    known = {name: one["score"] for name, one in quality["aspects"].items() if one["score"] is not None}
    weights = {name: quality["weights"][name] for name in known}
    score = sum(known[name] * weights[name] for name in known) / sum(weights.values())
    assert quality["score"] == pytest.approx(score, abs=0.06)
    assert quality["grade"] == next(letter for letter, least in GRADES if quality["score"] >= least)


def test_settings_weigh_and_halve(run: Run, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "m.jsonl", [memory("a", [], at=1, relevance=0.5, rationale="why")])
    (tmp_path / "lineage.toml").write_text("[weights]\ncompleteness = 0\ntrust = 0\nuse = 0\nfreshness = 0\n")
    (row,) = _csv(run("list", "-f", "csv", path).stdout)
    assert row["score"] == "50.0"
    (tmp_path / "lineage.toml").write_text("weights = {complete = 1}\n")
    result = run("list", "-f", "csv", path)
    assert result.exit_code == 2
    assert "'complete' is none of completeness" in result.stderr
    (tmp_path / "lineage.toml").write_text("half-life = 0\n")
    assert run("report", path).exit_code == 2


def _csv(text: str) -> list[dict[str, str]]:
    import csv

    return list(csv.DictReader(text.splitlines()))


def test_a_gate_and_a_trend(run: Run, tmp_path: Path) -> None:
    poor = write_jsonl(tmp_path / "poor.jsonl", [memory("a", ["gone"], at=1), memory("b", ["lost"], at=2)])
    good = write_jsonl(tmp_path / "good.jsonl", [memory("a", [], at=1), memory("b", ["a"], at=2)])
    assert run("check", poor, "--fail-on", "never").exit_code == 0
    result = run("check", poor, "--fail-on", "never", "--min-grade", "B")
    assert result.exit_code == 1
    assert "is below B" in result.stderr
    assert run("check", good, "--fail-on", "never", "--min-grade", "F").exit_code == 0
    assert run("report", poor, "-f", "json", "-o", "old.json").exit_code == 0
    shown = run("report", good, "--against", "old.json", "-f", "json", "-o", "new.json").stdout
    made = json.loads((tmp_path / "new.json").read_text())["quality"]
    old = json.loads((tmp_path / "old.json").read_text())["quality"]
    assert made["against"]["score"] == old["score"]
    assert f"{made['score'] - old['score']:+.1f} since" in shown
    for form in ("html", "markdown"):
        run("report", good, "--against", "old.json", "-f", form, "-o", f"new.{form}")
        assert "since" in (tmp_path / f"new.{form}").read_text()
        assert "integrity" in (tmp_path / f"new.{form}").read_text()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": "other", "quality": {}}', "{" * 9_000])
def test_an_earlier_report_that_is_none(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "old.json").write_text(text)
    path = write_jsonl(tmp_path / "m.jsonl", [memory("a", [])])
    result = run("report", path, "--against", "old.json")
    assert result.exit_code == 2
    assert "old.json: not a JSON report" in result.stderr


def test_an_empty_corpus_has_no_grade(run: Run, tmp_path: Path) -> None:
    (tmp_path / "m.jsonl").write_text("")
    assert run("check", "--allow-empty", "m.jsonl", "--min-grade", "A").exit_code == 0
    result = run("report", "--allow-empty", "m.jsonl", "-f", "json", "-o", "-", "-q")
    assert json.loads(result.stdout)["quality"]["grade"] is None


CHURN = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 28), st.integers(1, 4)), max_size=12)


@given(CHURN)
def test_churning_lineages_are_those_that_looking_at_every_span_finds(acts: list[tuple[int, int, int]]) -> None:
    """Each act replaces the one before it in one of ten lineages; months apart, days within."""
    last: dict[int, str] = {}
    when: dict[str, list[tuple[float, str]]] = {}
    records = [memory(f"r{n}", created_at="2020-01-01T00:00:00Z") for n in range(10)]
    for number, (lineage_, day, month) in enumerate(acts):
        moment = f"2026-{month:02d}-{day:02d}T00:00:00Z"
        name = f"m{number}"
        records.append(memory(name, [last.get(lineage_, f"r{lineage_}")], created_at=moment))
        last[lineage_] = name
        when.setdefault(f"r{lineage_}", []).append((_day(moment), name))
    expected = {
        root: max(sum(start <= other <= start + 30 for other, _ in found) for start, _ in found)
        for root, found in when.items()
    }
    found = {item.lineage: len(item.memories) for item in lineage.check(graph_of(*records), select=["LIN403"])}
    assert found == {root: count for root, count in expected.items() if count >= 3}
