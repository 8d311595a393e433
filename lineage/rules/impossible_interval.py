"""A memory whose times contradict each other.

What it finds: a memory that was invalidated, reviewed, updated or deleted
before it was created, or that remembers something which ended before it began.

Why it matters: at least one of the times is wrong, and what was in effect on a
given day cannot be told from it. Common causes are a clock that was off, a
time zone that was lost, and an import that set `created_at` to its own time.

How to mend it: correct the time that is wrong in the record.
"""

import numpy as np

from lineage.graph.core import NO_TIME, Bool, Graph
from lineage.model import Severity
from lineage.rules.base import Example, Facts, Rule, singles

# What happened too early, where it stands, where the time it must not precede stands, and what that was.
_INTERVALS = (
    ("was updated", "updated_at", "created_at", "it was created"),
    ("was reviewed", "reviewed_at", "created_at", "it was created"),
    ("was invalidated", "invalidated_at", "created_at", "it was created"),
    ("was deleted", "deleted_at", "created_at", "it was created"),
    ("remembers what ended", "occurred_to", "occurred_from", "it began"),
)


def check(graph: Graph) -> Facts:
    """One fact for each memory, however many of its times are impossible."""
    impossible = np.zeros(graph.size, np.bool_)
    for _, late, early, _ in _INTERVALS:
        impossible |= _ends_before(graph, late, early)
    found = np.flatnonzero(impossible)
    return singles(found, words={"what": lambda number: _worded(graph, int(found[number]))})


def _ends_before(graph: Graph, late: str, early: str) -> Bool:
    end = graph.times(late)
    known: Bool = end != NO_TIME
    if known.any():
        # An unknown start is the smallest number there is, so nothing ends before it.
        known &= end < graph.times(early)
    return known


def _worded(graph: Graph, node: int) -> str:
    parts = []
    for what, late, early, began in _INTERVALS:
        end, start = int(graph.times(late)[node]), int(graph.times(early)[node])
        if NO_TIME < end < start:
            parts.append(f"{what} ({graph.time_text(end)}) before {began} ({graph.time_text(start)})")
    return " and ".join(parts)


_NPM = {
    "format": "lineage-memory/v1",
    "id": "npm",
    "of": "robrain",
    "kind": "decision",
    "text": "Use npm",
    "created_at": "2026-01-05T10:00:00Z",
}

RULE = Rule(
    code="LIN204",
    name="impossible-interval",
    severity=Severity.WARNING,
    message="{first} {what}.",
    mend="Correct the time that is wrong in the record.",
    check=check,
    about=__doc__,
    examples=(
        Example(
            "ended before it was made",
            [{**_NPM, "declared": "ended", "invalidated_at": "2026-01-02T10:00:00Z"}],
            [["npm"]],
        ),
        Example(
            "an event that ended before it began",
            [{**_NPM, "occurred_from": "2025-12-02T00:00:00Z", "occurred_to": "2025-12-01T00:00:00Z"}],
            [["npm"]],
        ),
        Example(
            "made, reviewed and ended in that order",
            [
                {
                    **_NPM,
                    "declared": "ended",
                    "reviewed_at": "2026-01-06T10:00:00Z",
                    "invalidated_at": "2026-01-07T10:00:00Z",
                }
            ],
        ),
    ),
)
