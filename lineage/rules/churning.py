"""A lineage that is replaced again and again within a short time.

What it finds: a lineage in which 3 or more memories (the setting `thresholds`
may say otherwise) superseded one before them within any 30 days.

Why it matters: what changes every week is not decided; whoever acts on it acts
on something that will not hold.

How to mend it: find out what keeps it open, decide that, and let one memory
say so.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lineage.graph.core import NO_TIME, Graph
from lineage.model import LinkKind, Severity
from lineage.rules.base import DAY, Example, Facts, Rule, Threshold

Array = NDArray[Any]

_TIMES = 3
_DAYS = 30


def check(graph: Graph, times: float = _TIMES) -> Facts:
    """One fact for each such lineage: the memories that superseded within its busiest 30 days, oldest first."""
    least = max(int(np.ceil(times)), 2)
    links, created = graph.links, graph.times("created_at")
    acting = np.unique(links.source[links.effective(LinkKind.SUPERSEDES)])
    acting = acting[created[acting] != NO_TIME]
    acting = _in_order(graph, acting[np.lexsort([created[acting], graph.lineage[acting]])])
    lineage, when = graph.lineage[acting].astype(np.int64), created[acting]
    moments, rank = np.unique(when, return_inverse=True)
    # One rising number for each act, so that one search finds where each span of 30 days ends in its own lineage.
    place = lineage * (len(moments) + 1)
    beyond = np.searchsorted(place + rank, place + np.searchsorted(moments, when + _DAYS * DAY, side="right"))
    count = beyond - np.arange(len(acting))
    busiest = np.lexsort([np.arange(len(acting)), -count, lineage])
    busiest = busiest[np.unique(lineage[busiest], return_index=True)[1]]
    busiest = busiest[count[busiest] >= least]
    sizes = count[busiest]
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    within = np.arange(int(offsets[-1])) - np.repeat(offsets[:-1], sizes)
    return Facts(offsets, acting[np.repeat(busiest, sizes) + within].astype(np.int32))


def _in_order(graph: Graph, acting: Array) -> Array:
    """Those of one lineage and moment by id; the ids of others need not be looked at."""
    lineage, when = graph.lineage[acting], graph.times("created_at")[acting]
    same = (lineage[1:] == lineage[:-1]) & (when[1:] == when[:-1])
    tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
    if len(tied):
        known = graph.sorted_by_id(acting[tied])
        rank = np.zeros(graph.size, np.int64)
        rank[known] = np.arange(len(known))
        order = np.lexsort(np.stack([rank[acting[tied]], when[tied], lineage[tied]]))
        acting = acting.copy()
        acting[tied] = acting[tied][order]
    return acting


def _memory(name: str, day: int, before: str | None = None) -> dict[str, object]:
    made = {"format": "lineage-memory/v1", "of": "robrain", "id": name, "text": name, "kind": "decision"}
    links = [{"kind": "supersedes", "target": before, "via": "supersedes"}] if before else []
    return {**made, "created_at": f"2026-01-{day:02d}T10:00:00Z", "links": links}


RULE = Rule(
    code="LIN403",
    name="churning",
    severity=Severity.INFO,
    message="{count} memories superseded one before them within 30 days: {ids}.",
    mend="Find out what keeps it open, decide that, and let one memory say so.",
    check=check,
    threshold=Threshold(_TIMES, "times", check),
    about=__doc__,
    examples=(
        Example(
            "three times within a month",
            [_memory("a", 1), _memory("b", 2, "a"), _memory("c", 9, "b"), _memory("d", 31, "c")],
            [["b", "c", "d"]],
        ),
        Example(
            "three times, and the third is late",
            [
                _memory("a", 1),
                _memory("b", 2, "a"),
                _memory("c", 9, "b"),
                {**_memory("d", 1, "c"), "created_at": "2026-02-01T10:00:01Z"},
            ],
        ),
        Example("twice", [_memory("a", 1), _memory("b", 2, "a"), _memory("c", 3, "b")]),
        Example("one memory that replaces four", [_memory(name, 1) for name in "abcd"]),
    ),
)
