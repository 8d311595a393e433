"""For programs that lay out a diagram by themselves, and would put all its parts side by side: a few columns."""

import numpy as np

from lineage.graph.connect import weak_components
from lineage.layout.diagram import Diagram

_MOST_COLUMNS = 5


def stacked(diagram: Diagram) -> list[tuple[int, int]]:
    """Pairs of nodes, as indexes, of which the first is to stand above the second; no edge joins their parts.

    There are none where the newest stand at the right: parts that are side by side lie above each other then.
    """
    if diagram.rightwards:
        return []
    parts = _parts(diagram)
    columns = min(_MOST_COLUMNS, max(1, round(len(parts) ** 0.5)))
    return [(upper[-1], lower[0]) for upper, lower in zip(parts, parts[columns:], strict=False)]


def _parts(diagram: Diagram) -> list[list[int]]:
    """The connected parts, each from its uppermost to its lowest node."""
    nodes, edges = diagram.nodes, diagram.edges
    source = np.array([edge.source for edge in edges], np.int32)
    target = np.array([edge.target for edge in edges], np.int32)
    label = weak_components(source, target, len(nodes)).tolist()
    parts: dict[int, list[int]] = {part: [] for part in label}
    for number in sorted(range(len(nodes)), key=lambda number: nodes[number].y):
        parts[label[number]].append(number)
    return list(parts.values())
