"""Charts as plain numbers and paths: what happened when, what was in effect, and how long it lasted.

A plot is a square of 1,000 units that the page stretches to its room; ticks
stand at hundredths of its width and height, so that their words keep their size.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lineage.analyses.activity import Activity
from lineage.analyses.lifespans import Survival
from lineage.reporting.digest import counted

_SIDE = 1000
_BROADEST = 45.0
_MOST_TICKS = 6
_POINTS = 400
_TOLD = 10
_YEAR = 365.25
_MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"


@dataclass(frozen=True)
class Tick:
    """A word at an axis, so many hundredths from the left or the top."""

    at: float
    word: str


@dataclass(frozen=True)
class Series:
    """A path of one kind: `look` says how it is drawn, `word` what it stands for."""

    look: str
    word: str
    path: str


@dataclass(frozen=True)
class Spot:
    """A part of the plot that says its numbers to whoever points at it."""

    x: float
    width: float
    said: str


@dataclass(frozen=True)
class Chart:
    """One chart, and the same numbers as a table; `zero` is where nothing is, in hundredths from the top."""

    title: str
    about: str
    series: Sequence[Series]
    across: Sequence[Tick]
    up: Sequence[Tick]
    spots: Sequence[Spot]
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    zero: float = 100.0


def made_and_ended(activity: Activity, subject: str) -> Chart:
    """How many were made in each period (upwards), and how many superseded or reversed (downwards)."""
    made, superseded, taken = activity.made, activity.superseded, activity.reversed
    up, down = _nice(int(made.max())), _nice(int((superseded + taken).max()))
    zero = _SIDE * up / (up + down)
    tall = zero / up
    series = [
        Series("made", "made", _bars(zero - made * tall, np.full(len(made), zero))),
        Series("superseded", "superseded", _bars(np.full(len(made), zero), zero + superseded * tall)),
        Series("reversed", "reversed", _bars(zero + superseded * tall, zero + (superseded + taken) * tall)),
    ]
    rows = _periods(activity, made, superseded, taken)
    ticks = [Tick(0, f"{up:,}"), Tick(zero / 10, "0"), *([Tick(100, f"{down:,}")] if down > up / 10 else [])]
    return Chart(
        title="Made and ended",
        about=f"{subject.capitalize()} made in each {activity.unit} above the line, superseded and reversed below.",
        series=[one for one in series if one.path],
        across=_dates(activity),
        up=ticks,
        spots=_spots(f"{when}: {a} made, {b} superseded, {c} reversed" for when, a, b, c in rows),
        columns=(activity.unit.capitalize(), "Made", "Superseded", "Reversed"),
        rows=rows,
        zero=zero / 10,
    )


def in_effect(activity: Activity, subject: str) -> Chart:
    """How many were in effect at the end of each period."""
    most = _nice(int(activity.in_effect.max()))
    xs = np.linspace(0, _SIDE, len(activity.starts) + 1)
    ys = _SIDE - np.repeat(activity.in_effect, 2) * (_SIDE / most)
    line = _path(np.repeat(xs, 2)[1:-1], ys)
    rows = _periods(activity, activity.in_effect)
    return Chart(
        title="In effect",
        about=f"{subject.capitalize()} in effect at the end of each {activity.unit}.",
        series=[Series("area", "", f"{line}V{_SIDE}H0z"), Series("line", "in effect", line)],
        across=_dates(activity),
        up=[Tick(0, f"{most:,}"), Tick(50, f"{most / 2:,.10g}"), Tick(100, "0")],
        spots=_spots(f"{when}: {count} in effect" for when, count in rows),
        columns=(activity.unit.capitalize(), "In effect"),
        rows=rows,
    )


def survival(found: Survival, subject: str) -> Chart:
    """The share still in effect so many days after they were made, as a curve of steps."""
    longest = max(found.longest, 1.0)
    steps = found.days if len(found.days) < _POINTS else np.linspace(0, longest, _POINTS)
    days = np.append(steps, longest)
    shares = found.share[np.searchsorted(found.days, days, side="right") - 1]
    xs = np.repeat(days, 2)[1:] * (_SIDE / longest)
    ys = _SIDE - np.repeat(shares, 2)[:-1] * _SIDE
    line = _path(xs, ys)
    chosen = np.unique(np.linspace(0, len(found.days) - 1, _TOLD).round().astype(np.int64)).tolist()
    rows = [(f"{found.days[i]:,.0f}", f"{found.share[i]:.0%}", f"{found.followed[i]:,}") for i in chosen]
    return Chart(
        title="How long they last",
        about=f"The share of {subject} still in effect so long after they were made.",
        series=[Series("area", "", f"{line}V{_SIDE}H0z"), Series("line", "still in effect", line)],
        across=[Tick(100 * day / longest, word) for day, word in _lengths(longest)],
        up=[Tick(0, "100%"), Tick(50, "50%"), Tick(100, "0%")],
        spots=_spots(_still(found, day) for day in np.linspace(0, longest, 101)[:-1].tolist()),
        columns=("After days", "Still in effect", "Known to have lasted so long"),
        rows=rows,
    )


def lasting(found: Survival, subject: tuple[str, str], *, past: bool) -> list[str]:
    """How long memories last, in sentences."""
    known = found.ended + found.lasting
    one, many, until = ("was", "were", "that day") if past else ("is", "are", "now")
    still = f"{found.lasting:,} {one if found.lasting == 1 else many} still in effect"
    said = [
        f"Of {counted(known, *subject)} with known dates {found.ended:,} ended and {still};",
        f"these count as lasting at least until {until}.",
    ]
    if found.median is not None:
        said.append(f"Half of them last at most {_length(found.median)}.")
    elif found.ended:
        said.append(f"More than half last longer than can be told: the longest known is {_length(found.longest)}.")
    return said


def _length(days: float) -> str:
    return "a day" if days < 1 else counted(round(days), "day")


def _still(found: Survival, day: float) -> str:
    share = found.share[np.searchsorted(found.days, day, side="right") - 1]
    return f"after {day:,.0f} days: {share:.0%} still in effect"


def _nice(most: int) -> int:
    """The least round number that is not below."""
    for power in range(19):
        for step in (1, 2, 3, 4, 5, 6, 8):
            if step * 10**power >= most:
                return int(step * 10**power)
    return most


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _bars(tops: NDArray[np.floating[Any]], bottoms: NDArray[np.floating[Any]]) -> str:
    """A bar from top to bottom for each period where there is any."""
    slot = _SIDE / len(tops)
    width = min(0.8 * slot, _BROADEST)
    return "".join(
        f"M{_n((number + 0.5) * slot - width / 2)} {_n(top)}h{_n(width)}V{_n(bottom)}h-{_n(width)}z"
        for number, (top, bottom) in enumerate(zip(tops.tolist(), bottoms.tolist(), strict=True))
        if bottom > top
    )


def _path(xs: NDArray[np.floating[Any]], ys: NDArray[np.floating[Any]]) -> str:
    """A line of horizontal and vertical steps."""
    points = list(zip(map(_n, xs.tolist()), map(_n, ys.tolist()), strict=True))
    made = [f"M{points[0][0]} {points[0][1]}"]
    for before, after in pairwise(points):
        made += [f"H{after[0]}"] if after[0] != before[0] else []
        made += [f"V{after[1]}"] if after[1] != before[1] else []
    return "".join(made)


def _periods(activity: Activity, *columns: NDArray[np.int64]) -> list[tuple[str, ...]]:
    names = [str(start)[: {"week": 10, "month": 7, "year": 4}[activity.unit]] for start in activity.starts]
    return list(zip(names, *([f"{count:,}" for count in column.tolist()] for column in columns), strict=True))


def _spots(said: Iterable[str]) -> list[Spot]:
    words = list(said)
    slot = _SIDE / len(words)
    return [Spot(round(number * slot, 1), round(slot, 1), word) for number, word in enumerate(words)]


def _dates(activity: Activity) -> list[Tick]:
    """A few beginnings of months or years, or else of weeks."""
    starts = activity.starts
    days = starts.astype(np.int64)
    if activity.unit == "year":
        step = -(-len(starts) // _MOST_TICKS)
        return [Tick(100 * at / len(starts), str(starts[at])[:4]) for at in range(0, len(starts), step)]
    first, last = starts[0].astype("datetime64[M]"), starts[-1].astype("datetime64[M]")
    months = int((last - first).astype(np.int64))
    if months < 3:
        step = -(-len(starts) // _MOST_TICKS)
        return [Tick(100 * at / len(starts), _day(starts[at].item())) for at in range(0, len(starts), step)]
    step = next(step for step in (1, 2, 3, 6, 12, 24, 36, 48, 60) if months // step < _MOST_TICKS)
    ticks = []
    for month in np.arange(first, last + 1):
        at = np.interp(month.astype("datetime64[D]").astype(np.int64), days, np.arange(len(days)), left=-1)
        if int(month.astype(np.int64)) % step == 0 and at >= 0:
            ticks.append(Tick(100 * float(at) / len(starts), str(month)))
    return ticks


def _day(day: date) -> str:
    return f"{day.day} {_MONTHS[3 * day.month - 3 : 3 * day.month]}"


def _lengths(longest: float) -> Iterator[tuple[float, str]]:
    """A few round lengths of time: days, or years where there are many."""
    unit, word = (_YEAR, "year") if longest > 3 * _YEAR else (1.0, "day")
    most = int(longest / unit)
    step = max(_nice(-(-most // (_MOST_TICKS - 1))), 1)
    for number in range(0, most + 1, step):
        yield number * unit, f"{number:,}" if number else f"0 {word}s"
