"""The circles of a graph: who is in one, the way round it, and how to break it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lineage.analyses.cuts import fewest_cuts, heads_after, shortest_walk
from lineage.graph.core import NO_TIME, Bool, Graph, Int32, Int64
from lineage.model import Declared, LinkKind, Status, code

_PUT_OUT = (Status.DELETED, Status.REVERSED, Status.RESOLVED)


@dataclass(frozen=True)
class Circle:
    """One strongly connected component of two or more memories, as nodes of the graph.

    `walk` is a shortest closed walk in it. `cut` are the fewest links, as
    (source, target), whose removal leaves no circle; of the members that
    nothing then acts on, `then` would be live.
    """

    walk: list[int]
    cut: list[tuple[int, int]]
    then: list[int]


class Circles:
    """Every circle over supersedes links, in the order of `graph.sccs`."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.members = graph.sccs

    def __len__(self) -> int:
        return len(self.members)

    def circle(self, number: int) -> Circle:
        """The way round one circle and the way out of it."""
        members = self.members[number].tolist()
        edges, inverted = self._edges(number)
        cut = fewest_cuts(edges, inverted)
        holds = self._would_hold
        return Circle(
            [members[place] for place in shortest_walk(edges)],
            [(members[source], members[target]) for source, target in cut],
            [members[place] for place in heads_after(edges, cut) if holds[members[place]]],
        )

    def _edges(self, number: int) -> tuple[list[tuple[int, int]], set[tuple[int, int]]]:
        """Its links as pairs of places among the members, so that they compare as ids do; the time-inverted ones."""
        order, offsets, place = self._inside
        chosen = order[offsets[number] : offsets[number + 1]]
        source, target = self._graph.links.source[chosen], self._graph.links.target[chosen]
        created = self._graph.times("created_at")
        # An unknown time compares as the oldest, which says nothing about the link.
        inverted = (created[source] != NO_TIME) & (created[source] < created[target])
        edges = list(zip(place[source].tolist(), place[target].tolist(), strict=True))
        return edges, {edges[position] for position in np.flatnonzero(inverted)}

    @cached_property
    def _component(self) -> Int32:
        component = np.full(self._graph.size, -1, np.int32)
        component[self._everyone] = np.repeat(np.arange(len(self), dtype=np.int32), self._sizes)
        return component

    @cached_property
    def _everyone(self) -> Int32:
        return np.concatenate([np.zeros(0, np.int32), *self.members])

    @cached_property
    def _sizes(self) -> Int64:
        return np.fromiter(map(len, self.members), np.int64, len(self))

    @cached_property
    def _inside(self) -> tuple[Int64, Int64, Int32]:
        """The links within circles ordered by circle, where each circle's begin, and each node's place in its own."""
        links, component = self._graph.links, self._component
        inside = np.flatnonzero(links.effective(LinkKind.SUPERSEDES))
        numbers = component[links.source[inside]]
        within = (numbers >= 0) & (numbers == component[links.target[inside]])
        inside, numbers = inside[within], numbers[within]
        order = np.argsort(numbers, kind="stable")
        offsets = np.searchsorted(numbers[order], np.arange(len(self) + 1))
        place = np.zeros(self._graph.size, np.int32)
        first = np.repeat(np.cumsum(self._sizes) - self._sizes, self._sizes)
        place[self._everyone] = np.arange(len(self._everyone)) - first
        return inside[order], offsets, place

    @cached_property
    def _would_hold(self) -> Bool:
        """Mask of the nodes that would be live if nothing in their circle acted on them."""
        graph = self._graph
        acting = np.flatnonzero(graph.links.effective(LinkKind.SUPERSEDES))
        source, target = graph.links.source[acting], graph.links.target[acting]
        from_outside = self._component[source] != self._component[target]
        holds = ~np.isin(graph.status, [code(status) for status in _PUT_OUT])
        holds &= graph.declared != code(Declared.ENDED)
        holds[target[from_outside]] = False
        return holds
