"""Decisions that act on each other in every way, and what a rule finds in them."""

import io
import json
from collections.abc import Sequence
from typing import Any

import lineage

Record = dict[str, Any]


def memory(name: str, day: int | None = None, *acts_on: str | Record, of: str = "robrain", **columns: Any) -> Record:
    """A decision made on that day of January 2026 that supersedes, or acts by these links."""
    links = [
        {"kind": "supersedes", "target": act, "via": "supersedes"} if isinstance(act, str) else act for act in acts_on
    ]
    times = {} if day is None else {"created_at": f"2026-01-{day:02}T10:00:00Z"}
    record = {"format": "lineage-memory/v1", "id": name, "of": of, "kind": "decision", "text": f"Decide {name}"}
    return {**record, **times, **({"links": links} if links else {}), **columns}


def marker(name: str, day: int, target: str, kind: str = "reverses", **columns: Any) -> Record:
    return memory(name, day, {"kind": kind, "target": target, "via": "tags"}, of="mindr", role="marker", **columns)


def superseded_by(name: str) -> Record:
    return {"kind": "supersedes", "source": name, "via": "superseded_by", "declared_by": "predecessor"}


def graph_of(records: Sequence[Record], **options: Any) -> lineage.Graph:
    text = "".join(json.dumps(record) + "\n" for record in records)
    return lineage.build(lineage.read(io.BytesIO(text.encode())), **options)


def findings(rule: str, *records: Record, **options: Any) -> list[lineage.Finding]:
    return lineage.check(graph_of(records, **options), select=[rule])


def ids(rule: str, *records: Record, **options: Any) -> list[list[str]]:
    return [list(finding.memories) for finding in findings(rule, *records, **options)]
