"""A lineage in which nothing is in effect any more.

What it finds: a lineage of two or more memories of which none is live, unless
all of them were deleted or resolved, which is a proper end.

Why it matters: the last word was itself taken back, rejected or caught in a
circle, and nothing took its place. The question the lineage once answered is
open again and nobody may have noticed: taking back a replacement does not
bring back what it replaced.

How to mend it: state the decision that holds now as a new memory that
supersedes the last one; break the circle, if one keeps its memories from being
in effect; delete the lineage if the question is gone.
"""

import numpy as np
from numpy.typing import NDArray

from lineage.analyses.naming import quoted
from lineage.analyses.ordering import by_age
from lineage.graph.core import Graph
from lineage.model import Role, Severity, Status, code, member
from lineage.rules.base import Example, Facts, Rule


def check(graph: Graph) -> Facts:
    """One fact for each headless lineage: its memories, the newest first."""
    lineages = graph.lineages
    headless = (lineages.memories > 1) & (lineages.live == 0)
    if not headless.any():
        return Facts(np.zeros(1, np.int64), np.zeros(0, np.int32))
    candidates = np.flatnonzero((graph.role == code(Role.MEMORY)) & (graph.lineage >= 0))
    nodes = candidates[headless[graph.lineage[candidates]]]
    open_ended = ~np.isin(graph.status[nodes], [code(Status.DELETED), code(Status.RESOLVED)])
    headless[:] = False
    headless[graph.lineage[nodes[open_ended]]] = True
    nodes = nodes[headless[graph.lineage[nodes]]]
    lineage = graph.lineage[nodes]
    order = by_age(graph, nodes, lineage, newest_first=True)
    nodes, lineage = nodes[order].astype(np.int32), lineage[order]
    offsets = np.append(np.flatnonzero(np.diff(lineage, prepend=-1)), len(nodes)).astype(np.int64)
    return Facts(offsets, nodes, mend=lambda number: _mend(graph, nodes[offsets[number] : offsets[number + 1]]))


def _mend(graph: Graph, memories: NDArray[np.int32]) -> str:
    newest = quoted(graph.id(int(memories[0])))
    if (graph.status[memories] == code(Status.CYCLIC)).any():
        return "Break the circle that its memories form, so that one of them holds."
    status = member(Status, int(graph.status[memories[0]]))
    return (
        f"State the decision that holds now as a new memory that supersedes {newest} ({status}), "
        "or delete the lineage if its question is gone."
    )


_DECISION = {"format": "lineage-memory/v1", "of": "robrain", "kind": "decision"}
_NPM = {
    **_DECISION,
    "id": "npm",
    "text": "Use npm",
    "created_at": "2026-01-01T10:00:00Z",
    "invalidated_at": "2026-01-02T10:00:00Z",
    "declared": "ended",
}
_PNPM = {
    **_DECISION,
    "id": "pnpm",
    "text": "Use pnpm",
    "created_at": "2026-01-02T10:00:00Z",
    "links": [{"kind": "supersedes", "target": "npm", "via": "supersedes"}],
}

RULE = Rule(
    code="LIN202",
    name="headless-lineage",
    severity=Severity.WARNING,
    message="None of the {count} memories of this lineage is in effect: {ids}.",
    mend="State the decision that holds now as a new memory that supersedes the last one, or delete the lineage.",
    check=check,
    about=__doc__,
    examples=(
        Example(
            "the replacement was rejected in review",
            [_NPM, {**_PNPM, "invalidated_at": "2026-01-03T10:00:00Z", "declared": "ended"}],
            [["npm", "pnpm"]],
        ),
        Example("the replacement holds", [_NPM, {**_PNPM, "declared": "live"}]),
        Example(
            "every memory was deleted",
            [
                {**_NPM, "deleted_at": "2026-01-04T10:00:00Z"},
                {**_PNPM, "deleted_at": "2026-01-04T10:00:00Z"},
            ],
        ),
    ),
)
