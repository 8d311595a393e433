"""`lineage trace`: the tree of one lineage."""

from collections.abc import Callable
from pathlib import Path

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
        ["┌", "●", "superseded", "2026-01-01", "a"],
        ["├", "●", "superseded", "2026-01-02", "b"],
        ["└", "●", "live", "2026-01-03", "c"],
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


def test_a_dead_branch_is_not_on_the_way(run: Run, jsonl: Jsonl) -> None:
    path = jsonl(
        robrain("root", invalidated_at=when(3)),
        robrain("dead", "root", at=2, invalidated_at=when(4)),
        robrain("retry", "dead", at=4, invalidated_at=when(5)),
        robrain("alive", "root", at=3),
    )
    marks = {line.split("●")[-1].split("○")[-1].split()[2]: "●" in line for line in _tree(run, "root", path)[2:6]}
    assert marks == {"root": True, "alive": True, "dead": False, "retry": False}


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
    assert sum("cyclic" in line for line in lines) == 3
    assert sum("stands elsewhere" in line for line in lines) == 1
    path = jsonl(atproto("x"), atproto("y", at=2), atproto("m", ["x", "y"], at=3), name="merge.jsonl")
    lines = _tree(run, uri("m"), path)
    assert sum("live" in line.split()[:4] for line in lines) == 1
    assert sum("stands elsewhere" in line for line in lines) == 1


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
