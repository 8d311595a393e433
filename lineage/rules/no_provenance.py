"""A memory in effect of unknown origin.

What it finds: a live memory of which neither the session, the commit, the agent
nor the source is known.

Why it matters: nobody can go back to the words or the change it was drawn from,
to check it or to ask. Such a memory can only be believed or thrown out.

How to mend it: add where it came from, or let a person confirm it.
"""

import numpy as np

from lineage.graph.core import Graph
from lineage.model import Severity, Status, code
from lineage.rules.base import Example, Facts, Rule, singles


def check(graph: Graph) -> Facts:
    """One fact for each live memory without provenance."""
    return singles(np.flatnonzero((graph.status == code(Status.LIVE)) & ~graph.has_provenance))


_NPM = {
    "format": "lineage-memory/v1",
    "id": "npm",
    "of": "robrain",
    "kind": "decision",
    "text": "Use npm",
    "created_at": "2026-01-01T10:00:00Z",
}

RULE = Rule(
    code="LIN303",
    name="no-provenance",
    severity=Severity.INFO,
    message="{first} is in effect, and neither its session, commit, agent nor source is known.",
    mend="Add where it came from, or let a person confirm it.",
    check=check,
    about=__doc__,
    examples=(
        Example("nothing is known", [_NPM], [["npm"]]),
        Example("the session is known", [{**_NPM, "session": "2026-01-01T09:58:11Z-8e39"}]),
        Example("the commit is known", [{**_NPM, "commit": "a1b2c3d"}]),
    ),
)
