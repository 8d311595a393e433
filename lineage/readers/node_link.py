"""Nodes and links as networkx writes them (node-link JSON), where the nodes are memories of this project.

One document is one record. What this project worked out itself (statuses,
lineages, ghosts) is worked out anew.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from lineage.model import COLUMNS, DeclaredBy, Role
from lineage.readers._own_record import read as read_own
from lineage.readers.base import Item, Problem, Reader, Record
from lineage.readers.fields import json_type, not_of

_VERSION = "lineage-memory/v1"
_SIGNS = ("id", "format", "role", "status")
_HELD = tuple(column for column in COLUMNS if column.name not in {"source", "line", "format"})
_PAIRS = {"tags": ("key", "value"), "rejected": ("option", "reason")}


def sniff(record: Record) -> bool:
    """Whether this is a graph whose nodes are memories."""
    nodes, links = record.get("nodes"), record.get("links")
    if not (isinstance(nodes, list) and isinstance(links, list) and "directed" in record):
        return False
    return bool(nodes) and all(isinstance(node, dict) and all(key in node for key in _SIGNS) for node in nodes)


def read(record: Record) -> list[Item]:
    """The nodes as memories, numbered in their order, each followed by what is wrong with it."""
    if not sniff(record):
        return [not_of("nodes and links, the nodes memories", record)]
    links = _links(record["links"])
    items: list[Item] = []
    for number, node in enumerate(record["nodes"], 1):
        if node.get("role") == Role.GHOST:
            continue
        own = {column.name: _value(node.get(column.name), column.type) for column in _HELD}
        own |= {"format": _VERSION, "of": node.get("format"), "links": links.get(str(node["id"]))}
        known = {key: value for key, value in own.items() if value is not None}
        items += [_at(item, number) for item in read_own(known)]
    items += [
        Problem("LIN905", f"links[{place}]: expected an object, found {json_type(link)}")
        for place, link in enumerate(record["links"])
        if not isinstance(link, Mapping)
    ]
    return items


def _at(item: Any, number: int) -> Any:
    return msgspec.structs.replace(item, line=number)


def _links(links: list[Any]) -> dict[str, list[dict[str, Any]]]:
    """The links by the node that declares them, as own records hold them."""
    found: dict[str, list[dict[str, Any]]] = {}
    for link in links:
        if not isinstance(link, Mapping):
            continue
        backwards = link.get("declared_by") == DeclaredBy.PREDECESSOR
        holder, end = (link.get("target"), "source") if backwards else (link.get("source"), "target")
        kept = {key: link.get(key) for key in ("kind", "via", "declared_by", "implied", "void", end)}
        found.setdefault(str(holder), []).append({key: value for key, value in kept.items() if value is not None})
    return found


def _value(value: Any, kind: str) -> Any:
    """A column of a node as own records hold it."""
    if kind in _PAIRS and isinstance(value, list):
        names = _PAIRS[kind]
        return [dict(zip(names, pair, strict=False)) if isinstance(pair, list) else pair for pair in value]
    if kind == "json" and isinstance(value, str):
        try:
            return msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError):
            return value
    return value


READER = Reader(
    name="node-link",
    signs="an object with `nodes` and `links` that have the columns of memories",
    about="nodes and links as networkx has them in JSON, as `convert --to node-link` writes them",
    sniff=sniff,
    read=read,
)
