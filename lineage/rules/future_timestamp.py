"""A memory with a time that has not come yet.

What it finds: a time of creation, update, review, invalidation or deletion more
than a day after now. It is always compared with now, also in a report as of an
earlier date; the day allows for time zones, and the setting `thresholds` may
allow for more.

Why it matters: a memory from the future wins every comparison by time: it is
the newest version, the newest head and the last word. The cause is a clock
that was off, or seconds read as milliseconds.

How to mend it: correct the time in the record.
"""

import numpy as np

from lineage.graph.core import Graph
from lineage.model import Severity
from lineage.rules.base import DAY, Example, Facts, Rule, Threshold, singles, span

_TIMES = ("created_at", "updated_at", "reviewed_at", "invalidated_at", "deleted_at")
_DAYS = 1


def check(graph: Graph, days: float = _DAYS) -> Facts:
    """One fact for each memory, however many of its times lie in the future."""
    latest = graph.now + span(days, DAY)
    future = np.zeros(graph.size, np.bool_)
    for name in _TIMES:
        future |= graph.times(name) > latest
    found = np.flatnonzero(future)

    def times(number: int) -> str:
        moments = ((name, int(graph.times(name)[found[number]])) for name in _TIMES)
        return " and ".join(f"{name} is {graph.time_text(moment)}" for name, moment in moments if moment > latest)

    return singles(found, words={"times": times})


_NPM = {"format": "lineage-memory/v1", "id": "npm", "of": "robrain", "kind": "decision", "text": "Use npm"}

RULE = Rule(
    code="LIN205",
    name="future-timestamp",
    severity=Severity.WARNING,
    message="{first} bears a time that has not come yet: {times}.",
    mend="Correct the time in the record.",
    check=check,
    threshold=Threshold(_DAYS, "days", check),
    about=__doc__,
    examples=(
        Example("made far in the future", [{**_NPM, "created_at": "2999-01-01T10:00:00Z"}], [["npm"]]),
        Example("made in the past", [{**_NPM, "created_at": "2026-01-01T10:00:00Z"}]),
        Example("made at an unknown time", [_NPM]),
    ),
)
