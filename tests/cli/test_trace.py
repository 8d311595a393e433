"""`lineage trace`: the tree of one lineage."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from lineage.text import cells
from tests.cli.conftest import Run
from tests.records import atproto, chain, mindr, reversal, robrain, uri, when

Jsonl = Callable[..., Path]


def _tree(run: Run, id: str, path: Path) -> list[str]:
    result = run("trace", id, path)
    assert result.exit_code == 0, result.stderr
    return result.stdout.splitlines()


def test_a_chain(run: Run, jsonl: Jsonl) -> None:
    lines = _tree(run, "b", jsonl(*chain("a", "b", "c"), robrain("other")))
    assert lines[0] == "Lineage a: 3 memories, 1 live"
    assert [line.split()[:5] for line in lines[2:5]] == [
        ["┏", "○", "superseded", "2026-01-01", "a"],
        ["┣", "○", "superseded", "2026-01-02", "b"],
        ["┗", "●", "live", "2026-01-03", "c"],
    ]
    assert "asked for" in lines[3]
    assert "asked for" not in lines[2] + lines[4]


def test_a_beginning_of_an_id_will_do(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(robrain("5f3c9a21-aaaa"), robrain("5f3c9a21-bbbb"), robrain("77777777-cccc"))
    assert "77777777-cccc" in run("trace", "77777777", path).stdout
    for wrong in ("5f3c9a21", "77777", "nothing-like-it"):
        result = run("trace", wrong, path)
        assert result.exit_code == 2
        assert wrong in result.stderr


def test_the_path_to_what_is_live_is_drawn_in_heavy_lines(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(
        robrain("root", invalidated_at=when(3)),
        robrain("dead", "root", at=2, invalidated_at=when(4)),
        robrain("retry", "dead", at=4, invalidated_at=when(5)),
        robrain("alive", "root", at=3),
    )
    lines = _tree(run, "root", path)
    begins = ["┏ ○ superseded", "┠─┬ ○ superseded", "┃ └ ⊖ retracted", "┗ ● live"]
    assert [line[: len(begin)] for line, begin in zip(lines[2:], begins, strict=False)] == begins
    assert lines[-1].startswith("━ heavy lines lead")


def test_without_anything_live_no_line_is_heavy(run: Run, jsonl: Jsonl) -> None:
    text = "\n".join(_tree(run, "a", jsonl(robrain("a", "c"), robrain("b", "a", at=2), robrain("c", "b", at=3))))
    assert not set("┏┣┗━┃┠┡") & set(text)
    assert "heavy" not in text


def test_markers_missing_memories_and_void_links(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(
        mindr("taken"), reversal("back", "taken"), robrain("cut", "nowhere"), robrain("fine", at=2, supersedes="cut")
    )
    text = "\n".join(_tree(run, "taken", path))
    assert "marker" in text
    assert "(reverses it)" in text
    assert "1 marker" in text
    text = "\n".join(_tree(run, "cut", path))
    assert "missing" in text
    assert "(without effect: dangling)" in text
    assert "nowhere" in text


def test_circles_and_merges_are_drawn_once(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(robrain("a", "c"), robrain("b", "a", at=2), robrain("c", "b", at=3))
    lines = _tree(run, "a", path)
    assert sum("▲ cyclic " in line for line in lines) == 3
    assert sum("replaced this too, see above: the circle closes" in line for line in lines) == 1
    path = jsonl(atproto("x"), atproto("y", at=2), atproto("m", ["x", "y"], at=3), name="merge.jsonl")
    lines = _tree(run, uri("m"), path)
    assert sum("live" in line.split()[:4] for line in lines) == 1
    assert sum(line.startswith("┗╍╍ ● ") and line.endswith("replaced this too, see above") for line in lines) == 1


def test_a_memory_that_names_itself(run: Run, jsonl: Jsonl) -> None:
    lines = _tree(run, "a", jsonl(robrain("a", "a")))
    assert any("a supersedes a (without effect: self)" in line for line in lines)


def test_a_lineage_of_twenty_thousand(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(*(robrain(f"n{number:05}", f"n{number - 1:05}" if number else None) for number in range(20_000)))
    lines = _tree(run, "n10000", path)
    assert len(lines) > 20_000
    assert max(map(len, lines)) < 200


def test_hostile_text(run: Run, jsonl: Jsonl) -> None:
    text = run("trace", "a", jsonl(robrain("a", decision="\x1b[2J\u202e\nx"))).stdout
    assert not {"\x1b", "\u202e"} & set(text)


@pytest.mark.parametrize("across", [80, 100, 160])
def test_every_line_fits_into_the_terminal(
    run: Run, jsonl: Jsonl, monkeypatch: pytest.MonkeyPatch, across: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(across))
    wide = "決定事項を記録する " * 20
    path = jsonl(
        *(atproto(f"3mqbxqqevf2{n}r", [f"3mqbxqqevf2{n - 1}r"] if n else [], at=1 + n, content=wide) for n in range(4)),
        atproto("3mqbxqqevf29r", ["3mqbxqqevf21r"], at=9, content="W" * 900),
    )
    for line in _tree(run, uri("3mqbxqqevf21r"), path):
        assert cells(line) <= across


def test_json_tells_nodes_links_and_the_path(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(*chain("a", "b", "c"), robrain("rival", "a", at=4, invalidated_at=when(5)), robrain("other"))
    told = json.loads(run("trace", "b", path, "-f", "json").stdout)
    assert list(told) == ["lineage", "asked", "path", "memories", "links"]
    assert (told["lineage"], told["asked"], told["path"]) == ("a", "b", ["a", "b", "c"])
    assert [row["id"] for row in told["memories"]] == ["a", "b", "c", "rival"]
    assert {(link["source"], link["kind"], link["target"], link["void"]) for link in told["links"]} == {
        ("b", "supersedes", "a", None),
        ("c", "supersedes", "b", None),
        ("rival", "supersedes", "a", "retracted-source"),
    }


@pytest.mark.parametrize(
    ("format", "begins"),
    [("svg", b"<?xml"), ("dot", b"digraph"), ("mermaid", b"---"), ("json", b"{"), ("text", b"Lin")],
)
def test_it_can_be_drawn_too(run: Run, jsonl: Jsonl, tmp_path: Path, format: str, begins: bytes) -> None:
    path, file = jsonl(*chain("a", "b")), tmp_path / "out"
    shown = run("trace", "a", path, "-f", format)
    written = run("trace", "a", path, "-f", format, "-o", file)
    assert (shown.exit_code, written.exit_code, written.stdout) == (0, 0, "")
    assert shown.stdout_bytes.startswith(begins)
    assert file.read_bytes() == shown.stdout_bytes


def test_it_is_never_written_over_an_input(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(*chain("a", "b"))
    before = path.read_bytes()
    assert run("trace", "a", path, "-f", "svg", "-o", path).exit_code == 2
    assert path.read_bytes() == before
