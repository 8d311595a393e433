"""What changed between two exports: every transition, every way to show it, and what must hold of any two."""

import gzip
import json
import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import lineage
from lineage.corpus import reading
from lineage.discovery import differences
from lineage.reporting.diff import LISTS, SCHEMA_FILE
from tests.graphs import graph_of, memory, statuses
from tests.records import mindr, resolution, reversal, robrain, when, write_jsonl

SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
VALID = jsonschema.Draft202012Validator(SCHEMA)
ENDED = {"declared": "ended", "invalidated_at": when(9)}
HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)>",
    "\x1b[2J\x1b]0;owned\x07",
    "::error file=x::owned\n::set-output name=a::b",
    "@everyone [x](http://evil.example) #1 </details> `code` | ~~x~~",
    "\u202edesrever {{ 7*7 }} {% raw %}",
)

Records = Sequence[Any]


def diff_of(old: Records, new: Records, **options: Any) -> lineage.Diff:
    return lineage.diff(graph_of(*old), graph_of(*new), **options)


def changes(diff: lineage.Diff) -> dict[str, tuple[str | None, str | None, list[str]]]:
    return {row.id: (row.before, row.after, list(row.by)) for row in diff.changed.itertuples()}


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
    assert diff.findings_fixed[["rule", "memories"]].values.tolist() == [["LIN103", ["a"]]] or [
        list(names)[:1] for names in diff.findings_fixed["memories"]
    ] == [["a"]]
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


def test_the_gravest_stands_first() -> None:
    for name in ("text", "markdown", "html"):
        shown = _everything().render(name).decode().partition("<main")[2 if name == "html" else 0]
        titles = ["New errors and warnings", "Live heads lost", "Live heads gained", "Text changed", "New notes"]
        places = [shown.index(title) for title in titles]
        assert places == sorted(places), name


def _everything(text: str = "Decide", id: str = "x") -> lineage.Diff:
    """One of everything, with a text and a beginning of ids of its own."""

    def named(name: str, *supersedes: str, **columns: Any) -> dict[str, Any]:
        targets = [f"{id}{other}" for other in supersedes]
        return memory(f"{id}{name}", targets, **{"text": f"{text} {name}", "kind": text, "scope": text, **columns})

    old = [
        named("lost"),
        named("gone"),
        named("past", **ENDED),
        named("said"),
        named("kept", "nowhere"),
        named("mend", "mend"),
    ]
    new = [
        named("lost"),
        named("past", **ENDED),
        named("next", "lost", "past"),
        named("said", text=f"Else {text}"),
        named("kept"),
        named("mend"),
        named("odd", "odd"),
        named("one", "two"),
        named("two", "one"),
    ]
    return diff_of(old, new)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    diff = _everything(text, text)
    pages = {name: diff.render(name).decode() for name in differences()}
    for name, page in pages.items():
        assert "\x1b" not in page, name
        assert "\u202e" not in page or name == "json"
        # A page is no log: it keeps the lines of a text, as the report does.
        assert name == "html" or not any(line.startswith("::") for line in map(str.lstrip, page.splitlines())), name
    assert set(re.findall(r"</?(?:script|img)\b", pages["html"] + diff._repr_html_())) == set()
    assert "49" not in pages["html"] or "7*7" in pages["html"]
    assert json.loads(pages["json"]) == diff.to_dict()
    VALID.validate(diff.to_dict())
    tokens = MarkdownIt("commonmark").parse(pages["markdown"])
    kinds = {token.type for token in tokens} | {child.type for token in tokens for child in token.children or ()}
    assert not kinds & {"link_open", "image", "html_inline", "code_block", "fence"}
    blocks = [token.content.strip() for token in tokens if token.type == "html_block"]
    assert all(re.fullmatch(r"<details><summary><b>[\w ,:()]+</b></summary>|</details>", block) for block in blocks)
    assert sum("<details>" in block for block in blocks) == sum("</details>" in block for block in blocks) > 0


def test_the_page_runs_and_loads_nothing() -> None:
    page = _everything().render("html").decode()
    assert re.search(r"default-src 'none'; style-src 'sha256-[\w+/]{43}='", page)
    assert not re.search(r"<script|<link|<iframe|\son\w+=|\sstyle=|\ssrc=|href=\"(?!#)", page)
    anchors = set(re.findall(r' id="([\w-]+)"', page))
    assert set(re.findall(r'href="#([\w-]+)"', page)) <= anchors


@pytest.mark.parametrize("text", ["short", "@" * 3000, "日本語" * 500, "`|$<&" * 1000])
def test_the_comment_fits_a_pull_request(text: str) -> None:
    diff = diff_of([memory("k")], [memory(f"{number}", text=text, links=[]) for number in range(600)])
    page = diff.render("markdown")
    assert len(page) <= 60_000
    assert b"more are left out" in page
    assert page.decode().rstrip().endswith("`lineage diff -f json --limit 0`.")


@pytest.mark.parametrize("width", [40, 60, 80, 110])
def test_the_text_keeps_to_its_width(width: int) -> None:
    from lineage.differences import text
    from lineage.text import cells

    model = _everything(
        "日本語 and much more than fits into a line of eighty columns, and on it goes", "long-id-" * 3
    ).model
    plain = list(text.lines(model, width=width, colour=False))
    assert all(cells(line) <= width for line in plain if "<stream" not in line)
    coloured = [re.sub("\x1b\\[[\\d;]*m", "", line) for line in text.lines(model, width=width, colour=True)]
    assert coloured == plain
    assert coloured != list(text.lines(model, width=width, colour=True))


