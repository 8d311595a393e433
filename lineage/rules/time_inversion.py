"""A memory that acts on one younger than itself.

What it finds: a link whose source was created more than a second before its
target; the setting `thresholds` may allow more.

Why it matters: a decision cannot replace one that had not been made yet. Most
often the link was written the wrong way round, which puts the newer decision
out of effect and the older one in; else one of the times is wrong.

How to mend it: turn the link round, or correct the time.
"""

import numpy as np

from lineage.graph.core import NO_TIME, Graph
from lineage.model import LinkKind, Severity, member
from lineage.rules.base import SECOND, Example, Facts, Rule, Threshold, pairs, span

_SECONDS = 1


def check(graph: Graph, seconds: float = _SECONDS) -> Facts:
    """One fact for each such link: its source, then its target."""
    links, created = graph.links, graph.times("created_at")
    both = np.flatnonzero(links.target >= 0)
    older, younger = created[links.source[both]], created[links.target[both]]
    inverted = (older != NO_TIME) & (younger != NO_TIME)
    inverted[inverted] = older[inverted] < younger[inverted] - span(seconds, SECOND)
    found = both[inverted]
    source, target = links.source[found], links.target[found]
    return pairs(
        source,
        target,
        words={
            "acts": lambda number: member(LinkKind, int(links.kind[found[number]])),
            "when": lambda number: graph.time_text(int(created[source[number]])),
            "later": lambda number: graph.time_text(int(created[target[number]])),
        },
    )


_DECISION = {"format": "lineage-memory/v1", "of": "robrain", "kind": "decision"}
_NPM = {**_DECISION, "id": "npm", "text": "Use npm", "created_at": "2026-01-05T10:00:00Z"}
_PNPM = {
    **_DECISION,
    "id": "pnpm",
    "text": "Use pnpm",
    "links": [{"kind": "supersedes", "target": "npm", "via": "supersedes"}],
}

RULE = Rule(
    code="LIN203",
    name="time-inversion",
    severity=Severity.WARNING,
    message="{first} {acts} {second} but is older: it was created at {when}, {second} at {later}.",
    mend="Turn the link round if it was written the wrong way, or correct the time of creation that is wrong.",
    check=check,
    distinct=("acts",),
    threshold=Threshold(_SECONDS, "seconds", check),
    about=__doc__,
    examples=(
        Example(
            "the older decision supersedes the newer one",
            [_NPM, {**_PNPM, "created_at": "2026-01-01T10:00:00Z"}],
            [["npm", "pnpm"]],
        ),
        Example("both were written within a second", [_NPM, {**_PNPM, "created_at": "2026-01-05T09:59:59Z"}]),
        Example("the newer decision supersedes the older one", [_NPM, {**_PNPM, "created_at": "2026-01-06T10:00:00Z"}]),
    ),
)
