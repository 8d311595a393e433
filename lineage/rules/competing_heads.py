"""Several memories of one lineage that are all in effect.

What it finds: two or more live heads that go back to a common ancestor, which
may itself be missing from the corpus.

Why it matters: one decision was replaced twice, and nobody settled which
replacement holds. Whoever asks what is in effect gets two answers that were
meant to exclude each other.

How to mend it: let one of them supersede the others, or write one memory that
supersedes them all. Where they are no rivals, because an old decision was
rightly split in two, the finding can be ignored.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from lineage.analyses.naming import listed, quoted
from lineage.analyses.ordering import by_age
from lineage.graph.core import Bool, Graph, Int32
from lineage.model import LinkKind, Role, Severity, Status, Void, code
from lineage.rules.base import Example, Facts, Rule, groups


def check(graph: Graph) -> Facts:
    """One fact for each group of heads, the newest first."""
    links = graph.links
    leads = _leads_to_ancestor(graph)
    if not leads.any():
        return groups([])
    live = graph.status == code(Status.LIVE)
    nodes, compact = np.unique(np.concatenate((links.source[leads], links.target[leads])), return_inverse=True)
    source, target = np.split(compact.astype(np.int32), 2)
    heads = np.flatnonzero(live[nodes])
    group = _groups(len(nodes), source, target, heads)[heads]
    heads = nodes[heads]
    rivals = np.bincount(group)[group] > 1
    heads, group = heads[rivals], group[rivals]
    order = by_age(graph, heads, group, newest_first=True)
    heads, group = heads[order], group[order]
    rivalries = np.split(heads, np.flatnonzero(np.diff(group)) + 1) if len(heads) else []
    return groups(rivalries, mend=lambda number: _mend(graph.ids(rivalries[number])))


def _mend(heads: Sequence[str]) -> str:
    newest, others = quoted(heads[0]), listed(heads[1:])
    return f"Let {newest} supersede {others}, or write one memory that supersedes them all."


def _leads_to_ancestor(graph: Graph) -> Bool:
    """Mask of the links from a memory to one it replaced, in lineages with several live heads."""
    links, lineage = graph.links, graph.lineage
    leads = links.effective(LinkKind.SUPERSEDES)
    to_ghost = np.flatnonzero(links.voided(Void.DANGLING) & (links.kind == code(LinkKind.SUPERSEDES)))
    source, target = links.source[to_ghost], links.target[to_ghost]
    # A ghost that would lie in another trust boundary is in another lineage than what names it.
    leads[to_ghost] = (graph.role[target] == code(Role.GHOST)) & (lineage[source] == lineage[target])
    inside = lineage[links.source]
    leads[inside < 0] = False
    leads[leads] = graph.lineages.live[inside[leads]] > 1
    return leads


def _groups(size: int, source: Int32, target: Int32, heads: NDArray[np.intp]) -> Int32:
    """A number for each node; heads that share an ancestor have the same one."""
    # A node above all heads makes one search of as many as there are heads.
    above = np.concatenate((source, np.full(len(heads), size)))
    below = np.concatenate((target, heads))
    onward = csr_array((np.ones(len(above), np.int8), (above, below)), shape=(size + 1, size + 1))
    reached = np.zeros(size + 1, np.bool_)
    reached[breadth_first_order(onward, size, return_predecessors=False)] = True
    kept = reached[source]
    shared = csr_array((np.ones(kept.sum(), np.int8), (source[kept], target[kept])), shape=(size, size))
    group: Int32 = connected_components(shared, directed=False)[1]
    return group


_DECISION = {"format": "lineage-memory/v1", "of": "robrain", "kind": "decision"}
_NPM = {**_DECISION, "id": "npm", "text": "Use npm", "created_at": "2026-01-01T10:00:00Z"}
_YARN = {
    **_DECISION,
    "id": "yarn",
    "text": "Use yarn",
    "created_at": "2026-01-02T10:00:00Z",
    "links": [{"kind": "supersedes", "target": "npm", "via": "supersedes"}],
}
_PNPM = {
    **_DECISION,
    "id": "pnpm",
    "text": "Use pnpm",
    "created_at": "2026-01-03T10:00:00Z",
    "links": [{"kind": "supersedes", "target": "npm", "via": "supersedes"}],
}

RULE = Rule(
    code="LIN106",
    name="competing-heads",
    severity=Severity.WARNING,
    message="{count} memories that go back to one ancestor are all in effect: {ids}.",
    mend="Let one of them supersede the others, or write one memory that supersedes them all.",
    check=check,
    about=__doc__,
    examples=(
        Example("one decision replaced twice", [_NPM, _YARN, _PNPM], [["pnpm", "yarn"]]),
        Example("the replaced decision is missing", [_YARN, _PNPM], [["pnpm", "yarn"]]),
        Example(
            "the later replacement settles it",
            [
                _NPM,
                _YARN,
                {
                    **_PNPM,
                    "links": [
                        {"kind": "supersedes", "target": "npm", "via": "supersedes[0]"},
                        {"kind": "supersedes", "target": "yarn", "via": "supersedes[1]"},
                    ],
                },
            ],
        ),
    ),
)
