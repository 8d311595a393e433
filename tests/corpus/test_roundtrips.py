"""What is written is read back as it was, in every format that keeps everything, and nothing hostile stops a reader."""

import io
import json
import string
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lineage
from lineage.discovery import readers
from lineage.model import COLUMNS
from lineage.readers.fields import iso

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["=1+1", "'=x", "''", "'", "+a", "@b", "-c", "\t", "a\r\nb", 'say "x"', " a ", "\n", "\r", "", "＝x", "a;b", "null"]
)
IDS = st.text(string.printable + "é\u2028😀", min_size=1, max_size=6)
TIMES = st.integers(-62_135_596_800_000_000, 253_402_300_799_999_999)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | WORDS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=4,
)
PIECES: dict[str, Any] = {
    "string": WORDS,
    "int": st.integers(-(2**63), 2**63 - 1),
    "float": st.floats(allow_nan=False, allow_infinity=False),
    "time": TIMES.map(iso),
    "strings": st.lists(WORDS, max_size=2),
    "tags": st.lists(st.fixed_dictionaries({"key": WORDS, "value": WORDS}), max_size=2),
    "rejected": st.lists(st.fixed_dictionaries({"option": WORDS | st.none(), "reason": WORDS | st.none()}), max_size=2),
    "json": st.dictionaries(WORDS, JSON, min_size=1, max_size=2),
}
APART = {"id", "format", "source", "line", "role", "declared"}


@st.composite
def memories(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Lines of this project's own format, with links among them and to what is not there."""
    ids = draw(st.lists(IDS, min_size=1, max_size=4, unique=True))
    lines = []
    for id in ids:
        line: dict[str, Any] = {"format": "lineage-memory/v1", "id": id}
        if form := draw(st.sampled_from([None, "robrain", "mindr", "atproto", "other"])):
            line["of"] = form
        for column in COLUMNS:
            if column.name not in APART and draw(st.integers(0, 3)) == 0:
                line[column.name] = draw(PIECES[column.type])
        line["declared"] = draw(st.sampled_from([None, "live", "ended", "reversed"]))
        line["role"] = draw(st.sampled_from(["memory", "memory", "marker", "log"]))
        line["links"] = [
            {
                "kind": draw(st.sampled_from(["supersedes", "reverses", "resolves", "amends", "relates"])),
                draw(st.sampled_from(["target", "source"])): draw(st.sampled_from(ids) | IDS),
                "via": draw(st.sampled_from(["links", "x y"])),
                "implied": draw(st.booleans()),
            }
            for _ in range(draw(st.integers(0, 2)))
        ]
        lines.append(line)
    return lines


def _read(name: str, content: bytes, **options: Any) -> Any:
    stream = io.BytesIO(content)
    stream.name = name
    return lineage.build(lineage.read(stream, allow_empty=True, **options))


def _told(graph: Any) -> list[Any]:
    """Everything a graph holds, in lines whose order means nothing."""
    lines = [json.loads(line) for line in lineage.convert(graph, "lineage")]
    for line in lines:
        line["links"] = sorted(line.get("links", []), key=json.dumps)
    return sorted(lines, key=json.dumps)


WHOLE = sorted(name for name, reader in readers().items() if reader.everything)


def test_these_keep_everything() -> None:
    assert WHOLE == ["csv", "lineage", "parquet", "prov"]


@pytest.mark.parametrize("to", WHOLE)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(lines=memories())
def test_what_is_written_is_read_as_it_was(to: str, lines: list[dict[str, Any]]) -> None:
    first = _read("first.jsonl", b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    assert lineage.losses(first, to) == {}
    written = b"".join(lineage.convert(first, to))
    again = _read(f"again.{to}", written)
    assert _told(again) == _told(first)
    assert b"".join(lineage.convert(first, to)) == written


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(lines=memories())
def test_nodes_and_links_are_read_as_they_were(lines: list[dict[str, Any]]) -> None:
    for line in lines:
        line.pop("of", None)  # ids that two formats share are told apart by their names there
    first = _read("first.jsonl", b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    again = _read("again.json", b"".join(lineage.convert(first, "node-link")))
    assert _told(again) == _told(first)


@pytest.mark.parametrize("name", sorted(readers()))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(content=st.binary(max_size=60) | JSON.map(lambda value: json.dumps(value).encode()))
def test_nothing_hostile_stops_a_reader(name: str, content: bytes) -> None:
    mapping = {"id": "a", "text": "b.c"} if name == "mapping" else None
    for begin in (b"", b"PAR1", b"a,b\n", b"SQLite format 3\0"):
        with suppress(lineage.InputError):
            _read("x", begin + content, from_=name, mapping=mapping)


SHAPES = {
    "mcp-memory": ["type", "name", "entityType", "observations", "from", "to", "relationType", "entities", "relations"],
    "mem0": ["id", "memory", "hash", "results", "memory_id", "event", "new_memory", "old_memory", "created_at"],
    "graphiti": ["uuid", "source_node_uuid", "target_node_uuid", "fact", "name", "valid_at", "invalid_at", "edges"],
    "prov": ["entity", "prefix", "wasDerivedFrom", "wasInvalidatedBy", "bundle"],
    "canon": ["format", "decisions", "id"],
    "git-adr": ["adrs", "id", "linked_commits"],
    "mif": ["mif_version", "memories", "id", "relations", "source"],
    "beads": ["id", "title", "issue_type", "status", "dependencies"],
    "whos-on-first": ["type", "properties", "features"],
    "node-link": ["nodes", "links", "directed", "id", "format", "role", "status"],
    "mapping": ["a", "b", "c"],
}


@pytest.mark.parametrize("name", sorted(SHAPES))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_nothing_that_looks_like_its_format_stops_a_reader(name: str, data: st.DataObject) -> None:
    keys = st.sampled_from(SHAPES[name])
    values = st.recursive(
        JSON
        | st.sampled_from(
            ["entity", "relation", "supersedes", "ADD", "UPDATE", "DELETE", "canon-export", "2026-01-01"]
        ),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=5),
        max_leaves=12,
    )
    records = data.draw(st.lists(st.dictionaries(keys, values, max_size=7), min_size=1, max_size=4))
    mapping = {"id": "a", "text": "b.c", "supersedes": "b", "tags": "c"} if name == "mapping" else None
    content = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    for options in ({"from_": name, "mapping": mapping}, {}):
        graph = _read("x.jsonl", content, **options)
        lineage.check(graph)
        list(lineage.convert(graph, "lineage"))
