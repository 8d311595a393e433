"""Circles of links: a shortest walk round one, and the fewest links whose removal breaks it.

`edges` are always the links of one strongly connected component, as pairs
(source, target) of values that can be ordered; repeated pairs count once. No
function recurses, every answer is the same for any order of the edges, and
the effort is bounded: what is exact for the circles people make stays a good
answer for a component of a million memories.
"""

from collections import deque
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from heapq import heapify, heappop, heappush
from typing import Protocol, Self, TypeVar

EXACT_LINKS = 20
"""Up to so many links the fewest cuts are exact."""

_WALK_EFFORT = 2_000_000
"""Links looked at, over all starts, before the shortest walk found so far is taken."""

_PRUNE_EFFORT = 20_000_000
"""Links times cuts up to which superfluous cuts are weeded out."""


class _Ordered(Hashable, Protocol):
    def __lt__(self, other: Self, /) -> bool: ...


Node = TypeVar("Node", bound=_Ordered)
Pair = tuple[int, int]


def shortest_walk(edges: Iterable[tuple[Node, Node]]) -> list[Node]:
    """A shortest circle in link direction, smallest member first and repeated at the end.

    In a component too large to search from everywhere it is the shortest found
    within bounded effort. Empty only where `edges` is.
    """
    distinct = set(edges)
    ring = _ring(distinct)
    if ring is not None:
        return ring
    names, pairs = _numbered(distinct)
    onward = _adjacency(len(names), pairs)
    # In a component that is no ring every circle has a branching member.
    starts = [node for node, targets in enumerate(onward) if len(targets) > 1]
    shortest_possible = 1 if any(source == target for source, target in pairs) else 2
    best: list[int] = []
    effort = 0
    for start in starts:
        walk, looked_at = _circle_through(start, onward, shorter_than=len(best))
        best = walk or best
        effort += looked_at
        if effort > _WALK_EFFORT or 0 < len(best) <= shortest_possible:
            break
    turn = best.index(min(best))
    return [names[node] for node in (*best[turn:], *best[: turn + 1])]


def fewest_cuts(
    edges: Iterable[tuple[Node, Node]], prefer: AbstractSet[tuple[Node, Node]] = frozenset()
) -> list[tuple[Node, Node]]:
    """The fewest links without which no circle is left, sorted.

    Among equally small sets the one with most links of `prefer` is taken, then
    the smallest. Exact up to `EXACT_LINKS` links and for a simple ring; beyond
    that a small set of which no link can be spared.
    """
    distinct = set(edges)
    if _ring(distinct):
        return [min(prefer & distinct or distinct)]
    names, pairs = _numbered(distinct)
    liked = frozenset(pair for pair in pairs if (names[pair[0]], names[pair[1]]) in prefer)
    find = _exact_cuts if len(pairs) <= EXACT_LINKS else _small_cuts
    cut = find(len(names), pairs, liked)
    return [(names[source], names[target]) for source, target in cut]


def heads_after(edges: Iterable[tuple[Node, Node]], cut: Collection[tuple[Node, Node]]) -> list[Node]:
    """The members that no link is left to act on once `cut` is gone, sorted."""
    gone = set(cut)
    members: set[Node] = set()
    acted_on: set[Node] = set()
    for edge in edges:
        members.update(edge)
        if edge not in gone:
            acted_on.add(edge[1])
    return sorted(members - acted_on)


def _ring(edges: AbstractSet[tuple[Node, Node]]) -> list[Node] | None:
    """The walk round a component in which one link leaves each member; None for any other."""
    onward = dict(edges)
    if len(onward) < len(edges):
        return None
    start = min(onward, default=None)
    if start is None:
        return []
    walk = [start, onward[start]]
    while walk[-1] != start:
        walk.append(onward[walk[-1]])
    return walk


def _numbered(edges: AbstractSet[tuple[Node, Node]]) -> tuple[list[Node], list[Pair]]:
    """The members in order, and the edges as sorted pairs of positions in it."""
    names = sorted({node for edge in edges for node in edge})
    place = {name: position for position, name in enumerate(names)}
    return names, sorted((place[source], place[target]) for source, target in edges)


def _adjacency(size: int, pairs: Iterable[Pair]) -> list[list[int]]:
    onward: list[list[int]] = [[] for _ in range(size)]
    for source, target in pairs:
        onward[source].append(target)
    return onward


def _circle_through(start: int, onward: Sequence[Sequence[int]], *, shorter_than: int) -> tuple[list[int], int]:
    """A shortest circle through `start` (empty if not below `shorter_than`), and the links looked at.

    `shorter_than` = 0 sets no bound.
    """
    before: dict[int, int] = {start: -1}
    distance = {start: 0}
    queue = deque([start])
    looked_at = 0
    while queue:
        node = queue.popleft()
        if shorter_than and distance[node] + 1 >= shorter_than:
            break
        for target in onward[node]:
            looked_at += 1
            if target == start:
                return _path_back(node, before), looked_at
            if target not in before:
                before[target] = node
                distance[target] = distance[node] + 1
                queue.append(target)
    return [], looked_at


