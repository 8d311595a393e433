"""Foreign data by a mapping: JSON, JSONL, YAML, CSV, TSV, Parquet; what is said, which way, and what is wrong."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

import lineage
from tests.cli.conftest import Run, run
from tests.readers.rows import extra, found, graph_of, links, row, statuses

__all__ = ["run"]

MAP = {"id": "uid", "text": "body.title", "supersedes": "replaces"}
NOTES: list[dict[str, Any]] = [
    {"uid": "a", "body": {"title": "Postgres", "more": 1}},
    {"uid": "b", "body": {"title": "SQLite"}, "replaces": "a", "owner": "ann"},
    {"uid": "c", "body": {"title": "DuckDB"}, "replaces": ["a", "b"]},
]
EXPECTED = {("b", "supersedes", "a", None), ("c", "supersedes", "a", None), ("c", "supersedes", "b", None)}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("notes.jsonl", NOTES),
        ("notes.json", json.dumps(NOTES)),
        ("one.json", {"notes": NOTES, "version": 1}),
    ],
)
def test_json_is_read_by_paths(tmp_path: Path, name: str, content: Any) -> None:
    mapping = MAP | ({"records": "notes"} if name == "one.json" else {})
    graph = graph_of(tmp_path / name, content, mapping=mapping)
    assert statuses(graph) == {"a": "superseded", "b": "superseded", "c": "live"}
    assert links(graph) == EXPECTED
    assert row(graph, "a")["text"] == "Postgres"
    assert extra(graph, "a") == {"body": {"more": 1}}
    assert extra(graph, "b") == {"owner": "ann"}
    assert set(graph.memories["format"]) == {"mapping"}
    assert row(graph, "c")["line"] == 3


YAML = """\
uid: "0303"
body:
  title: Postgres
replaces:
---
- uid: 0304
  body: {title: SQLite, when: 2026-01-01}
  replaces: [0303]
- uid: c
  body: {title: "null"}
  replaces: 0303; 0304
"""


def test_yaml_documents_keep_their_scalars_as_text(tmp_path: Path) -> None:
    graph = graph_of(tmp_path / "notes.yaml", YAML, mapping=MAP)
    assert statuses(graph) == {"0303": "superseded", "0304": "superseded", "c": "live"}
    assert row(graph, "c")["text"] == "null"
    assert extra(graph, "0304") == {"body": {"when": "2026-01-01"}}
    assert row(graph, "0304")["line"] == 5


@pytest.mark.parametrize(
    ("broken", "cause"),
    [
        ("uid: [x\n", "not YAML"),
        ("uid: &a x\nbody: *a\n", "aliases"),
        ("x: " + "[" * 4000 + "\n", "not YAML"),
        ("just words\n", "expected an object"),
        ("body: {title: no id}\n", "id"),
    ],
)
def test_a_broken_yaml_document_costs_itself(tmp_path: Path, broken: str, cause: str) -> None:
    graph = graph_of(tmp_path / "n.yaml", f"uid: a\n---\n{broken}---\nuid: b\nreplaces: a\n", mapping=MAP)
    assert statuses(graph) == {"a": "superseded", "b": "live"}
    ((_, message),) = found(graph, "LIN901")
    assert cause in message


TABLE = {"uid": ["a", "b", "c"], "title": ["Postgres, big", None, 'the "duck"'], "replaces": [None, "a", "a;b"]}
COLUMNS = {"id": "uid", "text": "title", "supersedes": "replaces"}


@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_a_table_is_read_by_its_columns(tmp_path: Path, separator: str) -> None:
    lines = [["uid", "title", "replaces", "n"], ["a", '"Postgres, big"', "", "1"], ["b", "", "a", "2"]]
    lines += [["c", '"the ""duck"""', '"a;b"', ""]]
    text = "\ufeff" + "\r\n".join(separator.join(cells) for cells in lines) + "\r\n"
    graph = graph_of(tmp_path / "notes.csv", text, mapping=COLUMNS)
    assert links(graph) == EXPECTED
    assert row(graph, "a")["text"] == "Postgres, big"
    assert row(graph, "b")["text"] is None
    assert row(graph, "c")["text"] == 'the "duck"'
    assert (row(graph, "a")["line"], row(graph, "c")["line"]) == (2, 4)
    assert extra(graph, "a") == {"n": "1"}
    assert extra(graph, "c") == {"replaces": "a;b"}


