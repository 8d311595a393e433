"""From when to when a memory was in effect, and how long decisions last."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lineage.arrays import NO_TIME
from lineage.graph.core import Graph
from lineage.model import MASKING, Declared, Role, Status, code

Bool = NDArray[np.bool_]
Int64 = NDArray[np.int64]

DAY = 86_400_000_000
NEVER = np.iinfo(np.int64).max
_ALWAYS = np.iinfo(np.int64).min


@dataclass(frozen=True)
class Spans:
    """One entry a memory: `begin` and `end` in microseconds since 1970.

    `begin` is created_at, NO_TIME where that is unknown. `end` is when it
    stopped being in effect, the largest integer where it has not, NO_TIME where
    nobody knows when.
    """

    nodes: Int64
    begin: Int64
    end: Int64


def spans(graph: Graph) -> Spans:
    """When each memory began and ended to be in effect.

    It ends at the earliest of: the created_at of what supersedes, reverses or
    resolves it (non-void), its deleted_at, and, where its record says that it
    ended, its invalidated_at. Links count as they do in the whole corpus.
    """
    links, created = graph.links, graph.times("created_at")
    end = np.full(graph.size, NEVER, np.int64)
    masks = np.logical_or.reduce([links.effective(kind) for kind in MASKING])
    when = created[links.source[masks]]
    np.minimum.at(end, links.target[masks], np.where(when == NO_TIME, _ALWAYS, when))
    deleted = graph.times("deleted_at")
    end = np.minimum(end, np.where(deleted == NO_TIME, NEVER, deleted))
    ended = graph.declared == code(Declared.ENDED)
    gone = graph.times("invalidated_at")
    end = np.where(ended, np.minimum(end, np.where(gone == NO_TIME, _ALWAYS, gone)), end)
    nodes = np.flatnonzero(graph.role == code(Role.MEMORY))
    end = end[nodes]
    live = graph.status[nodes] == code(Status.LIVE)
    # What is not live and whose end nobody dated has ended all the same.
    unknown = (end == _ALWAYS) | ((end == NEVER) & ~live)
    return Spans(nodes, created[nodes], np.where(unknown, NO_TIME, end))


@dataclass(frozen=True)
class Survival:
    """The share of memories still in effect so many days after they were made.

    `days` and `share` are the steps of the Kaplan-Meier estimate, from (0, 1),
    and `followed` how many memories were known to have lasted at least so long;
    `ended` memories had ended, `lasting` ones are in effect still and count up
    to now. `longest` is the most days that one has lasted. `median` is the
    least number of days after which at most half remain, None where more than
    half do.
    """

    days: NDArray[np.float64]
    share: NDArray[np.float64]
    followed: Int64
    ended: int
    lasting: int
    longest: float
    median: float | None


def survival(spans: Spans, now: int) -> Survival:
    """How long memories last, those in effect counted as lasting at least until `now` (microseconds).

    The product-limit estimate of Kaplan and Meier (1958), as in
    `scipy.stats.ecdf` on censored data, which takes longer to load than this
    to run. Memories without a known time are left out.
    """
    lasting = (spans.end == NEVER) | (spans.end > now)
    known = (spans.begin != NO_TIME) & (spans.begin <= now) & (spans.end != NO_TIME)
    lasted = np.maximum(np.where(lasting, now, spans.end) - spans.begin, 0)
    # Records come about in the order of their times: a sort that makes use of it takes next to nothing.
    ended, still = np.sort(lasted[known & ~lasting]), np.sort(lasted[known & lasting], kind="stable")
    first = np.flatnonzero(np.diff(ended, prepend=-1))
    moments, ends = ended[first], np.diff(first, append=len(ended))
    followed = len(ended) - first + len(still) - np.searchsorted(still, moments)
    days, share = moments / DAY, np.cumprod(1 - ends / followed)
    half = np.flatnonzero(share <= 0.5)
    return Survival(
        days=np.concatenate([[0.0], days]),
        share=np.concatenate([[1.0], share]),
        followed=np.concatenate([[len(ended) + len(still)], followed]),
        ended=len(ended),
        lasting=len(still),
        longest=max(ended.max(initial=0), still.max(initial=0)) / DAY,
        median=float(days[half[0]]) if len(half) else None,
    )
