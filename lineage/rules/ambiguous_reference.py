"""A reference that several memories answer to.

What it finds: a shortened id, number or name in a link that matches more than
one memory.

Why it matters: which memory was meant cannot be known, so the link has no
effect, and what it should have put out of effect is still taken to hold.

How to mend it: write the full id of the memory that was meant.
"""

import numpy as np

from lineage.analyses.naming import quoted
from lineage.graph.core import Graph
from lineage.model import Severity, Void
from lineage.rules.base import Example, Facts, Rule, singles


def check(graph: Graph) -> Facts:
    """One fact for each ambiguous link: the memory that states it."""
    links = graph.links
    found = np.flatnonzero(links.voided(Void.AMBIGUOUS))
    return singles(
        links.declarer[found],
        words={"reference": lambda number: quoted(links.references[int(links.reference[found[number]])])},
    )


_DEBT = {
    "format": "lineage-memory/v1",
    "id": "0a1b2c3d4e5f-one",
    "of": "mindr",
    "kind": "debt",
    "text": "TODO: round to cents",
    "created_at": "2026-01-01T10:00:00Z",
}
_RESOLVED = {
    "format": "lineage-memory/v1",
    "id": "paid",
    "of": "mindr",
    "role": "marker",
    "kind": "debt_resolved",
    "text": "Rounded to cents",
    "created_at": "2026-01-02T10:00:00Z",
}

RULE = Rule(
    code="LIN107",
    name="ambiguous-reference",
    severity=Severity.WARNING,
    message="{first} refers to {reference}, which several memories answer to.",
    mend="Write the full id of the memory that was meant.",
    check=check,
    distinct=("reference",),
    about=__doc__,
    examples=(
        Example(
            "a resolution that names the first characters two debts share",
            [
                _DEBT,
                {**_DEBT, "id": "0a1b2c3d4e5f-two"},
                {
                    **_RESOLVED,
                    "links": [
                        {"kind": "resolves", "target": "0a1b2c3d4e5f", "via": "tags.original_debt", "void": "ambiguous"}
                    ],
                },
            ],
            [["paid"]],
        ),
        Example(
            "a resolution that names one of them in full",
            [
                _DEBT,
                {**_DEBT, "id": "0a1b2c3d4e5f-two"},
                {
                    **_RESOLVED,
                    "links": [{"kind": "resolves", "target": "0a1b2c3d4e5f-two", "via": "tags.original_debt"}],
                },
            ],
        ),
    ),
)
