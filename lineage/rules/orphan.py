"""A memory whose history is cut off: the other end of its supersedes link is missing.

What it finds: a memory that says it supersedes another, or is superseded by
another, where that other one is not in the corpus.

Why it matters: what was decided before, and why it was given up, cannot be
read any more; and a successor that is only missing here leaves the memory it
replaced looking like the last word. Usually the export is partial, the record
was deleted for good, or the id was mistyped.

How to mend it: read the input that holds the missing record together with this
one, or correct the id. An AT Protocol handle cannot be resolved without the
network: write the DID in its place.
"""

import re

import numpy as np

from lineage.analyses.naming import quoted
from lineage.graph.core import Graph
from lineage.model import LinkKind, Role, Severity, Void, code
from lineage.rules.base import Example, Facts, Rule, pairs

_HANDLE = re.compile(r"ats?://(?!did:)")


def check(graph: Graph) -> Facts:
    """One fact for each dangling supersedes link: the memory that has it, and the ghost."""
    links = graph.links
    found = np.flatnonzero(links.voided(Void.DANGLING) & (links.kind == code(LinkKind.SUPERSEDES)))
    source, target = links.source[found], links.target[found]
    successor = graph.role[source] == code(Role.GHOST)
    memory, ghost = np.where(successor, target, source), np.where(successor, source, target)

    def handle(number: int) -> bool:
        return _HANDLE.match(graph.id(int(ghost[number]))) is not None

    return pairs(
        memory,
        ghost,
        words={
            "acts": lambda number: "is superseded by" if successor[number] else "supersedes",
            "handle": lambda number: (
                ": its authority is a handle, which only the network can resolve" if handle(number) else ""
            ),
        },
        mend=lambda number: _NAME_THE_DID if handle(number) else _mend(graph, int(memory[number]), int(ghost[number])),
    )


def _mend(graph: Graph, memory: int, ghost: int) -> str:
    missing, declaring = quoted(graph.id(ghost)), quoted(graph.id(memory))
    return f"Read the input that holds {missing} together with this one, or correct the id in {declaring}."


_NAME_THE_DID = "Write the DID of the repository in place of its handle, which can change hands."
_DECISION = {"format": "lineage-memory/v1", "of": "robrain", "kind": "decision"}
_NPM = {**_DECISION, "id": "npm", "text": "Use npm", "created_at": "2026-01-01T10:00:00Z"}
_PNPM = {
    **_DECISION,
    "id": "pnpm",
    "text": "Use pnpm",
    "created_at": "2026-01-02T10:00:00Z",
    "links": [{"kind": "supersedes", "target": "npm", "via": "supersedes"}],
}

RULE = Rule(
    code="LIN103",
    name="orphan",
    severity=Severity.WARNING,
    message="{first} {acts} {second}, which is not in the corpus{handle}.",
    mend="Read the input that holds the missing record together with this one, or correct the id.",
    check=check,
    distinct=("acts",),
    about=__doc__,
    examples=(
        Example("the replaced decision is missing", [_PNPM], [["npm", "pnpm"]]),
        Example(
            "the replacing decision is missing",
            [
                {
                    **_NPM,
                    "links": [
                        {
                            "kind": "supersedes",
                            "source": "pnpm",
                            "via": "superseded_by",
                            "declared_by": "predecessor",
                        }
                    ],
                }
            ],
            [["npm", "pnpm"]],
        ),
        Example("both ends are there", [_NPM, _PNPM]),
    ),
)
