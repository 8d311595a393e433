"""PROV-JSON: revisions, derivations, invalidations; written and read again."""

import json
from pathlib import Path
from typing import Any

import pytest

import lineage
from tests.cli.conftest import Run, run
from tests.readers.rows import extra, found, graph_of, links, row, statuses
from tests.records import chain, mindr, reversal, write_jsonl

__all__ = ["run"]


def derived(newer: str, older: str, type: Any = "prov:Revision", **more: Any) -> dict[str, Any]:
    kind = {} if type is None else {"prov:type": type}
    return {"prov:generatedEntity": newer, "prov:usedEntity": older, **kind, **more}


def document(*names: str, **parts: Any) -> dict[str, Any]:
    entities = {f"ex:{name}": {"prov:label": f"Decide {name}"} for name in names}
    return {"prefix": {"ex": "http://example.org/"}, "entity": entities, **parts}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "decisions.json"


@pytest.mark.parametrize(
    ("type", "kind"),
    [
        ("prov:Revision", "supersedes"),
        ({"$": "prov:Revision", "type": "xsd:QName"}, "supersedes"),
        ([{"$": "ex:x", "type": "xsd:QName"}, "prov:Revision"], "supersedes"),
        ("prov:Quotation", "extends"),
        (None, "extends"),
    ],
)
def test_a_derivation_goes_from_the_newer_to_the_older(file: Path, type: Any, kind: str) -> None:
    graph = graph_of(file, document("a", "b", wasDerivedFrom={"_:1": derived("ex:b", "ex:a", type)}))
    assert links(graph) == {("ex:b", kind, "ex:a", None)}
    assert statuses(graph) == {"ex:a": "superseded" if kind == "supersedes" else "live", "ex:b": "live"}
    assert row(graph, "ex:a")["text"] == "Decide a"


def test_an_invalidation_ends(file: Path) -> None:
    ended = {"_:1": {"prov:entity": "ex:a", "prov:time": "2026-01-02T00:00:00+01:00"}}
    graph = graph_of(file, document("a", "b", wasInvalidatedBy=ended))
    assert statuses(graph) == {"ex:a": "retracted", "ex:b": "live"}
    assert str(row(graph, "ex:a")["invalidated_at"]) == "2026-01-01 23:00:00+00:00"
    assert row(graph, "ex:a")["declared"] == "ended"


def test_what_else_it_says(file: Path) -> None:
    graph = graph_of(
        file,
        document(
            "a",
            wasGeneratedBy={
                "_:1": {"prov:entity": "ex:a", "prov:activity": "ex:meet", "prov:time": "2026-01-02T00:00:00Z"}
            },
            wasAttributedTo={"_:2": {"prov:entity": "ex:a", "prov:agent": "ex:ann"}},
            activity={"ex:meet": {}},
        ),
    )
    assert str(row(graph, "ex:a")["created_at"]) == "2026-01-02 00:00:00+00:00"
    assert row(graph, "ex:a")["agent"] == "ex:ann"
    assert extra(graph, "ex:a")["document"]["activity"] == {"ex:meet": {}}


def test_an_end_that_is_missing(file: Path) -> None:
    relations = {"_:1": derived("ex:b", "ex:old"), "_:2": derived("ex:new", "ex:b"), "_:3": derived("ex:x", "ex:y")}
    graph = graph_of(file, document("b", wasDerivedFrom=relations))
    assert links(graph) == {("ex:b", "supersedes", "ex:old", "dangling"), ("ex:new", "supersedes", "ex:b", "dangling")}
    assert len(found(graph, "LIN905")) == 1


def test_parts_that_are_wrong(file: Path) -> None:
    parts: dict[str, Any] = {"wasDerivedFrom": ["x"], "wasInvalidatedBy": {"_:1": 7}}
    graph = graph_of(file, document("a", **parts) | {"entity": {"ex:a": {}, "ex:b": [{}], "ex:c": [7]}})
    assert statuses(graph) == {"ex:a": "live", "ex:b": "live"}
    assert len(found(graph, "LIN905")) == 2
    assert len(found(graph, "LIN901")) == 1


