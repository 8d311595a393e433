"""`lineage report`: where the file goes, what goes to which stream, and the exit code."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from lineage.cli.report import stem
from tests.cli.conftest import Run
from tests.records import chain, json_lines, robrain

Jsonl = Callable[..., Path]


@pytest.fixture
def memories(jsonl: Jsonl) -> Path:
    return jsonl(*chain("a", "b", "c"))


def test_the_report_is_html_in_its_own_folder(run: Run, memories: Path, tmp_path: Path) -> None:
    result = run("report", memories)
    assert result.exit_code == 0
    assert (tmp_path / "reports/memories.html").read_bytes().lower().startswith(b"<!doctype html>")
    assert "reports/memories.html" in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("memories.jsonl", "memories"),
        ("a/b/memories.jsonl.gz", "memories"),
        ("team.v2.json.zst", "team.v2"),
        ("memories.xz", "memories"),
        ("-", "stdin"),
        (".jsonl", "jsonl"),
        ("memories", "memories"),
    ],
)
def test_the_stem_of_a_file(name: str, wanted: str) -> None:
    assert stem(name) == wanted


def test_the_stem_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.b/.mindr").mkdir(parents=True)
    assert stem(f"{tmp_path}/a.b/") == "a.b"
    assert stem(f"{tmp_path}/a.b/.mindr") == "mindr"
    assert stem("/") == "report"
    monkeypatch.chdir(tmp_path / "a.b")
    assert stem(".") == "a.b"
    assert stem(".mindr/..") == "a.b"


def test_a_glob_is_named_after_its_first_file(run: Run, memories: Path, tmp_path: Path) -> None:
    run("report", "mem*.jsonl")
    assert (tmp_path / "reports/memories.html").is_file()


def test_several_formats(run: Run, memories: Path, tmp_path: Path) -> None:
    result = run("report", "-f", "json", "-f", "markdown", "-f", "json", "-o", "out/", memories)
    assert result.exit_code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["memories.json", "memories.md"]


def test_the_ending_of_the_output_says_the_format(run: Run, memories: Path, tmp_path: Path) -> None:
    run("report", "-o", "x.json", memories)
    assert json.loads((tmp_path / "x.json").read_bytes())["schema"] == "lineage-report/v1"
    run("report", "-o", "x.unknown", memories)
    assert (tmp_path / "x.unknown").read_bytes().lower().startswith(b"<!doctype html>")


def test_to_standard_output(run: Run, memories: Path, tmp_path: Path) -> None:
    result = run("report", "-f", "json", "-o", "-", memories)
    assert json.loads(result.stdout)["summary"]["memories"] == 3
    assert "3" in result.stderr
    assert not (tmp_path / "reports").exists()


def test_quiet_says_nothing(run: Run, memories: Path) -> None:
    assert run("report", "-q", memories).output == ""
    assert run("report", "-q", "-f", "json", "-o", "-", memories).stderr == ""


@pytest.mark.parametrize("output", ["-", "x.html", "reports.d"])
def test_several_formats_do_not_go_into_one_place(run: Run, memories: Path, output: str) -> None:
    result = run("report", "-f", "json", "-f", "html", "-o", output, memories)
    assert result.exit_code == 2
    assert "several formats" in result.stderr


def test_an_input_is_never_overwritten(run: Run, memories: Path, tmp_path: Path) -> None:
    before = memories.read_bytes()
    assert run("report", "-o", memories, memories).exit_code == 2
    assert run("report", "-f", "json", "-o", memories, tmp_path).exit_code == 2
    assert run("report", "-f", "json", "-o", memories, "*.jsonl").exit_code == 2
    assert memories.read_bytes() == before


def test_the_exit_code_is_0_unless_asked_otherwise(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(robrain("a", "a"))
    assert run("report", path).exit_code == 0
    assert run("report", "--fail-on", "error", path).exit_code == 1
    assert run("report", "--fail-on", "never", path).exit_code == 0
    assert run("report", "--fail-on", "error", "--ignore", "LIN102", path).exit_code == 0


def test_strict_writes_no_report(run: Run, jsonl: Jsonl, tmp_path: Path) -> None:
    assert run("report", "--strict", jsonl(robrain("a"), "{")).exit_code == 2
    assert not (tmp_path / "reports").exists()


def test_title_and_settings(run: Run, memories: Path, tmp_path: Path) -> None:
    (tmp_path / "lineage.toml").write_text('title = "Ours"\n[report]\nformat = "markdown"\noutput = "docs/"')
    run("report", memories)
    assert "Ours" in (tmp_path / "docs/memories.md").read_text(encoding="utf-8")
    run("report", "--title", "Theirs", memories)
    assert "Theirs" in (tmp_path / "docs/memories.md").read_text(encoding="utf-8")


def test_two_runs_differ_only_in_their_time(run: Run, memories: Path) -> None:
    first, second = (json.loads(run("report", "-f", "json", "-o", "-", memories).stdout) for _ in range(2))
    assert {**first, "generated_at": ""} == {**second, "generated_at": ""}
    assert list(first) == list(second)


def test_limit(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(*(robrain(str(number)) for number in range(5)))
    report = json.loads(run("report", "-f", "json", "-o", "-", "--limit", 2, path).stdout)
    assert len(report["live_heads"]) == 2
    assert report["truncated"]["live_heads"] == 3
    assert json.loads(run("report", "-f", "json", "-o", "-", "--limit", 0, path).stdout)["truncated"] == {}


def test_standard_input_is_called_stdin(run: Run, tmp_path: Path) -> None:
    run("report", "-", input=json_lines(chain("a", "b")))
    assert (tmp_path / "reports/stdin.html").is_file()


def test_every_ascii_name_of_an_input_gives_a_file_name(run: Run, tmp_path: Path, jsonl: Jsonl) -> None:
    run("report", jsonl(robrain("a"), name="we ird[1]*?.jsonl"))
    assert (tmp_path / "reports/we ird[1]*?.html").is_file()
