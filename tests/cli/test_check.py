"""`lineage check`: the findings, and the exit code they lead to."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.records import chain, robrain

Jsonl = Callable[..., Path]


@pytest.fixture
def broken(jsonl: Jsonl) -> Path:
    """An error (LIN102), a warning (LIN103) and an info (LIN301) at least."""
    return jsonl(robrain("selfish", "selfish"), robrain("cut-off", "nowhere"))


@pytest.mark.parametrize(
    ("fail_on", "code"),
    [
        (None, 1),
        ("error", 1),
        ("warning", 1),
        ("info", 1),
        ("never", 0),
        ("LIN103", 1),
        ("lin1", 1),
        ("LIN101", 0),
        ("LIN101,LIN103", 1),
    ],
)
def test_fail_on(run: Run, broken: Path, fail_on: str | None, code: int) -> None:
    assert run("check", *(["--fail-on", fail_on] if fail_on else []), broken).exit_code == code


def test_a_warning_is_no_error(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(robrain("cut-off", "nowhere"))
    assert run("check", path).exit_code == 0
    assert run("check", "--fail-on", "warning", path).exit_code == 1


def test_the_findings_are_told(run: Run, broken: Path) -> None:
    result = run("check", broken)
    for word in ("LIN102", "LIN103", "selfish", "cut-off", "nowhere"):
        assert word in result.stdout
    assert result.stderr == ""


def test_select_and_ignore(run: Run, broken: Path) -> None:
    def rules(*options: str) -> set[str]:
        report = json.loads(run("check", "-f", "json", *options, broken).stdout)
        return {finding["rule"] for finding in report["findings"]}

    assert {"LIN102", "LIN103", "LIN301"} <= rules()
    assert rules("--select", "LIN102") == {"LIN102"}
    assert rules("--select", "LIN1", "--ignore", "LIN102") == {"LIN103"}
    assert "LIN301" not in rules("--ignore", "LIN3")


def test_settings_change_severities(run: Run, broken: Path, tmp_path: Path) -> None:
    (tmp_path / "lineage.toml").write_text('severity = {LIN102 = "off", LIN103 = "info"}', encoding="utf-8")
    assert run("check", broken).exit_code == 0
    report = json.loads(run("check", "-f", "json", broken).stdout)
    assert {finding["severity"] for finding in report["findings"] if finding["rule"] == "LIN103"} == {"info"}
    assert not [finding for finding in report["findings"] if finding["rule"] == "LIN102"]


def test_nothing_is_found(run: Run, jsonl: Jsonl) -> None:
    result = run("check", "--select", "LIN1", jsonl(*chain("a", "b")))
    assert result.exit_code == 0
    assert result.stdout


def test_quiet_leaves_the_exit_code(run: Run, broken: Path) -> None:
    result = run("check", "-q", broken)
    assert (result.exit_code, result.output) == (1, "")
