"""Orders that do not depend on the order of the input: by time of creation, then by id."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lineage.graph.core import Graph, Int64


def by_age(graph: Graph, nodes: NDArray[Any], group: NDArray[Any], *, newest_first: bool = False) -> Int64:
    """Positions in `nodes` ordered by group, then age, then id.

    Memories without a time of creation count as the oldest.
    """
    created = graph.times("created_at")[nodes]
    if newest_first:
        created = ~created  # reverses the order as negation would, without overflow at NO_TIME
    order = np.lexsort((created, group))
    same = (np.diff(created[order]) == 0) & (np.diff(group[order]) == 0)
    if not same.any():
        return order
    tied = order[np.append(same, False) | np.append(False, same)]
    rank = np.zeros(len(nodes), np.int64)
    rank[tied] = _ranks(graph, nodes[tied])
    return np.lexsort((rank, created, group))


def _ranks(graph: Graph, nodes: NDArray[Any]) -> Int64:
    """The place of each node among them by id."""
    distinct, place = np.unique(nodes, return_inverse=True)
    rank = np.empty(len(distinct), np.int64)
    rank[np.searchsorted(distinct, graph.sorted_by_id(distinct))] = np.arange(len(distinct))
    return rank[place]
