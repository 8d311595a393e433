"""From the grid to px: how far apart ranks and lanes stand, and where the corners of edges lie."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from lineage.layout.diagram import FONT, LINE, RADIUS, SMALL_FONT, SMALL_LINE, Node
from lineage.layout.labels import ROOM, px
from lineage.layout.language import Point
from lineage.layout.routes import Across, Along, Routes, Track

_BESIDE = 9.0
_TRACK = 7.0
_LABELLED_TRACK = 13.0
_GAP = 20.0
_LABELLED_GAP = 32.0
_MARGIN = 26.0
_LEAST = 46.0


@dataclass(frozen=True)
class Box:
    """The room that the text of a node takes, in px."""

    width: float
    height: float


def text_box(node: Node) -> Box:
    """The room that the lines and the caption of a node take."""
    size, line = (SMALL_FONT, SMALL_LINE) if node.small else (FONT, LINE)
    widths = [*(px(words, size) for words in node.lines), px(node.caption, SMALL_FONT)]
    # Memories take up their whole room: columns of them then stand in line all over a drawing.
    return Box(max(widths) if node.small else ROOM, line * len(node.lines) + (SMALL_LINE if node.caption else 0))


@dataclass
class Grid:
    """Where the ranks and lanes of one part lie; with `rightwards` the ranks run from right to left."""

    ranks: list[float]
    gaps: list[float]
    lanes: list[float]
    before_rank: list[float]
    after_rank: list[float]
    width: float
    height: float
    rightwards: bool
    routes: Routes
    labelled: Collection[int]

    def point(self, across: Across, along: Along) -> Point:
        """The px of a corner."""
        lane = self.lanes[along.lane]
        if along.track is not None:
            lane -= RADIUS + 8 + _TRACK * along.track
        rank = self.ranks[across.rank] if across.track is None else self._gap(across.rank, across.track)
        return (self.width - rank, lane) if self.rightwards else (lane, rank)

    def _gap(self, rank: int, track: Track) -> float:
        """The tracks of the gap behind a rank lie around its middle, in their order."""
        if rank < 0:
            return self.ranks[0] - self.before_rank[0] - _GAP / 2
        middle = self.ranks[rank] + self.after_rank[rank] + self.gaps[rank] / 2
        apart = _LABELLED_TRACK if rank in self.labelled else _TRACK
        return middle + apart * (self.routes.tracks[rank][track] - (self.routes.gap(rank) - 1) / 2)

    def label(self, at: Point) -> Point:
        """Where the text of the node at this point begins: right of it, or below it where ranks run to the left."""
        x, y = at
        return (x - RADIUS, y + RADIUS + 4) if self.rightwards else (x + RADIUS + _BESIDE, y - LINE / 2)


def grid(
    boxes: Sequence[Box],
    rank: Sequence[int],
    lane: Sequence[int],
    routes: Routes,
    *,
    labelled: Mapping[int, float],
    rightwards: bool,
) -> Grid:
    """Measure one part. `labelled` gives the px of what edges say behind a rank."""
    ranks, lanes = max(rank) + 1, max(lane) + 1
    across = [0.0] * ranks
    along = [_LEAST] * lanes
    for box, at, beside in zip(boxes, rank, lane, strict=True):
        deep, broad = (box.width, box.height + RADIUS + 4) if rightwards else (box.height, box.width + RADIUS + _BESIDE)
        across[at], along[beside] = max(across[at], deep), max(along[beside], broad)
    if rightwards:
        before, after = [max(size, RADIUS) for size in across], [RADIUS + 2] * ranks
    else:
        before, after = [LINE / 2] * ranks, [max(size - LINE / 2, RADIUS) for size in across]
    above = _LABELLED_GAP if -1 in labelled or -1 in routes.tracks else 0.0
    least = {at: max(size + _GAP, _GAP) if rightwards else _LABELLED_GAP for at, size in labelled.items()}
    rank_at, gaps, depth = _ranks(before, after, routes, least, above)
    lane_at, breadth = _lanes(along, routes, rightwards)
    width, height = (depth, breadth) if rightwards else (breadth, depth)
    return Grid(rank_at, gaps, lane_at, before, after, width, height, rightwards, routes, labelled)


def _ranks(
    before: Sequence[float],
    after: Sequence[float],
    routes: Routes,
    least: Mapping[int, float],
    at: float,
) -> tuple[list[float], list[float], float]:
    places, gaps = [], []
    for number, (ahead, behind) in enumerate(zip(before, after, strict=True)):
        at += ahead
        places.append(at)
        last = number + 1 == len(before) and not routes.gap(number)
        apart = _LABELLED_TRACK if number in least else _TRACK
        gaps.append(0.0 if last else least.get(number, _GAP) + apart * max(routes.gap(number) - 1, 0))
        at += behind + gaps[-1]
    return places, gaps, at


def _lanes(along: Sequence[float], routes: Routes, rightwards: bool) -> tuple[list[float], float]:
    places = []
    at = 0.0
    for number, size in enumerate(along):
        tracks = routes.margins.get(number, 0)
        at += (
            (_MARGIN if number else RADIUS)
            + (8 + _TRACK * tracks if tracks else 0)
            - (10 if rightwards and number else 0)
        )
        places.append(at)
        at += size
    return places, at
