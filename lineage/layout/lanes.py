"""The lane of every node: each line of descent keeps its own, and branches stand beside what they join.

A lineage is taken apart into paths. A path leaves for another one where it
joins it (its last memory acts on one of the other path) or hangs on it (a
memory of the other path acts on its first). Paths are placed next to the one
they belong to, those that join or hang nearest first, so that in a tree no
line crosses another.
"""

from bisect import bisect_left, insort
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lineage.layout.ranks import Ranking, Tie


@dataclass
class Path:
    """Nodes in one lane; `join` and `hang` are the ties at its ends, `begin` and `end` the ranks it takes up."""

    nodes: list[int]
    inner: list[int] = field(default_factory=list)
    join: Tie | None = None
    hang: Tie | None = None
    begin: int = 0
    end: int = 0


@dataclass
class Lanes:
    """The lane of every node, from 0, and how each tie runs, by its edge.

    `inner` ties run within a path, `own` ones in the lane of their upper end,
    `other` ones in that of their lower end.
    """

    lane: list[int]
    inner: set[int] = field(default_factory=set)
    own: set[int] = field(default_factory=set)
    other: set[int] = field(default_factory=set)
    taken: dict[int, list[tuple[int, int]]] = field(default_factory=dict)


def placed(
    nodes: Sequence[int],
    ranking: Ranking,
    small: Sequence[bool],
    place: Sequence[int],
    beside: Mapping[int, int],
) -> Lanes:
    """The lanes of one connected part.

    `place` orders equals, `small` nodes never lead a path before others,
    `beside` names the neighbour of a node that no tie orders.
    """
    paths, path_of = _paths(nodes, ranking, small, place)
    made = Lanes([0] * len(ranking.rank))
    lane_of: dict[int, int] = {}
    for number, parent in _in_order(paths, path_of, ranking, beside):
        path = paths[number]
        lane = _nearest_free(made, path, lane_of[parent] + 1 if parent is not None else 0)
        lane_of[number] = lane
        for node in path.nodes:
            made.lane[node] = lane
    for path in paths:
        made.inner.update(path.inner)
        made.own.update(tie.edge for tie in (path.join,) if tie)
        made.other.update(tie.edge for tie in (path.hang,) if tie)
    return made


def free(made: Lanes, lane: int, begin: int, end: int) -> bool:
    """Whether nothing stands in a lane from one rank to another, both included."""
    if begin > end:
        return True
    spans = made.taken.get(lane, [])
    at = bisect_left(spans, (begin, begin))
    return not (at < len(spans) and spans[at][0] <= end) and not (at and spans[at - 1][1] >= begin)


def take(made: Lanes, lane: int, begin: int, end: int) -> None:
    """Mark the ranks of a lane as taken."""
    if begin <= end:
        insort(made.taken.setdefault(lane, []), (begin, end))


def _paths(
    nodes: Sequence[int], ranking: Ranking, small: Sequence[bool], place: Sequence[int]
) -> tuple[list[Path], dict[int, int]]:
    rank, height = ranking.rank, ranking.height
    paths: list[Path] = []
    path_of: dict[int, int] = {}
    heads = sorted(
        nodes, key=lambda node: (bool(ranking.above[node]), small[node], rank[node], -height[node], place[node])
    )
    for head in heads:
        if head in path_of:
            continue
        path = Path([])
        node = head
        while True:
            path_of[node] = len(paths)
            path.nodes.append(node)
            onward = _onward(ranking.below[node], height, small, place)
            if onward is None:
                break
            if onward.lower in path_of:
                path.join = onward
                break
            path.inner.append(onward.edge)
            node = onward.lower
        above = [tie for tie in ranking.above[head] if tie.upper in path_of]
        if above:
            path.hang = min(above, key=lambda tie: (-rank[tie.upper], place[tie.upper]))
        path.begin = rank[path.hang.upper] + 1 if path.hang else rank[head]
        path.end = rank[path.join.lower] - 1 if path.join else rank[path.nodes[-1]]
        paths.append(path)
    return paths, path_of


def _onward(below: Sequence[Tie], height: Sequence[int], small: Sequence[bool], place: Sequence[int]) -> Tie | None:
    """The tie by which a path goes on: the one with most behind it."""
    return min(below, key=lambda tie: (small[tie.lower], -height[tie.lower], place[tie.lower]), default=None)


def _in_order(
    paths: Sequence[Path], path_of: Mapping[int, int], ranking: Ranking, beside: Mapping[int, int]
) -> Iterator[tuple[int, int | None]]:
    """Paths and the paths they stand beside, each after its own."""
    children: list[list[tuple[int, int]]] = [[] for _ in paths]
    roots = []
    for number, path in enumerate(paths):
        if path.join:
            children[path_of[path.join.lower]].append((ranking.rank[path.join.lower], number))
        elif path.hang:
            # What hangs furthest back is nearest: its line then runs inside those of the others.
            children[path_of[path.hang.upper]].append((-ranking.rank[path.hang.upper], number))
        elif (other := path_of.get(beside.get(path.nodes[0], -1), number)) < number:
            children[other].append((0, number))
        else:
            roots.append(number)
    stack: list[tuple[int, int | None]] = [(number, None) for number in reversed(roots)]
    while stack:
        number, parent = stack.pop()
        yield number, parent
        stack.extend((child, number) for _, child in sorted(children[number], reverse=True))


def _nearest_free(made: Lanes, path: Path, lane: int) -> int:
    while not free(made, lane, path.begin, path.end):
        lane += 1
    take(made, lane, path.begin, path.end)
    return lane
