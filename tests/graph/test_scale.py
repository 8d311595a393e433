"""A chain of a million memories, and other shapes that a recursion or a quadratic step would not survive."""

import io
import json
from pathlib import Path

import pytest

import lineage
from tests.graphs import graph_of, memory
from tests.records import robrain

LONG = 1_000_000


def test_a_chain_of_a_million_memories(tmp_path: Path) -> None:
    line = json.dumps(robrain("ID", "BEFORE"), separators=(",", ":"))
    first = line.replace('"BEFORE"', "null")
    path = tmp_path / "chain.jsonl"
    with path.open("w", encoding="utf-8") as out:
        out.write(first.replace("ID", "m0", 1) + "\n")
        before, middle, after = line.partition('"ID"')[0], line.partition('"ID"')[2], ""
        middle, _, after = middle.partition('"BEFORE"')
        out.writelines(f'{before}"m{at}"{middle}"m{at - 1}"{after}\n' for at in range(1, LONG))
    graph = lineage.build(lineage.read(path))
    report = lineage.report(graph).to_dict()
    assert report["summary"]["longest_depth"] == LONG - 1
    assert report["summary"]["lineages"] == 1
    assert [head["id"] for head in report["live_heads"]] == [f"m{LONG - 1}"]
    path.unlink()


@pytest.mark.parametrize("shape", ["ladder", "star", "circle", "comb"])
def test_wide_and_deep_shapes(shape: str) -> None:
    count = 20_000
    older = {
        "ladder": lambda at: [f"m{at - 1}", f"m{at - 2}"] if at > 1 else [],
        "star": lambda at: ["m0"] if at else [],
        "circle": lambda at: [f"m{(at - 1) % count}"],
        "comb": lambda at: [f"m{at - 1}"] if at % 2 and at else [f"m{max(at - 2, 0)}"] if at else [],
    }[shape]
    lines = b"\n".join(json.dumps(memory(f"m{at}", older(at))).encode() for at in range(count))
    graph = lineage.build(lineage.read(io.BytesIO(lines)))
    summary = lineage.report(graph, limit=10).to_dict()["summary"]
    assert summary["lineages"] == 1
    depth = {"ladder": count - 2, "star": 1, "circle": 0, "comb": count // 2}[shape]
    assert summary["longest_depth"] == depth
    assert summary["cycles"] == (shape == "circle")


def test_a_merge_of_many_counts_once() -> None:
    graph = graph_of(*(memory(f"a{at}") for at in range(300)), memory("m", [f"a{at}" for at in range(300)], at=2))
    row = graph.lineages().iloc[0]
    assert (row["size"], row["depth"], row["merges"], row["live_heads"]) == (301, 1, 1, ["m"])
