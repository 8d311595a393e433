"""GraphML, for Gephi, yEd and networkx: nodes and links with every column that has a value.

Lists are JSON texts, times ISO 8601 in UTC. Each link has an id of its own
that begins with its kind: other programs drop links that share one.
"""

import io
import json
import math
import re
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from lineage.drawings.base import Export
from lineage.text import for_logs

if TYPE_CHECKING:
    import networkx as nx

# What XML cannot hold, and the carriage return, which every parser takes for a line feed; the backslash before
# what would look like such a code, so that two texts never become one.
_UNHELD = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|\\\\(?=u\\{)")


def write(graph: "nx.MultiDiGraph") -> bytes:
    """The whole file; networkx gives the graph back where it is asked for a multigraph."""
    import networkx as nx

    content = io.BytesIO()
    # The same writer wherever it runs: networkx would take another where lxml is installed.
    nx.write_graphml_xml(_flat(graph), content)
    return for_logs(content.getvalue().decode()).encode()


def _flat(graph: "nx.MultiDiGraph") -> "nx.MultiDiGraph":
    """The graph in terms of GraphML, its nodes and links in the order of their ids."""
    import networkx as nx

    made = nx.MultiDiGraph()
    for node, columns in sorted(graph.nodes(data=True)):
        made.add_node(_text(node), **_scalars(columns))
    links = sorted(graph.edges(keys=True, data=True), key=lambda link: link[:3])
    for number, (source, target, kind, columns) in enumerate(links):
        made.add_edge(_text(source), _text(target), key=f"{kind}-{number}", **_scalars(columns))
    return made


def _scalars(columns: Mapping[str, Any]) -> dict[str, str | bool | int | float]:
    plain = {name: _scalar(value) for name, value in columns.items()}
    return {name: value for name, value in plain.items() if value is not None}


def _scalar(value: Any) -> str | bool | int | float | None:
    """A value as GraphML has it; None for an unknown one and for a number that is none."""
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, list):
        return _text(json.dumps(value, ensure_ascii=False)) if value else None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return _text(value) if isinstance(value, str) else value


def _text(value: str) -> str:
    return _UNHELD.sub(lambda found: f"\\u{{{ord(found[0]):x}}}", value)


DRAWING = Export(
    name="graphml",
    suffix=".graphml",
    write=write,
    about="nodes and links for Gephi, yEd and networkx",
    format="graphml",
)
