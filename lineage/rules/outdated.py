"""A memory in effect that nobody has looked at for long.

What it finds: a live memory that was made, revised and reviewed longer ago than
the days that the setting `thresholds = {LIN404 = …}` allows. Without the
setting it finds nothing: how long a decision may hold is not for a tool to say.

Why it matters: what was right then may rest on what is no longer so.

How to mend it: review it, and confirm, replace or retire it.
"""

import math

import numpy as np

from lineage.graph.core import NO_TIME, Graph
from lineage.model import Severity, Status, code
from lineage.rules.base import DAY, Example, Facts, Rule, Threshold, singles, span


def check(graph: Graph, days: float = math.inf) -> Facts:
    """One fact for each such memory."""
    if math.isinf(days):
        return singles(np.zeros(0, np.int32))
    now = graph.now if graph.as_of is None else graph.as_of
    last = np.maximum.reduce([graph.times(name) for name in ("created_at", "updated_at", "reviewed_at")])
    live = graph.status == code(Status.LIVE)
    found = np.flatnonzero(live & (last != NO_TIME) & (last < now - span(days, DAY)))
    return singles(found, words={"days": lambda number: f"{(now - int(last[found[number]])) // DAY:,}"})


_NPM = {"format": "lineage-memory/v1", "of": "robrain", "id": "npm", "text": "Use npm", "kind": "decision"}

RULE = Rule(
    code="LIN404",
    name="outdated",
    severity=Severity.INFO,
    message="{first} is in effect, and nobody has touched it for {days} days.",
    mend="Review it, and confirm, replace or retire it.",
    check=check,
    threshold=Threshold(math.inf, "days", check),
    about=__doc__,
    examples=(
        Example("without the setting", [{**_NPM, "created_at": "1999-01-01T00:00:00Z"}]),
        Example("made long ago", [{**_NPM, "created_at": "1999-01-01T00:00:00Z"}], [["npm"]], threshold=365),
        Example(
            "made long ago, and reviewed since",
            [{**_NPM, "created_at": "1999-01-01T00:00:00Z", "reviewed_at": "2026-01-01T00:00:00Z"}],
            threshold=36_500,
        ),
    ),
)
