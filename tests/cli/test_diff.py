"""`lineage diff`: inputs, formats, the file it writes, and its exit codes."""

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from lineage.reporting.diff import SCHEMA_FILE
from tests.cli.conftest import Run
from tests.records import chain, json_lines, robrain, when

Jsonl = Callable[..., Path]


@pytest.fixture
def old(jsonl: Jsonl) -> Path:
    return jsonl(robrain("a"), robrain("cut-off", "nowhere"), name="old.jsonl")


@pytest.fixture
def new(jsonl: Jsonl) -> Path:
    """A new error (LIN102) and new notes; a warning (LIN103) is there before and after."""
    return jsonl(robrain("a"), robrain("cut-off", "nowhere"), robrain("selfish", "selfish"), name="new.jsonl")


def test_what_changed_is_told(run: Run, jsonl: Jsonl) -> None:
    before, after = jsonl(*chain("a", "b"), name="before.jsonl"), jsonl(*chain("a", "b", "c"), name="after.jsonl")
    result = run("diff", before, after)
    assert result.exit_code == 0
    for words in (
        "1 live head gained, 1 lost",
        "superseded by c",
        "new, replaces b",
        "before.jsonl: 2 memories, 1 live",
    ):
        assert words in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize("format", ["text", "json", "markdown", "html"])
def test_nothing_changed(run: Run, old: Path, format: str) -> None:
    result = run("diff", "-f", format, "--fail-on", "info", old, old)
    assert result.exit_code == 0
    assert result.stdout == "✓ Nothing changed.\n" or "Nothing changed" in result.stdout or format == "json"
    if format == "json":
        assert {entry["total"] for entry in json.loads(result.stdout)["summary"].values()} == {0}


@pytest.mark.parametrize(
    ("fail_on", "code"),
    [
        (None, 0),
        ("never", 0),
        ("new-findings", 1),
        ("error", 1),
        ("warning", 1),
        ("info", 1),
        ("LIN102", 1),
        ("LIN103", 0),
        ("lin1", 1),
        ("LIN103,LIN102", 1),
        ("never,LIN104", 0),
    ],
)
def test_fail_on(run: Run, old: Path, new: Path, fail_on: str | None, code: int) -> None:
    options = ["--fail-on", fail_on] if fail_on else []
    assert run("diff", *options, old, new).exit_code == code
    assert run("diff", *options, new, old).exit_code == 0


def test_notes_are_no_new_findings(run: Run, old: Path, new: Path) -> None:
    for words, code in (("new-findings", 0), ("warning", 0), ("info", 1)):
        assert run("diff", "--ignore", "LIN1", "--fail-on", words, old, new).exit_code == code


def test_a_finding_past_the_limit_counts(run: Run, old: Path, jsonl: Jsonl) -> None:
    new = jsonl(*(robrain(f"s{number}", f"s{number}") for number in range(3)), name="new.jsonl")
    document = json.loads(run("diff", "-f", "json", "--limit", "1", "--select", "LIN102", old, new).stdout)
    assert document["summary"]["findings_new"] == {"total": 3, "by": {"error": 3}}
    assert len(document["findings_new"]) == 1
    assert document["truncated"]["findings_new"] == 2


def test_settings_change_severities(run: Run, old: Path, new: Path, tmp_path: Path) -> None:
    (tmp_path / "lineage.toml").write_text(
        'severity = {LIN102 = "info"}\nfail-on = "warning"\ninputs = ["else.jsonl"]\nformat = "html"', encoding="utf-8"
    )
    assert run("diff", old, new).exit_code == 0
    result = run("diff", "--fail-on", "info", old, new)
    assert result.exit_code == 1
    assert "LIN102" in result.stdout.partition("New notes")[2]


def test_the_json_is_valid(run: Run, old: Path, new: Path) -> None:
    result = run("diff", "-f", "json", old, new)
    document = json.loads(result.stdout)
    jsonschema.Draft202012Validator(json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))).validate(document)
    assert document["new"]["inputs"] == [{"path": str(new), "records": 3, "unreadable": 0}]
    assert result.stdout == run("diff", "-f", "json", old, new).stdout


