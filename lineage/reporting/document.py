"""The report as the plain document that `lineage-report/v1` describes.

What the model holds beyond the schema (how to mend, which links to cut, why
a head was decided) is for people and stays out.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from lineage.reporting.model import Cycle, Finding, Head, Input, LineageRow, Location, Orphan, Report, Summary

SCHEMA = "lineage-report/v1"
SCHEMA_FILE = Path(__file__).with_name("schema.json")
"""The JSON Schema that every document validates against."""


def entry_a_line(entries: Sequence[Any], indent: int) -> bytes:
    """A list as JSON with an entry a line, `indent` spaces in front, so that it greps and diffs well."""
    if not entries:
        return b"[]"
    line = b"\n" + b" " * indent
    return b"[" + line + (b"," + line).join(map(msgspec.json.Encoder().encode, entries)) + line[:-2] + b"]"


def to_bytes(document: dict[str, Any]) -> bytes:
    """A document as a JSON file: a key a line, and an entry a line in its lists."""
    try:
        return _laid_out(document)
    except UnicodeEncodeError:
        return _laid_out(_without_surrogates(document))


def _laid_out(document: dict[str, Any]) -> bytes:
    encode = msgspec.json.Encoder().encode
    lines = []
    for key, value in document.items():
        if isinstance(value, list):
            text = entry_a_line(value, 4)
        else:
            text = msgspec.json.format(encode(value), indent=2).replace(b"\n", b"\n  ")
        lines.append(b"  " + encode(key) + b": " + text)
    return b"{\n" + b",\n".join(lines) + b"\n}\n"


def _without_surrogates(value: Any) -> Any:
    """The value with every stray surrogate written out as its escape.

    JSON is UTF-8, which has no surrogates, but a path that is not valid UTF-8
    reaches Python with some.
    """
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode("utf-8")
        case dict():
            return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
        case list():
            return [_without_surrogates(item) for item in value]
        case _:
            return value


def to_dict(report: Report) -> dict[str, Any]:
    """The document: dicts, lists, strings, numbers and None, its keys in the order of the schema."""
    return {
        "schema": SCHEMA,
        "tool": {"name": "lineage", "version": report.version},
        "generated_at": report.generated_at,
        "as_of": report.as_of,
        "inputs": [_input(item) for item in report.inputs],
        "summary": _summary(report.summary),
        "live_heads": [_head(item) for item in report.live_heads],
        "orphans": [_orphan(item) for item in report.orphans],
        "cycles": [_cycle(item) for item in report.cycles],
        "lineages": [_lineage(item) for item in report.lineages],
        "findings": [_finding(item) for item in report.findings],
        "quality": _quality(report),
        "truncated": dict(report.truncated),
    }


def _quality(report: Report) -> dict[str, Any]:
    found = report.quality
    if found is None:
        return {}
    aspects = {name: {"score": one.score, "reasons": list(one.reasons)} for name, one in found.aspects.items()}
    told = {"score": found.score, "grade": found.grade, "aspects": aspects, "weights": dict(found.weights)}
    return told | ({"against": dict(report.against)} if report.against is not None else {})


def _input(item: Input) -> dict[str, Any]:
    return {
        "path": item.path,
        "formats": dict(item.formats),
        "bytes": item.bytes,
        "records": item.records,
        "unreadable": item.unreadable,
    }


def _summary(item: Summary) -> dict[str, Any]:
    return {
        "memories": item.memories,
        "markers": item.markers,
        "logs": item.logs,
        "ghosts": item.ghosts,
        "by_status": dict(item.by_status),
        "by_kind": dict(item.by_kind),
        "by_format": dict(item.by_format),
        "links": dict(item.links),
        "lineages": item.lineages,
        "standalone": item.standalone,
        "longest_depth": item.longest_depth,
        "forks": item.forks,
        "merges": item.merges,
        "live_heads": item.live_heads,
        "orphans": item.orphans,
        "cycles": item.cycles,
        "findings": dict(item.findings),
    }


def _head(item: Head) -> dict[str, Any]:
    return {
        "id": item.id,
        "text": item.text,
        "kind": item.kind,
        "scope": item.scope,
        "created_at": item.created_at,
        "files": list(item.files),
        "lineage": item.lineage,
        "depth": item.depth,
        "replaces": list(item.replaces),
        "source": item.source,
        "line": item.line,
    }


def _orphan(item: Orphan) -> dict[str, Any]:
    return {
        "id": item.id,
        "missing": item.missing,
        "kind": item.kind,
        "via": item.via,
        "source": item.source,
        "line": item.line,
    }


def _cycle(item: Cycle) -> dict[str, Any]:
    return {"memories": list(item.memories), "lineage": item.lineage}


def _lineage(item: LineageRow) -> dict[str, Any]:
    return {
        "id": item.id,
        "size": item.size,
        "depth": item.depth,
        "forks": item.forks,
        "merges": item.merges,
        "live_heads": list(item.live_heads),
        "first": item.first,
        "last": item.last,
    }


def _finding(item: Finding) -> dict[str, Any]:
    return {
        "rule": item.rule,
        "name": item.name,
        "severity": item.severity,
        "message": item.message,
        "memories": list(item.memories),
        "lineage": item.lineage,
        "locations": [_location(place) for place in item.locations],
    }


def _location(place: Location) -> dict[str, Any]:
    return {"source": place.source, "line": place.line}
