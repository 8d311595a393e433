"""What became of memories between two graphs: joins on their ids, nothing memory by memory."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.arrays import as_numpy, numbers
from lineage.corpus.comparing import reworded
from lineage.graph.core import Bool, Graph
from lineage.model import LinkKind, Role, Status, code

Nodes = NDArray[np.int64]

_LIVE = code(Status.LIVE)
_SUPERSEDES = code(LinkKind.SUPERSEDES)
_ACTS = {
    Status.SUPERSEDED: LinkKind.SUPERSEDES,
    Status.CYCLIC: LinkKind.SUPERSEDES,
    Status.REVERSED: LinkKind.REVERSES,
    Status.RESOLVED: LinkKind.RESOLVES,
}
"""The kind of link by which a memory comes to each status; the others are come to without one."""


@dataclass(frozen=True)
class Pairs:
    """Memories as nodes of both graphs, -1 where a graph has none of that id; both arrays are of one length."""

    old: Nodes
    new: Nodes

    def __len__(self) -> int:
        return len(self.old)

    def where(self, mask: Bool) -> "Pairs":
        """Those for which the mask holds."""
        return Pairs(self.old[mask], self.new[mask])


@dataclass(frozen=True)
class Changes:
    """What changed; `changed` are memories of both graphs whose status is another, `reworded` those whose text is.

    `gained` and `lost` are the live heads of one graph that are none of the other.
    """

    gained: Pairs
    lost: Pairs
    changed: Pairs
    added: Pairs
    removed: Pairs
    reworded: Pairs


def changes(old: Graph, new: Graph, kinds: Collection[str] = ()) -> Changes:
    """Compare two graphs by the ids of their memories.

    With `kinds`, only memories count that are of one of these kinds in either.
    Raises `InputError` where a file has changed since it was read.
    """
    pairs = _paired(old, new)
    if kinds:
        pairs = pairs.where(_of_kinds(old, pairs.old, kinds) | _of_kinds(new, pairs.new, kinds))
    before, after = status_of(old, pairs.old), status_of(new, pairs.new)
    both = (pairs.old >= 0) & (pairs.new >= 0)
    kept = pairs.where(both)
    differing = reworded(old.corpus, old.rows[kept.old], new.corpus, new.rows[kept.new])
    return Changes(
        gained=pairs.where((before != _LIVE) & (after == _LIVE)),
        lost=pairs.where((before == _LIVE) & (after != _LIVE)),
        changed=pairs.where(both & (before != after)),
        added=pairs.where(pairs.old < 0),
        removed=pairs.where(pairs.new < 0),
        reworded=Pairs(kept.old[differing], kept.new[differing]),
    )


def status_of(graph: Graph, nodes: Nodes) -> NDArray[np.int8]:
    """The codes of the statuses of some nodes; -1 for a node of -1."""
    found: NDArray[np.int8] = np.append(graph.status, np.int8(-1))[nodes]
    return found


def _paired(old: Graph, new: Graph) -> Pairs:
    """The memories of two graphs side by side: those of the old one, then those that only the new one has."""
    mine, theirs = (np.flatnonzero(graph.role == code(Role.MEMORY)) for graph in (old, new))
    there = where_in(_names(old, mine), _names(new, theirs))
    met = np.zeros(len(theirs), np.bool_)
    met[there[there >= 0]] = True
    fresh = theirs[~met]
    beside = np.append(theirs, -1)[there]
    return Pairs(np.concatenate([mine, np.full(len(fresh), -1)]), np.concatenate([beside, fresh]))


def where_in(names: pa.Array, others: pa.Array) -> Nodes:
    """For each name its place among the others, -1 for none."""
    found = pc.index_in(names, value_set=others.cast(names.type)).fill_null(-1)
    return as_numpy(found).astype(np.int64)


def _names(graph: Graph, nodes: Nodes) -> pa.Array:
    return graph.names.take(numbers(nodes))


def _of_kinds(graph: Graph, nodes: Nodes, kinds: Collection[str]) -> Bool:
    mask = np.logical_or.reduce([graph.is_kind(kind) for kind in kinds])
    found: Bool = np.append(mask, False)[nodes]
    return found


def acting(graph: Graph, nodes: Nodes) -> tuple[Nodes, Nodes]:
    """Who brought some memories to the status they have: nodes one after the other, and how many each has.

    None for a memory that is live, retracted or deleted, and for one that
    merely declares itself reversed. A superseded memory whose links are void
    names those that state the link.
    """
    links, sought = graph.links, np.zeros(graph.size, np.bool_)
    sought[nodes] = True
    at = np.flatnonzero((links.target >= 0) & sought[links.target])
    target, source = links.target[at].astype(np.int64), links.source[at].astype(np.int64)
    wanted = np.full(len(Status) + 1, -2, np.int64)
    for status, kind in _ACTS.items():
        wanted[code(status)] = code(kind)
    counts = (links.kind[at] == wanted[graph.status[target]]) & (links.void[at] < 0)
    told = np.zeros(graph.size, np.bool_)
    told[target[counts]] = True
    superseded = graph.status[target] == code(Status.SUPERSEDED)
    counts |= superseded & ~told[target] & (links.kind[at] == _SUPERSEDES) & (source != target)
    return _grouped(target[counts], source[counts], nodes)


def replaced(graph: Graph, nodes: Nodes) -> tuple[Nodes, Nodes]:
    """What some memories supersede directly: nodes one after the other, and how many each has."""
    links, sought = graph.links, np.zeros(graph.size, np.bool_)
    sought[nodes] = True
    at = np.flatnonzero(links.effective(LinkKind.SUPERSEDES) & sought[links.source])
    return _grouped(links.source[at].astype(np.int64), links.target[at].astype(np.int64), nodes)


def _grouped(keys: Nodes, values: Nodes, nodes: Nodes) -> tuple[Nodes, Nodes]:
    """The values of each of some keys one after the other, and how many each key has."""
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], values[order]
    begins, ends = np.searchsorted(keys, nodes), np.searchsorted(keys, nodes, side="right")
    sizes = ends - begins
    stops = np.cumsum(sizes)
    return values[np.repeat(begins - stops + sizes, sizes) + np.arange(int(sizes.sum()))], sizes
