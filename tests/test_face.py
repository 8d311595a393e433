"""The Python face: tables, lineages, reports, errors."""

import json
from pathlib import Path

import networkx as nx
import pandas as pd
import pytest

import lineage
from lineage.model import COLUMNS
from tests.graphs import graph_of, memory
from tests.records import atproto, chain, mindr, reversal, robrain, uri, write_jsonl


@pytest.fixture
def graph() -> lineage.Graph:
    return graph_of(
        *chain("alpha-one", "alpha-two"),
        robrain("orphan", "gone"),
        memory("x", ["y"]),
        memory("y", ["x"], at=2),
        mindr("d"),
        reversal("m", "d"),
        mindr("log", type="context"),
    )


def test_memories_have_every_column_and_the_right_types(graph: lineage.Graph) -> None:
    frame = graph.memories
    assert list(frame.columns) == [*(column.name for column in COLUMNS), "status", "lineage", "generation"]
    assert set(frame["id"]) == {"alpha-one", "alpha-two", "orphan", "x", "y", "d"}
    assert str(frame["created_at"].dtype) == "datetime64[us, UTC]"
    assert frame["turn"].dtype == "Int64"
    assert frame["relevance"].dtype == float
    assert frame["status"].dtype == "category"


def test_tables_of_what_holds_and_what_is_broken(graph: lineage.Graph) -> None:
    assert set(graph.live_heads()["id"]) == {"alpha-two", "orphan"}
    assert graph.live_heads()["created_at"].is_monotonic_decreasing
    assert graph.orphans().to_dict("records") == [
        {
            "id": "orphan",
            "missing": "gone",
            "kind": "supersedes",
            "via": "lifecycle.supersedes_id",
            "source": "<stream 1>",
            "line": 3,
        }
    ]
    [cycle] = graph.cycles().to_dict("records")
    assert cycle["memories"] == ["x", "y", "x"]
    assert cycle["cut"] == [("x", "y")]
    assert cycle["then"] == ["x"] or cycle["then"] == ["y"]
    assert set(graph.lineages()["id"]) == {"alpha-one", "x", "d"}


def test_a_lineage_by_the_beginning_of_an_id(graph: lineage.Graph) -> None:
    found = graph.lineage("alpha-tw")
    assert found.id == "alpha-one"
    assert found.memories["id"].tolist() == ["alpha-one", "alpha-two"]
    assert found.links[["source", "target"]].values.tolist() == [["alpha-two", "alpha-one"]]
    assert set(graph.lineage("d").memories["role"].astype(str)) == {"memory", "marker"}


@pytest.mark.parametrize(
    ("prefix", "message"),
    [("zq", "at least 8 characters"), ("alpha-on3", "nearest is 'alpha-one'"), ("nothing like it", "no memory has")],
)
def test_an_id_that_is_not_there(graph: lineage.Graph, prefix: str, message: str) -> None:
    with pytest.raises(lineage.UnknownMemory, match=message):
        graph.lineage(prefix)


def test_an_ambiguous_beginning_names_its_candidates() -> None:
    graph = graph_of(robrain("decision-1"), robrain("decision-2"))
    with pytest.raises(lineage.UnknownMemory, match="2 ids: decision-1, decision-2"):
        graph.find("decision")


@pytest.mark.parametrize("given", ["….record/key-of-it", "at://did:plc…key-of-it", "key-of-it", "…f-record/key-of-it"])
def test_an_id_as_it_is_shown_finds_its_memory(given: str) -> None:
    graph = graph_of(atproto("key-of-it"), atproto("other-key"))
    if given.startswith("…f-"):
        with pytest.raises(lineage.UnknownMemory):
            graph.find(given)
    else:
        assert graph.lineage(given).id == uri("key-of-it")


def test_networkx_carries_every_known_column(graph: lineage.Graph) -> None:
    made = graph.to_networkx()
    assert isinstance(made, nx.MultiDiGraph)
    assert set(made) == {"alpha-one", "alpha-two", "orphan", "gone", "x", "y", "d", "m", "log"}
    assert made.nodes["alpha-two"]["status"] == "live"
    assert made.nodes["gone"]["role"] == "ghost"
    assert made.edges["m", "d", "reverses"]["via"] == "tags.original_decision"
    assert made.edges["orphan", "gone", "supersedes"]["void"] == "dangling"