def test_bad_rows_do_not_cost_the_good_ones(tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_bytes(b'uid,title,replaces\na,x,\nb,too,many,cells\n,no id,\nc,\xff,\nd,"two\nlines",a\n')
    graph = graph_of(path, mapping=COLUMNS)
    assert statuses(graph) == {"a": "superseded", "d": "live"}
    assert row(graph, "d")["text"] == "two\nlines"
    causes = [message for _, message in found(graph, "LIN901")]
    assert len(causes) == 3
    assert any("4 cells, where 3 columns" in cause for cause in causes)
    assert any("UTF-8" in cause for cause in causes)


def test_parquet_is_read_by_its_columns(tmp_path: Path) -> None:
    moments = pa.array([1, None, 3], pa.int64()).cast(pa.timestamp("ms", "Europe/Berlin"))
    table = pa.table(
        {
            "uid": pa.array([1, 2, 3]),
            "title": pa.array(["x", "y", None]).dictionary_encode(),
            "replaces": pa.array([[], [1], [1, 2]], pa.list_(pa.int64())),
            "when": moments,
            "files": pa.array([["a.py"], None, ["b.py", "c.py"]]),
            "score": [0.5, 1.0, None],
            "n": [1, None, 3],
            "ok": [True, None, False],
        }
    )
    parquet.write_table(table, tmp_path / "notes.parquet")
    mapping = COLUMNS | {"created_at": "when", "files": "files", "relevance": "score", "kind": "'decision'"}
    graph = graph_of(tmp_path / "notes.parquet", mapping=mapping)
    assert links(graph) == {
        ("2", "supersedes", "1", None),
        ("3", "supersedes", "1", None),
        ("3", "supersedes", "2", None),
    }
    assert row(graph, "1")["created_at"].isoformat() == "1970-01-01T00:00:00.001000+00:00"
    assert [row(graph, id)["files"] for id in "123"] == [["a.py"], [], ["b.py", "c.py"]]
    assert row(graph, "1")["relevance"] == 0.5
    assert set(graph.memories["kind"]) == {"decision"}
    assert extra(graph, "1") == {"uid": 1, "n": 1, "ok": True}
    assert extra(graph, "3")["ok"] is False


def _both_ways(tmp_path: Path, columns: dict[str, Any], mapping: dict[str, Any]) -> tuple[Any, Any]:
    """The same table read as columns, and row by row beside a row that asks for it."""
    table = pa.table(columns)
    parquet.write_table(table, tmp_path / "clean.parquet")
    odd = {name: (["odd"] if name == "uid" else [None]) for name in columns} | {"when": ["no time"]}
    rest = pa.table({name: pa.array(values, table.schema.field(name).type) for name, values in odd.items()})
    parquet.write_table(pa.concat_tables([table, rest]), tmp_path / "odd.parquet")
    return graph_of(tmp_path / "clean.parquet", mapping=mapping), graph_of(tmp_path / "odd.parquet", mapping=mapping)


def test_columns_and_single_rows_come_to_the_same(tmp_path: Path) -> None:
    columns = {
        "uid": ["a", "b", "ü"],
        "title": ["x", 'q"\\', None],
        "replaces": [None, "a", "a; b ;n/a"],
        "when": ["2026-01-01T00:00:00Z", None, "2026-01-02T00:00:00.123456Z"],
        "status": ["Accepted", "superseded", "odd"],
        "files": ["a.py", None, "b.py"],
        "n": [1, None, 3],
        "note": ['say "x"', "back\\slash", None],
    }
    mapping = COLUMNS | {"created_at": "when", "declared": "status", "files": "files", "used": "n"}
    clean, odd = _both_ways(tmp_path, columns, mapping)
    assert len(found(odd, "LIN905")) == 1
    left, right = (graph.memories.set_index("id").drop(columns="source") for graph in (clean, odd))
    for id in columns["uid"]:
        before, after = (frame.loc[id].astype(object).where(frame.loc[id].notna(), None) for frame in (left, right))
        before, after = (one.to_dict() | {"extra": extra(graph, id)} for one, graph in ((before, clean), (after, odd)))
        assert before == after
    assert links(clean) == links(odd)


def test_every_kind_of_link_and_both_directions(tmp_path: Path) -> None:
    kinds = ("supersedes", "amends", "extends", "conflicts", "relates")
    records = [{"id": "z"}, *({"id": kind, f"to_{kind}": "z"} for kind in kinds)]
    mapping = {"id": "id"} | {kind: f"to_{kind}" for kind in kinds}
    graph = graph_of(tmp_path / "x.jsonl", records, mapping=mapping)
    assert links(graph) == {(kind, kind, "z", None) for kind in kinds}
    backwards = {"superseded_by": "supersedes", "amended_by": "amends", "extended_by": "extends"}
    records = [{"id": "z", **dict.fromkeys(backwards, "new")}, {"id": "new"}]
    graph = graph_of(tmp_path / "y.jsonl", records, mapping={"id": "id"} | {key: key for key in backwards})
    assert links(graph) == {("new", kind, "z", None) for kind in backwards.values()}
    assert statuses(graph) == {"z": "superseded", "new": "live"}


def test_every_column_can_be_mapped(tmp_path: Path) -> None:
    times = ("created_at", "updated_at", "reviewed_at", "invalidated_at", "deleted_at", "occurred_from", "occurred_to")
    strings = ("text", "rationale", "scope", "module", "boundary", "session", "excerpt", "agent", "client", "kind")
    strings += ("source_uri", "commit", "branch")
    record: dict[str, Any] = {"id": "a", "role": "memory", "declared": "done", "files": ["a.py"], "turn": 3}
    record |= {name: f"the {name}" for name in strings} | dict.fromkeys(times, "2026-01-02T03:04:05Z")
    record |= {"relevance": 0.5, "confidence": 1, "injected": 2, "used": 1}
    record |= {"tags": [{"key": "k", "value": "v"}, "w"], "rejected": [{"name": "x", "why": "y"}, "z"], "state": "open"}
    mapping = {name: name for name in record if name != "state"} | {"tags.state": "state"}
    graph = graph_of(tmp_path / "x.jsonl", [record], mapping=mapping)
    made = row(graph, "a")
    assert {name: made[name] for name in strings} == {name: record[name] for name in strings}
    assert {made[name].isoformat() for name in times} == {"2026-01-02T03:04:05+00:00"}
    assert made["tags"] == [("k", "v"), ("tag", "w"), ("state", "open")]
    assert made["rejected"] == [("x", "y"), ("z", None)]
    assert (made["role"], made["declared"], made["files"]) == ("memory", "live", ["a.py"])
    assert [made[name] for name in ("turn", "relevance", "confidence", "injected", "used")] == [3, 0.5, 1.0, 2, 1]
    assert extra(graph, "a") == {name: record[name] for name in ("role", "declared", "tags", "rejected", "state")}


def test_words_of_a_status(tmp_path: Path) -> None:
    records = [{"id": word, "state": word} for word in ("open", "Shut", "undone", "odd")]
    mapping = {"id": "id", "declared": "state", "live": "open", "ended": "shut;gone", "reversed": ["undone"]}
    graph = graph_of(tmp_path / "x.jsonl", records, mapping=mapping)
    assert statuses(graph) == {"open": "live", "Shut": "retracted", "undone": "reversed", "odd": "live"}
    assert row(graph, "open")["declared"] == "live"
    assert row(graph, "odd")["declared"] is None or row(graph, "odd")["declared"] != row(graph, "odd")["declared"]


def test_a_proposal_retires_nothing_whichever_side_states_it(tmp_path: Path) -> None:
    records = [
        {"id": "old", "state": "accepted", "next": "draft2"},
        {"id": "draft", "state": "Proposed", "prev": "old"},
        {"id": "draft2", "state": "proposed"},
    ]
    mapping = {"id": "id", "declared": "state", "supersedes": "prev", "superseded_by": "next", "unaccepted": "proposed"}
    for name, content in (("x.jsonl", records), ("x.csv", _csv(records))):
        graph = graph_of(tmp_path / name, content, mapping=mapping)
        assert statuses(graph)["old"] == "live"
        assert {link[3] for link in links(graph)} == {"unaccepted-source"} if name == "x.jsonl" else True


def _csv(records: list[dict[str, Any]]) -> str:
    names = sorted({name for record in records for name in record})
    rows = [names, *([record.get(name, "") for name in names] for record in records)]
    return "".join(",".join(cells) + "\n" for cells in rows)


def test_times_that_are_numbers_need_a_unit(tmp_path: Path) -> None:
    records = [{"id": "a", "t": 1767225600}]
    graph = graph_of(tmp_path / "x.jsonl", records, mapping={"id": "id", "created_at": "t"})
    assert "does not say in which unit" in found(graph, "LIN905")[0][1]
    graph = graph_of(tmp_path / "x.jsonl", records, mapping={"id": "id", "created_at": "t", "times": "seconds"})
    assert row(graph, "a")["created_at"].isoformat() == "2026-01-01T00:00:00+00:00"
    assert extra(graph, "a") == {"t": 1767225600}
    records = [{"id": "a", "t": 10**30}]
    graph = graph_of(tmp_path / "x.jsonl", records, mapping={"id": "id", "created_at": "t", "times": "milliseconds"})
    assert len(found(graph, "LIN905")) == 1


def test_jmespath(tmp_path: Path) -> None:
    records = [
        {"meta": {"ids": ["a"]}, "rel": [{"t": "old", "to": "b"}, {"t": "see", "to": "c"}]},
        {"meta": {"ids": ["b"]}},
    ]
    mapping = {"id": "meta.ids[0]", "supersedes": "rel[?t=='old'].to", "relates": "rel[?t=='see'].to", "kind": "'note'"}
    graph = graph_of(tmp_path / "x.jsonl", records, mapping=mapping)
    assert links(graph) == {("a", "supersedes", "b", None), ("a", "relates", "c", "dangling")}
    assert set(graph.memories["kind"].dropna()) == {"note"}
    assert extra(graph, "a") == records[0]
    wrong = graph_of(tmp_path / "x.jsonl", [{"id": "a", "n": [1]}], mapping={"id": "id", "text": "upper(n)"})
    assert "the expression does not fit" in found(wrong, "LIN905")[0][1]


def test_what_is_no_expression_is_the_name_of_a_property(tmp_path: Path) -> None:
    graph = graph_of(
        tmp_path / "x.jsonl", [{"my-id": "a", "the text": "x"}], mapping={"id": "my-id", "text": "the text"}
    )
    assert row(graph, "a")["text"] == "x"


@pytest.mark.parametrize(
    ("mapping", "words"),
    [
        ({"text": "x"}, "what `id` is must be said"),
        ({"id": "x", "txt": "y"}, "the nearest that can be mapped is 'text'"),
        ({"id": ["x"]}, "'id' must be an expression"),
        ({"id": "x", "live": [1]}, "'live' must be a word or several"),
        ({"id": "x", "times": "hours"}, "'hours' is none of"),
        ({"id": "x", "source": "y"}, "nothing is called 'source'"),
    ],
)
def test_a_mapping_that_cannot_be_used(tmp_path: Path, mapping: dict[str, Any], words: str) -> None:
    (tmp_path / "x.jsonl").write_text('{"x": "a"}')
    with pytest.raises(lineage.UsageError, match=words):
        lineage.read(tmp_path / "x.jsonl", mapping=mapping)


def test_options_and_settings_give_a_mapping(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.csv").write_text(_csv([{"k": "a", "t": "x"}, {"k": "b", "t": "y", "old": "a"}]))
    options = ("--map", "id=k", "--map", "text=t", "--map", "supersedes=old")
    assert run("heads", "notes.csv", "-f", "ids", *options).stdout == "b\n"
    assert run("heads", "notes.csv", "-f", "ids", *options, "--from", "mapping").stdout == "b\n"
    (tmp_path / "lineage.toml").write_text('[map]\nid = "k"\ntext = "t"\nsupersedes = "old"\n')
    assert run("heads", "notes.csv", "-f", "ids").stdout == "b\n"


def test_settings_are_for_what_no_known_format_takes(run: Run, tmp_path: Path) -> None:
    from tests.records import chain, write_jsonl

    (tmp_path / "lineage.toml").write_text('[map]\nid = "id"\nlive = ["x"]\n')
    path = write_jsonl(tmp_path / "m.jsonl", [*chain("a", "b"), {"id": "c"}, {"name": "no memory"}])
    listed = [json.loads(line) for line in run("list", path, "-f", "jsonl").stdout.splitlines()]
    assert {one["id"]: one["status"] for one in listed} == {"a": "superseded", "b": "live", "c": "live"}
    forced = run("list", path, "-f", "ids", "--map", "id=id").stdout.split()
    assert sorted(forced) == ["a", "b", "c"]
    assert lineage.read(path, mapping={"id": "id"}).formats == ["mapping"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--from", "mapping"], "needs a mapping"),
        (["--map", "id"], "COLUMN=PATH"),
        (["--map", "id=x", "--map", "txt=y"], "nearest that can be mapped is 'text'"),
    ],
)
def test_an_error_is_one_sentence(run: Run, tmp_path: Path, arguments: list[str], words: str) -> None:
    (tmp_path / "x.json").write_text('{"x": 1}')
    result = run("list", "x.json", *arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_parquet_file_without_the_column(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"k": ["a"]}), tmp_path / "x.parquet")
    with pytest.raises(lineage.InputError, match=r"no column 'uid'; there are 'k'"):
        lineage.read(tmp_path / "x.parquet", mapping=COLUMNS)
    with pytest.raises(lineage.InputError, match=r"columns k; expected .*--map id=COLUMN"):
        lineage.read(tmp_path / "x.parquet")


def test_data_that_only_looks_like_decisions_is_refused_with_what_to_do(run: Run, tmp_path: Path) -> None:
    events = [{"ts": "2026-01-01T00:00:00Z", "action": "created", "gen": "g1"}, {"ts": "x", "action": "failed"}]
    (tmp_path / "decisions.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))
    result = run("report", "decisions.jsonl")
    assert result.exit_code == 2
    assert "no known format has the keys 'action', 'gen', 'ts'" in result.stderr
    assert "--map id=" in result.stderr


def test_ids_mean_something_within_one_input_only(tmp_path: Path) -> None:
    for name in ("x", "y"):
        (tmp_path / f"{name}.jsonl").write_text('{"id": "1"}\n{"id": "2", "old": "1"}\n')
    graph = lineage.build(
        lineage.read(tmp_path / "x.jsonl", tmp_path / "y.jsonl", mapping={"id": "id", "supersedes": "old"})
    )
    assert len(graph.memories) == 4
    assert sorted(graph.memories["status"]) == ["live", "live", "superseded", "superseded"]
