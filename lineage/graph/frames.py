"""The graph as pandas tables and as a networkx graph, for exploration."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lineage.arrays import NO_TIME, numbers
from lineage.corpus.dataframes import known
from lineage.graph.core import Graph
from lineage.model import COLUMNS, Declared, DeclaredBy, LinkKind, Role, Status, Void

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

Nodes = NDArray[np.int64]
Series = Any


def _named(codes: NDArray[Any], words: Sequence[Any]) -> "pd.Categorical":
    import pandas as pd

    return pd.Categorical.from_codes(codes.astype(np.int64), categories=[str(word) for word in words])


def _times(values: NDArray[np.int64]) -> "pd.DatetimeIndex":
    import pandas as pd

    stamps = values.astype("datetime64[us]")
    stamps[values == NO_TIME] = np.datetime64("NaT")
    return pd.DatetimeIndex(stamps).tz_localize("UTC")


def _strings(values: pa.Array | pa.ChunkedArray) -> "pd.Series[Any]":
    import pandas as pd

    return pd.Series(values.to_pylist(), dtype=object)


def memories_frame(graph: Graph, nodes: Nodes) -> "pd.DataFrame":
    """One row a node: the columns of the memories table, then status, lineage and generation.

    Words of closed vocabularies are categories; times are datetime64[us, UTC];
    files are lists, tags lists of (key, value), rejected lists of
    (option, reason), extra a JSON text; an unknown value is None, NaN or NaT.
    Ghosts have an id and a role alone.
    """
    import pandas as pd

    solid = nodes[nodes < len(graph.rows)]
    missing = len(nodes) - len(solid)
    texts = graph.corpus.texts_of(graph.rows[solid])
    columns: dict[str, Series] = {}
    for column in COLUMNS:
        if column.index:
            columns[column.name] = _index_column(graph, column.name, nodes)
        else:
            columns[column.name] = _text_column(texts[column.name], column.type, missing)
    oldest = graph.lineages.oldest
    lineage = graph.lineage[nodes]
    named = _strings(graph.names.take(numbers(np.where(lineage < 0, 0, oldest[lineage]) if len(oldest) else lineage)))
    named[lineage < 0] = None
    columns["status"] = _named(graph.status[nodes], list(Status))
    columns["lineage"] = named
    columns["generation"] = graph.generation[nodes]
    return pd.DataFrame(columns)


def _index_column(graph: Graph, name: str, nodes: Nodes) -> Series:
    if name == "id":
        return _strings(graph.names.take(numbers(nodes)))
    if name == "boundary":
        held = graph.corpus.index["boundary"].take(numbers(graph.rows[nodes[nodes < len(graph.rows)]])).to_pylist()
        return _strings(pa.chunked_array([pa.nulls(0, pa.string())])) if not len(nodes) else _padded(held, len(nodes))
    column = next(column for column in COLUMNS if column.name == name)
    if column.type == "time":
        return _times(graph.times(name)[nodes])
    if name == "line":
        return _whole(graph.column("line")[nodes])
    words: dict[str, Sequence[Any]] = {
        "format": graph.corpus.formats,
        "source": graph.corpus.paths,
        "role": list(Role),
        "declared": list(Declared),
    }
    if name in words:
        codes = graph.role if name == "role" else graph.declared if name == "declared" else graph.column(name)
        return _named(codes[nodes], words[name])
    kinds = np.array([*graph.corpus.kinds, None], dtype=object)
    return _padded(kinds[graph.column("kind")[nodes]].tolist(), len(nodes))


def _whole(values: NDArray[np.int64]) -> Series:
    import pandas as pd

    return pd.Series(values).astype("Int64").mask(values < 0)


def _padded(values: list[Any], count: int) -> Series:
    import pandas as pd

    return pd.Series([*values, *[None] * (count - len(values))], dtype=object)


def _text_column(values: pa.ChunkedArray, kind: str, missing: int) -> Series:
    import pandas as pd

    held = values.to_pylist()
    if kind in {"tags", "rejected"}:
        held = [[(pair["first"], pair["second"]) for pair in pairs] for pairs in held]
    if kind in {"tags", "rejected", "strings"}:
        return pd.Series([*held, *([] for _ in range(missing))], dtype=object)
    filled = [*held, *[None] * missing]
    if kind == "int":
        return pd.Series(pd.array(filled, dtype="Int64"))
    return pd.Series(filled, dtype=float if kind == "float" else object)


def links_frame(graph: Graph, chosen: NDArray[Any] | None = None) -> "pd.DataFrame":
    """One row a link: source, target, kind, declared_by, via, implied, void (None for a link in effect).

    The source acts on the target; both are ids. An ambiguous link's target is the text as written.
    """
    import pandas as pd

    links = graph.links
    at = np.arange(len(links)) if chosen is None else chosen
    targets = _strings(graph.names.take(numbers(np.maximum(links.target[at], 0).astype(np.int64))))
    for position in np.flatnonzero(links.target[at] < 0).tolist():
        targets[position] = links.references[int(links.reference[at[position]])]
    voids = np.array([*map(str, Void), None], dtype=object)
    return pd.DataFrame(
        {
            "source": _strings(graph.names.take(numbers(links.source[at].astype(np.int64)))),
            "target": targets,
            "kind": _named(links.kind[at], list(LinkKind)),
            "declared_by": _named(links.declared_by[at], list(DeclaredBy)),
            "via": np.array([*links.vias, ""], dtype=object)[links.via[at]],
            "implied": links.implied[at],
            "void": pd.Series(voids[links.void[at]], dtype=object),
        }
    )


def networkx_graph(graph: Graph, nodes: Nodes | None = None) -> "nx.MultiDiGraph":
    """The nodes and the links among them as a `networkx.MultiDiGraph`, every column an attribute.

    Edges go from the acting memory to the one acted on and are keyed by kind;
    unknown values are left out.
    """
    import networkx as nx

    wanted = np.arange(graph.size) if nodes is None else nodes
    inside = np.zeros(graph.size + 1, np.bool_)
    inside[wanted] = True
    made = nx.MultiDiGraph()
    for row in memories_frame(graph, wanted).astype(object).to_dict("records"):
        made.add_node(row["id"], **{key: value for key, value in row.items() if known(value)})
    chosen = np.flatnonzero(inside[graph.links.source] & inside[graph.links.target] & (graph.links.target >= 0))
    for row in links_frame(graph, chosen).astype(object).to_dict("records"):
        rest = {key: value for key, value in row.items() if key not in {"source", "target"} and known(value)}
        made.add_edge(row["source"], row["target"], key=row["kind"], **rest)
    return made
