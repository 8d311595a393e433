"""A memory in effect that says what was given up elsewhere.

What it finds: a live memory that says nearly the same as a superseded or
reversed one of another lineage, which does not say so any more. What counts as
nearly the same is told by LIN502.

Why it matters: the old rule lives on under another id. Whoever replaced it did
not know of the copy, and agents go on following it.

How to mend it: let the memory that replaced the old one supersede the copy too,
or delete the copy.
"""

import numpy as np

from lineage.analyses.alike import USUAL, echoes
from lineage.analyses.differences import alike
from lineage.analyses.naming import quoted
from lineage.graph.core import Graph
from lineage.model import LinkKind, Severity, Status, code
from lineage.rules.base import Example, Facts, Rule, Threshold, pairs


def check(graph: Graph, threshold: float = USUAL) -> Facts:
    """One fact for each live memory that says what was given up: itself, then the nearest of what was given up."""
    found = echoes(graph, threshold)
    links = graph.links

    def how(number: int) -> str:
        acting, other = int(found.acting[number]), int(found.other[number])
        return alike(graph, acting, other, float(found.similarity[number]))

    def ended(number: int) -> str:
        reversed_ = graph.status[found.other[number]] == code(Status.REVERSED)
        return "reversed" if reversed_ else "superseded"

    def mend(number: int) -> str:
        copy, old = int(found.acting[number]), int(found.other[number])
        newer = links.source[links.effective(LinkKind.SUPERSEDES) & (links.target == old)]
        if not len(newer):
            return f"Reverse {quoted(graph.id(copy))} too, or delete it."
        first = graph.sorted_by_id(np.unique(newer))[0]
        return f"Let {quoted(graph.id(int(first)))} supersede {quoted(graph.id(copy))} too, or delete the copy."

    return pairs(found.acting, found.other, words={"how": how, "ended": ended}, mend=mend)


_NPM = {
    "format": "lineage-memory/v1",
    "id": "npm",
    "of": "robrain",
    "kind": "decision",
    "text": "Install packages with npm in every pipeline",
    "created_at": "2026-01-01T10:00:00Z",
}
_PNPM = {
    **_NPM,
    "id": "pnpm",
    "text": "Install packages with pnpm in every pipeline",
    "created_at": "2026-01-02T10:00:00Z",
    "links": [{"kind": "supersedes", "target": "npm", "via": "supersedes"}],
}
_COPY = {**_NPM, "id": "copy", "text": "Installing packages with npm in every pipeline."}

RULE = Rule(
    code="LIN503",
    name="stale-echo",
    severity=Severity.WARNING,
    message="{first} says nearly the same as {second}, which was {ended}: {how}.",
    mend="Let the memory that replaced the old one supersede the copy too, or delete the copy.",
    check=check,
    texts=True,
    threshold=Threshold(USUAL, "likeness, from 0 to 1", check),
    about=__doc__,
    examples=(
        Example("a copy of what was replaced", [_NPM, _PNPM, _COPY], [["copy", "npm"]]),
        Example("a copy of what is in effect", [_NPM, _COPY]),
        Example("another number", [_NPM, _PNPM, {**_COPY, "text": "Install packages with npm 10 in every pipeline"}]),
    ),
)
