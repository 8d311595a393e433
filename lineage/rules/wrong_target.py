"""A marker that acts on a memory of the wrong kind.

What it finds: a reversal of something that is no decision, or a resolution of
something that is no debt.

Why it matters: the marker has no effect. Its target stays as it was, and the
memory that was meant is still taken to be in effect.

How to mend it: point the marker at the decision or the debt that was meant, or
delete it.
"""

import numpy as np

from lineage.graph.core import Graph
from lineage.model import LinkKind, Severity, Void, code
from lineage.rules.base import Example, Facts, Rule, pairs


def check(graph: Graph) -> Facts:
    """One fact for each such link: the marker, then its target."""
    links = graph.links
    found = np.flatnonzero(links.voided(Void.WRONG_TARGET))
    resolves = links.kind[found] == code(LinkKind.RESOLVES)
    return pairs(
        links.source[found],
        links.target[found],
        words={
            "acts": lambda number: "resolves" if resolves[number] else "reverses",
            "wanted": lambda number: "debt" if resolves[number] else "decision",
        },
        mend=lambda number: (
            f"Point the marker at the {'debt' if resolves[number] else 'decision'} that was meant, or delete it."
        ),
    )


_KAFKA = {
    "format": "lineage-memory/v1",
    "id": "kafka",
    "of": "mindr",
    "kind": "decision",
    "text": "Queue with Kafka",
    "created_at": "2026-01-01T10:00:00Z",
}
_UNDONE = {
    "format": "lineage-memory/v1",
    "id": "undone",
    "of": "mindr",
    "role": "marker",
    "kind": "note",
    "text": "Kafka reversed",
    "created_at": "2026-01-02T10:00:00Z",
    "links": [{"kind": "reverses", "target": "kafka", "via": "tags.original_decision"}],
}

RULE = Rule(
    code="LIN108",
    name="wrong-target",
    severity=Severity.WARNING,
    message="{first} {acts} {second}, which is no {wanted}, and so has no effect.",
    mend="Point the marker at the decision or debt that was meant, or delete it.",
    check=check,
    distinct=("acts",),
    about=__doc__,
    examples=(
        Example("a reversed note", [{**_KAFKA, "kind": "note"}, _UNDONE], [["kafka", "undone"]]),
        Example("a reversed decision", [_KAFKA, _UNDONE]),
    ),
)
