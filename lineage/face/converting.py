"""Memories in other formats."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from lineage import discovery
from lineage.face.graphs import Graph
from lineage.graph import conversion
from lineage.graph import losses as counting
from lineage.graph.frames import networkx_graph

if TYPE_CHECKING:
    from lineage.drawings.base import Export


def convert(graph: Graph, to: str) -> Iterator[bytes]:
    """The memories in another format, in the order they were read: a JSON line each, or the format's whole file.

    `UsageError` where the format is unknown or cannot be written.
    """
    export = _exports().get(to)
    return conversion.convert(graph.core, to) if export is None else _exported(graph, export)


def losses(graph: Graph, to: str) -> dict[str, int]:
    """What `convert` to a format would leave out or not be able to say, counted by what it is."""
    if to not in _exports():
        return counting.losses(graph.core, to)
    # An ambiguous link has no one end at which it could be drawn.
    ambiguous = int(np.count_nonzero(graph.core.links.target < 0))
    return {"ambiguous link": ambiguous} if ambiguous else {}


def writable() -> tuple[str, ...]:
    """The names of the formats that can be written."""
    return tuple(sorted({name for name, reader in discovery.readers().items() if reader.writable} | set(_exports())))


def _exports() -> "dict[str, Export]":
    """The drawings that carry nodes and links whole, by their names as formats."""
    from lineage.drawings.base import Export

    return {one.format: one for one in discovery.drawings().values() if isinstance(one, Export) and one.format}


def _exported(graph: Graph, export: "Export") -> Iterator[bytes]:
    yield export.write(networkx_graph(graph.core))
