"""`lineage heads` and `lineage list`: what is listed, in which order and form."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.records import chain, mindr, resolution, reversal, robrain, when

Jsonl = Callable[..., Path]

HEAD_KEYS = "id text kind scope created_at files lineage depth replaces source line".split()
LIST_KEYS = (
    "id status role kind text scope created_at lineage generation "
    "superseded_by supersedes reversed_by resolved_by source line"
).split()


@pytest.fixture
def memories(jsonl: Jsonl) -> Path:
    return jsonl(
        *chain("a", "b", "c"),
        robrain("lone", at=9, scope="user", files_affected=["src/billing/invoice.py"]),
        robrain("thrown", at=5, invalidated_at=when(6)),
        mindr("taken", at=7, tags={"module": "api"}),
        reversal("back", "taken", at=8),
        mindr("owed", type="debt", at=7),
        resolution("paid", "owed", at=8),
    )


def _ids(run: Run, *arguments: object) -> list[str]:
    result = run(*arguments, "-f", "ids")
    assert result.exit_code == 0, result.stderr
    return result.stdout.split()


def test_heads_are_the_live_ones_newest_first(run: Run, memories: Path) -> None:
    assert _ids(run, "heads", memories) == ["lone", "c"]


def test_heads_as_json_lines(run: Run, memories: Path) -> None:
    rows = [json.loads(line) for line in run("heads", "-f", "jsonl", memories).stdout.splitlines()]
    assert [list(row) for row in rows] == [HEAD_KEYS] * 2
    assert rows[1]["depth"] == 2
    assert rows[1]["replaces"] == ["b"]
    assert rows[1]["lineage"] == "a"
    assert rows[1]["line"] == 3


def test_heads_as_csv(run: Run, memories: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("heads", "-f", "csv", memories).stdout)))
    assert list(rows[0]) == HEAD_KEYS
    assert [row["id"] for row in rows] == ["lone", "c"]
    assert rows[0]["files"] == "src/billing/invoice.py"


def test_heads_as_a_table(run: Run, memories: Path) -> None:
    lines = run("heads", memories).stdout.splitlines()
    assert lines[0].split() == ["CREATED", "KIND", "DEPTH", "ID", "TEXT"]
    assert lines[2].split() == ["2026-01-03", "decision", "2", "c", "Decide", "c"]


def test_list_as_json_lines(run: Run, memories: Path) -> None:
    rows = [json.loads(line) for line in run("list", "-f", "jsonl", memories).stdout.splitlines()]
    assert [list(row) for row in rows] == [LIST_KEYS] * 7
    assert {row["id"]: row["status"] for row in rows} == {
        "a": "superseded",
        "b": "superseded",
        "c": "live",
        "lone": "live",
        "thrown": "retracted",
        "taken": "reversed",
        "owed": "resolved",
    }
    by_id = {row["id"]: row for row in rows}
    assert by_id["b"]["superseded_by"] == ["c"]
    assert by_id["b"]["supersedes"] == ["a"]
    assert by_id["taken"]["reversed_by"] == ["back"]
    assert by_id["owed"]["resolved_by"] == ["paid"]


def test_all_roles(run: Run, memories: Path) -> None:
    rows = [json.loads(line) for line in run("list", "-f", "jsonl", "--all-roles", memories).stdout.splitlines()]
    assert {row["id"]: row["status"] for row in rows if row["role"] == "marker"} == {"back": None, "paid": None}


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        (["--status", "live"], {"lone", "c"}),
        (["--status", "reversed,resolved", "--status", "retracted"], {"taken", "owed", "thrown"}),
        (["--kind", "debt"], {"owed"}),
        (["--scope", "user"], {"lone"}),
        (["--module", "api"], {"taken"}),
        (["--touching", "src/billing/invoice.py"], {"lone"}),
        (["--touching", "src/billing"], {"lone"}),
        (["--since", "2026-01-07", "--kind", "decision"], {"lone", "taken"}),
        (["--until", "2026-01-02"], {"a"}),
        (["--status", "live", "--scope", "team"], {"c"}),
        (["--status", "cyclic"], set()),
    ],
)
def test_filters(run: Run, memories: Path, options: list[str], wanted: set[str]) -> None:
    assert set(_ids(run, "list", *options, memories)) == wanted


@pytest.mark.parametrize(
    ("order", "wanted"),
    [
        ("created", ["a", "b", "c", "thrown", "lone"]),
        ("-created", ["lone", "thrown", "c", "b", "a"]),
        ("id", ["a", "b", "c", "lone", "thrown"]),
    ],
)
def test_orders(run: Run, memories: Path, order: str, wanted: list[str]) -> None:
    shown = _ids(run, "list", "--sort", order, "--from", "robrain", memories)
    assert [id for id in shown if id in wanted] == wanted


def test_the_newest_first_is_the_usual_order(run: Run, memories: Path) -> None:
    assert _ids(run, "list", memories) == _ids(run, "list", "--sort", "-created", memories)


def test_hostile_text_is_shown_as_codes(run: Run, jsonl: Jsonl) -> None:
    hostile = "\x1b[2J\u202eevil\u009b1m\nnext"
    path = jsonl(robrain("a\x1b[31m\nb", decision=hostile), robrain("formula", decision="=cmd|' /C calc'!A0"))
    for name in ("table", "ids", "jsonl"):
        shown = run("list", "-f", name, path).stdout
        assert not {"\x1b", "\u202e", "\u009b"} & set(shown)
        assert len(shown.splitlines()) == (3 if name == "table" else 2)
    rows = [json.loads(line) for line in run("list", "-f", "jsonl", path).stdout.splitlines()]
    assert hostile in {row["text"] for row in rows}
    cells = {row["text"] for row in csv.DictReader(io.StringIO(run("list", "-f", "csv", path).stdout))}
    assert "'=cmd|' /C calc'!A0" in cells


def test_a_table_fits_the_terminal(run: Run, jsonl: Jsonl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "90")
    path = jsonl(robrain("x" * 60, decision="word " * 50), robrain("宽", decision="宽" * 80))
    lines = run("list", path).stdout.splitlines()
    assert max(map(len, lines)) <= 90
    assert "…" in lines[1]
