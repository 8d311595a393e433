"""`lineage convert`, `formats` and `rules`."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx
import pyarrow as pa
from pyarrow import parquet

import lineage
from lineage.discovery import readers, renderers, rules
from tests.cli.conftest import Run, Start
from tests.records import chain, mindr, reversal, robrain, write_jsonl

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


def test_what_would_be_lost_is_counted_column_by_column(run: Run, tmp_path: Path) -> None:
    full = mindr("d", tags={"module": "api", "git_commit": "c0ffee"}, metadata={"rationale": "why", "confidence": 0.5})
    path = write_jsonl(tmp_path / "m.jsonl", [full, mindr("e", type="preference"), *chain("a", "b")])
    told = run("convert", path, "--to", "robrain").stderr
    assert "robrain cannot say it all: 1 value of kind, 1 value of module, 1 value of commit, 2 values of tags" in told
    assert "1 value of confidence" in told
    assert "rationale" not in told
    told = run("convert", path, "--to", "mindr").stderr
    assert "1 memory no longer in effect that may read as live, 1 supersedes link, 2 values of scope" in told
    for to in ("lineage", "csv", "parquet", "prov", "node-link", "graphml"):
        assert run("convert", path, "--to", to, "-o", f"out.{to}").stderr == f"lineage: wrote out.{to}\n"


def test_a_strict_conversion_writes_nothing_rather_than_less(run: Run, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "m.jsonl", [mindr("d", tags={"module": "api"})])
    result = run("convert", path, "--to", "robrain", "--strict", "-o", "out.jsonl")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "1 value of module" in result.stderr
    assert not (tmp_path / "out.jsonl").exists()
    for to in ("mindr", "lineage", "csv"):
        assert run("convert", path, "--to", to, "--strict", "-q", "-o", f"out.{to}").exit_code == 0


def test_no_cell_is_a_formula_and_each_comes_back(run: Run, tmp_path: Path) -> None:
    texts = ["=HYPERLINK(1)", "'=x", "'plain", "@cmd", "-1", "\tx", "", "＝x"]
    records = [mindr(f"+{number}", content=text) for number, text in enumerate(texts)]
    path = write_jsonl(tmp_path / "m.jsonl", records)
    run("convert", path, "--to", "csv", "-o", "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        for name in ("id", "text"):
            assert not row[name].startswith(("=", "+", "-", "@", "\t", "＝"))
    back = run("convert", "out.csv", "--to", "mindr").stdout.splitlines()
    assert [json.loads(line) for line in back] == records


def test_a_table_that_was_worked_on_is_still_read(run: Run, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "m.jsonl", chain("a", "b", "c"))
    run("convert", path, "--to", "csv", "-o", "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    names = [*reversed(rows[0]), "note"]
    with (tmp_path / "edited.csv").open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, names, delimiter=";", quoting=csv.QUOTE_ALL)
        writer.writeheader()
        writer.writerows(row | {"note": "seen", "turn": "seven" if row["id"] == "b" else row["turn"]} for row in rows)
    listed = [json.loads(line) for line in run("list", "edited.csv", "-f", "jsonl").stdout.splitlines()]
    assert {one["id"]: one["status"] for one in listed} == {"a": "superseded", "b": "superseded", "c": "live"}
    assert "turn: expected a whole number, found a string" in run("check", "edited.csv", "--select", "LIN905").stdout


def test_a_parquet_file_that_was_tampered_with_costs_only_what_is_wrong(run: Run, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "m.jsonl", chain("a", "b", "c", "d", "e"))
    run("convert", path, "--to", "parquet", "-o", "out.parquet")
    table = parquet.read_table(tmp_path / "out.parquet")
    changes = {"id": {0: None}, "role": {1: "boss"}, "declared": {2: "odd"}, "extra": {3: '{"x":1},{"y":2}', 4: "[1]"}}
    for name, cells in changes.items():
        values = [cells.get(place, value) for place, value in enumerate(table[name].to_pylist())]
        place = table.schema.get_field_index(name)
        table = table.set_column(place, table.schema.field(place), pa.array(values, table.schema.field(place).type))
    parquet.write_table(table, tmp_path / "bad.parquet")
    graph = lineage.build(lineage.read(tmp_path / "bad.parquet"))
    assert set(graph.memories["id"]) == {"b", "c", "d", "e"}
    rules = [finding.rule for finding in lineage.check(graph)]
    assert (rules.count("LIN901"), rules.count("LIN905")) == (1, 4)


def test_parquet_goes_down_a_pipe(start: Start, jsonl: Jsonl, tmp_path: Path) -> None:
    path = jsonl(*chain("a", "b"))
    process = start("convert", path, "--to", "parquet", cwd=tmp_path)
    out, _ = process.communicate()
    assert out.startswith(b"PAR1")
    assert process.returncode == 0


def test_graphs_carry_every_node(run: Run, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "m.jsonl", [*chain("a", "b"), robrain("c", "gone"), mindr("d"), reversal("m", "d")])
    for to, read in (("graphml", _graphml), ("node-link", _node_link)):
        assert run("convert", path, "--to", to, "-o", f"out.{to}").exit_code == 0
        graph = read(tmp_path / f"out.{to}")
        assert set(graph.nodes) == {"a", "b", "c", "d", "m", "gone"}
        assert {(source, target) for source, target in graph.edges()} == {("b", "a"), ("c", "gone"), ("m", "d")}
        assert graph.nodes["d"]["status"] == "reversed"


def _graphml(path: Path) -> Any:
    return networkx.read_graphml(path, force_multigraph=True)


def _node_link(path: Path) -> Any:
    return networkx.node_link_graph(json.loads(path.read_text(encoding="utf-8")), edges="links")
