"""`lineage draw`: formats, selections, and what may go wrong."""

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run
from tests.records import chain, mindr, reversal, robrain

Jsonl = Callable[..., Path]

BEGINNINGS = {
    "svg": b"<?xml",
    "html": b"<!doctype html>",
    "png": b"\x89PNG",
    "pdf": b"%PDF",
    "dot": b"digraph",
    "mmd": b"---",
    "graphml": b"<?xml",
    "json": b"{",
}


def _ids(svg: str) -> set[str]:
    tree = ElementTree.fromstring(svg)
    told = [group[0].text or "" for group in tree.iter() if "data-key" in group.attrib]
    return {text.rsplit(" · ", 1)[-1] for text in told}


@pytest.mark.parametrize("ending", BEGINNINGS)
def test_the_ending_chooses_the_format(run: Run, jsonl: Jsonl, tmp_path: Path, ending: str) -> None:
    file = tmp_path / "new" / f"out.{ending.upper()}"
    result = run("draw", jsonl(*chain("a", "b")), "-o", file)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"lineage: wrote {file}\n"
    assert file.read_bytes().startswith(BEGINNINGS[ending])


def test_without_a_file_it_goes_where_reports_go(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(*chain("a", "b"), name="team.jsonl.gz".removesuffix(".gz"))
    assert run("draw", path).exit_code == 0
    assert Path("reports/team.svg").is_file()
    assert run("draw", path, "-f", "dot", "-q").stderr == ""
    assert Path("reports/team.dot").is_file()


def test_standard_output(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(*chain("a", "b"))
    assert _ids(run("draw", path, "-o", "-").stdout) == {"a", "b"}
    assert run("draw", path, "-o", "-", "-f", "mermaid").stdout.startswith("---")


@pytest.mark.parametrize(
    ("options", "left"),
    [
        ([], {"a", "b", "c", "alone", "x", "y", "taken", "back"}),
        (["--lineage", "b"], {"a", "b", "c"}),
        (["--around", "a", "--depth", "0"], {"a", "2026-01-02 to 2026-01-03"}),
        (["--around", "b", "--depth", "1"], {"a", "b", "c"}),
        (["--top", "1"], {"a", "b", "c"}),
        (["--cycles"], {"x", "y"}),
        (["--status", "cyclic,reversed"], {"x", "y", "taken", "back"}),
        (["--status", "live", "--top", "1"], {"a", "b", "c"}),
        (["--kind", "nothing"], set()),
    ],
)
def test_a_drawing_can_be_narrowed(run: Run, jsonl: Jsonl, options: list[str], left: set[str]) -> None:
    path = jsonl(
        *chain("a", "b", "c"),
        robrain("alone"),
        robrain("x", "y"),
        robrain("y", "x"),
        mindr("taken"),
        reversal("back", "taken"),
    )
    result = run("draw", path, "-o", "-", *options)
    assert result.exit_code == 0
    assert _ids(result.stdout) == left
    assert ("the drawing is empty" in result.stderr) == (not left)


def test_what_is_folded_is_said(run: Run, jsonl: Jsonl, tmp_path: Path) -> None:
    path, file = jsonl(*chain(*(f"m{n:03}" for n in range(400)))), tmp_path / "x.svg"
    result = run("draw", path, "-o", file)
    assert "398 superseded memories in unbroken runs are folded into one node" in result.stderr
    assert run("draw", path, "-o", file, "-q").stderr == ""
    assert run("draw", path, "-o", file, "--max-nodes", "0").stderr.count("\n") == 1
    assert len(_ids(file.read_text())) == 400


def test_exports_hold_everything_with_every_column(run: Run, jsonl: Jsonl, tmp_path: Path) -> None:
    path, file = jsonl(*chain(*(f"m{n:03}" for n in range(400)))), tmp_path / "x.json"
    assert run("draw", path, "-o", file).exit_code == 0
    told = json.loads(file.read_bytes())
    assert len(told["nodes"]) == 400
    assert {"id", "text", "status", "lineage", "generation", "files"} <= set(told["nodes"][0])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-o", "x.gif"], ".svg"),
        (["-o", "x"], ".svg"),
        (["-f", "gif"], "gif"),
        (["--lineage", "nobody-there"], "nobody-there"),
        (["--around", "nobody-there"], "nobody-there"),
        (["--lineage", "a", "--around", "a"], "one of them"),
        (["--depth", "2"], "--around"),
        (["--max-nodes", "3"], "10"),
        (["--max-nodes", "-1"], "-1"),
        (["--top", "0"], "0"),
        (["--status", "alive"], "live"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(run: Run, jsonl: Jsonl, options: list[str], said: str) -> None:
    result = run("draw", jsonl(*chain("a", "b")), *options)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert said in result.stderr
    assert not Path("reports").exists()


def test_an_input_is_never_written_over(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(*chain("a", "b"), name="memories.json")
    before = path.read_bytes()
    assert run("draw", path, "-o", path).exit_code == 2
    assert path.read_bytes() == before


def test_a_place_that_cannot_be_written_is_named(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(*chain("a", "b"))
    result = run("draw", path, "-o", path / "x.svg")
    assert result.exit_code == 2
    assert str(path) in result.stderr


def test_an_empty_input_is_no_drawing(run: Run, jsonl: Jsonl) -> None:
    result = run("draw", jsonl(), "-o", "x.svg")
    assert result.exit_code == 2
    assert not Path("x.svg").exists()


def test_what_was_in_effect_then(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(*chain("a", "b", "c"))
    drawn = run("draw", path, "-o", "-", "--as-of", "2026-01-02").stdout
    assert "live · decision · 2026-01-01 · a" in drawn
    assert _ids(drawn) == {"a"}
