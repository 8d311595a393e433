"""What all commands have in common: inputs, errors, exit codes, configuration, completion."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.shell_completion import BashComplete

from lineage.cli import main
from tests.cli.conftest import Run
from tests.records import COLLECTION, chain, json_lines, robrain, uri

Jsonl = Callable[..., Path]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["repot"], ["'repot' is no command", "'report'"]),
        (["heads", "--formt", "csv"], ["No such option '--formt'", "--format"]),
        (["heads", "-f", "cvs", "x"], ["'cvs'"]),
        (["report", "-f", "htm", "x"], ["'htm'", "the nearest known one is 'html'"]),
        (["check", "-f", "html", "x"], ["'html' is no format"]),
        (["check", "--select", "LIN7", "x"], ["'LIN7' is no rule", "'LIN107'"]),
        (["check", "--ignore", "LIN101,XYZ", "x"], ["'XYZ' is no rule"]),
        (["check", "--ignore", "LIN13:a*", "x"], ["'LIN13' is no rule", "'LIN103'"]),
        (["check", "--ignore", "LIN103:", "x"], ["'LIN103:' names no id"]),
        (["check", "--select", "LIN103:a*", "x"], ["'LIN103:a*' is no rule"]),
        (["heads", "--as-of", "yesterday", "missing.jsonl"], ["'--as-of'", "'yesterday' is no date or time"]),
        (["check", "--fail-on", "eror", "x"], ["nearest known one is 'error'"]),
        (["check", "--fail-on", ",", "x"], ["names no code"]),
        (["check", "--limit", "-1", "x"], ["-1"]),
        (["list", "--status", "live,dead", "x"], ["'dead' is no status"]),
        (["heads", "--from", "robbrain", "x"], ["'robbrain' is no format", "'robrain'"]),
        (["convert", "--to", "remembr", "x"], ["'remembr' is no format that can be written"]),
        (["convert", "x"], ["Missing option '--to'"]),
        (["rules", "LIN999"], ["no rule 'LIN999'"]),
        (["heads", "missing.jsonl"], ["missing.jsonl", "no such file"]),
        (["heads", "--config", "none.toml", "x"], ["none.toml", "No such file"]),
    ],
)
def test_an_error_is_one_sentence(run: Run, arguments: list[str], words: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("lineage: ")
    assert result.stderr.count("\n") == 1
    for word in words:
        assert word in result.stderr


def test_no_command_is_help(run: Run) -> None:
    result = run()
    assert result.exit_code == 2
    assert result.stderr.startswith("Usage: lineage [OPTIONS] COMMAND")


def test_an_error_cannot_steer_the_terminal(run: Run) -> None:
    assert "\x1b" not in run("heads", "x\x1b[2J.jsonl").stderr
    assert "\x1b" not in run("heads", "-f", "x\x1b[2J", "y").stderr


def test_standard_input(run: Run) -> None:
    text = json_lines(chain("a", "b"))
    assert run("heads", "-f", "ids", "-", input=text).stdout == "b\n"
    assert run("heads", "-f", "ids", input=text).stdout == "b\n"


def test_a_terminal_is_no_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _self: True, raising=False)
    result = run("heads")
    assert result.exit_code == 2
    assert "no INPUT" in result.stderr


def test_nothing_readable(run: Run, jsonl: Jsonl) -> None:
    result = run("heads", jsonl("not json", '{"x": 1}'))
    assert result.exit_code == 2
    assert "memories.jsonl" in result.stderr


def test_strict_stops_at_the_first_unreadable_record(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(robrain("a"), "not json")
    assert run("heads", path).exit_code == 0
    result = run("heads", "--strict", path)
    assert result.exit_code == 2
    assert f"{path}:2: " in result.stderr


def test_verbose_names_what_was_passed_over(run: Run, jsonl: Jsonl) -> None:
    post = {
        "uri": uri("p").replace(COLLECTION, "app.bsky.feed.post"),
        "cid": "c",
        "value": {"$type": "app.bsky.feed.post"},
    }
    path = jsonl(robrain("a"), post)
    assert run("heads", path).stderr == ""
    shown = run("heads", "-v", path).stderr
    assert shown.startswith(f"lineage: {path}: ")
    assert "app.bsky.feed.post" in shown


def test_as_of(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(*chain("a", "b", "c"))
    assert run("heads", "-f", "ids", "--as-of", "2026-01-02T12:00:00Z", path).stdout == "b\n"
    result = run("heads", "--as-of", "yesterday", path)
    assert result.exit_code == 2
    assert "yesterday" in result.stderr


def test_version(run: Run) -> None:
    assert run("--version").stdout == run("check", "--version").stdout == "lineage 0.1.0\n"


def test_settings_give_options_and_the_command_line_wins(run: Run, jsonl: Jsonl, tmp_path: Path) -> None:
    path = jsonl(*chain("a", "b", "c"))
    (tmp_path / "lineage.toml").write_text('as-of = "2026-01-01T12:00:00Z"', encoding="utf-8")
    assert run("heads", "-f", "ids", path).stdout == "a\n"
    assert run("heads", "-f", "ids", "--as-of", "2026-02-01", path).stdout == "c\n"
    (tmp_path / "other.toml").write_text("as-of = 2026-01-02T12:00:00", encoding="utf-8")
    assert run("heads", "-f", "ids", "--config", "other.toml", path).stdout == "b\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ignore = 'LIN7'", ["lineage.toml: ignore: 'LIN7' is no rule"]),
        ("from = 'mindrr'", ["lineage.toml: from: 'mindrr' is no format", "'mindr'"]),
        ("severity = {LIN13 = 'error'}", ["lineage.toml: severity: no rule 'LIN13'", "'LIN103'"]),
        ("thresholds = {LIN23 = 1}", ["lineage.toml: thresholds: no rule 'LIN23'", "'LIN203'"]),
        ("thresholds = {LIN103 = 1}", ["lineage.toml: thresholds: LIN103 has none", "'LIN503'"]),
        ("ignore = 'LIN13:a*'", ["lineage.toml: ignore: 'LIN13' is no rule"]),
        ("select = 'LIN13'", ["lineage.toml: select: 'LIN13' is no rule"]),
        ("fail-on = 'eror'", ["lineage.toml: fail-on: 'eror' is no rule", "'error'"]),
        ("as-of = 'yesterday'", ["lineage.toml: as-of: 'yesterday' is no date or time"]),
        ("baseline = 'none.json'", ["none.json: No such file"]),
        ("inputs = 3", ["lineage.toml: 'inputs' must be"]),
        ("[check]\nformat = 'html'", ["lineage.toml: format: 'html' is no format"]),
        ("lmit = 3", ["lineage.toml: unknown key 'lmit'", "'limit'"]),
    ],
)
def test_settings_that_cannot_be_used(run: Run, jsonl: Jsonl, tmp_path: Path, text: str, words: list[str]) -> None:
    (tmp_path / "lineage.toml").write_text(text, encoding="utf-8")
    result = run("check", jsonl(robrain("a")))
    assert result.exit_code == 2
    for word in words:
        assert word in result.stderr


def _completions(line: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    words = line.split(" ")
    monkeypatch.setitem(os.environ, "COMP_WORDS", line)
    monkeypatch.setitem(os.environ, "COMP_CWORD", str(len(words) - 1))
    answer = BashComplete(main, {}, "lineage", "_LINEAGE_COMPLETE").complete()
    return [item.partition(",")[2] for item in answer.split("\n") if item]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("lineage ch", ["check"]),
        ("lineage rules LIN10", ["LIN101", "LIN102"]),
        ("lineage check --select LIN101,LIN2", ["LIN101,LIN201"]),
        ("lineage check --fail-on w", ["warning"]),
        ("lineage report -f h", ["html"]),
        ("lineage heads --from rob", ["robrain"]),
        ("lineage convert --to at", ["atproto"]),
        ("lineage list --status cy", ["cyclic"]),
    ],
)
def test_completion(line: str, wanted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(wanted) <= set(_completions(line, monkeypatch))