def test_a_report_in_every_form(graph: lineage.Graph, tmp_path: Path) -> None:
    report = lineage.report(graph, title="Mine")
    assert report.to_dict()["schema"] == "lineage-report/v1"
    assert report.quality["grade"] == report.to_dict()["quality"]["grade"]
    assert set(report.findings["rule"]) >= {"LIN101", "LIN103"}
    for ending in ("html", "json", "md"):
        report.save(tmp_path / f"out.{ending}")
        assert (tmp_path / f"out.{ending}").stat().st_size > 100
    assert json.loads((tmp_path / "out.json").read_bytes()) == report.to_dict()
    with pytest.raises(lineage.UsageError, match="no report format ends like this"):
        report.save(tmp_path / "out.docx")
    with pytest.raises(lineage.UsageError, match="unknown report format 'pdf'"):
        report.render("pdf")


def test_choosing_findings(graph: lineage.Graph) -> None:
    assert {finding.rule for finding in lineage.check(graph, select=["LIN1"])} == {"LIN101", "LIN103"}
    assert "LIN103" not in {finding.rule for finding in lineage.check(graph, ignore=["LIN103"])}
    [finding] = lineage.check(graph, select=["LIN103"], severity={"LIN103": "error"})
    assert finding.severity == "error"
    assert lineage.check(graph, select=["LIN103"], severity={"LIN103": "off"}) == []
    assert {finding.rule for finding in lineage.check(graph, kinds=["note"])} <= {"LIN901", "LIN902", "LIN905"}


def test_what_notebooks_show(graph: lineage.Graph) -> None:
    hostile = graph_of(robrain("<script>alert(1)</script>", decision="<img src=x onerror=alert(1)>"))
    for shown in (graph, lineage.report(graph), graph.lineage("d"), hostile.lineage("<script>alert(1)</script>")):
        html = shown._repr_html_()
        assert "<script>" not in html
        assert "<img" not in html
    assert "<table" in graph._repr_html_()
    assert "<table" in lineage.report(graph)._repr_html_()
    for drawn in (graph, graph.lineage("d")):
        assert "<svg" in drawn._repr_html_()


def test_drawing_into_axes(graph: lineage.Graph) -> None:
    from matplotlib import pyplot
    from matplotlib.figure import Figure

    figure = Figure()
    ours = figure.add_subplot()
    assert graph.draw(ax=ours) is ours
    words = {text.get_text() for text in ours.texts}
    assert {line for node in graph.diagram().nodes for line in node.lines} <= words
    assert graph.lineage("d").draw(ours) is ours
    made = graph.draw(around="d")
    assert made is not ours
    pyplot.close(made.figure)
    with pytest.raises(TypeError):
        graph.draw(ours, nonsense=True)


def test_drawings_as_files(graph: lineage.Graph) -> None:
    drawing = lineage.draw(graph, "svg", top=1)
    assert isinstance(drawing, lineage.Drawing)
    assert drawing.content.startswith(b"<?xml")
    assert drawing.nodes == len(graph.diagram(top=1).nodes)
    assert list(drawing.folded) == []
    with pytest.raises(lineage.UsageError, match="svg"):
        lineage.draw(graph, "gif")


def test_nothing_is_printed(graph: lineage.Graph, capfd: pytest.CaptureFixture[str]) -> None:
    lineage.report(graph).render("html")
    assert capfd.readouterr() == ("", "")


def test_filters(tmp_path: Path) -> None:
    path = write_jsonl(
        tmp_path / "m.jsonl",
        [robrain("a", files_affected=["src/billing/tax.ts"]), robrain("b", scope="user", at=5), atproto("c", at=9)],
    )
    graph = lineage.build(lineage.read(path))

    def ids(**conditions: object) -> set[str]:
        return set(graph.core.ids(graph.matching(**conditions)))

    for touching in ("src/billing/tax.ts", "tax.ts", "src/billing", "billing/tax.ts", "src/billing/"):
        assert ids(touching=touching) == {"a"}, touching
    assert ids(touching="ax.ts") == set()
    assert ids(scope="user") == {"b"}
    assert ids(since="2026-01-05", until="2026-01-06") == {"b"}
    assert ids(statuses=["live"], kinds=["decision"]) == {"a", "b", uri("c")}


def test_frames_filter_with_plain_pandas(graph: lineage.Graph) -> None:
    frame = graph.memories
    recent = frame[(frame["status"] == "live") & (frame["created_at"] > pd.Timestamp("2026-01-01T12:00", tz="UTC"))]
    assert recent["id"].tolist() == ["alpha-two"]


def test_what_is_missing_has_no_text_wherever_it_stands() -> None:
    undated = memory("known", ["ghost"], created_at=None, files=["a.py"])
    frame = graph_of(undated).lineage("known").memories.set_index("id")
    assert list(frame.index) == ["ghost", "known"]
    assert frame["text"].to_dict() == {"ghost": None, "known": "Decide known"}
    assert frame["files"].to_dict() == {"ghost": [], "known": ["a.py"]}
