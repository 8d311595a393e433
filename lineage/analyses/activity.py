"""What happened when: memories made, replaced and taken back, and how many were in effect."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lineage.analyses.lifespans import Spans
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
    inside = [_moments(times, graph.now) for times in events]
    outside = sum(int((times != NO_TIME).sum()) - len(kept) for times, kept in zip(events, inside, strict=True))
    everything = np.concatenate(inside)
    if not len(everything):
        none = np.zeros(0, np.int64)
        return Activity("week", none.astype("datetime64[D]"), none, none, none, none, outside)
    unit, edges = _edges(everything.min(), everything.max())
    made, superseded, reversed_ = (np.histogram(times.view(np.int64), edges.view(np.int64))[0] for times in inside)
    return Activity(
        unit, edges[:-1].astype("datetime64[D]"), made, superseded, reversed_, _in_effect(spans, edges[1:]), outside
    )


def _first(targets: NDArray[np.int32], times: Int64, chosen: NDArray[np.bool_], size: int) -> Int64:
    """When each target was first acted on; NO_TIME where that never was, or nobody knows when."""
    known = chosen & (times != NO_TIME)
    first = np.full(size, np.iinfo(np.int64).max)
    np.minimum.at(first, targets[known], times[known])
    return np.where(first == np.iinfo(np.int64).max, NO_TIME, first)


def _moments(times: Int64, now: int) -> NDArray[np.datetime64]:
    kept: NDArray[np.int64] = times[(times != NO_TIME) & (times >= 0) & (times <= now)]
    return kept.astype("datetime64[us]")


def _edges(first: np.datetime64, last: np.datetime64) -> tuple[Unit, NDArray[np.datetime64]]:
    """The starts of the periods from first to last, and of the one after, in microseconds."""
    # Day 0 was a Thursday.
    monday = _days(first) - (_days(first) + 3) % 7
    weeks = (_days(last) - monday) // 7 + 1
    if weeks <= _MOST_PERIODS:
        return "week", (monday + 7 * np.arange(weeks + 1)).astype("datetime64[D]").astype("datetime64[us]")
    months = np.arange(first.astype("datetime64[M]"), last.astype("datetime64[M]") + 2)
    if len(months) <= _MOST_PERIODS + 1:
        return "month", months.astype("datetime64[us]")
    years = np.arange(first.astype("datetime64[Y]"), last.astype("datetime64[Y]") + 2)
    return "year", years.astype("datetime64[us]")


def _days(moment: np.datetime64) -> int:
    return int(moment.astype("datetime64[D]").astype(np.int64))


def _in_effect(spans: Spans, moments: NDArray[np.datetime64]) -> Int64:
    """How many memories were in effect at each moment."""
    at = moments.astype(np.int64) - 1
    known = spans.end != NO_TIME
    begun = np.sort(np.where(spans.begin == NO_TIME, np.iinfo(np.int64).min, spans.begin)[known])
    ended = np.sort(spans.end[known])
    return np.searchsorted(begun, at, side="right") - np.searchsorted(ended, at, side="right")
