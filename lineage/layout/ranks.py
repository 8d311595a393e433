"""The rank of every node: 0 for the heads at the outer edge, more for what lies further back.

A link that has its effect, or whose other end is missing, puts what it acts on
behind its source; a circle is opened where a walk through it comes back to
itself. Linear, and without recursion.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from lineage.graph.connect import strong_components


@dataclass(frozen=True, slots=True)
class Tie:
    """An edge that orders its ends: `upper` stands before `lower`; `edge` is its number."""

    upper: int
    lower: int
    edge: int


@dataclass
class Ranking:
    """The ranks, and the ties that hold: those that would close a circle are left out.

    `height` is how many ranks lie behind a node at least. `below` and `above`
    are the ties of each node.
    """

    rank: list[int]
    height: list[int]
    below: list[list[Tie]]
    above: list[list[Tie]]
    order: list[int] = field(default_factory=list)


def ranked(size: int, ties: Sequence[Tie], newest: Sequence[int], pulled: Sequence[bool]) -> Ranking:
    """Rank nodes by their ties; `newest` is their order in time.

    A head that is `pulled` (a marker, a memory that never held) stands right before what it acts on, not at the edge.
    """
    made = Ranking([0] * size, [0] * size, [[] for _ in range(size)], [[] for _ in range(size)])
    for tie in _without_circles(size, ties, newest):
        made.below[tie.upper].append(tie)
        made.above[tie.lower].append(tie)
    waiting = [len(above) for above in made.above]
    made.order.extend(node for node in newest if not waiting[node])
    for node in made.order:
        for tie in made.below[node]:
            made.rank[tie.lower] = max(made.rank[tie.lower], made.rank[node] + 1)
            waiting[tie.lower] -= 1
            if not waiting[tie.lower]:
                made.order.append(tie.lower)
    for node in reversed(made.order):
        made.height[node] = max((made.height[tie.lower] + 1 for tie in made.below[node]), default=0)
        if pulled[node] and made.below[node] and not made.above[node]:
            made.rank[node] = min(made.rank[tie.lower] for tie in made.below[node]) - 1
    return made


def _without_circles(size: int, ties: Sequence[Tie], newest: Sequence[int]) -> Iterator[Tie]:
    upper = np.array([tie.upper for tie in ties], np.int32)
    lower = np.array([tie.lower for tie in ties], np.int32)
    label = strong_components(upper, lower, size).tolist()
    inner: dict[int, list[Tie]] = {}
    entered: set[int] = set()
    for tie in ties:
        if tie.upper == tie.lower:
            continue
        if label[tie.upper] != label[tie.lower]:
            entered.add(tie.lower)
            yield tie
        else:
            inner.setdefault(tie.upper, []).append(tie)
    # A walk that begins where others come in leaves the circle's head at its top.
    starts = [node for node in newest if node in inner]
    starts.sort(key=lambda node: node not in entered)
    yield from _walked(starts, inner)


def _walked(starts: Sequence[int], inner: dict[int, list[Tie]]) -> Iterator[Tie]:
    """The ties of a walk through circles, but for those that lead back onto its own path."""
    seen: set[int] = set()
    for start in starts:
        if start in seen:
            continue
        seen.add(start)
        path = {start}
        stack = [(start, iter(inner[start]))]
        while stack:
            node, rest = stack[-1]
            tie = next(rest, None)
            if tie is None:
                stack.pop()
                path.discard(node)
                continue
            if tie.lower in path:
                continue
            yield tie
            if tie.lower not in seen:
                seen.add(tie.lower)
                path.add(tie.lower)
                stack.append((tie.lower, iter(inner[tie.lower])))
