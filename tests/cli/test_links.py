"""Links by hand: what the data leaves open is settled by a small file."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lineage
from tests.cli.conftest import Run
from tests.graphs import graph_of
from tests.records import chain, robrain, uri, write_jsonl
from tests.rules.decisions import memory

Jsonl = Callable[..., Path]
CIRCLE = [robrain("a-memory", "c-memory"), robrain("b-memory", "a-memory"), robrain("c-memory", "b-memory")]


@pytest.fixture
def links(tmp_path: Path) -> Callable[..., Path]:
    """`links("a,supersedes,b,why")` writes an overlay."""

    def write(*lines: str, name: str = "links.csv", header: str = "source,kind,target,note") -> Path:
        path = tmp_path / name
        path.write_text("\n".join([*([header] if header else []), *lines]) + "\n", encoding="utf-8")
        return path

    return write


Links = Callable[..., Path]


def statuses(run: Run, *arguments: object) -> dict[str, str]:
    rows = run("list", "-f", "jsonl", *arguments).stdout.splitlines()
    return {row["id"]: row["status"] for row in map(json.loads, rows)}


def test_a_circle_is_settled(run: Run, jsonl: Jsonl, links: Links) -> None:
    path = jsonl(*CIRCLE)
    assert set(statuses(run, path).values()) == {"cyclic"}
    settled = statuses(run, path, "--links", links("a-memory,none,c-memory,the newest holds"))
    assert settled == {"a-memory": "superseded", "b-memory": "superseded", "c-memory": "live"}
    assert run("check", path, "--select", "LIN101").exit_code == 1
    assert run("check", path, "--select", "LIN101", "--links", links("a-memory,NONE,c-memory,")).exit_code == 0


def test_competing_heads_are_settled_and_shown(run: Run, jsonl: Jsonl, links: Links, tmp_path: Path) -> None:
    path = jsonl(robrain("a"), robrain("b", "a"), robrain("c", "a"))
    hand = links("b,supersedes,c,b is what we run")
    assert run("check", path, "--select", "LIN106", "--fail-on", "warning").exit_code == 1
    assert run("check", path, "--select", "LIN106", "--fail-on", "warning", "--links", hand).exit_code == 0
    traced = run("trace", "c", path, "--links", hand).stdout
    assert "by hand (links.csv:2: b is what we run)" in traced
    assert run("draw", path, "--links", hand, "-o", tmp_path / "d.svg").exit_code == 0
    assert "by hand" in (tmp_path / "d.svg").read_text()
    for form, file in (("html", "r.html"), ("markdown", "r.md")):
        assert run("report", path, "--links", hand, "-f", form, "-o", tmp_path / file).exit_code == 0
        assert "1 link by hand" in (tmp_path / file).read_text()
    assert "1 link by hand" in run("report", path.name, "--links", hand).stdout


def test_an_ambiguous_reference_and_a_missing_memory_are_settled() -> None:
    rows = [memory("a", 1), memory("b", 2, {"kind": "supersedes", "target": "a…", "via": "s", "void": "ambiguous"})]
    rows.append(memory("c", 3, "gone"))
    graph = graph_of(*rows)
    assert {item.rule for item in lineage.check(graph, select=["LIN1"])} == {"LIN103", "LIN107"}
    hand = pd.DataFrame(
        [("b", "none", "a…", None), ("b", "supersedes", "a", "this one"), ("c", "none", "gone", None)],
        columns=["source", "kind", "target", "note"],
    )
    text = "\n".join(json.dumps(row) for row in rows).encode()
    settled = lineage.build(lineage.read(_stream(text), links=[hand]))
    assert lineage.check(settled, select=["LIN1"]) == []
    assert list(settled.links["by_hand"]) == [True]
    assert lineage.report(settled).to_dict()["summary"]["ghosts"] == 0


def _stream(text: bytes) -> Any:
    import io

    return io.BytesIO(text)


def test_a_person_may_cross_a_boundary(tmp_path: Path, links: Links) -> None:
    old, new = (
        memory(uri("a"), 1, of="atproto", boundary="did:plc:a"),
        memory(uri("b"), 2, of="atproto", boundary="did:plc:b"),
    )
    path = write_jsonl(tmp_path / "m.jsonl", [old, new])
    graph = lineage.build(lineage.read(path, links=[links(f"{new['id']},supersedes,{old['id']},")]))
    assert dict(zip(graph.memories["id"], graph.memories["status"], strict=True))[old["id"]] == "superseded"


def test_json_lines_and_settings_and_suggestions(run: Run, jsonl: Jsonl, links: Links, tmp_path: Path) -> None:
    path = jsonl(robrain("a"), robrain("b"))
    row = {"source": "b", "kind": "supersedes", "target": "a", "note": None, "score": 0.9, "reasons": ["files"]}
    hand = links(json.dumps(row), "", header="", name="links.jsonl")
    assert statuses(run, path, "--links", hand)["a"] == "superseded"
    (tmp_path / "lineage.toml").write_text('links = "links.jsonl"')
    assert statuses(run, path)["a"] == "superseded"


def test_ids_may_be_shortened_and_may_not_exist_yet(run: Run, jsonl: Jsonl, links: Links) -> None:
    path = jsonl(
        robrain("first-memory-1", created_at="2026-01-01T00:00:00Z"),
        robrain("later-memory", created_at="2026-02-01T00:00:00Z"),
    )
    hand = links("later-me,supersedes,first-memory,")
    assert statuses(run, path, "--links", hand) == {"first-memory-1": "superseded", "later-memory": "live"}
    assert statuses(
        run, path, "--links", links("later-memory,supersedes,first-memory-1,"), "--as-of", "2026-01-15"
    ) == {"first-memory-1": "live"}


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("b,supersedes,alpha,", "links.csv:2: no memory has the id 'alpha'; the nearest is 'alpha-one'"),
        ("nobody,none,b,", "links.csv:2: no memory has the id 'nobody'"),
        ("b,supersedes,gone,", "links.csv:2: no memory has the id 'gone'"),
        ("b,replaces,alpha-one,", "links.csv:2: unknown kind 'replaces'; the nearest known one is"),
        ("b,,alpha-one,", "links.csv:2: unknown kind ''"),
        (",none,b,", "links.csv:2: no source"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(run: Run, jsonl: Jsonl, links: Links, line: str, cause: str) -> None:
    path = jsonl(robrain("alpha-one"), robrain("b", "gone"))
    result = run("heads", path, "--links", links(line))
    assert result.exit_code == 2
    assert cause in result.stderr


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("source,kind,targets\n", "unknown column 'targets'; the nearest known one is 'target'"),
        ("source,kind\n", "no column 'target'"),
        ('{"source": "a"}\n', "no column 'kind'"),
        ('{"source": \n', "not JSON"),
        ("\xff", "not UTF-8"),
    ],
)
def test_a_file_that_is_none_is_refused(run: Run, jsonl: Jsonl, tmp_path: Path, text: str, cause: str) -> None:
    (tmp_path / "bad").write_bytes(text.encode("latin-1"))
    result = run("heads", jsonl(robrain("a")), "--links", tmp_path / "bad")
    assert result.exit_code == 2
    assert cause in result.stderr
    assert run("heads", jsonl(robrain("a")), "--links", tmp_path / "none.csv").exit_code == 2


EDGES = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=14)


@given(EDGES, EDGES)
def test_the_overlay_is_what_the_records_could_have_said(
    stated: list[tuple[int, int]], said: list[tuple[int, int]]
) -> None:
    """Adding links gives what stating them would, and taking all away what stating none would."""

    def built(edges: list[tuple[int, int]], hand: list[tuple[int, str, int]]) -> lineage.Graph:
        rows = [memory(f"m{n}", n + 1, *(f"m{b}" for a, b in dict.fromkeys(edges) if a == n)) for n in range(8)]
        frame = pd.DataFrame([(f"m{a}", kind, f"m{b}") for a, kind, b in hand], columns=["source", "kind", "target"])
        text = "\n".join(json.dumps(row) for row in rows).encode()
        return lineage.build(lineage.read(_stream(text), links=[frame]))

    def told(graph: lineage.Graph) -> Any:
        frame = graph.links.sort_values(["source", "kind", "target"])
        columns = [
            frame[name].astype(object).where(frame[name].notna(), None) for name in ("source", "kind", "target", "void")
        ]
        return [*zip(*columns, strict=True)], list(graph.memories["status"]), list(graph.memories["lineage"])

    assert told(built(stated, [(a, "supersedes", b) for a, b in said])) == told(built([*stated, *said], []))
    assert told(built(stated, [(a, "none", b) for a, b in stated])) == told(built([], []))


def test_a_hundred_thousand_links_by_hand(tmp_path: Path, links: Links) -> None:
    path = write_jsonl(tmp_path / "m.jsonl", chain(*(f"m{n}" for n in range(2))))
    many = write_jsonl(tmp_path / "many.jsonl", [robrain(f"m{n}") for n in range(20_000)])
    hand = links(*(f"m{n},supersedes,m{n - 1}," for n in range(1, 20_000)))
    graph = lineage.build(lineage.read(many, links=[hand]))
    assert list(graph.live_heads()["id"]) == ["m19999"]
    assert path.exists()
