"""The graph as pandas tables and as a networkx graph, for exploration."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lineage.arrays import numbers
from lineage.corpus.dataframes import known
from lineage.corpus.tables import TIMES
from lineage.graph.core import Graph, filled
from lineage.model import COLUMNS, ColumnType, Declared, DeclaredBy, LinkKind, Role, Status, Void

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    Values = pd.Series[Any] | pd.Categorical[str] | pd.DatetimeIndex | NDArray[Any]

Nodes = NDArray[np.int64]


def _named(codes: NDArray[np.integer[Any]], words: Iterable[str]) -> "pd.Categorical[str]":
    import pandas as pd

    return pd.Categorical.from_codes(codes.astype(np.int64), pd.Index([str(word) for word in words], dtype=object))


def _times(values: NDArray[np.int64]) -> "pd.DatetimeIndex":
    import pandas as pd

    # NO_TIME is how numpy itself writes an unknown time.
    return pd.DatetimeIndex(values.astype("datetime64[us]")).tz_localize("UTC")


def _objects(values: list[Any]) -> "pd.Series[Any]":
    import pandas as pd

    return pd.Series(values, dtype=object)


def memories_frame(graph: Graph, nodes: Nodes) -> "pd.DataFrame":
    """One row a node: the columns of the memories table, then status, lineage and generation.

    Words of closed vocabularies are categories; times are datetime64[us, UTC];
    files are lists, tags lists of (key, value), rejected lists of
    (option, reason), extra a JSON text; an unknown value is None, NaN or NaT.
    Ghosts have an id and a role alone.
    """
    import pandas as pd

    recorded = nodes < len(graph.rows)
    texts = graph.corpus.texts_of(graph.rows[nodes[recorded]])
    index = _index_columns(graph, nodes, recorded)
    columns = {
        column.name: index[column.name]
        if column.index
        else _text_column(filled(recorded, texts[column.name].to_pylist()), column.type)
        for column in COLUMNS
    }
    oldest = np.append(graph.lineages.oldest, -1)[graph.lineage[nodes]]
    columns["status"] = _named(graph.status[nodes], Status)
    columns["lineage"] = _objects(filled(oldest >= 0, _ids(graph, oldest[oldest >= 0])))
    columns["generation"] = graph.generation[nodes]
    return pd.DataFrame(columns)


def _index_columns(graph: Graph, nodes: Nodes, recorded: NDArray[np.bool_]) -> dict[str, "Values"]:
    kinds = [*graph.corpus.kinds, None]
    boundaries = graph.corpus.index["boundary"].take(numbers(graph.rows[nodes[recorded]]))
    return {
        "id": _objects(_ids(graph, nodes)),
        "format": _named(graph.column("format")[nodes], graph.corpus.formats),
        "source": _named(graph.column("source")[nodes], graph.corpus.paths),
        "line": _whole(graph.column("line")[nodes]),
        "role": _named(graph.role[nodes], Role),
        "kind": _objects([kinds[kind] for kind in graph.column("kind")[nodes].tolist()]),
        "boundary": _objects(filled(recorded, boundaries.to_pylist())),
        "declared": _named(graph.declared[nodes], Declared),
        **{name: _times(graph.times(name)[nodes]) for name in TIMES},
    }


def _ids(graph: Graph, nodes: NDArray[np.integer[Any]]) -> list[Any]:
    found: list[Any] = graph.names.take(numbers(nodes.astype(np.int64))).to_pylist()
    return found


def _whole(values: NDArray[np.int64]) -> "pd.Series[Any]":
    import pandas as pd

    return pd.Series(values).astype("Int64").mask(values < 0)


def _text_column(values: list[Any], kind: ColumnType) -> "pd.Series[Any]":
    import pandas as pd

    if kind in {"tags", "rejected"}:
        values = [[(pair["first"], pair["second"]) for pair in pairs or ()] for pairs in values]
    elif kind == "strings":
        values = [texts or [] for texts in values]
    elif kind == "int":
        return pd.Series(pd.array(values, dtype="Int64"))
    return pd.Series(values, dtype=float if kind == "float" else object)


def links_frame(graph: Graph, chosen: NDArray[Any] | None = None) -> "pd.DataFrame":
    """One row a link: source, target, kind, declared_by, via, implied, void (None for a link in effect), by_hand.

    The source acts on the target; both are ids. An ambiguous link's target is the text as written.
    `via` of a link by hand names the place of it and its note.
    """
    import pandas as pd

    links = graph.links
    at = np.arange(len(links)) if chosen is None else chosen
    targets = _ids(graph, np.maximum(links.target[at], 0))
    for position in np.flatnonzero(links.target[at] < 0).tolist():
        targets[position] = links.references[int(links.reference[at[position]])]
    voids = np.array([*map(str, Void), None], dtype=object)
    return pd.DataFrame(
        {
            "source": _objects(_ids(graph, links.source[at])),
            "target": _objects(targets),
            "kind": _named(links.kind[at], LinkKind),
            "declared_by": _named(links.declared_by[at], DeclaredBy),
            "via": np.array([*links.vias, ""], dtype=object)[links.via[at]],
            "implied": links.implied[at],
            "void": pd.Series(voids[links.void[at]], dtype=object),
            "by_hand": links.by_hand[at],
        }
    )


def networkx_graph(graph: Graph, nodes: Nodes | None = None) -> "nx.MultiDiGraph":
    """The nodes and the links among them as a `networkx.MultiDiGraph`, every column an attribute.

    Edges go from the acting memory to the one acted on and are keyed by kind.
    An unknown value is None.
    """
    import networkx as nx

    wanted = np.arange(graph.size) if nodes is None else nodes
    inside = np.zeros(graph.size + 1, np.bool_)
    inside[wanted] = True
    made = nx.MultiDiGraph()
    for row in memories_frame(graph, wanted).astype(object).to_dict("records"):
        made.add_node(row["id"], **_attributes(row))
    chosen = np.flatnonzero(inside[graph.links.source] & inside[graph.links.target] & (graph.links.target >= 0))
    for row in links_frame(graph, chosen).astype(object).to_dict("records"):
        rest = {key: value for key, value in _attributes(row).items() if key not in {"source", "target"}}
        made.add_edge(row["source"], row["target"], key=row["kind"], **rest)
    return made


def _attributes(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key): value if known(value) or isinstance(value, list) else None for key, value in row.items()}
