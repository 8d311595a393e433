"""A memory in effect that nobody has reviewed.

What it finds: a live memory of a format that records reviews, without one. In a
report as of a date, a later review does not count.

Why it matters: it was captured by a machine from what somebody said in passing,
and no person has confirmed that this is what was decided. Treat it with less
trust.

How to mend it: review the memory, and approve it or throw it out.
"""

import numpy as np

from lineage.graph.core import NO_TIME, Graph
from lineage.model import Severity, Status, code
from lineage.rules.base import Example, Facts, Rule, singles


def check(graph: Graph) -> Facts:
    """One fact for each live memory without a review."""
    reviewed = graph.times("reviewed_at")
    missing = reviewed == NO_TIME
    if graph.as_of is not None:
        missing |= reviewed > graph.as_of
    return singles(np.flatnonzero(missing & (graph.status == code(Status.LIVE)) & graph.trait("reviews")))


_NPM = {
    "format": "lineage-memory/v1",
    "id": "npm",
    "of": "robrain",
    "kind": "decision",
    "text": "Use npm",
    "created_at": "2026-01-01T10:00:00Z",
    "declared": "live",
}

RULE = Rule(
    code="LIN301",
    name="unreviewed",
    severity=Severity.INFO,
    message="{first} is in effect, and nobody has reviewed it.",
    mend="Review it, and approve it or throw it out.",
    check=check,
    about=__doc__,
    examples=(
        Example("never reviewed", [_NPM], [["npm"]]),
        Example("reviewed", [{**_NPM, "reviewed_at": "2026-01-02T10:00:00Z"}]),
        Example("a format that records no reviews", [{**_NPM, "of": "mindr"}]),
        Example("no longer in effect", [{**_NPM, "declared": "ended", "invalidated_at": "2026-01-03T10:00:00Z"}]),
    ),
)
