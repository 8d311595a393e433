"""A memory that agents are given again and again, and hardly ever use.

What it finds: a live memory that was injected at least 20 times (the setting
`thresholds` may say otherwise) and of whose share of uses the upper end of the
95 % Wilson interval is below 0.2, so that chance alone does not explain it.

Why it matters: it takes room in every context, and either it is wrong, or it
does not say when it holds.

How to mend it: sharpen it, narrow where it applies, or retire it.
"""

import numpy as np

from lineage.analyses.usefulness import wilson
from lineage.graph.core import Graph
from lineage.model import Severity, Status, code
from lineage.rules.base import Example, Facts, Rule, Threshold, singles

_INJECTED = 20
_MOST_USED = 0.2


def check(graph: Graph, least: float = _INJECTED) -> Facts:
    """One fact for each such memory."""
    injected, used = graph.column("injected"), graph.column("used")
    tried = np.flatnonzero((graph.status == code(Status.LIVE)) & (injected >= max(least, 1)) & (used >= 0))
    _, upper = wilson(used[tried], injected[tried])
    found = tried[upper < _MOST_USED]
    return singles(
        found,
        words={
            "used": lambda number: f"{int(used[found[number]]):,}",
            "injected": lambda number: f"{int(injected[found[number]]):,}",
        },
    )


_NPM = {"format": "lineage-memory/v1", "of": "robrain", "id": "npm", "text": "Use npm", "kind": "decision"}

RULE = Rule(
    code="LIN401",
    name="ignored",
    severity=Severity.WARNING,
    message="{first} was injected {injected} times and used {used} times: agents pass it over.",
    mend="Sharpen it, narrow where it applies, or retire it.",
    check=check,
    threshold=Threshold(_INJECTED, "injections", check),
    about=__doc__,
    examples=(
        Example("injected often, hardly used", [{**_NPM, "injected": 40, "used": 2}], [["npm"]]),
        Example("it may be chance", [{**_NPM, "injected": 20, "used": 1}]),
        Example("never used at all", [{**_NPM, "injected": 20, "used": 0}], [["npm"]]),
        Example("used often", [{**_NPM, "injected": 40, "used": 20}]),
        Example("injected too seldom to tell", [{**_NPM, "injected": 19, "used": 0}]),
        Example("a format that does not count", [_NPM]),
    ),
)
