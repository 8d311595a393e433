"""What changed between two exports: every transition, texts, findings, limits."""

import gzip
from pathlib import Path
from typing import Any

import pytest

import lineage
from lineage.corpus import reading
from lineage.corpus.rereading import Rereader
from tests.differences.pairs import ENDED, VALID, changes, diff_of
from tests.graphs import graph_of, memory
from tests.records import mindr, resolution, reversal, robrain, when, write_jsonl

TRANSITIONS = {
    "superseded": ([memory("a")], [memory("a"), memory("b", ["a"])], ["b"]),
    "reversed": ([mindr("a")], [mindr("a"), reversal("m", "a")], ["m"]),
    "resolved": ([mindr("a", type="debt")], [mindr("a", type="debt"), resolution("m", "a")], ["m"]),
    "retracted": ([memory("a")], [memory("a", **ENDED)], []),
    "deleted": ([memory("a")], [memory("a", deleted_at=when(9))], []),
    "cyclic": ([memory("a")], [memory("a", ["b"]), memory("b", ["a"])], ["b"]),
}


@pytest.mark.parametrize("status", TRANSITIONS)
def test_a_head_is_lost(status: str) -> None:
    old, new, by = TRANSITIONS[status]
    diff = diff_of(old, new)
    (lost,) = diff.heads_lost.to_dict("records")
    assert (lost["id"], lost["before"], lost["after"], lost["by"]) == ("a", "live", status, by)
    assert changes(diff) == {"a": ("live", status, by)}
    assert diff.to_dict()["summary"]["heads_lost"] == {"total": 1, "by": {status: 1}}


@pytest.mark.parametrize("status", TRANSITIONS)
def test_a_head_is_restored(status: str) -> None:
    new, old, _ = TRANSITIONS[status]
    diff = diff_of(old, new)
    (gained,) = diff.heads_gained.query("id == 'a'").to_dict("records")
    assert (gained["before"], gained["after"], gained["by"]) == (status, "live", [])
    assert [entry["id"] for entry in diff.to_dict()["restored"]] == ["a"]
    assert f"restored: was {status}" in diff.render("text").decode()


def test_the_transitions_are_all_there_are() -> None:
    assert {*TRANSITIONS, "live"} == set(lineage.Status)


def test_a_head_is_gone_from_the_export_and_another_is_new() -> None:
    diff = diff_of([memory("a"), memory("k")], [memory("b", at=2), memory("k")])
    assert diff.heads_lost[["id", "before", "after"]].values.tolist() == [["a", "live", None]]
    assert diff.heads_gained[["id", "before", "after"]].values.tolist() == [["b", None, "live"]]
    assert changes(diff) == {}
    assert diff.added["id"].tolist() == ["b"]
    assert diff.removed["id"].tolist() == ["a"]
    assert "gone from the export" in diff.render("text").decode()


def test_a_marker_that_takes_the_id_of_a_memory_leaves_it_gone() -> None:
    diff = diff_of([memory("a")], [memory("a", role="marker"), memory("k")])
    assert diff.heads_lost[["id", "after"]].values.tolist() == [["a", None]]


def test_from_one_way_of_being_over_to_another() -> None:
    diff = diff_of([memory("a", **ENDED)], [memory("a", **ENDED), memory("b", ["a"])])
    assert changes(diff) == {"a": ("retracted", "superseded", ["b"])}
    assert diff.heads_lost.empty
    assert "was retracted, now superseded by b" in diff.render("text").decode()


def test_added_without_effect_is_no_head() -> None:
    diff = diff_of([memory("k")], [memory("k"), memory("a"), memory("b", ["a"], at=2)])
    assert diff.added[["id", "after"]].values.tolist() == [["b", "live"], ["a", "superseded"]]
    assert diff.heads_gained["id"].tolist() == ["b"]
    assert diff.heads_gained["replaces"].tolist() == [["a"]]
    assert "new, and already superseded by b" in diff.render("text").decode()


def test_a_successor_that_was_retracted_is_named_where_its_target_stays_superseded() -> None:
    old = [memory("a", **ENDED)]
    diff = diff_of(old, [*old, memory("b", ["a"], **ENDED)])
    assert changes(diff) == {"a": ("retracted", "superseded", ["b"])}


def test_a_link_without_effect_is_not_named_beside_one_that_has_it() -> None:
    new = [memory("a"), memory("b", ["a"]), memory("c", ["a"], **ENDED)]
    assert changes(diff_of([memory("a")], new)) == {"a": ("live", "superseded", ["b"])}


@pytest.mark.parametrize(("before", "after"), [("Use npm", "Use pnpm"), (None, "Use npm"), ("Use  npm", "Use npm")])
def test_a_text_changes_under_the_same_id(before: str | None, after: str) -> None:
    diff = diff_of([memory("a", text=before)], [memory("a", text=after)])
    assert diff.reworded[["id", "before", "after", "status"]].values.tolist() == [["a", before, after, "live"]]
    assert diff.heads_lost.empty
    shown = diff.render("text").decode()
    assert ("only spaces differ" in shown) is (before == "Use  npm")


def test_where_two_long_texts_part_is_shown() -> None:
    lead = "word " * 200
    diff = diff_of([memory("a", text=f"{lead}at noon")], [memory("a", text=f"{lead}at midnight")])
    for name in ("text", "markdown", "html"):
        shown = diff.render(name).decode()
        assert "at noon" in shown, name
        assert "at midnight" in shown, name


@pytest.fixture
def _texts_stay_in_their_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "QUICK_FROM", 0)


