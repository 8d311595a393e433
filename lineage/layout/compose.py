"""A diagram of some nodes of a graph: sketched, folded, ranked, laned, routed and measured."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lineage.graph.connect import weak_components
from lineage.graph.core import Graph
from lineage.layout.diagram import Diagram, Edge, Node
from lineage.layout.folding import Folded, fold
from lineage.layout.lanes import placed
from lineage.layout.language import Look
from lineage.layout.ranks import Ranking, Tie, ranked
from lineage.layout.routes import routed
from lineage.layout.selection import Chosen, lineage_title
from lineage.layout.sketch import Sketch, newest_first, sketch
from lineage.layout.standing import Part, stood
from lineage.layout.words import folding, worded_edges, worded_nodes
from lineage.model import MASKING, Void

# Fewer lanes than this fit beside each other on a screen.
_BROAD = 8


@dataclass(frozen=True)
class _Drawn:
    """What is drawn, before it stands anywhere; `place` is the rank of every node in time, the newest first."""

    nodes: Sequence[Node]
    edges: Sequence[Edge]
    ranking: Ranking
    place: Sequence[int]
    small: Sequence[bool]


def diagram(graph: Graph, chosen: Chosen, *, max_nodes: int) -> Diagram:
    """Lay out the chosen nodes of a graph; beyond `max_nodes` (0: no limit) plain ones are folded."""
    whole = sketch(graph, chosen.mask, chosen.kept)
    further = np.zeros(len(whole), np.bool_)
    further[whole.node >= 0] = chosen.further[whole.node[whole.node >= 0]]
    return _laid_out(graph, whole, fold(whole, max_nodes, further), chosen.title, chosen.asked)


def together(graph: Graph, lineages: Sequence[int], title: str, *, max_nodes: int) -> Diagram:
    """One diagram of several lineages (their numbers)."""
    wanted = np.zeros(len(graph.lineages) + 1, np.bool_)
    wanted[lineages] = True
    whole = sketch(graph, wanted[graph.lineage], np.zeros(graph.size, np.bool_), apart=True)
    return _laid_out(graph, whole, fold(whole, max_nodes), title, None)


def diagrams(graph: Graph, lineages: Sequence[int], *, max_nodes: int) -> list[Diagram]:
    """The diagrams of several lineages (their numbers), for about the price of one."""
    wanted = np.zeros(len(graph.lineages) + 1, np.bool_)
    wanted[lineages] = True
    whole = sketch(graph, wanted[graph.lineage], np.zeros(graph.size, np.bool_), apart=True)
    owner = np.append(graph.lineage, -1)[whole.node]
    stubs = whole.stub >= 0
    owner[stubs] = graph.lineage[graph.links.declarer[whole.stub[stubs]]]
    order = np.argsort(owner, kind="stable")
    begins, ends = (np.searchsorted(owner[order], np.asarray(lineages), side).tolist() for side in ("left", "right"))
    made = []
    for number, begin, end in zip(lineages, begins, ends, strict=True):
        part = whole.part(order[begin:end])
        title = lineage_title(graph, int(graph.lineages.oldest[number]))
        made.append(_laid_out(graph, part, fold(part, max_nodes), title, None))
    return made


def _laid_out(graph: Graph, whole: Sketch, folded: Folded, title: str, asked: int | None) -> Diagram:
    nodes = worded_nodes(graph, whole, folded, asked)
    edges = worded_edges(graph, folded.sketch)
    newest = newest_first(folded.sketch).tolist()
    drawn = _Drawn(
        nodes, edges, _ranking(nodes, edges, newest), np.argsort(newest).tolist(), [node.small for node in nodes]
    )
    parts = [_part(members, numbers, drawn) for members, numbers in _connected(drawn, folded)]
    rank = drawn.ranking.rank
    rightwards = any(_lies_better(part, rank) for part in parts)
    standing = stood(parts, nodes, edges, rank, rightwards=rightwards)
    return Diagram(
        title=title,
        about=_about(nodes, rightwards),
        width=standing.width,
        height=standing.height,
        nodes=standing.nodes,
        edges=standing.edges,
        folded=folding(whole, folded),
        rightwards=rightwards,
    )


def _lies_better(part: Part, rank: Sequence[int]) -> bool:
    """Whether a part of many lanes is less far across lying on its side, where a lane is but a few lines high."""
    lanes, ranks = part.breadth, 1 + max(rank[node] for node in part.nodes)
    return lanes > _BROAD and max(lanes, ranks / 4) > max(ranks, lanes / 4)


def _about(nodes: Sequence[Node], rightwards: bool) -> str:
    looks = [node.look for node in nodes]
    live = looks.count(Look.LIVE)
    if not nodes:
        return "Nothing to draw."
    shown = "1 node" if len(nodes) == 1 else f"{len(nodes):,} nodes"
    edge = "at the right" if rightwards else "at the top"
    return f"{shown}, {live:,} of them live; what holds stands {edge}, what it replaced behind it."


def _ranking(nodes: Sequence[Node], edges: Sequence[Edge], newest: Sequence[int]) -> Ranking:
    ties = [_tie(number, edge, nodes) for number, edge in enumerate(edges) if _orders(edge, nodes)]
    ranking = ranked(len(nodes), ties, newest, [node.look is not Look.LIVE for node in nodes])
    for edge in edges:
        loose = not (ranking.above[edge.source] or ranking.below[edge.source])
        if loose and nodes[edge.source].look is not Look.LIVE and edge.source != edge.target:
            # What never held stands before what it spoke of; the edge is for what holds.
            ranking.rank[edge.source] = max(ranking.rank[edge.target] - 1, 0)
    return ranking


def _orders(edge: Edge, nodes: Sequence[Node]) -> bool:
    """Whether an edge says which of its ends lies further back; what is in effect never does."""
    if edge.source == edge.target:
        return False
    masks = edge.kind in MASKING and (edge.void is None or edge.void == Void.DANGLING)
    return _hangs(edge, nodes) or (masks and nodes[edge.target].look is not Look.LIVE)


def _hangs(edge: Edge, nodes: Sequence[Node]) -> bool:
    """Whether one end is nothing but the far end of this link: a stub, or what is missing and masks nothing."""
    looks = {nodes[edge.source].look, nodes[edge.target].look}
    return Look.STUB in looks or (edge.void == Void.DANGLING and edge.kind not in MASKING)


def _tie(number: int, edge: Edge, nodes: Sequence[Node]) -> Tie:
    """The edge as a tie; what only hangs on a node stands behind it, whichever way the link points."""
    if _hangs(edge, nodes) and nodes[edge.source].look in {Look.STUB, Look.GHOST}:
        return Tie(edge.target, edge.source, number)
    return Tie(edge.source, edge.target, number)


def _connected(drawn: _Drawn, folded: Folded) -> Iterator[tuple[list[int], list[int]]]:
    """The nodes and edges of each connected part: the largest first, then the newest, single ones last."""
    size, place = len(drawn.nodes), drawn.place
    source = np.array([edge.source for edge in drawn.edges], np.int32)
    target = np.array([edge.target for edge in drawn.edges], np.int32)
    label = weak_components(source, target, size).tolist()
    weights = np.bincount(folded.origin, minlength=size).tolist()
    members: dict[int, list[int]] = {}
    numbers: dict[int, list[int]] = {}
    for node in range(size):
        members.setdefault(label[node], []).append(node)
    for number, edge in enumerate(drawn.edges):
        numbers.setdefault(label[edge.source], []).append(number)

    def order(part: int) -> tuple[bool, int, int]:
        held = members[part]
        alone = len(held) == 1
        return alone, 0 if alone else -sum(weights[node] for node in held), min(place[node] for node in held)

    for part in sorted(members, key=order):
        yield members[part], numbers.get(part, [])


def _part(members: Sequence[int], numbers: Sequence[int], drawn: _Drawn) -> Part:
    ranking, edges = drawn.ranking, drawn.edges
    ties = [tie for node in members for tie in ranking.below[node]]
    held = {tie.edge for tie in ties}
    sides = [_tie(number, edges[number], drawn.nodes) for number in numbers if number not in held]
    lanes = placed(members, ranking, drawn.small, drawn.place, _beside(sides, ranking))
    return Part(members, numbers, lanes, routed(ties, sides, ranking.rank, lanes))


def _beside(sides: Sequence[Tie], ranking: Ranking) -> dict[int, int]:
    """For every node that nothing orders the one it stands beside."""
    found: dict[int, int] = {}
    for tie in sides:
        for node, other in ((tie.upper, tie.lower), (tie.lower, tie.upper)):
            if node != other and not ranking.above[node] and not ranking.below[node]:
                found.setdefault(node, other)
    return found
