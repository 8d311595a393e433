"""A memory whose relevance has sunk.

What it finds: a live memory whose relevance, as its format gives it, is below
0.2 (the setting `thresholds` may say otherwise).

Why it matters: the producer's own feedback says that it was ignored, reverted
or followed by trouble; it is in effect all the same.

How to mend it: review it; confirm it, replace it, or retire it.
"""

import numpy as np

from lineage.graph.core import Graph
from lineage.model import Severity, Status, code
from lineage.rules.base import Example, Facts, Rule, Threshold, singles

_RELEVANCE = 0.2


def check(graph: Graph, least: float = _RELEVANCE) -> Facts:
    """One fact for each such memory."""
    relevance = graph.relevance
    found = np.flatnonzero((graph.status == code(Status.LIVE)) & (relevance < least))
    return singles(found, words={"relevance": lambda number: f"{relevance[found[number]]:.2g}"})


_NPM = {"format": "lineage-memory/v1", "of": "robrain", "id": "npm", "text": "Use npm", "kind": "decision"}

RULE = Rule(
    code="LIN402",
    name="sinking",
    severity=Severity.WARNING,
    message="{first} is in effect, and its relevance has sunk to {relevance}.",
    mend="Review it; confirm it, replace it, or retire it.",
    check=check,
    threshold=Threshold(_RELEVANCE, "relevance", check),
    about=__doc__,
    examples=(
        Example("hardly relevant", [{**_NPM, "relevance": 0.19}], [["npm"]]),
        Example("relevant enough", [{**_NPM, "relevance": 0.2}]),
        Example("no relevance known", [_NPM]),
        Example("not in effect", [{**_NPM, "relevance": 0.1, "declared": "ended"}]),
    ),
)
