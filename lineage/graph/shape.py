"""Generations, depths and lineages."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.arrays import NO_TIME, as_numpy, numbers
from lineage.graph.connect import Ends, ends, weak_components
from lineage.graph.links import Links
from lineage.model import LinkKind, Role, Status, code

Bool = NDArray[np.bool_]
Int8 = NDArray[np.int8]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

_SMALL = 64
_NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Lineages:
    """One entry a lineage, singles included, in the order of the nodes of their oldest memories.

    `oldest` is the memory that names the lineage; `size` counts memories and
    markers, `memories` memories alone; `depth` is the number of supersedes
    links on the longest path; `live` counts live heads; `first` and `last` are
    the earliest and latest created_at of its memories in microseconds, or
    NO_TIME.
    """

    oldest: Int32
    size: Int32
    memories: Int32
    depth: Int32
    forks: Int32
    merges: Int32
    live: Int32
    first: Int64
    last: Int64

    def __len__(self) -> int:
        return len(self.oldest)


def generations(links: Links, labels: Int32, size: int, paths: Ends | None) -> Int32:
    """The longest supersedes path from every node back to a root, circles (equal labels) contracted.

    `paths` says where paths end, where each memory supersedes one other at most.
    """
    mask = links.effective(LinkKind.SUPERSEDES)
    if paths is not None:
        circling = paths.circle[paths.end]
        if not circling.any():
            return paths.depth
        mask &= circling[links.source]
    source, target = labels[links.source[mask]], labels[links.target[mask]]
    apart = source != target
    source, target = source[apart], target[apart]
    if paths is not None:
        return np.where(circling, ends(source, target, size).depth[labels], paths.depth)
    several = np.bincount(source, minlength=size) > 1
    weak = weak_components(source, target, size)
    mixed = np.zeros(size, np.bool_)
    mixed[weak[several]] = True
    hard = mixed[weak[source]]
    depth = ends(source[~hard], target[~hard], size).depth
    _by_peeling(source[hard], target[hard], depth)
    return depth[labels]


def _joined(links: Links, size: int, paths: Ends | None) -> Int32:
    """A number for every node, equal for those that links join."""
    if paths is None:
        return weak_components(links.source[links.joins], links.target[links.joins], size)
    # Paths that end alike are joined already; what is left joins their ends.
    more = links.joins & ~links.effective(LinkKind.SUPERSEDES)
    ends_joined = weak_components(paths.end[links.source[more]], paths.end[links.target[more]], size)
    return ends_joined[paths.end]


def _by_peeling(source: Int32, target: Int32, depth: Int32) -> None:
    """Any graph without circles: roots off first, round by round; a few at a time node by node."""
    nodes, places = np.unique(np.concatenate([source, target]), return_inverse=True)
    above, below = places[: len(source)], places[len(source) :]
    order = np.argsort(below, kind="stable")
    begins = np.searchsorted(below[order], np.arange(len(nodes) + 1))
    heads = above[order]
    waiting = np.bincount(above, minlength=len(nodes))
    level = np.zeros(len(nodes), np.int32)
    frontier = np.flatnonzero(waiting == 0)
    lists: tuple[list[int], list[int]] | None = None
    round_ = 0
    while len(frontier):
        round_ += 1
        if len(frontier) < _SMALL:
            lists = lists or (begins.tolist(), heads.tolist())
            frontier = _peel_few(frontier, lists, waiting, level, round_)
            continue
        counts = begins[frontier + 1] - begins[frontier]
        starts = np.repeat(begins[frontier] - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        reached = heads[starts + np.arange(len(starts))]
        np.subtract.at(waiting, reached, 1)
        frontier = np.unique(reached[waiting[reached] == 0])
        level[frontier] = round_
    depth[nodes] = level


def _peel_few(frontier: Int64, lists: tuple[list[int], list[int]], waiting: Int64, level: Int32, round_: int) -> Int64:
    begins, heads = lists
    ready = []
    for node in frontier.tolist():
        for head in heads[begins[node] : begins[node + 1]]:
            waiting[head] -= 1
            if not waiting[head]:
                level[head] = round_
                ready.append(head)
    return np.array(ready, np.int64)


def lineages(
    links: Links, role: Int8, status: Int8, generation: Int32, created: Int64, ids: pa.Array, paths: Ends | None
) -> tuple[Int32, Lineages]:
    """The lineage of every node (-1 for none) and what is known of each.

    `paths` says where the paths of effective supersedes links end, if that is known.
    """
    size = len(role)
    weak = _joined(links, size, paths)
    memory = role == code(Role.MEMORY)
    moments = np.where(memory & (created != NO_TIME), created, _NEVER)
    oldest = _oldest(weak, memory, moments, ids)
    present = np.flatnonzero(oldest >= 0)
    present = present[np.argsort(oldest[present], kind="stable")]
    number = np.full(len(oldest), -1, np.int32)
    number[present] = np.arange(len(present))
    lineage = number[weak]
    count = len(present)
    mine = lineage[memory]
    effective = links.effective(LinkKind.SUPERSEDES)
    forks = np.bincount(links.target[effective], minlength=size) > 1
    merges = np.bincount(links.source[effective], minlength=size) > 1
    depth, last = np.zeros(count, np.int32), np.full(count, NO_TIME, np.int64)
    np.maximum.at(depth, mine, generation[memory])
    np.maximum.at(last, mine, created[memory])
    first = moments[oldest[present]]
    member = memory | (role == code(Role.MARKER))

    def counted(mask: Bool) -> Int32:
        return np.bincount(lineage[mask & (lineage >= 0)], minlength=count).astype(np.int32)

    return lineage, Lineages(
        oldest=oldest[present],
        size=counted(member),
        memories=counted(memory),
        depth=depth,
        forks=counted(forks & memory),
        merges=counted(merges & memory),
        live=counted(status == code(Status.LIVE)),
        first=np.where(first == _NEVER, NO_TIME, first),
        last=last,
    )


def _oldest(weak: Int32, memory: Bool, moments: Int64, ids: pa.Array) -> Int32:
    """Of every component the memory that was created first, of equals the one with the least id."""
    count = int(weak.max(initial=-1)) + 1
    earliest = np.full(count, _NEVER, np.int64)
    np.minimum.at(earliest, weak[memory], moments[memory])
    candidates = np.flatnonzero(memory & (moments == earliest[weak]))
    oldest = np.full(count, -1, np.int32)
    oldest[weak[candidates]] = candidates
    rivals = np.bincount(weak[candidates], minlength=count) > 1
    if rivals.any():
        tied = candidates[rivals[weak[candidates]]]
        by_id = tied[as_numpy(pc.array_sort_indices(ids.take(numbers(tied)))).astype(np.int64)][::-1]
        oldest[weak[by_id]] = by_id
    return oldest
