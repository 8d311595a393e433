"""Lifespans, survival, activity and places, each worked out by another way."""

from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import CensoredData, ecdf

import lineage
from lineage.analyses.activity import activity
from lineage.analyses.lifespans import DAY, Spans, spans, survival
from lineage.analyses.places import places
from lineage.arrays import NO_TIME
from lineage.model import Status
from tests.graphs import graph_of, memory
from tests.layout.pictures import trees
from tests.records import Record, mindr, reversal, robrain, when, write_jsonl

NOW = "2026-12-01T00:00:00Z"


def _micros(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp()) * 1_000_000


@given(trees())
@settings(max_examples=60, deadline=None)
def test_what_is_in_effect_at_a_moment_is_what_as_of_says(memories: list[Record]) -> None:
    found = spans(graph_of(*memories, now=NOW).core)
    for day in (1, 4, 9, 15):
        moment = f"2026-01-{day:02d}T12:00:00Z"
        graph = graph_of(*memories, as_of=moment, now=NOW)
        live = int((graph.memories["status"] == Status.LIVE).sum())
        at = _micros(moment)
        held = (found.begin <= at) & (found.end > at) & (found.end != NO_TIME)
        assert int(held.sum()) == live


durations = st.lists(st.tuples(st.integers(0, 40), st.booleans()), min_size=1, max_size=60)


@given(durations)
def test_survival_is_the_product_limit_estimate(lasted: list[tuple[int, bool]]) -> None:
    now = 1000 * DAY
    begin = np.array([now - 50 * DAY if ended else now - days * DAY for days, ended in lasted])
    end = np.array([now - 50 * DAY + days * DAY if ended else np.iinfo(np.int64).max for days, ended in lasted])
    found = survival(Spans(np.arange(len(lasted)), begin, end), now)
    ended = [float(days) for days, over in lasted if over]
    lasting = [float(days) for days, over in lasted if not over]
    expected = ecdf(CensoredData(uncensored=ended, right=lasting)).sf
    for days in range(42):
        share = found.share[np.searchsorted(found.days, days, side="right") - 1]
        assert share == pytest.approx(float(expected.evaluate(days)))
    for day, followed in zip(found.days.tolist(), found.followed.tolist(), strict=True):
        assert followed == sum(length >= day for length in [*ended, *lasting])
    assert found.longest == max([*ended, *lasting])
    assert (found.ended, found.lasting) == (len(ended), len(lasting))


def test_how_long_decisions_last() -> None:
    chain = graph_of(
        robrain("a", at="2026-01-01T00:00:00Z", invalidated_at="2026-01-11T00:00:00Z"),
        robrain("b", "a", at="2026-01-11T00:00:00Z"),
        now="2026-02-01T00:00:00Z",
    )
    found = survival(spans(chain.core), chain.core.now)
    assert found.days.tolist() == [0.0, 10.0]
    assert found.share.tolist() == [1.0, 0.5]
    assert found.median == 10.0
    assert (found.ended, found.lasting) == (1, 1)


def test_what_ended_at_no_known_time_is_left_out() -> None:
    graph = graph_of(memory("a", created_at=None), memory("b", ["a"], created_at=None), now=NOW)
    found = spans(graph.core)
    assert found.end.tolist() == [NO_TIME, np.iinfo(np.int64).max]
    assert survival(found, graph.core.now).days.tolist() == [0.0]


def _weeks(*made: Record, **options: str) -> dict[str, list[int]]:
    graph = graph_of(*made, **{"now": NOW, **options})
    found = activity(graph.core, spans(graph.core))
    return {
        str(start): [int(value) for value in row]
        for start, *row in zip(found.starts, found.made, found.superseded, found.reversed, found.in_effect, strict=True)
    }


def test_a_week_begins_on_monday_and_counts_what_happened_in_it() -> None:
    found = _weeks(
        robrain("a", at="2026-01-04T23:59:59Z", invalidated_at=when("2026-01-12T00:00:00Z")),
        robrain("b", "a", at="2026-01-12T00:00:00Z"),
        robrain("c", at="2026-01-12T10:00:00Z"),
    )
    assert found == {
        "2025-12-29": [1, 0, 0, 1],
        "2026-01-05": [0, 0, 0, 1],
        "2026-01-12": [2, 1, 0, 2],
    }


def test_a_reversal_counts_when_its_marker_was_made() -> None:
    found = _weeks(mindr("a", at=1), reversal("r", "a", at=14))
    assert found["2026-01-12"] == [0, 0, 1, 0]


@pytest.mark.parametrize(
    ("last", "unit"), [("2026-06-01", "week"), ("2026-11-01", "week"), ("2033-01-01", "month"), ("2060-01-01", "year")]
)
def test_long_histories_are_counted_by_month_or_year(last: str, unit: str) -> None:
    graph = graph_of(memory("a"), memory("b", created_at=f"{last}T00:00:00Z"), now="2100-01-01")
    found = activity(graph.core, spans(graph.core))
    assert found.unit == unit
    assert len(found.starts) <= 160
    assert found.made.sum() == 2
    assert found.in_effect[-1] == 2


def test_impossible_times_stretch_no_chart() -> None:
    graph = graph_of(memory("a"), memory("b", created_at="9999-01-01T00:00:00Z"), now=NOW)
    found = activity(graph.core, spans(graph.core))
    assert (len(found.starts), found.outside) == (1, 1)


def test_no_times_at_all() -> None:
    graph = graph_of(memory("a", created_at=None), now=NOW)
    assert len(activity(graph.core, spans(graph.core)).starts) == 0


def test_files_and_modules_by_their_decisions_and_their_churn() -> None:
    graph = graph_of(
        memory("a", files=["x.py", "y.py", "x.py"], module="core"),
        memory("b", ["a"], at=2, files=["x.py"], module="core"),
        memory("c", files=["z.py"]),
    )
    found = places(graph.core)
    rows = [(place.name, place.memories, place.live, place.undone) for place in found.files]
    assert rows == [("x.py", 2, 1, 1), ("y.py", 1, 0, 1), ("z.py", 1, 1, 0)]
    assert [(place.name, place.memories, place.undone) for place in found.modules] == [("core", 2, 1)]
    assert [place.name for place in places(graph.core, most=1).files] == ["x.py"]


def test_what_changed_most_is_named_beside_what_is_decided_most() -> None:
    calm = [memory(f"calm{number}", files=["calm.py"]) for number in range(3)]
    graph = graph_of(*calm, memory("a", files=["churn.py"]), memory("b", ["a"], at=2, files=["still.py"]))
    rows = [(place.name, place.memories, place.undone) for place in places(graph.core, most=1).files]
    assert rows == [("calm.py", 3, 0), ("churn.py", 1, 1)]


def test_of_very_many_memories_the_newest_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lineage.analyses.places.MOST_READ", 3)
    days = [5, 1, 4, 4, 2, 4]
    made = [robrain(f"m{number}", at=day, files_affected=[f"{number}.py"]) for number, day in enumerate(days)]
    graph = lineage.build(lineage.read(write_jsonl(tmp_path / "m.jsonl", made))).core
    assert not graph.corpus.texts_at_hand
    found = places(graph)
    assert (found.looked_at, found.memories) == (3, 6)
    assert [place.name for place in found.files] == ["0.py", "2.py", "3.py"]