WHOLE = document(
    "a",
    "b",
    wasDerivedFrom={
        "_:1": derived("ex:b", "ex:a", ex_note="why"),
        "_:2": [derived("ex:b", "ex:z"), derived("ex:q", "ex:z")],
    },
    wasInvalidatedBy={"_:3": {"prov:entity": "ex:a", "prov:time": "2026-01-02T00:00:00+01:00"}},
    used={"_:4": {"prov:activity": "ex:meet", "prov:entity": "ex:a"}},
    wasAssociatedWith={"_:5": {"prov:activity": "ex:meet", "prov:agent": "ex:ann"}},
    activity={"ex:meet": {"prov:startTime": "2026-01-01T00:00:00"}},
    agent={"ex:ann": {"prov:type": {"$": "prov:Person", "type": "xsd:QName"}}},
    bundle={"ex:bundle": {"entity": {"ex:i": {}}}},
    unknown={"kept": True},
)
WHOLE["entity"]["ex:c"] = [{"prov:label": "C", "ex:n": {"$": "1", "type": "xsd:int"}}, {"ex:n": 2}]
WHOLE["entity"]["ex:d"] = {}


def test_a_document_comes_back_as_it_was(run: Run, file: Path) -> None:
    file.write_text(json.dumps(WHOLE), encoding="utf-8")
    assert json.loads(run("convert", file, "--to", "prov").stdout) == WHOLE


def test_several_documents_become_one(run: Run, tmp_path: Path) -> None:
    for name in ("a", "b"):
        old = f"{name}0"
        content = document(name, old, wasDerivedFrom={"_:1": derived(f"ex:{name}", f"ex:{old}")})
        (tmp_path / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    whole = json.loads(run("convert", tmp_path / "a.json", tmp_path / "b.json", "--to", "prov").stdout)
    assert len(whole["wasDerivedFrom"]) == 2
    assert set(statuses(graph_of(tmp_path / "c.json", whole)).values()) == {"live", "superseded"}


def test_other_formats_say_in_prov_what_prov_can_say(run: Run, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "m.jsonl", [*chain("a", "b/ü"), mindr("d"), reversal("m", "d")])
    result = run("convert", path, "--to", "prov")
    assert result.stderr == ""
    whole = json.loads(result.stdout)
    assert whole["entity"]["memory:robrain/b%2F%C3%BC"]["prov:label"] == "Decide b/ü"
    (revision,) = whole["wasDerivedFrom"].values()
    assert revision["prov:generatedEntity"] == "memory:robrain/b%2F%C3%BC"
    assert revision["prov:usedEntity"] == "memory:robrain/a"
    assert revision["prov:type"]["$"] == "prov:Revision"
    again = graph_of(tmp_path / "again.json", whole)
    first = lineage.build(lineage.read(path))
    assert statuses(again) == statuses(first)
    assert links(again) == links(first)
    assert set(again.memories["format"]) == {"robrain", "mindr"}


def test_a_revision_added_by_hand_to_what_was_written_counts(run: Run, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "m.jsonl", [*chain("a"), *chain("b")])
    whole = json.loads(run("convert", path, "--to", "prov").stdout)
    whole["wasDerivedFrom"] = {"_:x": derived("memory:robrain/b", "memory:robrain/a")}
    assert statuses(graph_of(tmp_path / "again.json", whole)) == {"a": "superseded", "b": "live"}


def test_prefixes_of_a_document_are_not_taken_over(run: Run, tmp_path: Path) -> None:
    taken = document("a") | {"prefix": {"memory": "http://m/", "lineage": "http://l/", "ex": "http://example.org/"}}
    (tmp_path / "p.json").write_text(json.dumps(taken), encoding="utf-8")
    robrain = write_jsonl(tmp_path / "m.jsonl", chain("x"))
    whole = json.loads(run("convert", tmp_path / "p.json", robrain, "--to", "prov").stdout)
    assert whole["prefix"].items() >= taken["prefix"].items()
    assert set(statuses(graph_of(tmp_path / "again.json", whole))) == {"ex:a", "x"}
