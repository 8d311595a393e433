"""`lineage convert`, `formats` and `rules`."""

import json
from collections.abc import Callable
from pathlib import Path

from lineage.discovery import readers, renderers, rules
from tests.cli.conftest import Run
from tests.records import chain, mindr, reversal, write_jsonl

Jsonl = Callable[..., Path]


def test_a_record_comes_back_as_it_was(run: Run, jsonl: Jsonl) -> None:
    records = chain("a", "b")
    result = run("convert", jsonl(*records), "--to", "robrain")
    assert [json.loads(line) for line in result.stdout.splitlines()] == records


def test_into_a_file_and_back(run: Run, jsonl: Jsonl, tmp_path: Path) -> None:
    path = jsonl(*chain("a", "b", "c"))
    assert run("convert", path, "--to", "lineage", "-o", "out/all.jsonl").exit_code == 0
    direct, again = (run("list", "-f", "jsonl", name).stdout for name in (path, tmp_path / "out/all.jsonl"))
    status = [{row["id"]: row["status"] for row in map(json.loads, text.splitlines())} for text in (direct, again)]
    assert status[0] == status[1] == {"a": "superseded", "b": "superseded", "c": "live"}


def test_an_input_is_never_overwritten(run: Run, jsonl: Jsonl, tmp_path: Path) -> None:
    path = jsonl(*chain("a", "b"))
    before = path.read_bytes()
    assert run("convert", path, "--to", "lineage", "-o", path).exit_code == 2
    assert run("convert", tmp_path, "--to", "lineage", "-o", path).exit_code == 2
    assert path.read_bytes() == before


def test_formats_names_them_all(run: Run) -> None:
    shown = run("formats").stdout
    for name in (*readers(), *renderers()):
        assert f"  {name} " in shown


def test_rules_are_listed(run: Run) -> None:
    lines = run("rules").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(rules())


def test_a_rule_has_a_page(run: Run) -> None:
    for words in (("LIN103",), ("lin103",), ("orphan",)):
        page = run("rules", *words).stdout
        assert page.startswith("LIN103 orphan (warning)\n")
        assert "Example:" in page
    for code in rules():
        assert run("rules", code).exit_code == 0


def test_what_another_format_cannot_say_is_counted(run: Run, tmp_path: Path) -> None:
    path = write_jsonl(
        tmp_path / "m.jsonl", [*chain("a", "b"), mindr("d"), reversal("m", "d"), mindr("l", type="context")]
    )
    result = run("convert", path, "--to", "robrain")
    assert {json.loads(line)["id"] for line in result.stdout.splitlines()} == {"a", "b", "d"}
    assert "1 marker, 1 log, 1 memory no longer in effect" in result.stderr
    kept = run("convert", path, "--to", "lineage")
    assert len(kept.stdout.splitlines()) == 5
    assert kept.stderr == ""


def test_what_could_not_be_read_is_mentioned(run: Run, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "m.jsonl", [*chain("a", "b"), "broken"])
    for command in ("heads", "list", "trace"):
        words = ["b"] if command == "trace" else []
        assert f"could not read 1 record at {path}:3" in run(command, *words, path).stderr
        assert run(command, "-q", *words, path).stderr == ""
