"""Where memories come from: files of every carrier, folders, globs, streams; and what is wrong with them."""

import bz2
import gzip
import hashlib
import io
import json
import lzma
import os
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lineage
from tests.graphs import found, graph_of, memory, statuses
from tests.records import atproto, chain, json_lines, mindr, page, robrain, uri, write_json, write_jsonl

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstd.compress,
}


def ids(*inputs: Any, **options: Any) -> set[str]:
    return set(lineage.build(lineage.read(*inputs, **options)).memories["id"])


@pytest.mark.parametrize("ending", COMPRESSORS)
@pytest.mark.parametrize("misnamed", [False, True])
def test_compressed_files_are_read_by_their_first_bytes(ending: str, misnamed: bool, tmp_path: Path) -> None:
    path = tmp_path / ("memories.jsonl" if misnamed else f"memories.jsonl.{ending}")
    path.write_bytes(COMPRESSORS[ending](json_lines(chain("a", "b")).encode()))
    assert ids(path) == {"a", "b"}


@pytest.mark.parametrize("ending", COMPRESSORS)
def test_a_damaged_archive_keeps_what_came_before_the_damage(ending: str, tmp_path: Path) -> None:
    records = [
        robrain(f"m{number}", decision=hashlib.sha256(bytes([number % 256, number // 256])).hexdigest())
        for number in range(20_000)
    ]
    whole = COMPRESSORS[ending](json_lines(records).encode())
    path = tmp_path / "memories.jsonl"
    path.write_bytes(whole[: len(whole) * 3 // 4])
    graph = lineage.build(lineage.read(path))
    assert len(graph.memories) > 100
    damage = [finding for finding in lineage.check(graph) if finding.rule == "LIN901"]
    assert damage
    assert "damaged" in damage[-1].message


def test_folders_globs_streams_and_frames(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "deep" / ".mindr" / "m.jsonl", [mindr("m")])
    write_jsonl(tmp_path / "a.jsonl", [robrain("a")])
    write_json(tmp_path / "package.json", {"name": "left-pad"})
    (tmp_path / "notes.txt").write_text("nothing")
    write_jsonl(tmp_path / "node_modules" / "x.jsonl", [robrain("never")])
    assert ids(tmp_path) == {"a", "m"}
    assert ids(str(tmp_path / "*.jsonl")) == {"a"}
    assert ids(str(tmp_path / "**" / "*.jsonl")) == {"a", "never"}
    with (tmp_path / "a.jsonl").open("rb") as stream:
        assert ids(stream, io.BytesIO(json.dumps(mindr("z")).encode())) == {"a", "z"}
    frame = pd.DataFrame(
        {"id": ["a", "b"], "supersedes": [None, "a"], "created_at": pd.to_datetime(["2026-01-01", None])}
    )
    assert statuses(lineage.build(lineage.read(frame))) == {"a": "superseded", "b": "live"}


def test_a_frame_of_memories_reads_back(tmp_path: Path) -> None:
    graph = lineage.build(lineage.read(write_jsonl(tmp_path / "m.jsonl", [robrain("a"), mindr("d", module="x")])))
    again = lineage.build(lineage.read(graph.memories))
    for column in ("id", "format", "kind", "text", "created_at", "files", "tags", "declared", "turn", "status"):
        assert again.memories[column].astype(str).tolist() == graph.memories[column].astype(str).tolist(), column


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (("no-such-file.jsonl",), "no-such-file.jsonl: no such file"),
        (("*.nothing",), "no file matches"),
        (("https://example.org/m.jsonl",), "addresses are not read"),
        ((), "no input"),
    ],
)
def test_inputs_that_are_not_there(
    inputs: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(lineage.LineageError, match=message.replace("*", r"\*")):
        lineage.read(*inputs)


def test_an_unknown_format_is_named(tmp_path: Path) -> None:
    with pytest.raises(lineage.UsageError, match="unknown format 'robrian'"):
        lineage.read(write_jsonl(tmp_path / "m.jsonl", [robrain("a")]), from_="robrian")


def test_a_forced_format_takes_every_record(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "m.jsonl", [robrain("a"), mindr("m")])
    graph = lineage.build(lineage.read(path, from_="robrain"))
    assert set(graph.memories["id"]) == {"a"}
    assert found(graph)["LIN901"] == [["m"]]


def test_reading_changes_nothing_on_disk(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "m.jsonl", [*chain("a", "b"), "broken"])
    write_json(tmp_path / "page.json", page(atproto("p")))
    (tmp_path / "m.jsonl.gz").write_bytes(gzip.compress(json_lines([robrain("z")]).encode()))

    def prints() -> dict[str, tuple[str, int]]:
        return {
            path.name: (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
            for path in tmp_path.iterdir()
        }

    before = prints()
    graph = lineage.build(lineage.read(tmp_path))
    lineage.report(graph).render("html")
    assert prints() == before


def test_a_bad_line_costs_only_itself(tmp_path: Path) -> None:
    bad = [
        "{",
        "[1]",
        "null",
        '{"a": 1}',
        "NaN",
        '{"format": "robrain-memory/v1", "id": 7, "decision": "x"}',
        "[" * 10_000,
    ]
    path = write_jsonl(tmp_path / "m.jsonl", [robrain("a"), *bad, robrain("b", "a", at=2)])
    graph = lineage.build(lineage.read(path))
    assert statuses(graph) == {"a": "superseded", "b": "live"}
    places = [place.line for finding in lineage.check(graph, select=["LIN901"]) for place in finding.locations]
    assert sorted(line for line in places if line) == list(range(2, 9))
    assert graph.corpus.inputs[0].unreadable == len(bad)


def test_a_bad_element_of_an_array_costs_only_itself(tmp_path: Path) -> None:
    good = [json.dumps(mindr(name)) for name in "abc"]
    path = tmp_path / "m.json"
    path.write_text(f'[{good[0]}, {{"id": NaN, "x": "}}]"}}, {good[1]},\n 7, {good[2]}, {good[2][:40]}')
    graph = lineage.build(lineage.read(path))
    assert set(statuses(graph)) == {"a", "b", "c"}
    assert len(found(graph)["LIN901"]) == 3


def test_a_bad_record_of_a_pretty_page_costs_only_itself(tmp_path: Path) -> None:
    text = json.dumps(page(atproto("a"), atproto("b"), atproto("c")), indent=2).replace('"Memory b"', "NaN")
    path = tmp_path / "page.json"
    path.write_text(text)
    graph = lineage.build(lineage.read(path))
    assert set(statuses(graph)) == {uri("a"), uri("c")}
    assert len(found(graph)["LIN901"]) == 1


def test_half_a_surrogate_pair_is_read_as_the_replacement_character() -> None:
    line = json.dumps(robrain("a")).replace("Decide a", "Decide \\ud83d")
    graph = graph_of(line)
    assert graph.memories["text"].tolist() == ["Decide \N{REPLACEMENT CHARACTER}"]
    assert found(graph)["LIN905"] == [["a"]]


def test_what_cannot_be_read_is_counted_beside_what_can(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "m.jsonl", [robrain("a"), "x", mindr("m"), mindr("l", type="context")])
    first, *_ = lineage.report(lineage.build(lineage.read(path))).to_dict()["inputs"]
    assert first == {
        "path": str(path),
        "formats": {"mindr": 2, "robrain": 1},
        "bytes": path.stat().st_size,
        "records": 4,
        "unreadable": 1,
    }


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(st.binary(max_size=200) | st.text(alphabet='{}[]",:\\ntu0e1\n ', max_size=80).map(str.encode))
def test_any_bytes_are_read_or_refused_with_a_sentence(data: bytes) -> None:
    assert "\n" not in refusal_of(data)


def refusal_of(data: bytes) -> str:
    """Why some bytes are not read; empty where they are, and can be checked."""
    try:
        graph = graph_of_bytes(data)
    except lineage.LineageError as error:
        return str(error)
    lineage.check(graph)
    return ""


def graph_of_bytes(data: bytes) -> lineage.Graph:
    return lineage.build(lineage.read(io.BytesIO(data + b"\n" + json.dumps(memory("a")).encode())))


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(5000), "caf\u00e9\n{}\n".encode("utf-16")])
def test_a_file_that_is_no_text_is_one_finding(data: bytes, tmp_path: Path) -> None:
    good, bad = write_jsonl(tmp_path / "m.jsonl", [robrain("a")]), tmp_path / "picture.jsonl"
    bad.write_bytes(data)
    graph = lineage.build(lineage.read(good, bad))
    assert len(found(graph)["LIN901"]) == 1


@pytest.mark.parametrize(
    ("text", "ids_", "unreadable"),
    [
        ("[]\n{b}\n", "b", 1),
        ("[1, 2]\n{b}\n{c}\n", "bc", 1),
        ("[{m}]\n{b}\n", "mb", 0),
        ("[{m}]\n[{n}]\n", "mn", 0),
        ("[\n {m}\n]\n[\n {n}\n]\n", "mn", 0),
        ("[{m}] trailing", "m", 1),
        ("[{m}, NaN]", "m", 1),
        ("[{m}, 7, {n}]", "mn", 1),
        ('{{"format": "robrain-memory/v1", "id": "q",\n{b}\n{c}\n', "bc", 1),
        ('{{"a": [\n{b}\n', "b", 1),
        ("{{\n{b}\n", "b", 1),
    ],
)
def test_however_a_file_begins_its_good_records_are_read(text: str, ids_: str, unreadable: int, tmp_path: Path) -> None:
    records = {name: json.dumps(mindr(name) if name in "mn" else robrain(name)) for name in "bcmn"}
    path = tmp_path / "m.jsonl"
    path.write_text(text.format(**records), encoding="utf-8")
    graph = lineage.build(lineage.read(path))
    assert set(graph.memories["id"]) == set(ids_)
    assert graph.corpus.inputs[0].unreadable == unreadable


def test_pretty_pages_after_one_another_are_both_read(tmp_path: Path) -> None:
    path = tmp_path / "pages.json"
    path.write_text("\n".join(json.dumps(page(atproto(key)), indent=2) for key in "ab"), encoding="utf-8")
    assert ids(path) == {uri("a"), uri("b")}


def test_small_archives_that_break_off_keep_what_they_hold(tmp_path: Path) -> None:
    lines = json_lines(robrain(f"m{number}") for number in range(3_000)).encode()
    for ending, compress in COMPRESSORS.items():
        path = tmp_path / f"m.jsonl.{ending}"
        path.write_bytes(compress(lines)[:-8])
        good = write_jsonl(tmp_path / "good.jsonl", [robrain("good")])
        graph = lineage.build(lineage.read(good, path))
        assert "good" in set(graph.memories["id"])
        assert len(found(graph)["LIN901"]) >= 1, ending


def test_what_a_folder_holds_by_chance_is_no_error_and_what_was_meant_is(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "good.jsonl", [robrain("g")])
    write_json(tmp_path / "package.json", {"name": "x"})
    (tmp_path / "tsconfig.json").write_text("{ // a comment\n}")
    with sqlite3.connect(tmp_path / "other.sqlite") as store:
        store.execute("create table t(a)")
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.jsonl")
    graph = lineage.build(lineage.read(tmp_path))
    assert [read.path for read in graph.corpus.inputs] == [str(tmp_path / "good.jsonl")]
    assert "LIN901" not in found(graph)
    write_jsonl(tmp_path / "v2.jsonl", [robrain("a", format="robrain-memory/v2")])
    write_jsonl(tmp_path / "cut.jsonl", ['{"format": "robrain-memory/v1", "id'])
    graph = lineage.build(lineage.read(tmp_path))
    assert len(found(graph)["LIN902"]) == 1
    assert len(found(graph)["LIN901"]) == 1
    assert graph.corpus.first_error
    globbed = lineage.build(lineage.read(tmp_path / "good.jsonl", str(tmp_path / "[v]2*.jsonl")))
    assert len(found(globbed)["LIN902"]) == 1


@pytest.mark.parametrize("time", ["9999-12-31T23:59:59-05:00", "0001-01-01T00:00:00+02:00"])
def test_a_time_that_its_offset_carries_out_of_the_calendar(time: str) -> None:
    graph = graph_of(
        robrain("ok"), robrain("x", created_at=time), mindr("m", createdAt=time), memory("l", created_at=time)
    )
    assert set(statuses(graph)) == {"ok", "x", "m", "l"}
    assert found(graph)["LIN905"] == [["l"], ["m"], ["x"]]
    with pytest.raises(lineage.UsageError):
        graph_of(robrain("ok"), as_of=time)