@pytest.mark.usefixtures("_texts_stay_in_their_files")
@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz"])
def test_texts_in_files_are_compared_too(tmp_path: Path, ending: str) -> None:
    def graph(name: str, *records: Any) -> lineage.Graph:
        path = write_jsonl(tmp_path / name, records)
        if ending.endswith("gz"):
            path = path.with_suffix(".jsonl.gz")
            path.write_bytes(gzip.compress((tmp_path / name).read_bytes()))
        return lineage.build(lineage.read(path))

    assert graph("q.jsonl", robrain("a")).corpus.texts.num_rows == (1 if ending.endswith("gz") else 0)
    old = graph("o.jsonl", robrain("a", decision="x"), robrain("b"), robrain("c", decision="12"), robrain("d"))
    new = graph(
        "n.jsonl",
        robrain("d", at=2),
        robrain("c", decision="21"),
        robrain("a", decision="x", scope="user"),
        robrain("b"),
    )
    assert lineage.diff(old, new).reworded[["id", "before", "after"]].values.tolist() == [["c", "12", "21"]]
    stream = graph_of(robrain("a", decision="x"), robrain("b"), robrain("c", decision="21"), robrain("d"))
    assert lineage.diff(stream, old).reworded["id"].tolist() == ["c"]
    assert lineage.diff(stream, new).reworded.empty


@pytest.mark.usefixtures("_texts_stay_in_their_files")
def test_lines_that_merely_moved_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [robrain(name) for name in "abcd"]
    old, new = (
        lineage.build(lineage.read(write_jsonl(tmp_path / name, order)))
        for name, order in (("o.jsonl", records), ("n.jsonl", records[::-1]))
    )
    monkeypatch.delattr(Rereader, "__call__")
    assert lineage.diff(old, new, ignore=["LIN50"]).model.empty


@pytest.mark.usefixtures("_texts_stay_in_their_files")
def test_a_file_that_changed_since_is_not_believed(tmp_path: Path) -> None:
    paths = [write_jsonl(tmp_path / f"{name}.jsonl", [robrain("a"), robrain("b")]) for name in "on"]
    graphs = [lineage.build(lineage.read(path)) for path in paths]
    write_jsonl(paths[0], [robrain("a")])
    with pytest.raises(lineage.InputError, match="changed while it was being read"):
        lineage.diff(*graphs)


def test_findings_are_known_by_their_fingerprints() -> None:
    old = [memory("a", ["gone"]), memory("s", ["s"])]
    diff = diff_of(old, ["not json", memory("s", ["s"]), memory("b", ["elsewhere"])], select=["LIN1", "LIN9"])
    assert diff.findings_new[["rule", "severity"]].values.tolist() == [["LIN901", "error"], ["LIN103", "warning"]]
    assert [list(names)[:1] for names in diff.findings_fixed["memories"]] == [["a"]]
    known = {finding.fingerprint for finding in lineage.check(graph_of(*old))}
    assert set(diff.findings_fixed["fingerprint"]) <= known
    assert not set(diff.findings_new["fingerprint"]) & known


def test_what_was_found_twice_and_is_found_once_is_fixed_once() -> None:
    diff = diff_of([memory("a"), "not json", "not json"], [memory("a"), "not json"], select=["LIN901"])
    assert len(diff.findings_fixed) == 1
    assert diff.findings_new.empty


def test_findings_are_chosen_as_elsewhere() -> None:
    old, new = [memory("a")], [memory("a"), memory("s", ["s"]), memory("o", ["gone"])]
    assert set(diff_of(old, new, select=["LIN1"]).findings_new["rule"]) == {"LIN102", "LIN103"}
    assert "LIN103" not in set(diff_of(old, new, ignore=["LIN103:o*"]).findings_new["rule"])
    (found,) = diff_of(old, new, select=["LIN103"], severity={"LIN103": "error"}).findings_new["severity"]
    assert found == "error"
    with pytest.raises(lineage.UsageError):
        diff_of(old, new, limit=-1)


def test_kinds_leave_out_the_rest() -> None:
    old = [memory("a"), memory("n", kind="note")]
    assert diff_of(old, [memory("k")], kinds=["note"]).heads_lost["id"].tolist() == ["n"]
    assert diff_of(old, [memory("a"), memory("n", text="x")], kinds=["note"]).reworded["id"].tolist() == ["n"]
    assert diff_of(old, [memory("a", kind="note", text="x")], kinds=["note"]).reworded["id"].tolist() == ["a"]


def test_lists_are_cut_and_counts_are_not() -> None:
    old = [memory(f"o{number}", at=number + 1) for number in range(9)]
    new = [memory(f"n{number}", at=number + 1, links=[]) for number in range(7)]
    document = diff_of(old, new, limit=3).to_dict()
    VALID.validate(document)
    assert [entry["id"] for entry in document["heads_gained"]] == ["n6", "n5", "n4"]
    assert [entry["id"] for entry in document["heads_lost"]] == ["o8", "o7", "o6"]
    assert document["summary"]["heads_lost"] == {"total": 9, "by": {"gone": 9}}
    assert document["truncated"]["heads_gained"] == 4
    assert document["truncated"]["removed"] == 6
    assert diff_of(old, new).to_dict()["truncated"] == {}
    assert "6 more (--limit)" in diff_of(old, new, limit=3).render("text").decode()
    assert "6 more are left out" in diff_of(old, new, limit=3).render("markdown").decode()
    assert "6 more are left out" in diff_of(old, new, limit=3).render("html").decode()
