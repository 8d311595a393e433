"""Short ways from records to what the tests look at, through the public doors."""

import io
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import lineage


def graph_of(*records: Mapping[str, Any] | str, **options: Any) -> lineage.Graph:
    """The graph of some records, one a line; a string stands for a line as it is."""
    lines = [record if isinstance(record, str) else json.dumps(record, ensure_ascii=False) for record in records]
    return lineage.build(lineage.read(io.BytesIO("\n".join(lines).encode())), **options)


def memory(
    id: str, supersedes: Iterable[str] = (), *, of: str = "robrain", at: int = 1, **columns: Any
) -> dict[str, Any]:
    """A memory in this project's own format."""
    return {
        "format": "lineage-memory/v1",
        "id": id,
        "of": of,
        "kind": "decision",
        "text": f"Decide {id}",
        "created_at": f"2026-01-{at:02d}T10:00:00Z",
        "links": [{"kind": "supersedes", "target": target} for target in supersedes],
        **columns,
    }


def statuses(graph: lineage.Graph) -> dict[str, str]:
    """The status of every memory by its id."""
    return dict(zip(graph.memories["id"], graph.memories["status"].astype(str), strict=True))


def voids(graph: lineage.Graph) -> dict[tuple[str, str], str | None]:
    """Why each link is void, by its ends."""
    links = graph.links
    return {(row.source, row.target): row.void for row in links.itertuples()}


def found(graph: lineage.Graph, **options: Any) -> dict[str, list[list[str]]]:
    """The ids of the findings of every rule."""
    by_rule = defaultdict(list)
    for finding in lineage.check(graph, **options):
        by_rule[finding.rule].append(list(finding.memories))
    return dict(by_rule)
