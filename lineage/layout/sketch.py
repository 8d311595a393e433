"""What is to be drawn, as arrays: nodes with their looks, and the edges among them."""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.arrays import NO_TIME, as_numpy, masked, numbers, strings
from lineage.graph.core import Graph
from lineage.layout.language import Look
from lineage.model import MASKING, LinkKind, Role, Status, Void, code

Bool = NDArray[np.bool_]
Int8 = NDArray[np.int8]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

_LATEST = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Edges:
    """The edges of a sketch, by numbers of its nodes; `link` is a row of the graph's links, `count` how many it is."""

    source: Int32
    target: Int32
    link: Int64
    kind: Int8
    void: Int8
    circle: Bool
    count: Int64

    def __len__(self) -> int:
        return len(self.source)

    def take(self, chosen: NDArray[Any]) -> "Edges":
        """Some of the edges."""
        return Edges(*(getattr(self, field.name)[chosen] for field in fields(self)))

    @property
    def plain(self) -> Bool:
        """Mask of those that simply supersede."""
        mask: Bool = (self.kind == code(LinkKind.SUPERSEDES)) & (self.void < 0) & ~self.circle
        return mask


@dataclass(frozen=True)
class Sketch:
    """Nodes and edges, not yet in any place.

    `node` is the graph's node, -1 for the far end of a link that joins
    nothing; `stub` is then the row of that link. `created` is in microseconds
    (NO_TIME where unknown). `kept` marks the nodes that are never folded,
    `circle` those in circles. Nodes are in the order of their ids, those
    without a node of the graph come last.
    """

    node: Int64
    stub: Int64
    look: Int8
    created: Int64
    kept: Bool
    circle: Bool
    edges: Edges

    def __len__(self) -> int:
        return len(self.node)

    def part(self, nodes: Int64) -> "Sketch":
        """Some of the nodes (their numbers, in order), and the edges among them."""
        place = np.full(len(self), -1, np.int32)
        place[nodes] = np.arange(len(nodes))
        inner = self.edges.take((place[self.edges.source] >= 0) & (place[self.edges.target] >= 0))
        edges = replace(inner, source=place[inner.source], target=place[inner.target])
        taken = {field.name: getattr(self, field.name)[nodes] for field in fields(self) if field.name != "edges"}
        return Sketch(**taken, edges=edges)


def sketch(graph: Graph, chosen: Bool, kept: Bool, *, apart: bool = False) -> Sketch:
    """The chosen nodes of a graph (a mask) and every link that one of them states.

    Links from one lineage to another end in stubs where lineages are to be drawn `apart`.
    """
    nodes = graph.sorted_by_id(np.flatnonzero(chosen))
    place = np.full(graph.size + 1, -1, np.int64)
    place[nodes] = np.arange(len(nodes))
    ring = _rings(graph)
    inner, outer = _among(graph, chosen, apart=apart)
    outer = _in_order(graph, outer)
    stubs = np.arange(len(outer)) + len(nodes)
    links = graph.links
    own = place[links.declarer[outer]]
    outwards = links.declarer[outer] == links.source[outer]
    link = np.concatenate([inner, outer])
    source = np.concatenate([place[links.source[inner]], np.where(outwards, own, stubs)])
    target = np.concatenate([place[links.target[inner]], np.where(outwards, stubs, own)])
    in_circle = (ring[links.source[inner]] >= 0) & (ring[links.source[inner]] == ring[links.target[inner]])
    in_circle &= links.effective(LinkKind.SUPERSEDES)[inner]
    none = np.full(len(outer), -1, np.int64)
    return Sketch(
        node=np.concatenate([nodes, none]),
        stub=np.concatenate([np.full(len(nodes), -1, np.int64), outer]),
        look=np.concatenate([_looks(graph)[nodes], np.full(len(outer), code(Look.STUB), np.int8)]),
        created=np.concatenate([graph.times("created_at")[nodes], np.full(len(outer), NO_TIME, np.int64)]),
        kept=np.concatenate([kept[nodes], none >= 0]),
        circle=np.concatenate([ring[nodes] >= 0, none >= 0]),
        edges=_sorted(
            source=source.astype(np.int32),
            target=target.astype(np.int32),
            link=link,
            kind=links.kind[link],
            void=links.void[link],
            circle=np.concatenate([in_circle, none >= 0]),
            count=np.ones(len(link), np.int64),
        ),
    )


