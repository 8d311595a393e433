"""Nodes and links as the JSON of networkx's node-link form, which D3 reads, too.

Times are ISO 8601 in UTC, an unknown value is null. Every node and every link
has a line of its own.
"""

import json
import math
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from lineage.drawings.base import Export

if TYPE_CHECKING:
    import networkx as nx


def write(graph: "nx.MultiDiGraph") -> bytes:
    """The whole file; `networkx.node_link_graph(json.load(file), edges="links")` gives the graph back."""
    import networkx as nx

    whole = nx.node_link_data(graph, edges="links")
    nodes = sorted(whole.pop("nodes"), key=lambda node: node["id"])
    links = sorted(whole.pop("links"), key=lambda link: (link["source"], link["target"], link["key"]))
    begin = _json(whole).removesuffix("}")
    text = f'{begin}, "nodes": [\n{_lines(nodes)}\n], "links": [\n{_lines(links)}\n]}}\n'
    # A lone surrogate, which UTF-8 cannot hold, becomes its escape in JSON.
    return text.encode(errors="backslashreplace")


def _lines(rows: Iterable[Mapping[str, Any]]) -> str:
    return ",\n".join(_json({name: _plain(value) for name, value in row.items()}) for row in rows)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _plain(value: Any) -> Any:
    """A column as JSON has it; a number that is none becomes null."""
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return None if isinstance(value, float) and not math.isfinite(value) else value


DRAWING = Export(
    name="json", suffix=".json", write=write, about="nodes and links for D3 and networkx", format="node-link"
)
