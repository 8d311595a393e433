"""GraphML and node-link JSON: networkx reads back what was written, whatever it says."""

import io
import json
import re
import xml.parsers.expat
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import networkx as nx
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lineage
from lineage.drawings.graphml import DRAWING as GRAPHML
from lineage.drawings.node_link import DRAWING as JSON
from tests.graphs import graph_of, memory

from . import diagrams

EXAMPLES = Path(__file__).parents[2] / "examples"
HOSTILE = [*diagrams.HOSTILE, "\x00", "\r\n", "\r", " \t\n ", "\ud800", "\ufffe\uffff", "\\u{0}", "]]>", "\x85\x7f"]


def everything() -> nx.MultiDiGraph:
    return lineage.build(lineage.read(EXAMPLES)).to_networkx()


def hostile() -> nx.MultiDiGraph:
    made = nx.MultiDiGraph()
    for node, text in enumerate(HOSTILE):
        made.add_node(f"{node} {text}", id=f"{node} {text}", text=text, files=[text], tags=[(text, text)], used=node)
    for newer, older in zip(list(made)[1:], made, strict=False):
        made.add_edge(newer, older, key="supersedes", kind="supersedes", via=older, implied=False, void=None)
        made.add_edge(newer, older, key="relates", kind="relates", via=newer, implied=True, void="boundary")
    return made


def shown(text: str) -> str:
    """The text as GraphML can hold it, told in another way than it is made."""
    held = text.replace("\\u{", "\\u{5c}u{") if "\\u{" in text else text
    return "".join(
        character
        if character in "\t\n" or (character >= " " and not "\ud800" <= character <= "\udfff" and character < "\ufffe")
        or character > "\uffff"
        else f"\\u{{{ord(character):x}}}"
        for character in held
    )  # fmt: skip


