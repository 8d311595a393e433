"""The quality of memories, row by row."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lineage.analyses.quality import USUAL, Parts, Scale, parts
from lineage.graph import core
from lineage.model import Role, Status, code

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("score", "completeness", "trust", "use", "use_low", "use_high", "relevance", "freshness", "age_days")
_DIGITS = 4
_CHUNK = 8192
_NOTHING = np.array(None, dtype=object)


def columns(found: Parts) -> dict[str, NDArray[np.float64]]:
    """The scores and their parts by name."""
    return {name: found.age if name == "age_days" else getattr(found, name) for name in COLUMNS}


def quality_frame(graph: core.Graph, scale: Scale) -> "pd.DataFrame":
    """One row a memory: `id`, `status`, `COLUMNS`, `offered`, `has`."""
    import pandas as pd

    nodes = np.flatnonzero(graph.role == code(Role.MEMORY))
    found = parts(graph, nodes, scale)
    statuses = np.array([*map(str, Status)], dtype=object)[graph.status[nodes]]
    told = {"id": graph.ids(nodes), "status": statuses, **columns(found), "offered": found.offered, "has": found.has}
    return pd.DataFrame(told)


def quality_rows(graph: core.Graph, nodes: NDArray[np.int64], scale: Scale = USUAL) -> Iterator[dict[str, Any]]:
    """`COLUMNS` of some nodes as plain values, None where nothing is known; every one of them for what is no memory."""
    for begin in range(0, len(nodes), _CHUNK):
        some = nodes[begin : begin + _CHUNK]
        found = columns(parts(graph, some, scale))
        memory = graph.role[some] == code(Role.MEMORY)
        rounded = [np.where(memory & ~np.isnan(values), values.round(_DIGITS), _NOTHING) for values in found.values()]
        yield from (dict(zip(found, row, strict=True)) for row in zip(*rounded, strict=True))
