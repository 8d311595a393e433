"""A memory that is declared live although others have put it out of effect.

What it finds: a record that says of itself that it is in effect, while the
links of the corpus say it was superseded, reversed or resolved.

Why it matters: whoever trusts the field, as importers are told to, still uses
a decision that was given up. Usually the replacement was written by hand or
imported, and the old record was never ended.

How to mend it: end the old record (in RoBrain, set its `invalidated_at`), or
take out the link if the record does still hold.
"""

import numpy as np
from numpy.typing import NDArray

from lineage.analyses.naming import quoted
from lineage.analyses.ordering import by_age
from lineage.graph.core import Graph, Int32
from lineage.model import MASKING, Declared, LinkKind, Severity, Status, code, member
from lineage.rules.base import Example, Facts, Rule

_PUT_OUT = (Status.SUPERSEDED, Status.REVERSED, Status.RESOLVED)
_DONE = {LinkKind.SUPERSEDES: "superseded", LinkKind.REVERSES: "reversed", LinkKind.RESOLVES: "resolved"}


def check(graph: Graph) -> Facts:
    """One fact for each stale memory: what acts on it, the newest first, then itself."""
    links = graph.links
    put_out = np.isin(graph.status, [code(status) for status in _PUT_OUT])
    stale = put_out & (graph.declared == code(Declared.LIVE))
    masking = (links.void < 0) & np.isin(links.kind, [code(kind) for kind in MASKING])
    found = np.flatnonzero(masking & (links.target >= 0))
    found = found[stale[links.target[found]]]
    found = found[by_age(graph, links.source[found], links.target[found], newest_first=True)]
    source, target, kind = links.source[found], links.target[found], links.kind[found]
    repeated = np.zeros(len(found), np.bool_)
    repeated[1:] = (np.diff(source) == 0) & (np.diff(target) == 0)
    source, target, kind = source[~repeated], target[~repeated], kind[~repeated]
    memories, first, count = np.unique(target, return_index=True, return_counts=True)
    offsets = np.append(0, np.cumsum(count + 1)).astype(np.int64)
    nodes = _with_targets(source, memories.astype(np.int32), offsets)

    def done(number: int) -> str:
        kind_of_newest = member(LinkKind, int(kind[first[number]]))
        others = int(count[number]) - 1
        also = f", as {'has' if others == 1 else 'have'} {others:,} more" if others else ""
        return f"{_DONE[kind_of_newest or LinkKind.SUPERSEDES]} it{also}"

    return Facts(
        offsets,
        nodes,
        words={"stale": lambda number: quoted(graph.id(int(memories[number]))), "done": done},
        mend=lambda number: (
            f"End {quoted(graph.id(int(memories[number])))} in its own record, or take the link out if it still holds."
        ),
    )


def _with_targets(source: Int32, memories: Int32, offsets: NDArray[np.int64]) -> Int32:
    """The acting nodes of each memory followed by the memory itself."""
    nodes = np.empty(len(source) + len(memories), np.int32)
    last = np.zeros(len(nodes), np.bool_)
    last[offsets[1:] - 1] = True
    nodes[last], nodes[~last] = memories, source
    return nodes


_DECISION = {"format": "lineage-memory/v1", "of": "robrain", "kind": "decision"}
_NPM = {**_DECISION, "id": "npm", "text": "Use npm", "created_at": "2026-01-01T10:00:00Z"}
_PNPM = {
    **_DECISION,
    "id": "pnpm",
    "text": "Use pnpm",
    "created_at": "2026-01-02T10:00:00Z",
    "declared": "live",
    "links": [{"kind": "supersedes", "target": "npm", "via": "supersedes"}],
}

RULE = Rule(
    code="LIN201",
    name="stale-live",
    severity=Severity.ERROR,
    message="{stale} is declared live, but {first} has {done}.",
    mend="End the memory in its own record, or take the link out if it still holds.",
    check=check,
    about=__doc__,
    examples=(
        Example("a replaced decision that was never ended", [{**_NPM, "declared": "live"}, _PNPM], [["npm", "pnpm"]]),
        Example(
            "a replaced decision that was ended",
            [{**_NPM, "declared": "ended", "invalidated_at": "2026-01-02T10:00:00Z"}, _PNPM],
        ),
        Example("a format that does not say what is in effect", [_NPM, _PNPM]),
    ),
)
