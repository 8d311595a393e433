"""A marker whose target is missing.

What it finds: a reversal marker or a debt resolution that names a memory which
is not in the corpus.

Why it matters: the marker undoes nothing here. If the memory lives on in
another export, or under a new id after a migration, it is still taken to be in
effect there although somebody took it back.

How to mend it: read the input that holds the target together with the marker,
or point the marker at the id the memory has now.
"""

import numpy as np

from lineage.graph.core import Graph
from lineage.model import LinkKind, Role, Severity, Void, code
from lineage.rules.base import Example, Facts, Rule, pairs


def check(graph: Graph) -> Facts:
    """One fact for each dangling link of a marker: the marker, and the ghost."""
    links = graph.links
    reverses = links.kind == code(LinkKind.REVERSES)
    found = np.flatnonzero(links.voided(Void.DANGLING) & (reverses | (links.kind == code(LinkKind.RESOLVES))))
    source, target = links.source[found], links.target[found]
    marker_missing = graph.role[source] == code(Role.GHOST)

    def acts(number: int) -> str:
        passive, active = ("is reversed by", "reverses") if reverses[found[number]] else ("is resolved by", "resolves")
        return passive if marker_missing[number] else active

    return pairs(
        np.where(marker_missing, target, source), np.where(marker_missing, source, target), words={"acts": acts}
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
    code="LIN104",
    name="orphan-marker",
    severity=Severity.WARNING,
    message="{first} {acts} {second}, which is not in the corpus.",
    mend="Read the input that holds the target together with the marker, or point the marker at the id it has now.",
    check=check,
    distinct=("acts",),
    about=__doc__,
    examples=(
        Example("the reversed decision is missing", [_UNDONE], [["kafka", "undone"]]),
        Example("the reversed decision is there", [_KAFKA, _UNDONE]),
    ),
)
