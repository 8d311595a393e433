"""The way of every edge through the grid, before anything is measured.

Edges run in lanes (in line with the nodes), in margins (before a lane) and in
gaps (behind a rank). Those that share a gap or a margin get tracks of their
own there, unless they lead to the same node: then they meet.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from lineage.layout.lanes import Lanes, free, take
from lineage.layout.ranks import Tie

Track = tuple[int, str, int]
"""The name of a track: those of the least number come first in their gap."""


@dataclass(frozen=True, slots=True)
class Across:
    """A place along the ranks: at the rank itself, or, with a `track`, in the gap behind it."""

    rank: int
    track: Track | None = None


@dataclass(frozen=True, slots=True)
class Along:
    """A place along the lanes: in the lane itself, or, with a `track`, in the margin before it."""

    lane: int
    track: int | None = None


Corner = tuple[Across, Along]


@dataclass
class Routes:
    """The corners of every edge from its upper to its lower end, and how many tracks each gap and margin has.

    `tracks` numbers, for every gap, its tracks by their names; `gaps` and
    `margins` count them.
    """

    corners: dict[int, list[Corner]] = field(default_factory=dict)
    tracks: dict[int, dict[Track, int]] = field(default_factory=dict)
    margins: dict[int, int] = field(default_factory=dict)

    def gap(self, rank: int) -> int:
        """How many tracks the gap behind a rank has."""
        return max(self.tracks.get(rank, {}).values(), default=-1) + 1


def routed(ties: Sequence[Tie], sides: Sequence[Tie], rank: Sequence[int], lanes: Lanes) -> Routes:
    """Route the ties through the lanes, and the edges at the `sides` through the margins."""
    made = Routes()
    left = [tie for tie in ties if not _through_lanes(made, tie, rank, lanes)]
    _through_margins(made, [*left, *(tie for tie in sides if tie.upper != tie.lower)], rank, lanes.lane)
    _loops(made, [tie for tie in sides if tie.upper == tie.lower], lanes.lane)
    _number_tracks(made)
    return made


def _through_lanes(made: Routes, tie: Tie, rank: Sequence[int], lanes: Lanes) -> bool:
    upper, lower = tie.upper, tie.lower
    first, last = rank[upper], rank[lower]
    here, there = lanes.lane[upper], lanes.lane[lower]
    begin, end = Across(first), Across(last)
    if here == there:
        # Between the nodes of one path there is nothing else in its lane.
        if last - first > 1 and tie.edge not in lanes.inner:
            return False
        made.corners[tie.edge] = [(begin, Along(here)), (end, Along(here))]
        return True
    lane = _lane_between(tie, first, last, here, there, lanes)
    if lane is None:
        return False
    # Edges onto one node meet before it; edges from one node part behind it.
    bend = Across(last - 1, (2, "onto", lower)) if lane == here else Across(first, (0, "from", upper))
    made.corners[tie.edge] = [(begin, Along(here)), (bend, Along(here)), (bend, Along(there)), (end, Along(there))]
    return True


def _lane_between(tie: Tie, first: int, last: int, here: int, there: int, lanes: Lanes) -> int | None:
    if tie.edge in lanes.own:
        return here
    if tie.edge in lanes.other:
        return there
    for lane in (here, there):
        if free(lanes, lane, first + 1, last - 1):
            take(lanes, lane, first + 1, last - 1)
            return lane
    return None


def _through_margins(made: Routes, ties: Sequence[Tie], rank: Sequence[int], lane: Sequence[int]) -> None:
    taken: dict[int, list[int]] = {}

    def track(where: int, first: int, last: int) -> int:
        """The margin's innermost track that is free from one rank to another."""
        ends = taken.setdefault(where, [])
        for number, end in enumerate(ends):
            if end < first:
                ends[number] = last
                return number
        ends.append(last)
        return len(ends) - 1

    for tie in sorted(ties, key=lambda tie: (min(rank[tie.upper], rank[tie.lower]), tie.edge)):
        first, last = rank[tie.upper], rank[tie.lower]
        here, there = lane[tie.upper], lane[tie.lower]
        low, high = min(first, last), max(first, last)
        if here == there:
            side = Along(here, track(here, low, high))
            corners = [(Across(first), side), (Across(last), side)]
        else:
            gap = Across(first if last >= first else first - 1, (1, "past", tie.edge))
            out = Along(here, track(here, first, first + (last > first)))
            side = Along(there, track(there, low, high))
            corners = [(Across(first), out), (gap, out), (gap, side), (Across(last), side)]
        made.corners[tie.edge] = [(Across(first), Along(here)), *corners, (Across(last), Along(there))]
    made.margins.update({where: len(ends) for where, ends in taken.items()})


def _loops(made: Routes, loops: Sequence[Tie], lane: Sequence[int]) -> None:
    """Keep room in the margin for what leads from a node to itself."""
    for tie in loops:
        made.margins[lane[tie.upper]] = max(made.margins.get(lane[tie.upper], 0), 1)


def _number_tracks(made: Routes) -> None:
    """Give every name of a gap a track: those that part first, those that meet last, apart where they overlap."""
    spans: dict[int, dict[Track, list[int]]] = {}
    for corners in made.corners.values():
        for across, along in corners:
            if across.track is not None:
                spans.setdefault(across.rank, {}).setdefault(across.track, []).append(along.lane)
    for rank, names in spans.items():
        made.tracks[rank] = _numbered(names)


def _numbered(names: dict[Track, list[int]]) -> dict[Track, int]:
    numbers: dict[Track, int] = {}
    ends: list[int] = []
    least, group = 0, -1
    for name in sorted(names, key=lambda name: (name[0], min(names[name]), -max(names[name]), name)):
        if name[0] != group:
            # What parts stands before what passes, and that before what meets.
            group, least = name[0], len(ends)
        low, high = min(names[name]), max(names[name])
        at = next((number for number in range(least, len(ends)) if ends[number] < low), len(ends))
        ends[at : at + 1] = [high]
        numbers[name] = at
    return numbers
