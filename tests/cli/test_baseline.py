"""`lineage check --baseline`: old findings are known, new ones count; and `--allow-empty`."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import lineage
from lineage.cli import main
from tests.cli.conftest import Run
from tests.records import chain, json_lines, robrain

Jsonl = Callable[..., Path]

OLD = [robrain("selfish", "selfish"), robrain("cut-off", "nowhere")]
NEW = robrain("also-selfish", "also-selfish", at=5)


@pytest.fixture
def known(run: Run, jsonl: Jsonl, tmp_path: Path) -> Path:
    """A baseline of the old findings."""
    run("check", "--write-baseline", "known.json", jsonl(*OLD, name="old.jsonl"))
    return tmp_path / "known.json"


def found(text: str) -> list[tuple[str, str]]:
    """Rules and acting memories of a JSON report."""
    return [(finding["rule"], *finding["memories"][:1]) for finding in json.loads(text)["findings"]]


def test_a_baseline_has_no_lines_and_always_the_same_bytes(run: Run, known: Path, jsonl: Jsonl) -> None:
    document = json.loads(known.read_bytes())
    assert document["schema"] == "lineage-baseline/v1"
    entry = {"rule": "LIN103", "memories": ["cut-off", "nowhere"], "fingerprint": "b5e58c6e49d81f96"}
    assert entry in document["findings"]
    assert all(list(entry) == ["rule", "memories", "fingerprint"] for entry in document["findings"])
    assert document["findings"] == sorted(
        document["findings"], key=lambda entry: (entry["rule"], entry["memories"], entry["fingerprint"])
    )
    again = run("check", "--write-baseline", "again.json", jsonl("", *reversed(OLD), name="moved.jsonl"))
    assert again.exit_code == 1
    assert (known.parent / "again.json").read_bytes() == known.read_bytes()


def test_what_is_known_does_not_count(run: Run, known: Path, jsonl: Jsonl) -> None:
    moved = jsonl("", *reversed(OLD), name="moved.jsonl")
    assert run("check", moved).exit_code == 1
    result = run("check", "--baseline", known, "--fail-on", "info", moved)
    assert result.exit_code == 0
    assert result.stdout == "✓ No findings in 2 decisions\n"
    assert re.fullmatch(rf"lineage: {known}: \d+ findings known, 0 entries not found any more\n", result.stderr)


def test_what_is_new_is_shown_and_counts(run: Run, known: Path, jsonl: Jsonl) -> None:
    path = jsonl(NEW, *OLD)
    result = run("check", "--baseline", known, "-f", "json", path)
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert {memory for finding in report["findings"] for memory in finding["memories"]} == {"also-selfish"}
    assert report["summary"]["findings"]["error"] == 1
    assert "also-selfish" in run("check", "--baseline", known, path).stdout


@pytest.mark.parametrize("format", ["text", "json", "sarif", "junit", "github"])
def test_every_format_shows_new_findings_alone(run: Run, known: Path, jsonl: Jsonl, format: str) -> None:
    shown = run("check", "--baseline", known, "-f", format, jsonl(NEW, *OLD)).stdout
    if format == "json":
        shown = json.dumps(json.loads(shown)["findings"])
    assert "also-selfish" in shown
    assert "cut-off" not in shown
    assert "'selfish'" not in shown


def test_the_limit_is_of_new_findings(run: Run, known: Path, jsonl: Jsonl) -> None:
    path = jsonl(*OLD, *(robrain(f"x{number}", f"x{number}") for number in range(4)))
    document = json.loads(run("check", "--baseline", known, "-f", "json", "--limit", 3, path).stdout)
    assert [finding["memories"] for finding in document["findings"] if finding["rule"] == "LIN102"] == [
        ["x0"],
        ["x1"],
        ["x2"],
    ]
    assert document["truncated"]["findings"]["LIN102"] == 1


def test_stale_entries_are_counted_and_named(run: Run, known: Path, jsonl: Jsonl) -> None:
    path = jsonl(OLD[0])
    quiet = run("check", "--baseline", known, path)
    assert " entries not found any more (-v names them)\n" in quiet.stderr
    named = run("check", "--baseline", known, "-v", path).stderr
    assert f"lineage: {known}: LIN103 b5e58c6e49d81f96 about 'cut-off' and 'nowhere' was not found any more\n" in named
    assert "LIN102" not in named
    assert run("check", "--baseline", known, "-q", path).stderr == ""


@pytest.mark.parametrize("options", [["--select", "LIN1"], ["--ignore", "LIN3"], ["--kind", "decision"]])
def test_what_was_not_looked_for_is_not_stale(run: Run, known: Path, jsonl: Jsonl, options: list[str]) -> None:
    assert "0 entries" in run("check", "--baseline", known, *options, jsonl(*OLD)).stderr


def test_a_rule_that_finds_nothing_any_more_leaves_its_entries_stale(run: Run, known: Path, jsonl: Jsonl) -> None:
    result = run("check", "--baseline", known, "--select", "LIN102,LIN103", jsonl(*chain("a", "b")))
    assert "0 findings known, 2 entries not found" in result.stderr


def test_a_second_finding_of_the_same_kind_is_new(run: Run, jsonl: Jsonl, tmp_path: Path) -> None:
    good = robrain("a", session_id="s", rationale="r")
    options = ["--select", "LIN901", "-f", "json"]
    run("check", "--write-baseline", "known.json", "--select", "LIN901", jsonl(good, "{"))
    assert found(run("check", "--baseline", "known.json", *options, jsonl(good, "{")).stdout) == []
    two = run("check", "--baseline", "known.json", *options, jsonl(good, "{", "{"))
    assert len(found(two.stdout)) == 1
    assert two.exit_code == 1


def test_both_together_write_what_there_is_after_comparing(run: Run, known: Path, jsonl: Jsonl) -> None:
    path = jsonl(NEW, OLD[0])
    result = run("check", "--baseline", known, "--write-baseline", known, "-f", "json", path)
    assert result.exit_code == 1
    assert ("LIN102", "also-selfish") in found(result.stdout)
    again = run("check", "--baseline", known, "--fail-on", "info", path)
    assert again.exit_code == 0
    assert "0 entries" in again.stderr


def test_a_baseline_that_is_first_written_need_not_be_there(run: Run, jsonl: Jsonl, tmp_path: Path) -> None:
    path = jsonl(*OLD)
    assert run("check", "--baseline", "new.json", "--write-baseline", "new.json", path).exit_code == 1
    assert run("check", "--baseline", "new.json", path).exit_code == 0
    assert run("check", "--baseline", "none.json", "--write-baseline", "other.json", path).exit_code == 2
    assert not (tmp_path / "other.json").exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "No such file or directory"),
        (b"", "this is no baseline (lineage-baseline/v1)"),
        (b"[]", "this is no baseline"),
        (b'{"schema": "lineage-report/v1", "findings": []}', "this is no baseline"),
        (b'{"schema": "lineage-baseline/v1"}', "`findings`"),
        (b'{"schema": "lineage-baseline/v1", "findings": [{"rule": 1}]}', "$.findings[0].rule"),
        (b'{"schema": "lineage-baseline/v1", "findings": ["\xff"]}', "this is no baseline"),
        (b'{"schema": "\x1b[2J", "findings": []}', "this is no baseline"),
    ],
)
def test_a_baseline_that_cannot_be_used(
    run: Run, jsonl: Jsonl, tmp_path: Path, content: bytes | None, words: str
) -> None:
    if content is not None:
        (tmp_path / "bad.json").write_bytes(content)
    result = run("check", "--baseline", "bad.json", jsonl(*OLD))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("lineage: bad.json: ")
    assert result.stderr.count("\n") == 1
    assert words in result.stderr
    assert "\x1b" not in result.stderr


def test_an_input_is_not_overwritten(run: Run, jsonl: Jsonl, tmp_path: Path) -> None:
    path = jsonl(*OLD)
    before = path.read_bytes()
    for given in (path, tmp_path):
        result = run("check", "--write-baseline", path, given)
        assert result.exit_code == 2
        assert "--write-baseline" in result.stderr
    assert path.read_bytes() == before


def test_hostile_ids_stay_where_they_belong(run: Run, jsonl: Jsonl, tmp_path: Path) -> None:
    id = 'x\x1b[2J"\\\n::error::\u202e</script>'
    path = jsonl(robrain(id, id), robrain("a"))
    run("check", "--write-baseline", "known.json", path)
    assert id in {memory for entry in json.loads((tmp_path / "known.json").read_bytes())["findings"]
                  for memory in entry["memories"]}  # fmt: skip
    assert run("check", "--baseline", "known.json", path).exit_code == 0
    stale = run("check", "--baseline", "known.json", "-v", jsonl(robrain("a"))).stderr
    assert "LIN102" in stale
    assert not {"\x1b", "\u202e"} & set(stale)
    assert not re.search(r"^::", stale, re.MULTILINE)


def test_in_python(tmp_path: Path, jsonl: Jsonl) -> None:
    graph = lineage.build(lineage.read(jsonl(*OLD)))
    first = lineage.report(graph, baseline=lineage.Baseline())
    assert first.baseline is not None
    assert len(first.baseline.findings) == len(first.findings) > 2
    (tmp_path / "known.json").write_bytes(first.baseline.to_bytes())
    second = lineage.report(graph, baseline=lineage.Baseline.load(tmp_path / "known.json"))
    assert len(second.findings) == 0
    assert lineage.report(graph).baseline is None
    with pytest.raises(lineage.InputError, match=r"none\.json: No such file"):
        lineage.Baseline.load(tmp_path / "none.json")


@pytest.mark.parametrize("content", ["", "\n\n", "not json\n"])
def test_nothing_readable_is_an_error_unless_it_is_allowed(run: Run, tmp_path: Path, content: str) -> None:
    (tmp_path / "memories.jsonl").write_text(content)
    for command in (["check"], ["report", "-q"]):
        assert run(*command, "memories.jsonl").exit_code == 2
    code = 1 if "not" in content else 0
    assert run("check", "--allow-empty", "memories.jsonl").exit_code == code
    assert run("report", "--allow-empty", "memories.jsonl").exit_code == 0
    assert (tmp_path / "reports/memories.html").is_file()


def test_an_empty_folder_and_an_unmatched_glob_can_be_allowed_and_a_missing_file_cannot(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "exports").mkdir()
    for given in ("exports", "exports/*.jsonl"):
        assert run("check", given).exit_code == 2
        assert run("check", "--allow-empty", given).exit_code == 0
        assert run("report", "-q", "--allow-empty", given).exit_code == 0
    assert run("check", "--allow-empty", "exports/none.jsonl").exit_code == 2
    assert run("check", "--allow-empty", "-", input="").exit_code == 0


def test_an_empty_input_is_nothing_to_a_baseline(run: Run, known: Path) -> None:
    result = run("check", "--allow-empty", "--baseline", known, "-", input=json_lines([]))
    assert result.exit_code == 0
    assert "0 findings known" in result.stderr


def test_the_options_belong_to_check(run: Run) -> None:
    def options(name: str) -> set[str]:
        command: Any = main.get_command(None, name)  # type: ignore[arg-type]  # the context is not used
        return {option for param in command.params for option in param.opts}

    assert {"--baseline", "--write-baseline", "--allow-empty"} <= options("check")
    assert not {"--baseline", "--write-baseline"} & options("report")
