"""Looking at what was read, for tests of readers."""

import json
from pathlib import Path
from typing import Any

import lineage


def graph_of(path: Path, content: Any = None, **options: Any) -> Any:
    """The graph of a file; `content` is written into it first: text as it is, a list as lines, an object as JSON."""
    if isinstance(content, str):
        path.write_text(content, encoding="utf-8")
    elif isinstance(content, list):
        path.write_text("".join(json.dumps(record) + "\n" for record in content), encoding="utf-8")
    elif content is not None:
        path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return lineage.build(lineage.read(path, **options))


def statuses(graph: Any) -> dict[str, str]:
    return dict(zip(graph.memories["id"], graph.memories["status"], strict=True))


def links(graph: Any) -> set[tuple[str, str, str, str | None]]:
    """Source, kind, target, and why the link has no effect."""
    return set(zip(*(graph.links[name] for name in ("source", "kind", "target", "void")), strict=True))


def row(graph: Any, id: str) -> Any:
    return graph.memories.set_index("id").loc[id]


def extra(graph: Any, id: str) -> Any:
    found = row(graph, id)["extra"]
    return None if found is None else json.loads(found)


def found(graph: Any, rule: str) -> list[tuple[list[str], str]]:
    """The memories and the message of each finding of a rule."""
    return sorted((list(one.memories), one.message) for one in lineage.check(graph) if one.rule == rule)
