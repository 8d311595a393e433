"""What stands in `lineage.toml`, seen from the commands that go by it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import lineage
from tests.cli.conftest import Run
from tests.graphs import graph_of
from tests.records import chain, robrain, uri
from tests.rules.decisions import memory

Jsonl = Callable[..., Path]


@pytest.fixture
def settings(tmp_path: Path) -> Callable[[str], Path]:
    """`settings("limit = 1")` writes the settings of the working directory."""

    def write(text: str) -> Path:
        path = tmp_path / "lineage.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


Settings = Callable[[str], Path]


def rules(run: Run, *arguments: object) -> set[tuple[str, ...]]:
    """The rule and the ids of every finding."""
    report = json.loads(run("check", "-f", "json", *arguments).stdout)
    return {(finding["rule"], *finding["memories"]) for finding in report["findings"]}


def test_inputs_are_read_where_none_is_given(run: Run, jsonl: Jsonl, settings: Settings) -> None:
    jsonl(*chain("a", "b"), name="exports/one.jsonl")
    jsonl(robrain("c"), name="exports/two.jsonl")
    other = jsonl(robrain("d"), name="other.jsonl")
    settings('inputs = ["exports/*.jsonl"]')
    assert run("heads", "-f", "ids").stdout.split() == ["b", "c"]
    assert run("heads", "-f", "ids", other).stdout.split() == ["d"]
    assert "b" in run("trace", "a").stdout
    assert run("trace", "a", other).exit_code == 2
    assert run("report").exit_code == 0


def test_inputs_are_found_from_below(
    run: Run, jsonl: Jsonl, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jsonl(robrain("c"), name="exports/two.jsonl")
    settings('inputs = "exports"')
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert run("heads", "-f", "ids").stdout.split() == ["c"]


def test_standard_input_is_read_when_it_is_named(run: Run, jsonl: Jsonl, settings: Settings) -> None:
    jsonl(robrain("c"), name="two.jsonl")
    settings('inputs = "two.jsonl"')
    text = json.dumps(robrain("piped"))
    assert run("heads", "-f", "ids", input=text).stdout.split() == ["c"]
    assert run("heads", "-f", "ids", "-", input=text).stdout.split() == ["piped"]


ORPHANS = [robrain("here", "gone"), robrain("there", "lost"), robrain("selfish", "selfish")]


@pytest.mark.parametrize(
    ("ignored", "left"),
    [
        ("LIN103", {("LIN102", "selfish")}),
        ("LIN103:gone", {("LIN102", "selfish"), ("LIN103", "there", "lost")}),
        ("lin103:there", {("LIN102", "selfish"), ("LIN103", "here", "gone")}),
        ("LIN103:?ere", {("LIN102", "selfish"), ("LIN103", "there", "lost")}),
        ("LIN103:*ere", {("LIN102", "selfish")}),
        ("LIN103:[xg]one", {("LIN102", "selfish"), ("LIN103", "there", "lost")}),
        ("LIN1:*e*", set()),
        ("LIN103:GONE", {("LIN102", "selfish"), ("LIN103", "here", "gone"), ("LIN103", "there", "lost")}),
        ("LIN102:gone", {("LIN102", "selfish"), ("LIN103", "here", "gone"), ("LIN103", "there", "lost")}),
    ],
)
def test_findings_are_ignored_by_rule_and_id(
    run: Run, jsonl: Jsonl, settings: Settings, ignored: str, left: set[tuple[str, ...]]
) -> None:
    path = jsonl(*ORPHANS)
    assert rules(run, "--select", "LIN1", "--ignore", ignored, path) == left
    settings(f'ignore = ["LIN3", "{ignored}"]')
    assert rules(run, "--select", "LIN1", path) == left


@pytest.mark.parametrize(
    ("spared", "left"),
    [
        ('fact = ["LIN103"]', {("LIN103", "a", "x")}),
        ('fact = "LIN1"', {("LIN103", "a", "x")}),
        ('decision = ["LIN102", "LIN103"]', {("LIN103", "b", "y")}),
        ('decision = ["LIN2"]\nnothing = ["LIN103"]', {("LIN103", "a", "x"), ("LIN103", "b", "y")}),
    ],
)
def test_a_rule_does_not_count_for_a_kind(
    run: Run, jsonl: Jsonl, settings: Settings, spared: str, left: set[tuple[str, ...]]
) -> None:
    path = jsonl(memory("a", 1, "x"), memory("b", 2, "y", kind="fact"), "{")
    settings(f"[per-kind]\n{spared}")
    assert rules(run, "--select", "LIN103,LIN901", path) == {*left, ("LIN901",)}


def test_a_kind_names_rules_that_there_are(run: Run, jsonl: Jsonl, settings: Settings) -> None:
    settings('per-kind = {fact = ["LIN999"]}')
    result = run("check", jsonl(memory("a")))
    assert result.exit_code == 2
    assert "no rule 'LIN999'" in result.stderr


def test_a_repository_is_ignored_and_its_slashes_are_no_matter(run: Run, jsonl: Jsonl, settings: Settings) -> None:
    path = jsonl(memory("a", 1, uri("x")), memory("b", 1, "elsewhere"))
    settings('ignore = ["LIN103:at://did:plc:a*"]')
    assert rules(run, "--select", "LIN103", path) == {("LIN103", "b", "elsewhere")}


def test_records_that_were_not_read_are_ignored_by_their_id_alone(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(robrain("a"), "{", robrain("b", scope=None), robrain("c", scope=None))
    assert rules(run, "--select", "LIN9", "--ignore", "LIN9:b", path) == {("LIN901",), ("LIN905", "c")}
    assert rules(run, "--select", "LIN9", "--ignore", "LIN9:*", path) == {("LIN901",)}


def test_what_is_ignored_does_not_count(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(robrain("a", "a"), robrain("b", "b"))
    assert run("check", "--ignore", "LIN102:a", path).exit_code == 1
    assert run("check", "--ignore", "LIN102:a,LIN102:b", path).exit_code == 0
    assert [finding.memories for finding in lineage.check(graph_of(robrain("a", "a"), robrain("b", "b")),
            select=["LIN102"], ignore=["LIN102:a"])] == [["b"]]  # fmt: skip


def test_thresholds(run: Run, jsonl: Jsonl, settings: Settings) -> None:
    target = memory("new", created_at="2026-01-01T10:00:30Z")
    path = jsonl(target, memory("old", 1, "new"), memory("far", created_at="2999-01-01T00:00:00Z"))
    both = {("LIN203", "old", "new"), ("LIN205", "far")}
    assert rules(run, "--select", "LIN2", path) == both
    settings("thresholds = {LIN203 = 30}")
    assert rules(run, "--select", "LIN2", path) == {("LIN205", "far")}
    settings("thresholds = {LIN203 = 29.5, LIN205 = 1e300}")
    assert rules(run, "--select", "LIN2", path) == {("LIN203", "old", "new")}
    settings("thresholds = {LIN203 = 1e300}")
    assert rules(run, "--select", "LIN2", path) == {("LIN205", "far")}
    graph = graph_of(target, memory("old", 1, "new"))
    assert len(lineage.check(graph, select=["LIN203"], thresholds={"LIN203": 29.9})) == 1
    assert not lineage.check(graph, select=["LIN203"], thresholds={"LIN203": 30})
    with pytest.raises(lineage.UsageError, match="threshold of LIN203: -1 is below 0"):
        lineage.report(graph, thresholds={"LIN203": -1})


def test_a_page_tells_its_threshold(run: Run) -> None:
    assert "Threshold in seconds: 1; `thresholds = {LIN203 = …}` sets another.\n" in run("rules", "LIN203").stdout
    assert "Threshold" not in run("rules", "LIN103").stdout


def test_a_baseline_is_the_checks_alone(run: Run, jsonl: Jsonl, settings: Settings, tmp_path: Path) -> None:
    path = jsonl(robrain("a", "a"))
    settings('baseline = "known.json"')
    assert run("check", path).exit_code == 2
    assert run("check", "--write-baseline", "known.json", path).exit_code == 1
    assert (tmp_path / "known.json").is_file()
    assert run("check", path).exit_code == 0
    assert run("report", "--fail-on", "error", path).exit_code == 1


def test_flags(run: Run, jsonl: Jsonl, settings: Settings) -> None:
    path = jsonl(robrain("a", "a"))
    settings("quiet = true")
    assert run("check", path).output == ""
    settings("verbose = true\nno-progress = true\n[check]\nallow-empty = true")
    assert run("check", "-", input="").exit_code == 0
    assert run("check", "--no-allow-empty", "-", input="").exit_code == 2
    assert run("report", "-", input="").exit_code == 2


def test_a_bad_date_is_told_of_before_anything_is_read(run: Run, settings: Settings) -> None:
    settings("as-of = '2026-13-01'")
    result = run("check", "missing.jsonl")
    assert result.exit_code == 2
    assert "lineage.toml: as-of: '2026-13-01' is no date or time" in result.stderr
    settings("as-of = 2026-05-01")
    assert "missing.jsonl" in run("check", "missing.jsonl").stderr