def _path_back(node: int, before: dict[int, int]) -> list[int]:
    path = []
    while node >= 0:
        path.append(node)
        node = before[node]
    return path[::-1]


def _exact_cuts(size: int, pairs: Sequence[Pair], liked: frozenset[Pair]) -> list[Pair]:
    for number in range(len(pairs) + 1):
        found = min(
            _cuts_of_size(number, size, pairs),
            key=lambda cut: (-len(liked.intersection(cut)), cut),
            default=None,
        )
        if found is not None:
            return found
    raise AssertionError("cutting every link leaves no circle")  # pragma: no cover


def _cuts_of_size(number: int, size: int, pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    """Every set of `number` links whose removal leaves no circle, once, if no smaller one does.

    One link of each circle must go. Once sets with a link have been tried it
    is kept in all later ones, so that no set comes twice.
    """
    stack: list[tuple[frozenset[Pair], frozenset[Pair]]] = [(frozenset(), frozenset())]
    while stack:
        cut, kept = stack.pop()
        circle = _some_circle(size, [pair for pair in pairs if pair not in cut])
        if not circle:
            yield sorted(cut)
        elif len(cut) < number:
            for link in circle:
                if link not in kept:
                    stack.append((cut | {link}, kept))
                    kept |= {link}


def _some_circle(size: int, pairs: Iterable[Pair]) -> list[Pair]:
    """The links of a shortest circle; empty where there is none."""
    onward = _adjacency(size, pairs)
    best: list[int] = []
    for start in range(size):
        walk, _ = _circle_through(start, onward, shorter_than=len(best))
        best = walk or best
    return list(zip(best, best[1:] + best[:1], strict=True))


def _small_cuts(size: int, pairs: Sequence[Pair], liked: frozenset[Pair]) -> list[Pair]:
    candidates = [_against(_ordering(size, pairs), pairs)]
    if not _circular(size, [pair for pair in pairs if pair not in liked]):
        candidates.append(sorted(liked))
    spared = [_spared(size, pairs, cut, liked) for cut in candidates]
    return min(spared, key=lambda cut: (len(cut), -len(liked.intersection(cut)), cut))


def _against(order: Sequence[int], pairs: Iterable[Pair]) -> list[Pair]:
    rank = {node: position for position, node in enumerate(order)}
    return [(source, target) for source, target in pairs if rank[source] >= rank[target]]


def _ordering(size: int, pairs: Sequence[Pair]) -> list[int]:
    """An order of the members that few links run against (after Eades, Lin and Smyth, 1993).

    Again and again members nothing leads on from go to the end, members
    nothing leads to go to the front, and of the others the one with the
    largest surplus of links onward goes to the front.
    """
    onward, back = _adjacency(size, pairs), _adjacency(size, [(target, source) for source, target in pairs])
    out, into = [len(targets) for targets in onward], [len(sources) for sources in back]
    placed = [False] * size
    front: list[int] = []
    end: list[int] = []
    heap = [(_urgency(out[node], into[node]), node) for node in range(size)]
    heapify(heap)
    while heap:
        urgency, node = heappop(heap)
        if placed[node] or urgency != _urgency(out[node], into[node]):
            continue
        placed[node] = True
        (front if out[node] else end).append(node)
        for neighbours, degree in ((onward[node], into), (back[node], out)):
            for other in neighbours:
                if not placed[other]:
                    degree[other] -= 1
                    heappush(heap, (_urgency(out[other], into[other]), other))
    return front + end[::-1]


def _urgency(out: int, into: int) -> tuple[int, int]:
    if not out or not into:
        return (0, 0)
    return (1, into - out)


def _circular(size: int, pairs: Iterable[Pair]) -> bool:
    onward = _adjacency(size, pairs)
    into = [0] * size
    for targets in onward:
        for target in targets:
            into[target] += 1
    free = [node for node in range(size) if not into[node]]
    passed = 0
    while free:
        passed += 1
        for target in onward[free.pop()]:
            into[target] -= 1
            if not into[target]:
                free.append(target)
    return passed < size


def _spared(size: int, pairs: Iterable[Pair], cut: Sequence[Pair], liked: frozenset[Pair]) -> list[Pair]:
    """The cuts that are needed: each is put back where that closes no circle, those not liked first."""
    pairs = list(pairs)
    if len(cut) * len(pairs) > _PRUNE_EFFORT:
        return sorted(cut)
    gone = set(cut)
    onward = _adjacency(size, [pair for pair in pairs if pair not in gone])
    for source, target in sorted(cut, key=lambda pair: (pair in liked, pair)):
        if not _leads(onward, target, source):
            gone.remove((source, target))
            onward[source].append(target)
    return sorted(gone)


def _leads(onward: Sequence[Sequence[int]], start: int, goal: int) -> bool:
    seen = {start}
    stack = [start]
    while stack:
        node = stack.pop()
        if node == goal:
            return True
        for target in onward[node]:
            if target not in seen:
                seen.add(target)
                stack.append(target)
    return False
