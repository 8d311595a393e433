"""Credentials that memories carry."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lineage.analyses.words import words
from lineage.corpus.secrets import secrets_in
from lineage.graph.core import Graph

FIELDS = ("text", "rationale", "excerpt")
_CHUNK = 1 << 14


@dataclass(frozen=True)
class Credentials:
    """The nodes that carry credentials, and for each what they are and in which field they stand."""

    nodes: NDArray[np.int64]
    what: list[list[tuple[str, str]]]


def credentials(graph: Graph) -> Credentials:
    """The memories, markers and logs whose text, rationale or excerpt carries a credential; kept with the graph."""
    return graph.once("credentials", _credentials)


def _credentials(graph: Graph) -> Credentials:
    doubtful = words(graph).suspicious
    nodes: list[int] = []
    what: list[list[tuple[str, str]]] = []
    for begin in range(0, len(doubtful), _CHUNK):
        part = doubtful[begin : begin + _CHUNK]
        rows = graph.corpus.stored_texts(graph.rows[part], FIELDS).to_pylist()
        for node, row in zip(part.tolist(), rows, strict=True):
            found = [(secret.what, name) for name in FIELDS for secret in secrets_in(row[name] or "")]
            if found:
                nodes.append(node)
                what.append(list(dict.fromkeys(found)))
    return Credentials(np.array(nodes, np.int64), what)
