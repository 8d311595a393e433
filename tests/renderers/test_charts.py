"""The charts of the page: what they draw is what was counted."""

import re
from dataclasses import replace

import numpy as np
import pytest

from lineage.analyses.activity import Activity
from lineage.analyses.lifespans import Survival
from lineage.renderers._page import charts

from .pages import lasted, weeks

MADE = [0, 3, 1, 4, 1, 5, 9, 2]


def activity(unit: str, first: str, count: int) -> Activity:
    """So many periods in each of which one memory was made, and none ended."""
    step = {"week": "W", "month": "M", "year": "Y"}[unit]
    starts = (
        np.datetime64(first) + 7 * np.arange(count)
        if unit == "week"
        else (np.datetime64(first, step) + np.arange(count)).astype("datetime64[D]")
    )
    ones = np.ones(count, np.int64)
    return Activity(unit, starts, ones, 0 * ones, 0 * ones, np.cumsum(ones), 0)  # type: ignore[arg-type]


def bars(path: str) -> list[tuple[float, float, float]]:
    """Where each bar begins, its top and its bottom."""
    number = r"(-?[\d.]+)"
    return [tuple(map(float, bar)) for bar in re.findall(rf"M{number} {number}h[\d.]+V{number}h", path)]


def test_bars_stand_for_what_was_made_and_hang_for_what_ended() -> None:
    chart = charts.made_and_ended(weeks(), "decisions")
    assert [row[1] for row in chart.rows] == list(map(str, MADE))
    assert chart.rows[0][0] == "2026-04-06"
    made, superseded, reversed_ = (bars(series.path) for series in chart.series)
    zero = 10 * chart.zero
    assert {bottom for _, _, bottom in made} == {zero}
    assert {top for _, top, _ in superseded} == {zero}
    heights = [round((bottom - top) / (made[0][2] - made[0][1]) * 3, 2) for _, top, bottom in made]
    assert heights == [3, 1, 4, 1, 5, 9, 2]
    unit = (made[0][2] - made[0][1]) / 3
    assert [round((bottom - top) / unit, 1) for _, top, bottom in superseded] == [1, 2, 2, 4, 1]
    assert [round((bottom - top) / unit, 1) for _, top, bottom in reversed_] == [1, 1, 2]
    assert [(tick.word, round(tick.at)) for tick in chart.up] == [("10", 0), ("0", 62), ("6", 100)]
    assert all(0 <= top <= bottom <= 1000 for _, top, bottom in made + superseded + reversed_)
    assert [spot.said for spot in chart.spots][6] == "2026-05-18: 9 made, 4 superseded, 2 reversed"


def test_what_never_happened_has_no_series() -> None:
    chart = charts.made_and_ended(activity("week", "2026-01-05", 3), "memories")
    assert [series.look for series in chart.series] == ["made"]
    assert [tick.word for tick in chart.up] == ["1", "0"] or chart.up[-1].at == 100


def test_what_was_in_effect_is_a_line_of_steps() -> None:
    chart = charts.in_effect(weeks(), "decisions")
    area, line = chart.series
    assert line.path.startswith("M0 1000")
    heights = [float(y) for y in re.findall(r"V([\d.]+)", line.path)]
    counts = np.cumsum(np.array(MADE) - np.array(MADE) // 2)
    assert heights == [round(1000 - count * 1000 / 20, 1) for count in counts[1:]]
    assert area.path.endswith("V1000H0z")
    assert [tick.word for tick in chart.up] == ["20", "10", "0"]


def test_the_curve_goes_through_every_step_to_the_longest_known() -> None:
    found = lasted()
    chart = charts.survival(found, "decisions")
    path = chart.series[1].path
    assert path.startswith("M0 0H25V40H66.7")
    assert path.endswith("H1000")
    assert chart.rows[0] == ("0", "100%", "25")
    assert chart.rows[-1] == ("30", "75%", "12")
    assert [(tick.word, round(tick.at)) for tick in chart.across] == [
        ("0 days", 0), ("20", 33), ("40", 67), ("60", 100),
    ]  # fmt: skip


def test_a_curve_of_very_many_steps_is_drawn_with_few() -> None:
    days = np.linspace(0, 3_000, 100_000)
    share = np.linspace(1, 0.2, 100_000)
    found = replace(lasted(), days=days, share=share, followed=np.arange(100_000)[::-1], longest=3_000.0)
    chart = charts.survival(found, "decisions")
    assert len(chart.series[1].path) < 10_000
    assert len(chart.rows) == 10
    assert [tick.word for tick in chart.across] == ["0 years", "2", "4", "6", "8"]


@pytest.mark.parametrize(
    ("unit", "first", "count", "words"),
    [
        ("week", "2026-01-05", 1, ["5 Jan"]),
        ("week", "2025-12-29", 8, ["29 Dec", "12 Jan", "26 Jan", "9 Feb"]),
        ("week", "2026-01-05", 30, ["2026-03", "2026-05", "2026-07"]),
        ("week", "2024-01-01", 150, ["2024-01", "2024-07", "2025-01", "2025-07", "2026-01", "2026-07"]),
        ("month", "2020-02", 100, ["2022-01", "2024-01", "2026-01", "2028-01"]),
        ("year", "1970", 57, ["1970", "1980", "1990", "2000", "2010", "2020"]),
    ],
)
def test_dates_are_told_by_a_few_words_in_their_places(unit: str, first: str, count: int, words: list[str]) -> None:
    found = activity(unit, first, count)
    chart = charts.in_effect(found, "decisions")
    assert [tick.word for tick in chart.across] == words
    places = [tick.at for tick in chart.across]
    assert places == sorted(places)
    assert all(0 <= place < 100 for place in places)
    told = [np.datetime64(tick.word) for tick in chart.across if tick.word[0] in "12" and " " not in tick.word]
    for tick, date in zip(chart.across, told, strict=False):
        before = int((found.starts <= date.astype("datetime64[D]")).sum()) - 1
        assert before / count * 100 <= tick.at + 1e-9 < (before + 1) / count * 100


def told(found: Survival, *, past: bool = False) -> str:
    return " ".join(charts.lasting(found, ("decision", "decisions"), past=past))


def test_how_long_decisions_last_is_told_in_words() -> None:
    assert told(lasted()) == (
        "Of 25 decisions with known dates 5 ended and 20 are still in effect; "
        "these count as lasting at least until now. "
        "More than half last longer than can be told: the longest known is 60 days."
    )
    assert told(replace(lasted(), median=9.6, lasting=1, ended=1), past=True) == (
        "Of 2 decisions with known dates 1 ended and 1 was still in effect; "
        "these count as lasting at least until that day. Half of them last at most 10 days."
    )
    assert told(replace(lasted(), median=0.2)).endswith("Half of them last at most a day.")
    assert told(replace(lasted(), ended=0)).endswith("until now.")
