"""`lineage explain`: what holds of a file, what that replaced, and what was turned down."""

import json
from collections.abc import Callable
from pathlib import Path

import lineage
from tests.cli.conftest import Run
from tests.graphs import graph_of, memory
from tests.records import write_jsonl

NPM = [{"option": "npm", "reason": "slow"}]


def records() -> list[dict[str, object]]:
    return [
        memory("old", [], at=1, files=["src/build.py"], text="Use npm"),
        memory("mid", ["old"], at=2, text="Use yarn", rejected=NPM),
        memory("new", ["mid"], at=3, files=["src/build.py", "README.md"], text="Use pnpm", rationale="It is fast"),
        memory("lone", [], at=4, files=["src/build.py"], text="Pin versions", declared="ended"),
        memory("other", [], at=5, files=["src/rebuild.py"], text="Rebuild nightly"),
    ]


def test_what_holds_comes_with_what_it_replaced(run: Run, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "m.jsonl", records())
    shown = run("explain", "src/build.py", path).stdout
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert lines[0] == "1 in effect touches src/build.py"
    assert lines[2] == "live 2026-01-03 new Use pnpm"
    assert "because It is fast" in lines
    assert "replaced superseded 2026-01-02 mid Use yarn" in lines
    assert "not npm: slow" in lines
    assert "replaced superseded 2026-01-01 old Use npm" in lines
    assert lines[-1] == "retracted 2026-01-04 lone Pin versions"
    assert "Rebuild" not in shown


def test_the_end_of_a_path_and_a_folder_will_do() -> None:
    graph = graph_of(*records())
    assert [reason.id for reason in graph.explain("build.py").in_effect] == ["new"]
    assert [reason.id for reason in graph.explain("src").in_effect] == ["other", "new"]
    assert graph.explain("uild.py").in_effect == []


def test_json(run: Run, tmp_path: Path) -> None:
    found = json.loads(run("explain", "build.py", write_jsonl(tmp_path / "m.jsonl", records()), "-f", "json").stdout)
    assert [reason["id"] for reason in found["in_effect"][0]["replaced"]] == ["mid", "old"]
    assert found["past"][0]["status"] == "retracted"


def test_nothing_is_said_in_a_sentence(run: Run, tmp_path: Path) -> None:
    result = run("explain", "nowhere.py", write_jsonl(tmp_path / "m.jsonl", records()))
    assert (result.exit_code, result.stdout) == (0, "nothing in effect touches nowhere.py\n")


def test_a_circle_and_a_long_chain_end(run: Run, tmp_path: Path) -> None:
    rows = [memory(f"m{n}", [f"m{n - 1}"] if n else ["m9"], at=1, files=["a.py"]) for n in range(10)]
    rows += [memory(f"c{n}", [f"c{n - 1}"] if n else [], at=1, files=["b.py"]) for n in range(3_000)]
    path = write_jsonl(tmp_path / "m.jsonl", rows)
    assert run("explain", "a.py", path).stdout.startswith("nothing in effect touches a.py")
    shown = run("explain", "b.py", path).stdout
    assert "and 2,987 before: lineage trace c2999" in shown


def test_hostile_texts_steer_nothing(run: Run, tmp_path: Path, jsonl: Callable[..., Path]) -> None:
    text = "\x1b[2J::error::\n::error::x"
    rows = [memory("a", [], text=text, rationale=text, files=["a.py"], rejected=[{"option": text, "reason": text}])]
    shown = run("explain", "a.py", write_jsonl(tmp_path / "m.jsonl", rows)).stdout
    assert "\x1b" not in shown
    assert not any(line.lstrip().startswith("::") for line in shown.splitlines())
    assert lineage.__version__
