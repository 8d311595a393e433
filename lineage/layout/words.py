"""From a folded sketch to nodes and edges that have their words, but not yet their places."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lineage.arrays import NO_TIME
from lineage.graph.core import Graph
from lineage.layout.diagram import Edge, Node
from lineage.layout.folding import Folded, Step
from lineage.layout.labels import caption, dates, edge_label, short_id, tally, text_lines
from lineage.layout.language import Look
from lineage.layout.sketch import Sketch
from lineage.model import LinkKind, Void, code, member

Numbers = NDArray[np.integer[Any]]

_WITHOUT_TEXT = {Look.GHOST: "missing", Look.STUB: "elsewhere"}


def worded_nodes(graph: Graph, whole: Sketch, folded: Folded, asked: int | None) -> list[Node]:
    """The nodes of a folded sketch, in its order."""
    made = folded.sketch
    several = made.look == code(Look.FOLD)
    nodes: list[Node | None] = [None] * len(made)
    own = np.flatnonzero(~several & (made.node >= 0))
    for place, node in zip(own.tolist(), _recorded(graph, made.node[own], made.look[own], asked), strict=True):
        nodes[place] = node
    for place in np.flatnonzero(~several & (made.node < 0)).tolist():
        nodes[place] = _stub(graph, int(made.stub[place]))
    for place, node in _folds(whole, folded, np.flatnonzero(several)):
        nodes[place] = node
    return [node for node in nodes if node is not None]


def _recorded(graph: Graph, nodes: Numbers, looks: Numbers, asked: int | None) -> list[Node]:
    held = nodes < len(graph.rows)
    texts = iter(graph.corpus.texts_of(graph.rows[nodes[held]], ["text"])["text"].to_pylist())
    kinds = [*graph.corpus.kinds, None]
    found = zip(
        nodes.tolist(),
        held.tolist(),
        looks.tolist(),
        graph.ids(nodes),
        graph.time_texts(graph.times("created_at")[nodes]),
        graph.column("kind")[nodes].tolist(),
        strict=True,
    )
    return [
        _node(identifier, list(Look)[look], kinds[kind], next(texts) if here else None, created, asked == node)
        for node, here, look, identifier, created, kind in found
    ]


def _node(identifier: str, look: Look, kind: str | None, text: str | None, created: str | None, asked: bool) -> Node:
    day = (created or "")[:10]
    bare = look in _WITHOUT_TEXT or not (text or "").strip()
    small = look in {Look.MARKER, Look.LOG, Look.GHOST}
    return Node(
        key="",
        id=identifier,
        look=look,
        kind=kind,
        text=text,
        day=day,
        lines=[short_id(identifier)] if bare else text_lines(text or "", small=small),
        caption=_WITHOUT_TEXT.get(look, day) if bare else caption(day, identifier),
        asked=asked,
    )


def _stub(graph: Graph, link: int) -> Node:
    links = graph.links
    other = int(links.target[link] if links.declarer[link] == links.source[link] else links.source[link])
    name = links.references[int(links.reference[link])] if other < 0 else graph.id(other)
    return _node(name, Look.STUB, None, None, None, asked=False)


def _folds(whole: Sketch, folded: Folded, places: Numbers) -> list[tuple[int, Node]]:
    """The nodes that stand for several, each with what it holds."""
    if not len(places):
        return []
    at = np.full(len(folded.sketch), -1, np.int64)
    at[places] = np.arange(len(places))
    group = at[folded.origin]
    inside = group >= 0
    counts = np.zeros((len(places), len(Look)), np.int64)
    np.add.at(counts, (group[inside], whole.look[inside]), 1)
    known = inside & (whole.created != NO_TIME)
    first = np.full(len(places), np.iinfo(np.int64).max)
    last = np.full(len(places), np.iinfo(np.int64).min)
    np.minimum.at(first, group[known], whole.created[known])
    np.maximum.at(last, group[known], whole.created[known])
    timed = first <= last
    days = [
        dates(earlier[:10], later[:10]) if known else ""
        for known, earlier, later in zip(timed.tolist(), _days(first, timed), _days(last, timed), strict=True)
    ]
    steps = [Step(step) for step in folded.step[places].tolist()]
    rows = zip(places.tolist(), steps, counts.tolist(), days, strict=True)
    return [(place, _fold(step, dict(zip(Look, row, strict=True)), span)) for place, step, row, span in rows]


def _days(moments: Numbers, known: NDArray[np.bool_]) -> list[str]:
    return [text or "" for text in Graph.time_texts(np.where(known, moments, NO_TIME))]


def _fold(step: Step, counts: dict[Look, int], span: str) -> Node:
    held = {look: count for look, count in counts.items() if count}
    total = sum(held.values())
    words = tally(held)
    before = {
        Step.SINGLES: "standalone: ",
        Step.LINEAGES: f"{total:,} in other lineages: ",
        Step.FURTHER: "further away: ",
    }.get(step, "")
    return Node(
        key="",
        id="",
        look=Look.FOLD,
        kind=None,
        text=before + words,
        day="",
        lines=text_lines(before + words, small=True),
        caption=span,
        count=total,
    )


def worded_edges(graph: Graph, made: Sketch) -> list[Edge]:
    """The edges of a sketch, in its order."""
    edges = made.edges
    by_hand = graph.links.by_hand[edges.link] & (edges.count == 1)
    columns = (edges.source, edges.target, edges.kind, edges.void, edges.circle, edges.count, by_hand)
    return [
        _edge(source, target, list(LinkKind)[kind], member(Void, void), circle, count, by_hand)
        for source, target, kind, void, circle, count, by_hand in zip(
            *(column.tolist() for column in columns), strict=True
        )
    ]


def _edge(source: int, target: int, kind: LinkKind, void: Void | None, circle: bool, count: int, by_hand: bool) -> Edge:
    label = edge_label(kind, void, count, by_hand=by_hand)
    return Edge(source, target, kind, void, circle=circle, label=label, count=count)


def folding(whole: Sketch, folded: Folded) -> Sequence[str]:
    """What was folded, a sentence for each way."""
    said = []
    for step, sentence in _SENTENCES.items():
        places = np.flatnonzero(folded.step == step)
        if len(places):
            held = int(np.isin(folded.origin, places).sum())
            nodes = "one node" if len(places) == 1 else f"{len(places):,} nodes"
            said.append(sentence.format(count=f"{held:,}", nodes=nodes))
    if any(step for step in _SENTENCES if step != Step.FURTHER and (folded.step == step).any()):
        said.append(f"{len(folded.sketch):,} nodes are drawn for {len(whole):,}")
    return said


_SENTENCES = {
    Step.FURTHER: "{count} further away are folded into {nodes}",
    Step.SINGLES: "{count} standalone memories are folded into {nodes}",
    Step.RUNS: "{count} superseded memories in unbroken runs are folded into {nodes}",
    Step.BUNDLES: "{count} that hang alike on one node are folded into {nodes}",
    Step.DEPTHS: "{count} superseded memories further back are folded into {nodes}",
    Step.REGIONS: "{count} superseded memories are folded into {nodes}",
    Step.LOOKS: "{count} of one status in a lineage are folded into {nodes}",
    Step.LINEAGES: "{count} in the smaller lineages are folded into {nodes}",
}
