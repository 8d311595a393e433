"""What happened when: memories made, replaced and taken back, and how many were in effect."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from lineage.analyses.lifespans import DAY, Spans
from lineage.arrays import NO_TIME
from lineage.graph.core import Graph
from lineage.model import LinkKind

Int64 = NDArray[np.int64]
Unit = Literal["week", "month", "year"]

_MOST_PERIODS = 160


@dataclass(frozen=True)
class Activity:
    """One entry a period, from the first that knows of something to the last.

    `starts` are days (datetime64[D], UTC), the first of each week (Monday),
    month or year, as `unit` says. `made`, `superseded` and `reversed` count
    what happened in it; `in_effect` is how many memories were at its end.
    `outside` counts the times that lie before 1970 or after now and are not
    shown.
    """

    unit: Unit
    starts: NDArray[np.datetime64]
    made: Int64
    superseded: Int64
    reversed: Int64
    in_effect: Int64
    outside: int


def activity(graph: Graph, spans: Spans) -> Activity:
    """Count by week, or by month or year where there would be too many weeks to see."""
    links, created = graph.links, graph.times("created_at")
    events = [
        spans.begin,
        _first(links.target, created[links.source], links.effective(LinkKind.SUPERSEDES), graph.size),
        _first(links.target, created[links.source], links.effective(LinkKind.REVERSES), graph.size),
    ]
    inside = [times[(times >= 0) & (times <= graph.now)] for times in events]
    outside = sum(int((times != NO_TIME).sum()) - len(kept) for times, kept in zip(events, inside, strict=True))
    if not any(map(len, inside)):
        none = np.zeros(0, np.int64)
        return Activity("week", none.astype("datetime64[D]"), none, none, none, none, outside)
    periods = _periods(
        min(times.min(initial=graph.now) for times in inside), max(times.max(initial=0) for times in inside)
    )
    made, superseded, reversed_ = (periods.counted(times) for times in inside)
    known = spans.end != NO_TIME
    in_effect = periods.counted(spans.begin[known]) - periods.counted(spans.end[known])
    return Activity(periods.unit, periods.starts, made, superseded, reversed_, np.cumsum(in_effect), outside)


def _first(targets: NDArray[np.int32], times: Int64, chosen: NDArray[np.bool_], size: int) -> Int64:
    """When each target was first acted on; NO_TIME where that never was, or nobody knows when."""
    known = chosen & (times != NO_TIME)
    first = np.full(size, np.iinfo(np.int64).max)
    np.minimum.at(first, targets[known], times[known])
    return np.where(first == np.iinfo(np.int64).max, NO_TIME, first)


@dataclass(frozen=True)
class _Periods:
    """Weeks, months or years one after the other: so many, from the one that begins at `first` (a number of them)."""

    unit: Unit
    first: int
    count: int

    @property
    def starts(self) -> NDArray[np.datetime64]:
        numbers = self.first + np.arange(self.count, dtype=np.int64)
        if self.unit == "week":
            return (7 * numbers - _TO_MONDAY).astype("datetime64[D]")
        return numbers.astype(_TYPES[self.unit]).astype("datetime64[D]")

    def counted(self, times: Int64) -> Int64:
        """How many of some moments lie in each period; earlier ones in the first, later ones in none."""
        number = np.clip(_numbers(self.unit, times) - self.first, 0, self.count)
        return np.bincount(number, minlength=self.count + 1)[: self.count]


_TYPES: Mapping[Unit, str] = {"month": "datetime64[M]", "year": "datetime64[Y]"}
# Day 0 was a Thursday.
_TO_MONDAY = 3


def _numbers(unit: Unit, times: Int64) -> Int64:
    """The number of the week, month or year that each moment lies in."""
    if unit == "week":
        return (times // DAY + _TO_MONDAY) // 7
    return times.astype("datetime64[us]").astype(_TYPES[unit]).astype(np.int64)


def _periods(first: int, last: int) -> _Periods:
    """The shortest of which there are not too many to see."""
    ends = np.array([first, last])
    for unit in get_args(Unit):
        begin, end = _numbers(unit, ends).tolist()
        if end - begin < _MOST_PERIODS:
            break
    return _Periods(unit, begin, end - begin + 1)
