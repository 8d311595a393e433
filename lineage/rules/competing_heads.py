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

from lineage.analyses.naming import listed, quoted
from lineage.analyses.ordering import by_age
from lineage.graph.connect import leave_once, weak_components
from lineage.graph.core import Bool, Graph, Int32
from lineage.model import LinkKind, Role, Severity, Status, Void, code
from lineage.rules.base import Example, Facts, Rule


def check(graph: Graph) -> Facts:
    """One fact for each group of heads, the newest first."""
    links = graph.links
    leads = _leads_to_ancestor(graph)
    if not leads.any():
        return Facts(np.zeros(1, np.int64), np.zeros(0, np.int32))
    source, target = links.source[leads], links.target[leads]
    touched = np.zeros(graph.size, np.bool_)
    touched[source] = touched[target] = True
    nodes = np.flatnonzero(touched)
    place = np.zeros(graph.size, np.int32)
    place[nodes] = np.arange(len(nodes))
    live = np.flatnonzero(graph.status[nodes] == code(Status.LIVE))
    group = _groups(len(nodes), place[source], place[target], live)[live]
    rivals = np.bincount(group)[group] > 1
    heads, group = nodes[live[rivals]].astype(np.int32), group[rivals]
    order = by_age(graph, heads, group, newest_first=True)
    heads, group = heads[order], group[order]
    offsets = np.append(np.flatnonzero(np.diff(group, prepend=-1)), len(heads)).astype(np.int64)
    return Facts(offsets, heads, mend=lambda number: _mend(graph.ids(heads[offsets[number] : offsets[number + 1]])))


def _mend(heads: Sequence[str]) -> str:
    newest, others = quoted(heads[0]), listed(heads[1:])
    return f"Let {newest} supersede {others}, or write one memory that supersedes them all."


def _leads_to_ancestor(graph: Graph) -> Bool:
    """Mask of the links from a memory to one it replaced, in lineages with several live heads."""
    links, lineage = graph.links, graph.lineage
    to_ghost = np.flatnonzero(links.voided(Void.DANGLING) & (links.kind == code(LinkKind.SUPERSEDES)) & links.joins)
    # A deleted memory's claim on a ghost is gone, though the link is void for the ghost first.
    holds = graph.status[links.source[to_ghost]] != code(Status.DELETED)
    leads = links.effective(LinkKind.SUPERSEDES)
    leads[to_ghost] = holds & (graph.role[links.target[to_ghost]] == code(Role.GHOST))
    inside = lineage[links.source]
    leads[inside < 0] = False
    leads[leads] = graph.lineages.live[inside[leads]] > 1
    return leads


def _groups(size: int, source: Int32, target: Int32, heads: NDArray[np.int64]) -> Int32:
    """A number for each node; heads that share an ancestor have the same one."""
    if leave_once(source, size):
        return weak_components(source, target, size)
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    # One search from a node above all heads, in place of a search from each.
    above: NDArray[np.int64] = np.append(source, np.full(len(heads), size))
    below: NDArray[np.int64] = np.append(target, heads)
    onward = csr_array((np.ones(len(above), np.int8), (above, below)), shape=(size + 1, size + 1))
    reached = np.zeros(size + 1, np.bool_)
    reached[breadth_first_order(onward, size, return_predecessors=False)] = True
    kept = reached[source]
    return weak_components(source[kept], target[kept], size)


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
