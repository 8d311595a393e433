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
from lineage.rules.base import DAY, Example, Facts, Rule, Threshold, groups

Array = NDArray[Any]

_TIMES = 3
_DAYS = 30


def check(graph: Graph, times: float = _TIMES) -> Facts:
    """One fact for each such lineage: the memories that superseded within its busiest 30 days, oldest first."""
    least = max(int(np.ceil(times)), 2)
    links, created = graph.links, graph.times("created_at")
    acting = np.unique(links.source[links.effective(LinkKind.SUPERSEDES)])
    acting = acting[created[acting] != NO_TIME]
    acting = acting[np.lexsort([created[acting], graph.lineage[acting]])]
    lineage, when = graph.lineage[acting], created[acting]
    close = np.zeros(len(acting), np.bool_)
    if len(acting) >= least:
        before = slice(None, len(acting) - least + 1)
        near = when[least - 1 :] - when[before] <= _DAYS * DAY
        close[least - 1 :] = near & (lineage[least - 1 :] == lineage[before])
    busy = np.unique(lineage[close])
    return groups(_in_order(graph, [acting[begin:end] for begin, end in map(_busiest, *_spans(lineage, when, busy))]))


def _in_order(graph: Graph, members: list[Array]) -> list[Array]:
    """Each group by time, then by id: sorting all ids of a large corpus takes longer than all the rest."""
    if not members:
        return []
    known = graph.sorted_by_id(np.unique(np.concatenate(members)))
    rank = np.zeros(graph.size, np.int64)
    rank[known] = np.arange(len(known))
    created = graph.times("created_at")
    return [group[np.lexsort([rank[group], created[group]])] for group in members]


def _spans(lineage: Array, when: Array, busy: Array) -> tuple[list[int], list[Array]]:
    """Where each busy lineage begins, and its times."""
    begins, ends = np.searchsorted(lineage, busy), np.searchsorted(lineage, busy, side="right")
    spans = zip(begins.tolist(), ends.tolist(), strict=True)
    return begins.tolist(), [when[begin:end] for begin, end in spans]


def _busiest(begin: int, when: Array) -> tuple[int, int]:
    """The first and last place of the 30 days with the most of these times, which rise; the earliest such."""
    ends = np.searchsorted(when, when + _DAYS * DAY, side="right")
    first = int(np.argmax(ends - np.arange(len(when))))
    return begin + first, begin + int(ends[first])


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
