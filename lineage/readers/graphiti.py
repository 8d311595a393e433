"""Graphiti's entity edges: facts between two nodes, each with the time within which it held.

An edge does not name what replaced it: that follows from the times alone.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from lineage.model import Declared, LinkKind
from lineage.readers.base import Item, Link, Memory, Passed, Problem, Reader, Record
from lineage.readers.fields import Fields, iso, json_type, leftover, not_of

_NAME = "graphiti"
_PIECES = ("source_node_uuid", "target_node_uuid", "fact")
_NODE = ("uuid", "labels", "summary")
_TIMES = {"created_at": "created_at", "valid_at": "occurred_from", "invalid_at": "occurred_to"}
_VIA = "valid_at"


def _is_edge(record: Record) -> bool:
    return "uuid" in record and sum(key in record for key in _PIECES) >= 2


def sniff(record: Record) -> bool:
    """Whether this is an entity edge, or an export with a list of them."""
    edges = record.get("edges")
    if isinstance(edges, list):
        return bool(edges) and all(isinstance(edge, dict) and _is_edge(edge) for edge in edges)
    return _is_edge(record) or all(key in record for key in _NODE)


def together(records: Sequence[Record]) -> Iterator[tuple[int, Item]]:
    """The edges of one input as memories; where the times leave one successor, it supersedes."""
    memories: list[tuple[int, Memory, tuple[str, str]]] = []
    others: list[tuple[int, Item]] = [
        (number, not_of("an edge with `uuid`, its nodes and `fact`", record))
        for number, record in enumerate(records)
        if not sniff(record)
    ]
    for number, line, record in _edges(records):
        if not _is_edge(record):
            others.append((number, Passed("entity node")))
            continue
        for item in _read(record, line):
            if isinstance(item, Memory):
                memories.append((number, item, (str(record.get("source_node_uuid")), str(record.get("name")))))
            else:
                others.append((number, item))
    _imply([(memory, series) for _, memory, series in memories])
    yield from ((number, memory) for number, memory, _ in memories)
    yield from others


def _edges(records: Sequence[Record]) -> Iterator[tuple[int, int | None, Record]]:
    for number, record in enumerate(records):
        if not sniff(record):
            continue
        if isinstance(record.get("edges"), list):
            yield from ((number, line, edge) for line, edge in enumerate(record["edges"], 1))
        else:
            yield number, None, record


def _imply(edges: Sequence[tuple[Memory, tuple[str, str]]]) -> None:
    """Link each edge that ended to the one that begins at that very time, if there is exactly one."""
    beginning: defaultdict[tuple[tuple[str, str], int], list[Memory]] = defaultdict(list)
    for memory, series in edges:
        if memory.occurred_from is not None:
            beginning[series, memory.occurred_from].append(memory)
    for memory, series in edges:
        if memory.occurred_to is None:
            continue
        candidates = [other for other in beginning.get((series, memory.occurred_to), ()) if other.id != memory.id]
        if len({other.id for other in candidates}) != 1:
            continue
        link = Link(LinkKind.SUPERSEDES, memory.id, _VIA, implied=True)
        for other in candidates:
            # An edge may stand there twice; both its copies say the same.
            if link not in other.links:
                other.links = [*other.links, link]


def _read(record: Record, line: int | None) -> Iterator[Item]:
    name = record.get("uuid")
    if not isinstance(name, str) or not name:
        yield Problem("LIN901", f"uuid: expected a string, found {json_type(name)}", line=line)
        return
    fields = Fields(record, id=name)
    memory = Memory(
        id=name,
        format=_NAME,
        kind="fact",
        text=fields.string("fact", null=False),
        created_at=fields.time("created_at"),
        occurred_from=fields.time("valid_at"),
        occurred_to=fields.time("invalid_at"),
        invalidated_at=fields.time("expired_at"),
        line=line,
    )
    ended = record.get("invalid_at") is not None or record.get("expired_at") is not None
    memory.declared = Declared.ENDED if ended else Declared.LIVE
    relation = fields.string("name")
    memory.tags = [("name", relation)] if relation is not None else []
    episodes = record.get("episodes")
    if isinstance(episodes, list) and episodes and isinstance(episodes[0], str):
        memory.source_uri = episodes[0]
    memory.extra = leftover(record, _written(memory))
    if memory.invalidated_at is None and (memory.occurred_to or 0) >= (memory.created_at or 0):
        # A fact may have ended before it was learnt of; that is no fault of its record.
        memory.invalidated_at = memory.occurred_to
    yield memory
    for problem in fields.problems:
        yield Problem(problem.rule, problem.cause, problem.id, line)


def _written(memory: Memory) -> dict[str, Any]:
    """What the columns give back."""
    record: dict[str, Any] = {"uuid": memory.id, "fact": memory.text, "expired_at": iso(memory.invalidated_at)}
    record |= {key: iso(getattr(memory, column)) for key, column in _TIMES.items()}
    record |= dict(memory.tags)
    return record


READER = Reader(
    name=_NAME,
    signs="an object with `uuid`, `fact` and the ids of two nodes",
    about="Graphiti's entity edges, JSON and JSONL; what replaced a fact follows from the times",
    sniff=sniff,
    together=together,
)
