"""Drawing many nodes as few: what is plain is folded first, and nothing is left out.

Each step proposes groups of nodes; of these the largest are folded until what
remains may be drawn. All of it works on arrays: a chain of a million memories
is folded like any other.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lineage.graph.connect import weak_components
from lineage.layout.language import Look
from lineage.layout.sketch import Edges, Int64, Sketch, newest_first
from lineage.model import code

FEWEST = 10
"""No drawing can be folded into fewer nodes than this."""

_FOLD = code(Look.FOLD)

Groups = NDArray[np.integer[Any]]


class Step(IntEnum):
    """How a node came to stand for several."""

    NONE = 0
    FURTHER = 1
    SINGLES = 2
    RUNS = 3
    BUNDLES = 4
    DEPTHS = 5
    REGIONS = 6
    LOOKS = 7
    LINEAGES = 8


@dataclass(frozen=True)
class Folded:
    """A sketch in which nodes stand for several: `origin` gives the drawn node of each node it was made of.

    `step` tells for each drawn node how it was folded.
    """

    sketch: Sketch
    origin: NDArray[np.integer[Any]]
    step: NDArray[np.int8]


def fold(made: Sketch, most: int, further: NDArray[np.bool_] | None = None) -> Folded:
    """Fold what is `further` away (a mask), and then as much as it takes to draw at most `most` nodes (0: no limit)."""
    size = len(made)
    folded = Folded(made, np.arange(size, dtype=np.int32), np.zeros(size, np.int8))
    if further is not None and further.any():
        folded = _apply(folded, Step.FURTHER, _connected(made, further))
    for step, propose in _STEPS:
        excess = len(folded.sketch) - max(most, FEWEST)
        if not most or excess <= 0:
            break
        folded = _apply(folded, step, _enough(propose(folded.sketch, excess), excess))
    return folded


def _enough(groups: Groups, excess: int) -> Groups:
    """Of some groups (numbers of nodes, -1 for none) the largest, as many as it takes."""
    named = np.flatnonzero(groups >= 0)
    if not len(named):
        return groups
    _, first, inverse, sizes = np.unique(groups[named], return_index=True, return_inverse=True, return_counts=True)
    order = np.lexsort((first, -sizes))
    before = np.cumsum(sizes[order] - 1) - (sizes[order] - 1)
    taken = np.zeros(len(sizes), np.bool_)
    taken[order] = (before < excess) & (sizes[order] > 1)
    chosen = np.full(len(groups), -1, np.int32)
    chosen[named] = np.where(taken[inverse], groups[named], -1)
    return chosen


def _apply(folded: Folded, step: Step, groups: Groups) -> Folded:
    """Make one node of each group."""
    made = folded.sketch
    named = np.flatnonzero(groups >= 0)
    if not len(named):
        return folded
    label = np.arange(len(made), dtype=np.int64)
    _, first, inverse = np.unique(groups[named], return_index=True, return_inverse=True)
    label[named] = named[first][inverse]
    kept, onto = np.unique(label, return_inverse=True)
    onto = np.asarray(onto, np.int32)
    several = np.bincount(onto)[onto[kept]] > 1
    drawn = Sketch(
        node=made.node[kept],
        stub=made.stub[kept],
        look=np.where(several, _FOLD, made.look[kept]).astype(np.int8),
        created=made.created[kept],
        kept=made.kept[kept],
        circle=made.circle[kept],
        edges=_contracted(made.edges, onto, several),
    )
    return Folded(drawn, onto[folded.origin], np.where(several, step, folded.step[kept]).astype(np.int8))


def _contracted(edges: Edges, onto: NDArray[np.integer[Any]], several: NDArray[np.bool_]) -> Edges:
    source, target = onto[edges.source].astype(np.int32), onto[edges.target].astype(np.int32)
    outside = (source != target) | ~several[source]
    moved = replace(edges, source=source, target=target).take(outside)
    order = np.lexsort((moved.link, moved.void, moved.kind, moved.target, moved.source))
    moved = moved.take(order)
    words = np.stack([moved.source, moved.target, moved.kind, moved.void, moved.circle])
    first = np.ones(len(moved), np.bool_)
    first[1:] = (words[:, 1:] != words[:, :-1]).any(axis=0)
    group = np.cumsum(first) - 1
    counts = np.bincount(group, moved.count, minlength=int(first.sum())).astype(np.int64)
    return replace(moved.take(first), count=counts)


def _degrees(made: Sketch) -> Int64:
    ends = np.concatenate([made.edges.source, made.edges.target])
    return np.bincount(ends, minlength=len(made))


def _connected(made: Sketch, mask: NDArray[np.bool_]) -> Groups:
    """The groups of the marked nodes that edges connect."""
    edges = made.edges
    inner = mask[edges.source] & mask[edges.target]
    found = weak_components(edges.source[inner], edges.target[inner], len(made))
    return np.where(mask, found, -1).astype(np.int32)


def _plain(made: Sketch) -> NDArray[np.bool_]:
    """Mask of the superseded memories, and of what is folded of them, of which there is nothing else to say."""
    mask: NDArray[np.bool_] = (made.look == code(Look.SUPERSEDED)) & ~made.circle & ~made.kept
    return mask


def _singles(made: Sketch, excess: int) -> Groups:
    """The oldest of the memories that no edge touches, by their looks."""
    alone = (_degrees(made) == 0) & ~made.kept & (made.look != _FOLD)
    order = newest_first(made)
    oldest = order[alone[order]][::-1][: excess + len(np.unique(made.look[alone]))]
    groups = np.full(len(made), -1, np.int32)
    groups[oldest] = made.look[oldest]
    return groups


def _runs(made: Sketch, _excess: int) -> Groups:
    """The runs of superseded memories that replaced one and were replaced by one."""
    edges, size = made.edges, len(made)
    plain = edges.plain
    one_in = np.bincount(edges.target[plain], minlength=size) == 1
    one_out = np.bincount(edges.source[plain], minlength=size) == 1
    return _connected(made, _plain(made) & one_in & one_out & (_degrees(made) == 2))


def _bundles(made: Sketch, _excess: int) -> Groups:
    """What hangs on one node, all in the same way and alone."""
    edges = made.edges
    leaf = (_degrees(made) == 1) & ~made.kept & ~made.circle & (made.look != _FOLD)
    groups = np.full(len(made), -1, np.int32)
    for end, other, way in ((edges.source, edges.target, 0), (edges.target, edges.source, 1)):
        here = np.flatnonzero(leaf[end])
        words = np.stack([other[here], made.look[end[here]], edges.kind[here], edges.void[here]])
        _, number = np.unique(words, axis=1, return_inverse=True)
        groups[end[here]] = 2 * number.reshape(-1) + way
    return groups


def _depths(made: Sketch, _excess: int) -> Groups:
    """Superseded memories that replaced each other and touch nothing else."""
    edges = made.edges
    plain = _plain(made) | (made.look == _FOLD)
    surface = np.zeros(len(made), np.bool_)
    for end, other in ((edges.source, edges.target), (edges.target, edges.source)):
        surface[end[~plain[other]]] = True
    return _connected(made, plain & ~surface & (_degrees(made) > 0) & ~made.kept)


def _regions(made: Sketch, _excess: int) -> Groups:
    """Superseded memories that replaced each other, however they branch."""
    return _connected(made, _plain(made) | ((made.look == _FOLD) & (_degrees(made) > 0) & ~made.kept))


def _looks(made: Sketch, excess: int) -> Groups:
    """In lineages that alone are too large, all memories of one look."""
    component = _connected(made, np.ones(len(made), np.bool_))
    sizes = np.bincount(component, minlength=len(made))
    large = (sizes[component] > max((len(made) - excess) // 2, FEWEST)) & ~made.kept
    return np.where(large, component * np.int64(len(Look)) + made.look, -1)


def _lineages(made: Sketch, excess: int) -> Groups:
    """The smaller lineages as a whole."""
    component = _connected(made, np.ones(len(made), np.bool_))
    sizes = np.bincount(component, minlength=len(made))
    kept = np.bincount(component, made.kept, minlength=len(made)) > 0
    order = np.lexsort((np.arange(len(made)), -sizes, ~kept))
    fits = np.zeros(len(made), np.bool_)
    fits[order] = np.cumsum(sizes[order]) <= len(made) - excess - 1
    return np.where(fits[component], -1, 0).astype(np.int32)


_STEPS: tuple[tuple[Step, Callable[[Sketch, int], Groups]], ...] = (
    (Step.SINGLES, _singles),
    (Step.RUNS, _runs),
    (Step.BUNDLES, _bundles),
    (Step.DEPTHS, _depths),
    (Step.REGIONS, _regions),
    (Step.LOOKS, _looks),
    (Step.LINEAGES, _lineages),
)
