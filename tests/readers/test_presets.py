"""The formats that are mappings: how each is recognised, its links, their directions, its statuses."""

from pathlib import Path
from typing import Any

import pytest

import lineage
from tests.readers.rows import extra, found, graph_of, links, row, statuses


def canon(*decisions: dict[str, Any]) -> dict[str, Any]:
    return {"format": "canon-export", "schema_version": 2, "decisions": list(decisions)}


def test_canon(tmp_path: Path) -> None:
    at = "2026-01-01T00:00:00Z"
    old = {"id": 1, "title": "Postgres", "body": "why", "status": "superseded", "created_at": at, "confirmed_at": at}
    new = {
        "id": 2,
        "title": "SQLite",
        "status": "active",
        "created_at": at,
        "supersedes_id": 1,
        "source_commit": "c0ffee",
    }
    out = {"id": 3, "title": "No", "status": "rejected", "created_at": at, "rejected_at": at, "rejection_reason": "x"}
    graph = graph_of(tmp_path / "decisions.json", canon(old | {"superseded_by_id": 2, "superseded_at": at}, new, out))
    assert set(graph.memories["format"]) == {"canon"}
    assert statuses(graph) == {"1": "superseded", "2": "live", "3": "retracted"}
    assert links(graph) == {("2", "supersedes", "1", None)}
    assert graph.links["declared_by"].tolist() == ["both"]
    assert (row(graph, "1")["rationale"], row(graph, "2")["commit"]) == ("why", "c0ffee")
    assert row(graph, "1")["reviewed_at"] == row(graph, "1")["created_at"]
    assert extra(graph, "3")["rejection_reason"] == "x"
    assert ("status", "active") in row(graph, "2")["tags"]


def test_canon_stated_at_one_end_only(tmp_path: Path) -> None:
    graph = graph_of(tmp_path / "d.json", canon({"id": 1, "title": "a"}, {"id": 2, "title": "b", "supersedes_id": 1}))
    assert len(found(graph, "LIN109")) == 1


def adr(id: str, status: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "title": id.upper(), "status": status, "date": "2026-01-01", "linked_commits": []} | {
        "supersedes": None,
        "superseded_by": None,
        **more,
    }


def test_git_adr(tmp_path: Path) -> None:
    records = [
        adr("old", "superseded", superseded_by="plan"),
        adr("plan", "proposed", supersedes="old"),
        adr("first", "deprecated"),
        adr("second", "accepted", supersedes="first", deciders=["ann"], linked_commits=["c1", "c2"]),
        adr("third", "deprecated", supersedes="second"),
    ]
    graph = graph_of(tmp_path / "adrs.json", {"adrs": records})
    assert set(graph.memories["format"]) == {"git-adr"}
    assert {link for link in links(graph) if link[3]} == {("plan", "supersedes", "old", "unaccepted-source")}
    # A record that was deprecated did hold, and so did its claim.
    assert statuses(graph)["second"] == "superseded"
    assert statuses(graph)["plan"] == "live"
    assert (row(graph, "second")["agent"], row(graph, "second")["commit"]) == ("ann", "c1")
    assert graph_of(tmp_path / "adrs.json").memories["kind"].unique().tolist() == ["decision"]


def test_beads_store_what_replaces_an_issue_with_the_issue(tmp_path: Path) -> None:
    def issue(id: str, status: str, *dependencies: tuple[str, str]) -> dict[str, Any]:
        kept = [{"issue_id": id, "depends_on_id": other, "type": kind} for kind, other in dependencies]
        base = {"id": id, "title": id, "issue_type": "decision", "status": status, "created_at": "2026-01-01T00:00:00Z"}
        return base | ({"dependencies": kept} if kept else {})

    records = [
        issue("bd-1", "closed", ("supersedes", "bd-2"), ("blocks", "bd-3")),
        issue("bd-2", "open", ("related", "bd-3")),
        issue("bd-3", "tombstone") | {"deleted_at": "2026-01-02T00:00:00Z", "labels": ["db"]},
    ]
    graph = graph_of(tmp_path / "issues.jsonl", records)
    assert set(graph.memories["format"]) == {"beads"}
    assert statuses(graph) == {"bd-1": "superseded", "bd-2": "live", "bd-3": "deleted"}
    assert links(graph) == {("bd-2", "supersedes", "bd-1", None), ("bd-2", "relates", "bd-3", None)}
    assert row(graph, "bd-3")["tags"] == [("tag", "db"), ("status", "tombstone")]
    assert extra(graph, "bd-1")["dependencies"][1]["type"] == "blocks"


