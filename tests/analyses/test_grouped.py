"""Lifespans and rework by group, worked out again with pandas from the tables."""

import pandas as pd
import pytest

import lineage
from tests.graphs import graph_of, memory


@pytest.fixture
def graph() -> lineage.Graph:
    return graph_of(
        memory("a", [], at=1, scope="team", files=["x.py", "y.py"]),
        memory("b", ["a"], at=5, scope="team", files=["x.py"]),
        memory("c", ["b"], at=9, scope="own", kind="fact"),
        memory("d", [], at=2, scope="own", of="mindr"),
        {
            **memory("m", [], at=4, of="mindr"),
            "role": "marker",
            "links": [{"kind": "reverses", "target": "d", "via": "t"}],
        },
        memory("e", [], at=3),
        now="2026-06-01",
    )


def test_lifespans_by_scope(graph: lineage.Graph) -> None:
    frame = graph.lifespans("scope").set_index("scope")
    memories = graph.memories[graph.memories["role"] == "memory"]
    for scope, rows in memories.groupby(memories["scope"].fillna("")):
        found = frame.loc[scope]
        assert found["memories"] == len(rows)
        assert found["live"] == (rows["status"] == "live").sum()
        assert found["reversal_rate"] == pytest.approx((rows["status"] == "reversed").mean())
    assert frame.loc["team", "median_days"] == 4.0
    assert frame.loc["own", "median_days"] == 2.0
    assert frame.loc["team", "ended"] == 2


@pytest.mark.parametrize("by", ["kind", "scope", "module", "source", "format"])
def test_every_memory_is_in_one_group(graph: lineage.Graph, by: str) -> None:
    frame = graph.lifespans(by)  # type: ignore[arg-type]
    assert frame["memories"].sum() == 5
    assert frame["memories"].is_monotonic_decreasing


def test_rework(graph: lineage.Graph) -> None:
    frame = graph.reworked()
    assert list(frame["lineage"]) == ["a", "d"]
    links = graph.links[graph.links["void"].isna()]
    of = dict(zip(graph.memories["id"], graph.memories["lineage"], strict=True)) | {"m": "d"}
    counted = pd.Series([of[source] for source in links[links["kind"] == "supersedes"]["source"]]).value_counts()
    assert frame.set_index("lineage").loc["a", "supersessions"] == counted["a"] == 2
    assert frame.set_index("lineage").loc["d", "reversals"] == 1
    assert frame.set_index("lineage").loc["a", "days"] == 8.0


def test_contested_files_and_time(graph: lineage.Graph) -> None:
    assert graph.contested().to_dict("records") == [
        {"file": "x.py", "memories": 2, "live": 0, "undone": 2},
        {"file": "y.py", "memories": 1, "live": 0, "undone": 1},
    ]
    over = graph.over_time()
    assert over["made"].sum() == 5
    assert over["in_effect"].iloc[-1] == (graph.memories["status"] == "live").sum()


def test_as_of(graph: lineage.Graph) -> None:
    earlier = graph.as_of("2026-01-03")
    assert set(earlier.memories["id"]) == {"a", "d"}