def test_ways_out(tmp_path: Path) -> None:
    diff = _everything()
    assert set(differences()) == {"html", "json", "markdown", "text"}
    for name, one in differences().items():
        diff.save(tmp_path / f"made/out{one.suffix}")
        assert (tmp_path / f"made/out{one.suffix}").read_bytes() == diff.render(name)
    with pytest.raises(lineage.UsageError, match=r"out\.docx: no comparison's format"):
        diff.save(tmp_path / "out.docx")
    with pytest.raises(lineage.UsageError, match="unknown format of a comparison 'pdf'"):
        diff.render("pdf")
    assert "<table" in diff._repr_html_()
    assert repr(diff).startswith("<Diff: 2 live heads gained, 2 lost; 2 new errors")


# What must hold of any two graphs.

NAMES = "abcdef"


@st.composite
def exports(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A few memories, each with any links to any others, ended, deleted, a decision or a debt."""
    records = []
    for name in draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=1)):
        links = [
            {"kind": kind, "target": target}
            for kind, target in draw(
                st.lists(
                    st.tuples(st.sampled_from(["supersedes", "reverses", "resolves"]), st.sampled_from(NAMES)),
                    max_size=2,
                )
            )
        ]
        more: dict[str, Any] = draw(st.sampled_from([{}, {}, {}, ENDED, {"deleted_at": when(9)}]))
        kind, text = draw(st.sampled_from(["decision", "debt"])), draw(st.sampled_from(["one", "two"]))
        records.append(memory(name, links=links, kind=kind, text=text, at=draw(st.integers(1, 3)), **more))
    return records


def live(graph: lineage.Graph) -> set[str]:
    return {id for id, status in statuses(graph).items() if status == "live"}


@settings(deadline=None, max_examples=60)
@given(exports())
def test_nothing_changes_from_a_graph_to_itself(records: list[dict[str, Any]]) -> None:
    diff = diff_of(records, records)
    assert diff.model.empty
    assert all(not diff.to_dict()[name] for name in LISTS)
    assert diff.render("text").decode() == "✓ Nothing changed.\n"


@settings(deadline=None, max_examples=60)
@given(exports(), exports())
def test_the_heads_add_up(first: list[dict[str, Any]], second: list[dict[str, Any]]) -> None:
    old, new = graph_of(*first), graph_of(*second)
    diff = lineage.diff(old, new)
    gained, lost = set(diff.heads_gained["id"]), set(diff.heads_lost["id"])
    assert gained == live(new) - live(old)
    assert lost == live(old) - live(new)
    before, after = statuses(old), statuses(new)
    assert {id: (was, now) for id, (was, now, _) in changes(diff).items()} == {
        id: (before[id], after[id]) for id in before if id in after and before[id] != after[id]
    }
    assert set(diff.added["id"]) == set(after) - set(before)
    texts = [{record["id"]: record["text"] for record in records} for records in (first, second)]
    assert set(diff.reworded["id"]) == {id for id in before if id in after and texts[0][id] != texts[1][id]}
    VALID.validate(diff.to_dict())


@settings(deadline=None, max_examples=60)
@given(exports(), exports())
def test_backwards_is_the_mirror(first: list[dict[str, Any]], second: list[dict[str, Any]]) -> None:
    there, back = diff_of(first, second), diff_of(second, first)
    for one, other in (("heads_gained", "heads_lost"), ("added", "removed"), ("findings_new", "findings_fixed")):
        key = "fingerprint" if one.startswith("findings") else "id"
        assert Counter(getattr(there, one)[key]) == Counter(getattr(back, other)[key])
        assert Counter(getattr(there, other)[key]) == Counter(getattr(back, one)[key])
    for name in ("changed", "reworded"):
        assert {(row.id, row.before, row.after) for row in getattr(there, name).itertuples()} == {
            (row.id, row.after, row.before) for row in getattr(back, name).itertuples()
        }


@settings(deadline=None, max_examples=60)
@given(exports(), exports())
def test_findings_add_up(first: list[dict[str, Any]], second: list[dict[str, Any]]) -> None:
    old, new = (
        Counter(finding.fingerprint for finding in lineage.check(graph_of(*records))) for records in (first, second)
    )
    diff = diff_of(first, second)
    assert Counter(diff.findings_new["fingerprint"]) == new - old
    assert Counter(diff.findings_fixed["fingerprint"]) == old - new


@settings(deadline=None, max_examples=40)
@given(exports(), exports(), st.randoms(use_true_random=False))
def test_the_order_of_the_records_does_not_matter(
    first: list[dict[str, Any]], second: list[dict[str, Any]], dice: random.Random
) -> None:
    def told(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> Any:
        document = diff_of(old, new).to_dict()
        return json.loads(re.sub(r'"line": \d+', '"line": 1', json.dumps(document)))

    shuffled = [dice.sample(records, len(records)) for records in (first, second)]
    assert told(first, second) == told(*shuffled)
