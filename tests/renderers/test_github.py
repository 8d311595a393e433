"""Workflow commands, read as GitHub's runner reads a log."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import pytest

from lineage.model import Severity
from lineage.renderers.github import RENDERER
from lineage.reporting.model import Finding, Location, Report
from tests.cli.conftest import Run
from tests.records import robrain, write_jsonl

from . import reports


@dataclass(frozen=True)
class Command:
    name: str
    properties: dict[str, str]
    message: str


def unescaped(text: str, *more: tuple[str, str]) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), *more, ("%25", "%")):
        text = text.replace(code, character)
    return text


def command_of(line: str) -> Command:
    """One line of a log as the runner parses it: up to the second `::`, then at commas, then at the first `=`."""
    assert line.startswith("::")
    head, _, message = line[2:].partition("::")
    name, _, listed = head.partition(" ")
    pairs = [pair.partition("=")[::2] for pair in listed.split(",")]
    properties = {key: unescaped(value, ("%3A", ":"), ("%2C", ",")) for key, value in pairs}
    return Command(name, properties, unescaped(message))


def commands(report: Report) -> list[Command]:
    rendered = RENDERER.render(report).decode()
    assert rendered == "" or rendered.endswith("\n")
    return [command_of(line) for line in rendered.split("\n")[:-1]]


def single(**changes: object) -> Command:
    """The command for one error."""
    finding = msgspec.structs.replace(reports.interesting().findings[0], **changes)
    summary = replace(reports.NOTHING, findings={"error": 1, "warning": 0, "info": 0})
    (command,) = commands(replace(reports.interesting(), findings=[finding], summary=summary))
    return command


def numbered(errors: int, warnings: int, notes: int) -> Report:
    """A report with so many findings of each severity, the numbers being their messages."""
    counts = {"error": errors, "warning": warnings, "info": notes}
    found = [
        Finding("LIN101", "a-rule", str(level), f"{level} {number}", [], None, [Location("a.jsonl", 1)])
        for level in Severity
        for number in range(counts[level])
    ]
    return replace(reports.interesting(), findings=found, summary=replace(reports.NOTHING, findings=counts))


def test_a_finding_is_a_command() -> None:
    shown = commands(reports.interesting())
    assert [command.name for command in shown[:6]] == ["error"] * 3 + ["warning"] * 3
    assert shown[1] == Command(
        "error",
        {"file": "exports/payments.jsonl", "line": "3", "title": "LIN201 stale-live"},
        "'L103' calls itself live, but 'L401' has superseded it\nSet `invalidated_at` of 'L103' to the time of 'L401'.",
    )


@pytest.mark.parametrize(
    "path", ["a:b,c=d.jsonl", "100%.jsonl", "we ird.jsonl", "../x/y.jsonl", "%3A.jsonl", "a::b.jsonl", "日本.jsonl"]
)
def test_a_path_comes_through(path: str) -> None:
    assert single(locations=[Location(path, 7)]).properties == {
        "file": path,
        "line": "7",
        "title": "LIN101 supersession-cycle",
    }


def test_what_is_not_known_is_not_said() -> None:
    assert list(single(locations=[Location("a.jsonl", None)]).properties) == ["file", "title"]
    assert list(single(locations=[Location("-", 3)]).properties) == ["title"]
    assert list(single(locations=[]).properties) == ["title"]
    assert single(locations=[Location("-", 3), Location("./a.jsonl", 4)]).properties["file"] == "a.jsonl"


def test_nothing_in_a_text_starts_a_command() -> None:
    rendered = RENDERER.render(reports.hostile()).decode()
    for line in rendered.split("\n")[:-1]:
        assert re.fullmatch(r"::(error|warning|notice) (file=[^,:]*,line=1,)?title=[^,:]*::[^\r\n]*", line)
        assert "##[" not in line
        assert line.isprintable() or "\u200d" in line
    assert "set-output" not in rendered
    assert "\n::error::from a log" not in rendered
    assert "%0A::" not in rendered


@pytest.mark.parametrize(
    ("counts", "shown", "last"),
    [
        ((0, 0, 0), [0, 0, 0], None),
        ((10, 10, 10), [10, 10, 10], None),
        ((11, 0, 0), [10, 0, 0], "1 error more"),
        ((11, 1, 9), [10, 1, 9], "1 error more"),
        ((11, 1, 10), [10, 1, 9], "1 error, 1 note more"),
        ((0, 2_000, 12), [0, 10, 9], "1,990 warnings, 3 notes more"),
    ],
)
def test_no_more_is_said_than_github_shows(counts: tuple[int, int, int], shown: list[int], last: str | None) -> None:
    made = commands(numbered(*counts))
    told = [command for command in made if command.properties["title"] != "lineage"]
    assert [sum(command.name == name for command in told) for name in ("error", "warning", "notice")] == shown
    assert [command.message for command in told] == [
        f"{level} {number}" for level, count in zip(Severity, shown, strict=True) for number in range(count)
    ]
    assert sum(command.name == "notice" for command in made) <= 10
    assert [command.message for command in made if command not in told] == (
        [f"{last}; `lineage check` lists them."] if last else []
    )
    if last:
        assert made[-1].name == "notice"


def test_check_writes_it_and_report_does_not(run: Run, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "memories.jsonl", [robrain("a", "a"), robrain("b", "gone")])
    result = run("check", "-f", "github", path)
    assert result.exit_code == 1
    first = command_of(result.stdout.split("\n")[0])
    assert (first.name, first.properties["file"], first.properties["line"]) == ("error", str(path), "1")
    assert run("check", "-f", "github", "--select", "LIN2", path).stdout == ""
    refused = run("report", "-f", "github", path)
    assert refused.exit_code == 2
    assert "'github' is no format" in refused.stderr


def test_each_command_has_the_formats_of_its_own(run: Run) -> None:
    assert "text|json|sarif|junit|github" in run("check", "--help").stdout
    offered = re.search(r"--format ([a-z|]+)", run("report", "--help").stdout)
    assert offered
    assert {"html", "json", "markdown", "sarif", "junit"} <= set(offered[1].split("|"))
    assert not {"github", "text"} & set(offered[1].split("|"))
