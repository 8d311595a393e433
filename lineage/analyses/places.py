"""Which files and modules decisions are about, and where they change most."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.arrays import as_numpy, flags, joined, masked, numbers
from lineage.graph.core import Graph
from lineage.model import Role, Status, code

Bool = NDArray[np.bool_]
Int64 = NDArray[np.int64]

MOST_READ = 10_000
"""Beyond so many memories whose texts lie in their files still, only the newest are looked at."""


@dataclass(frozen=True)
class Place:
    """A file or module: how many memories are about it, how many of them hold, and how many were undone.

    `undone` counts those that were superseded or reversed: the churn.
    """

    name: str
    memories: int
    live: int
    undone: int


@dataclass(frozen=True)
class Places:
    """Files and modules, those with the most decisions first; `looked_at` of `memories` were counted."""

    files: list[Place]
    modules: list[Place]
    looked_at: int
    memories: int


def places(graph: Graph, most: int = 0) -> Places:
    """Count memories by the files and modules they name.

    Of each those among the first `most` by decisions or by churn (0: all).
    """
    nodes = np.flatnonzero(graph.role == code(Role.MEMORY))
    total = len(nodes)
    if total > MOST_READ and not graph.corpus.texts_at_hand:
        nodes = nodes[_newest(graph.times("created_at")[nodes], MOST_READ)]
    texts = graph.corpus.texts_of(graph.rows[nodes], ["files", "module"])
    files = joined(texts["files"])
    owners = nodes[as_numpy(pc.list_parent_indices(files)).astype(np.int64)]
    named = flags(pc.is_valid(texts["module"]))
    modules = joined(texts["module"]).filter(masked(named))
    return Places(
        files=list(_counted(graph, pc.list_flatten(files), owners, most)),
        modules=list(_counted(graph, modules, nodes[named], most)),
        looked_at=len(nodes),
        memories=total,
    )


def _newest(times: Int64, most: int) -> Bool:
    """Mask of the `most` latest times; of those alike the first."""
    bound = np.partition(times, len(times) - most)[len(times) - most]
    kept: Bool = times > bound
    kept[np.flatnonzero(times == bound)[: most - int(kept.sum())]] = True
    return kept


def _counted(graph: Graph, names: pa.Array, owners: Int64, most: int) -> Iterator[Place]:
    encoded = names.dictionary_encode()
    number = as_numpy(encoded.indices).astype(np.int64)
    words = encoded.dictionary
    # A memory that names a file twice is one memory about it.
    once = np.unique(owners * max(len(words), 1) + number, return_index=True)[1]
    owners, number = owners[once], number[once]
    status = graph.status[owners]
    undone = np.isin(status, [code(Status.SUPERSEDED), code(Status.REVERSED)])
    counts, live, gone = (
        np.bincount(number[mask], minlength=len(words))
        for mask in (np.ones(len(number), np.bool_), status == code(Status.LIVE), undone)
    )
    table = pa.table({"count": numbers(counts), "undone": numbers(gone), "name": words})
    by_count, by_churn = (as_numpy(pc.sort_indices(table, way)).astype(np.int64) for way in _WAYS)
    shown = set(by_count[: most or None].tolist() + by_churn[: most or None].tolist())
    for at in by_count.tolist():
        if at in shown:
            yield Place(words[at].as_py(), int(counts[at]), int(live[at]), int(gone[at]))


_WAYS = [
    [(first, "descending"), (second, "descending"), ("name", "ascending")]
    for first, second in (("count", "undone"), ("undone", "count"))
]