def _sorted(**columns: NDArray[Any]) -> Edges:
    """Edges by their ends, kind and effect."""
    order = np.lexsort([columns[name] for name in ("void", "kind", "target", "source")])
    return Edges(**columns).take(order)


def _in_order(graph: Graph, stubs: Int64) -> Int64:
    """Links that end in stubs by the ids of both ends, whatever the order of the records was."""
    links = graph.links
    owner = links.declarer[stubs]
    other = np.where(owner == links.source[stubs], links.target[stubs], links.source[stubs])
    written = strings([links.references[at] if at >= 0 else "" for at in links.reference[stubs].tolist()])
    names = graph.names.take(numbers(np.maximum(other, 0).astype(np.int64))).cast(written.type)
    table = pa.table(
        {
            "owner": graph.names.take(numbers(owner.astype(np.int64))),
            "kind": numbers(links.kind[stubs]),
            "other": pc.if_else(masked(other < 0), written, names),
        }
    )
    return stubs[
        as_numpy(pc.sort_indices(table, [(name, "ascending") for name in table.column_names])).astype(np.int64)
    ]


def joining(graph: Graph) -> Bool:
    """Mask of the links that are drawn from node to node, wherever both are drawn; the others end in stubs."""
    links = graph.links
    masking = np.isin(links.kind, [code(kind) for kind in MASKING])
    joins: Bool = (links.target >= 0) & (links.joins | links.voided(Void.SELF) | ~masking)
    return joins


def drawable(graph: Graph) -> Bool:
    """Mask of the nodes that a drawing of everything shows: no logs without links, no ends of refused links."""
    links, joins = graph.links, joining(graph)
    linked = np.zeros(graph.size, np.bool_)
    linked[links.source[joins]] = True
    linked[links.target[joins]] = True
    always = np.isin(graph.role, [code(Role.MEMORY), code(Role.MARKER)])
    shown: Bool = linked | always
    return shown


def _among(graph: Graph, chosen: Bool, *, apart: bool) -> tuple[Int64, Int64]:
    """The links between chosen nodes, and those that end in a stub at the chosen node that states them."""
    links, joins = graph.links, joining(graph)
    inside = joins & chosen[links.source] & np.where(links.target >= 0, chosen[links.target], False)
    if apart:
        inside &= graph.lineage[links.source] == graph.lineage[links.target]
    outside = ~inside & chosen[links.declarer]
    return np.flatnonzero(inside), np.flatnonzero(outside)


def _rings(graph: Graph) -> Int32:
    """The number of the circle that each node lies in, -1 for none."""
    ring = np.full(graph.size, -1, np.int32)
    for number, members in enumerate(graph.sccs):
        ring[members] = number
    return ring


def _looks(graph: Graph) -> Int8:
    """The look of every node, as a code of `Look`."""
    of_status = np.array([code(Look(status)) for status in Status], np.int8)
    of_role = np.array([-1, code(Look.MARKER), code(Look.LOG), code(Look.GHOST)], np.int8)
    memory = graph.role == code(Role.MEMORY)
    return np.where(memory, of_status[graph.status], of_role[graph.role])


def newest_first(made: Sketch) -> Int64:
    """The nodes from the newest to the oldest; those without a time first, equals by their ids."""
    return np.argsort(-np.where(made.created == NO_TIME, _LATEST, made.created), kind="stable")
