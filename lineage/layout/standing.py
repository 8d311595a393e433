"""The parts of a diagram, each in its own grid, put together in px."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from lineage.layout.diagram import RADIUS, SMALL_FONT, Edge, Node
from lineage.layout.labels import px
from lineage.layout.lanes import Lanes
from lineage.layout.language import Point
from lineage.layout.measures import Grid, grid, text_box
from lineage.layout.packing import packed
from lineage.layout.routes import Across, Along, Routes

_BORDER = 12.0


@dataclass(frozen=True)
class Part:
    """A connected part: its nodes and edges by number, and how they stand."""

    nodes: Sequence[int]
    edges: Sequence[int]
    lanes: Lanes
    routes: Routes

    @property
    def breadth(self) -> int:
        """How many lanes it has."""
        return 1 + max(self.lanes.lane[node] for node in self.nodes)


@dataclass(frozen=True)
class Standing:
    """Nodes and edges in their places, and the size of the whole in px."""

    nodes: Sequence[Node]
    edges: Sequence[Edge]
    width: float
    height: float


def stood(
    parts: Sequence[Part], nodes: Sequence[Node], edges: Sequence[Edge], rank: Sequence[int], *, rightwards: bool
) -> Standing:
    """Put the parts beside each other; the nodes are numbered anew, in the order of their parts and places."""
    grids = [_grid(part, nodes, edges, rank, rightwards) for part in parts]
    corners, (width, height) = packed([(measured.width, measured.height) for measured in grids])
    made: list[Node] = []
    drawn: list[Edge] = []
    number_of: dict[int, int] = {}
    for part, measured, (left, top) in zip(parts, grids, corners, strict=True):
        origin = (left + _BORDER, top + _BORDER)
        lane = part.lanes.lane
        for node in sorted(part.nodes, key=lambda node: (rank[node], lane[node])):
            number_of[node] = len(made)
            at = measured.point(Across(rank[node]), Along(lane[node]))
            made.append(
                replace(
                    nodes[node],
                    key=f"n{len(made)}",
                    x=_shifted(at, origin)[0],
                    y=_shifted(at, origin)[1],
                    label=_shifted(measured.label(at), origin),
                )
            )
        drawn.extend(_edges(part, measured, edges, rank, origin))
    renumbered = [replace(edge, source=number_of[edge.source], target=number_of[edge.target]) for edge in drawn]
    renumbered.sort(key=lambda edge: (edge.source, edge.target, edge.kind))
    return Standing(made, renumbered, round(width + 2 * _BORDER, 1), round(height + 2 * _BORDER, 1))


def _grid(part: Part, nodes: Sequence[Node], edges: Sequence[Edge], rank: Sequence[int], rightwards: bool) -> Grid:
    said = [edges[number] for number in part.edges if edges[number].label]
    labelled: dict[int, float] = {}
    for edge in said:
        # The gap before a node that names itself, the one between the ends of any other link.
        gap = min(rank[edge.source], rank[edge.target]) - (edge.source == edge.target)
        labelled[gap] = max(labelled.get(gap, 0.0), px(edge.label, SMALL_FONT))
    return grid(
        [text_box(nodes[node]) for node in part.nodes],
        [rank[node] for node in part.nodes],
        [part.lanes.lane[node] for node in part.nodes],
        part.routes,
        labelled=labelled,
        rightwards=rightwards,
    )


def _shifted(point: Point, origin: Point) -> Point:
    return round(point[0] + origin[0], 1), round(point[1] + origin[1], 1)


def _edges(part: Part, measured: Grid, edges: Sequence[Edge], rank: Sequence[int], origin: Point) -> Iterator[Edge]:
    lane = part.lanes.lane
    for number in part.edges:
        edge = edges[number]
        corners = part.routes.corners.get(number)
        if corners is None:
            at = measured.point(Across(rank[edge.source]), Along(lane[edge.source]))
            points = _loop(at)
        else:
            points = [measured.point(*corner) for corner in corners]
            start = measured.point(Across(rank[edge.source]), Along(lane[edge.source]))
            if points[0] != start:
                points.reverse()
        at = _label_at(points, edge.label, measured.rightwards)
        yield replace(edge, points=[_shifted(point, origin) for point in points], label_at=_shifted(at, origin))


def _loop(at: Point) -> list[Point]:
    """From a node around its corner back to it."""
    x, y = at
    out = RADIUS + 8
    return [at, (x - out, y), (x - out, y - out), (x, y - out), at]


def _label_at(points: Sequence[Point], label: str, rightwards: bool) -> Point:
    """In the gap that the edge runs through, where no text of a node stands."""
    if rightwards:
        return _label_lying(points, label)
    for (left, top), (right, bottom) in pairwise(points):
        if len(points) > 4 and left != right and (left, top) != points[0] and (right, bottom) != points[-1]:
            # At the end of the source: several may end at one target.
            return (left + 6 if left < right else left - 6 - px(label, SMALL_FONT), top - 3)
    first, last = max(pairwise(points), key=lambda ends: abs(ends[1][1] - ends[0][1]))
    low = max(first, last, key=lambda point: point[1])
    return (low[0] + 5, low[1] - (13 if low in {points[0], points[-1]} else 5))


def _label_lying(points: Sequence[Point], label: str) -> Point:
    """Above the middle of the longest stretch, or beside a loop."""
    if points[0] == points[-1]:
        return (points[0][0] + RADIUS + 4, points[0][1] - RADIUS)
    first, last = max(pairwise(points), key=lambda ends: abs(ends[1][0] - ends[0][0]))
    return ((first[0] + last[0] - px(label, SMALL_FONT)) / 2, first[1] - 4)
