"""A decision in effect that does not say why.

What it finds: a live decision without a rationale, in a format that has a field
for it.

Why it matters: a rule without its reason cannot be weighed against the next
case, is followed where it does not fit, and nobody dares to lift it when the
reason is gone.

How to mend it: write down why it was decided.
"""

import numpy as np

from lineage.graph.core import Graph
from lineage.model import Severity, Status, code
from lineage.rules.base import Example, Facts, Rule, singles


def check(graph: Graph) -> Facts:
    """One fact for each live decision without a rationale."""
    live = graph.status == code(Status.LIVE)
    return singles(np.flatnonzero(live & ~graph.has_rationale & graph.is_kind("decision") & graph.trait("rationale")))


_NPM = {
    "format": "lineage-memory/v1",
    "id": "npm",
    "of": "robrain",
    "kind": "decision",
    "text": "Use npm",
    "created_at": "2026-01-01T10:00:00Z",
}

RULE = Rule(
    code="LIN302",
    name="no-rationale",
    severity=Severity.INFO,
    message="{first} is a decision in effect, and it does not say why.",
    mend="Write down why it was decided.",
    check=check,
    about=__doc__,
    examples=(
        Example("no reason given", [_NPM], [["npm"]]),
        Example("a reason given", [{**_NPM, "rationale": "It comes with Node"}]),
        Example("no decision", [{**_NPM, "kind": "preference"}]),
        Example("a format without the field", [{**_NPM, "of": "atproto"}]),
    ),
)