@pytest.mark.parametrize(
    ("name", "begin"), [("d.html", "<!doctype html>"), ("d.md", "## "), ("d.json", "{"), ("d", "✗")]
)
def test_a_file_gets_the_format_of_its_ending(run: Run, old: Path, new: Path, name: str, begin: str) -> None:
    result = run("diff", old, new, "-o", f"made/{name}")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"lineage: wrote made/{name}\n"
    assert Path(f"made/{name}").read_text(encoding="utf-8").startswith(begin)
    assert run("diff", "-q", old, new, "-o", f"made/{name}").output == ""


def test_inputs_of_every_kind(run: Run, old: Path, new: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "m.jsonl").write_bytes(old.read_bytes())
    wanted = run("diff", "-f", "json", "--select", "LIN1", old, new).stdout.partition('"summary"')[2]
    text = json_lines([robrain("a"), robrain("cut-off", "nowhere")])
    for given, stdin in ((folder, None), (f"{folder}/*.jsonl", None), ("-", text)):
        told = run("diff", "-f", "json", "--select", "LIN1", given, new, input=stdin)
        assert told.stdout.partition('"summary"')[2] == wanted


def test_as_of_holds_for_both_sides(run: Run, jsonl: Jsonl) -> None:
    before = jsonl(robrain("a"), name="before.jsonl")
    after = jsonl(robrain("a"), robrain("b", "a", at=9), name="after.jsonl")
    assert "Nothing changed" in run("diff", "--as-of", when(5), before, after).stdout
    assert "superseded by b" in run("diff", "--as-of", "2026-02-01", before, after).stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["Missing argument 'OLD'"]),
        (["old.jsonl"], ["Missing argument 'NEW'"]),
        (["old.jsonl", "new.jsonl", "third.jsonl"], ["third.jsonl"]),
        (["-", "-"], ["only one of OLD and NEW"]),
        (["missing.jsonl", "new.jsonl"], ["missing.jsonl", "no such file"]),
        (["old.jsonl", "missing.jsonl"], ["missing.jsonl", "no such file"]),
        (["-f", "sarif", "old.jsonl", "new.jsonl"], ["'sarif' is no format"]),
        (["--fail-on", "new-finding", "old.jsonl", "new.jsonl"], ["the nearest known one is 'new-findings'"]),
        (["-o", "new.jsonl", "old.jsonl", "new.jsonl"], ["new.jsonl is an input"]),
        (["-o", "old.jsonl", "old*", "new.jsonl"], ["old.jsonl is an input"]),
        (["old.jsonl", "broken.jsonl"], ["broken.jsonl"]),
        (["--strict", "old.jsonl", "half.jsonl"], ["half.jsonl:2"]),
    ],
)
def test_wrong_usage(run: Run, jsonl: Jsonl, old: Path, new: Path, arguments: list[str], words: list[str]) -> None:
    jsonl("not json", name="broken.jsonl")
    jsonl(robrain("a"), "not json", name="half.jsonl")
    held = old.read_bytes(), new.read_bytes()
    result = run("diff", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    for word in words:
        assert word in result.stderr
    assert (old.read_bytes(), new.read_bytes()) == held


def test_an_export_may_be_empty(run: Run, jsonl: Jsonl, new: Path) -> None:
    empty = jsonl(name="empty.jsonl")
    assert run("diff", empty, new).exit_code == 2
    result = run("diff", "--allow-empty", empty, new)
    assert result.exit_code == 0
    assert "3 live heads gained, 0 lost" in result.stdout


def test_text_is_short_unless_more_is_wanted(run: Run, old: Path, jsonl: Jsonl) -> None:
    new = jsonl(*(robrain(f"n{number:02}") for number in range(30)), name="new.jsonl")
    assert run("diff", old, new).stdout.count("  + Decide n") == 20
    assert run("diff", "--limit", "0", old, new).stdout.count("  + Decide n") == 30
    run("diff", old, new, "-o", "all.txt")
    assert Path("all.txt").read_text(encoding="utf-8").count("  + Decide n") == 30