def flat(columns: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, value in columns.items():
        if isinstance(value, datetime):
            made[name] = (
                f"{value.strftime('%Y-%m-%dT%H:%M:%S')}{f'.{value.microsecond:06}' if value.microsecond else ''}Z"
            )
        elif isinstance(value, str):
            made[name] = shown(value)
        elif isinstance(value, list) and value:
            made[name] = shown(json.dumps(value, ensure_ascii=False))
        elif isinstance(value, bool | int) or (isinstance(value, float) and abs(value) < float("inf")):
            made[name] = value
    return made


def read(graph: nx.MultiDiGraph) -> nx.MultiDiGraph:
    found = GRAPHML.write(graph)
    return nx.read_graphml(io.BytesIO(found), force_multigraph=True)


@pytest.mark.parametrize("make", [everything, hostile])
def test_graphml_gives_back_nodes_links_and_columns(make: Any) -> None:
    graph = make()
    found = read(graph)
    assert dict(found.nodes(data=True)) == {shown(node): flat(columns) for node, columns in graph.nodes(data=True)}
    written = sorted((shown(u), shown(v), key, flat(data)) for u, v, key, data in graph.edges(keys=True, data=True))
    assert (
        sorted((u, v, key.rpartition("-")[0], data) for u, v, key, data in found.edges(keys=True, data=True)) == written
    )
    for _, columns in found.nodes(data=True):
        for name, value in columns.items():
            assert type(value) is {"line": int, "turn": int, "used": int, "injected": int, "generation": int,
                                   "relevance": float, "confidence": float}.get(name, str)  # fmt: skip


def test_every_link_has_an_id_of_its_own() -> None:
    keys = [key for *_, key in read(everything()).edges(keys=True)]
    assert len(keys) == len(set(keys)) > 0
    assert all(re.fullmatch(r"[a-z]+-\d+", key) for key in keys)


def test_graphml_is_read_by_a_parser_that_knows_no_networkx() -> None:
    parser = xml.parsers.expat.ParserCreate()
    parser.Parse(GRAPHML.write(hostile()), True)


@given(st.dictionaries(st.text(), st.text(), min_size=1), st.data())
def test_any_ids_and_texts_come_back(texts: dict[str, str], data: st.DataObject) -> None:
    graph = nx.MultiDiGraph()
    for node, text in texts.items():
        graph.add_node(node, id=node, text=text)
    ends = st.sampled_from(sorted(texts))
    for source, target in data.draw(st.lists(st.tuples(ends, ends), max_size=5)):
        graph.add_edge(source, target, key="extends", kind="extends")
    found = read(graph)
    assert dict(found.nodes(data=True)) == {
        shown(node): {"id": shown(node), "text": shown(text)} for node, text in texts.items()
    }
    assert sorted(found.edges()) == sorted((shown(u), shown(v)) for u, v in graph.edges())
    back = nx.node_link_graph(json.loads(JSON.write(graph)), edges="links")
    assert dict(back.nodes(data=True)) == {node: {"text": text} for node, text in texts.items()}
    assert sorted(back.edges(keys=True)) == sorted(graph.edges(keys=True))


def test_ids_that_are_shown_alike_stay_two() -> None:
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(["a\x00", "a\\u{0}", "a\\u{5c}u{0}"])
    assert len(read(graph)) == 3


NUMBERS = {"relevance": [0.1, 1.0, float("nan"), float("inf"), -0.0, 1e-300], "line": [0, 7, 2**62, None, 1, -1]}


def test_numbers_are_numbers_and_what_is_none_is_left_out() -> None:
    graph = nx.MultiDiGraph()
    for node, (relevance, line) in enumerate(zip(*NUMBERS.values(), strict=True)):
        graph.add_node(str(node), relevance=relevance, line=line)
    found = [columns for _, columns in read(graph).nodes(data=True)]
    assert found[:3] == [{"relevance": 0.1, "line": 0}, {"relevance": 1.0, "line": 7}, {"line": 2**62}]
    assert found[3:] == [{}, {"relevance": 0.0, "line": 1}, {"relevance": 1e-300, "line": -1}]
    plain = json.loads(JSON.write(graph), parse_constant=pytest.fail)["nodes"]
    assert [node["relevance"] for node in plain] == [0.1, 1.0, None, None, 0.0, 1e-300]
    assert [node["line"] for node in plain] == NUMBERS["line"]


def test_times_are_iso_in_utc() -> None:
    graph = nx.MultiDiGraph()
    for node, moment in enumerate(["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.123456Z", "0001-01-01T00:00:00Z"]):
        graph.add_node(str(node), created_at=pd.Timestamp(moment).as_unit("us"))
    assert [columns["created_at"] for _, columns in read(graph).nodes(data=True)] == [
        "2026-01-02T03:04:05Z",
        "2026-01-02T03:04:05.123456Z",
        "0001-01-01T00:00:00Z",
    ]
    assert json.loads(JSON.write(graph))["nodes"][1]["created_at"] == "2026-01-02T03:04:05.123456Z"


def test_json_holds_every_column_plainly() -> None:
    graph = everything()
    found = json.loads(JSON.write(graph), parse_constant=pytest.fail)
    assert (found["directed"], found["multigraph"]) == (True, True)
    nodes = {node["id"]: node for node in found["nodes"]}
    for identifier, columns in graph.nodes(data=True):
        assert list(nodes[identifier]) == list(columns)
        for name, value in columns.items():
            if isinstance(value, datetime):
                assert datetime.fromisoformat(nodes[identifier][name]) == value
            else:
                assert nodes[identifier][name] == json.loads(json.dumps(value))
    back = nx.node_link_graph(found, edges="links")
    assert sorted(back.edges(keys=True)) == sorted(graph.edges(keys=True))
    assert all(data["kind"] == key for *_, key, data in back.edges(keys=True, data=True))


def test_a_lone_surrogate_is_an_escape_in_json() -> None:
    graph = nx.MultiDiGraph()
    graph.add_node("\ud800", text="\udfff é 😀")
    drawn = JSON.write(graph)
    assert b"\xc3\xa9 \xf0\x9f\x98\x80" in drawn
    assert json.loads(drawn.decode("utf-8"))["nodes"] == [{"text": "\udfff é 😀", "id": "\ud800"}]


@pytest.mark.parametrize("form", [GRAPHML, JSON])
def test_the_order_of_the_input_changes_nothing(form: Any) -> None:
    records = [memory(f"m{number}", [f"m{number - 1}"] if number else ()) for number in range(5)]
    graph = graph_of(*records).to_networkx()
    turned = nx.MultiDiGraph()
    turned.add_nodes_from(reversed(list(graph.nodes(data=True))))
    turned.add_edges_from(reversed(list(graph.edges(keys=True, data=True))))
    assert form.write(turned) == form.write(graph)


def test_every_node_and_link_has_a_line_of_its_own_in_json() -> None:
    graph = everything()
    assert JSON.write(graph).count(b"\n") == len(graph) + graph.number_of_edges() + 3


@pytest.mark.parametrize("form", [GRAPHML, JSON])
def test_a_graph_without_anything_is_written(form: Any) -> None:
    assert form.write(nx.MultiDiGraph())
    assert json.loads(JSON.write(nx.MultiDiGraph()))["nodes"] == []
    assert len(read(nx.MultiDiGraph())) == 0
