"""Which part of a graph a drawing shows."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from lineage.errors import UsageError
from lineage.graph.core import Graph
from lineage.graph.query import find
from lineage.layout.labels import short_id
from lineage.layout.sketch import Bool, drawable, joining
from lineage.model import Status, code

DEPTH = 3
"""How many links around a memory are shown where nothing else is said."""


@dataclass(frozen=True)
class Selection:
    """What to draw: everything, or what meets all of these.

    `lineage` and `around` are ids or beginnings of ids; `depth` is how many
    links from `around` are shown. `top` keeps so many of the largest lineages;
    `statuses` and `kinds` keep the lineages that hold such a memory, `cycles`
    those with a circle.
    """

    lineage: str | None = None
    around: str | None = None
    depth: int = DEPTH
    top: int | None = None
    statuses: Collection[str] = ()
    kinds: Collection[str] = ()
    cycles: bool = False


@dataclass(frozen=True)
class Chosen:
    """The nodes to draw, as masks over a graph: all of them, and of them those never and those always folded.

    `asked` is the node that was asked for.
    """

    mask: Bool
    kept: Bool
    further: Bool
    asked: int | None
    title: str


def choose(graph: Graph, selection: Selection) -> Chosen:
    """The nodes that meet a selection; `UnknownMemory` for an id there is none of, `UsageError` for a bad number."""
    if selection.lineage is not None and selection.around is not None:
        raise UsageError("lineage and around are two ways to ask: give one of them")
    if selection.depth < 0 or (selection.top is not None and selection.top < 1):
        raise UsageError("depth cannot be below 0, nor top below 1")
    given = selection.around if selection.lineage is None else selection.lineage
    asked = None if given is None else find(graph, given)
    near = None
    if asked is None:
        mask = drawable(graph)
    elif selection.around is not None:
        near = _around(graph, asked, selection.depth)
        mask = _lineages_of(graph, near) | near
    else:
        mask = _lineages_of(graph, _only(graph, asked))
    mask = _narrowed(graph, mask, selection)
    kept = np.zeros(graph.size, np.bool_) if asked is None else _only(graph, asked) & mask
    further = np.zeros(graph.size, np.bool_) if near is None else mask & ~near
    return Chosen(mask, kept, further, asked, _title(graph, asked, near is not None))


def _title(graph: Graph, asked: int | None, around: bool) -> str:
    if asked is None:
        return "Decision lineage"
    if around:
        return f"Around {short_id(graph.id(asked))}"
    return lineage_title(graph, asked)


def lineage_title(graph: Graph, node: int) -> str:
    """What the drawing of a node's lineage is called."""
    return f"Lineage {short_id(graph.lineage_name(node) or graph.id(node))}"


def _only(graph: Graph, node: int) -> Bool:
    mask = np.zeros(graph.size, np.bool_)
    mask[node] = True
    return mask


def _lineages_of(graph: Graph, nodes: Bool) -> Bool:
    """Mask of the nodes that share a lineage with some nodes, and of these nodes themselves."""
    wanted = np.zeros(len(graph.lineages) + 1, np.bool_)
    wanted[graph.lineage[nodes]] = True
    wanted[-1] = False
    return wanted[graph.lineage] | nodes


def _around(graph: Graph, start: int, depth: int) -> Bool:
    """Mask of the nodes at most so many links away, whichever way they point."""
    drawn = joining(graph)
    source, target = graph.links.source[drawn], graph.links.target[drawn]
    reached = _only(graph, start)
    for _ in range(depth):
        before = int(reached.sum())
        touched = reached[source] | reached[target]
        reached[source[touched]] = True
        reached[target[touched]] = True
        if int(reached.sum()) == before:
            break
    return reached


def _narrowed(graph: Graph, mask: Bool, selection: Selection) -> Bool:
    """Of the chosen nodes those in lineages that meet every condition."""
    asked = []
    if selection.statuses:
        asked.append(np.isin(graph.status, [code(Status(status)) for status in selection.statuses]))
    if selection.kinds:
        asked.append(np.logical_or.reduce([graph.is_kind(kind) for kind in selection.kinds]))
    if selection.cycles:
        asked.append(_circling(graph))
    for condition in asked:
        mask = mask & _lineages_of(graph, condition & mask)
    return mask & _largest(graph, mask, selection.top) if selection.top is not None else mask


def _circling(graph: Graph) -> Bool:
    mask = np.zeros(graph.size, np.bool_)
    for members in graph.sccs:
        mask[members] = True
    return mask


def _largest(graph: Graph, mask: Bool, top: int) -> Bool:
    """Mask of the nodes in the largest lineages that have chosen nodes; of equals those with the least name."""
    lineages = graph.lineages
    present = np.unique(graph.lineage[mask & (graph.lineage >= 0)])
    order = np.lexsort((graph.orders[lineages.oldest[present]], -lineages.size[present]))
    wanted = np.zeros(len(lineages) + 1, np.bool_)
    wanted[present[order[:top]]] = True
    return wanted[graph.lineage]