def test_mif(tmp_path: Path) -> None:
    memories = [
        {"id": "m1", "content": "Use Rust", "type": "Decision", "importance": 0.85, "tags": ["rust"]},
        {
            "id": "m2",
            "content": "Use Go",
            "memory_type": "decision",
            "parent_id": "m1",
            "source": {"session_id": "s", "agent": "a"},
            "relations": [{"type": "supersedes", "target": "m1"}, {"relation_type": "caused_by", "target_id": "m1"}],
        },
    ]
    graph = graph_of(tmp_path / "export.mif.json", {"mif_version": "1.0", "memories": memories})
    assert set(graph.memories["format"]) == {"mif"}
    assert statuses(graph) == {"m1": "superseded", "m2": "live"}
    assert {link[:3] for link in links(graph)} == {
        (("m2"), kind, "m1") for kind in ("supersedes", "extends", "relates")
    }
    assert (row(graph, "m2")["session"], row(graph, "m2")["agent"], row(graph, "m1")["relevance"]) == ("s", "a", 0.85)


def place(id: int, **more: Any) -> dict[str, Any]:
    properties = {"wof:id": id, "wof:name": f"Place {id}", "wof:placetype": "county", "wof:lastmodified": 1767225600}
    return {
        "type": "Feature",
        "id": id,
        "properties": properties | {f"wof:{key}": value for key, value in more.items()},
    }


@pytest.mark.parametrize("name", ["1.geojson", "all.geojson"])
def test_whos_on_first(tmp_path: Path, name: str) -> None:
    places = [place(1, superseded_by=[2, 3], supersedes=[]), place(2, supersedes=[1]), place(3, supersedes=[1])]
    if name == "all.geojson":
        (tmp_path / name).write_text("{}")
        graph = graph_of(tmp_path / name, {"type": "FeatureCollection", "features": places})
    else:
        for number, one in enumerate(places, 1):
            graph_of(tmp_path / f"{number}.geojson", one)
        graph = lineage.build(lineage.read(tmp_path))
    assert set(graph.memories["format"]) == {"whos-on-first"}
    assert statuses(graph) == {"1": "superseded", "2": "live", "3": "live"}
    assert links(graph) == {("2", "supersedes", "1", None), ("3", "supersedes", "1", None)}
    assert set(graph.links["declared_by"]) == {"both"}
    assert row(graph, "1")["updated_at"].isoformat() == "2026-01-01T00:00:00+00:00"
    assert (row(graph, "1")["text"], row(graph, "1")["kind"]) == ("Place 1", "county")


@pytest.mark.parametrize(
    "record",
    [
        {"format": "canon-export", "decisions": "none"},
        {"format": "other", "decisions": []},
        {"adrs": [{"id": "x", "title": "y"}]},
        {"adrs": 7},
        {"type": "Feature", "properties": {"name": "a place"}},
        {"type": "FeatureCollection", "features": []},
        {"id": "x", "title": "y", "status": "open"},
    ],
)
def test_what_is_none_of_them_is_refused(tmp_path: Path, record: dict[str, Any]) -> None:
    with pytest.raises(lineage.NothingReadable):
        graph_of(tmp_path / "x.json", record)


def test_one_of_them_can_be_forced(tmp_path: Path) -> None:
    graph = graph_of(tmp_path / "x.json", {"decisions": [{"id": 1, "title": "a"}]}, from_="canon")
    assert statuses(graph) == {"1": "live"}
