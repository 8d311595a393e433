"""From a graph and a selection to a drawing, in whatever format."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lineage.discovery import drawings
from lineage.drawings.base import Export, Picture
from lineage.errors import UsageError
from lineage.graph.core import Graph
from lineage.graph.frames import networkx_graph
from lineage.layout.compose import diagram
from lineage.layout.diagram import Diagram
from lineage.layout.folding import FEWEST
from lineage.layout.selection import Selection, choose


@dataclass(frozen=True)
class Drawing:
    """A drawing as a whole file, how many nodes it has, and what was folded in it, in sentences."""

    content: bytes
    nodes: int
    folded: Sequence[str]


def drawing(graph: Graph, format: str, selection: Selection, max_nodes: int) -> Drawing:
    """Draw a selection; raises `UsageError` for an unknown format, a bad number, or a selection of nothing."""
    if format not in drawings():
        raise UsageError(f"unknown format of drawings {format!r}: {', '.join(drawings())}")
    form = drawings()[format]
    if isinstance(form, Export):
        chosen = choose(graph, selection)
        nodes = np.flatnonzero(chosen.mask)
        return Drawing(form.write(networkx_graph(graph, nodes)), len(nodes), ())
    return _pictured(graph, form, selection, max_nodes)


def laid_out(graph: Graph, selection: Selection, max_nodes: int) -> Diagram:
    """The diagram of a selection, folded where it has more nodes than it may (0: no limit)."""
    if max_nodes < 0 or 0 < max_nodes < FEWEST:
        raise UsageError(f"a drawing has room for {FEWEST} nodes or more, not {max_nodes}; 0 stands for all")
    return diagram(graph, choose(graph, selection), max_nodes=max_nodes)


def _pictured(graph: Graph, form: Picture, selection: Selection, max_nodes: int) -> Drawing:
    made = laid_out(graph, selection, max_nodes)
    content = form.draw(made)
    while not form.fits(made, content) and len(made.nodes) > FEWEST:
        # What a format cannot hold is folded until it can.
        made = laid_out(graph, selection, max(len(made.nodes) * 2 // 3, FEWEST))
        content = form.draw(made)
    return Drawing(content, len(made.nodes), made.folded)
