"""Rows back to records of a format."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from lineage.arrays import NO_TIME, as_numpy, numbers
from lineage.corpus.tables import TEXTS, TIMES
from lineage.discovery import id_space, readers
from lineage.errors import UsageError
from lineage.graph.core import Graph
from lineage.model import Declared, DeclaredBy, LinkKind, Role, Void, code, member
from lineage.readers.base import SETTLED, Link, Memory, Reader

_CHUNK = 4096


def foreign_nodes(graph: Graph, own: str) -> NDArray[np.bool_]:
    """Mask of the nodes whose records are of another id space than `own`; of no ghost."""
    native = np.array([id_space(form) == own for form in graph.corpus.formats] + [True], np.bool_)
    formats = np.append(graph.column("format")[: len(graph.rows)], np.full(graph.ghosts, -1, np.int8))
    foreign: NDArray[np.bool_] = ~native[formats]
    return foreign


def convert(graph: Graph, to: str) -> Iterator[bytes]:
    """The records of a corpus in another format, in the order they were read: a JSON line each, or the format's file.

    Markers and logs of another format are left out: they would read as
    memories. `losses` of the module beside this one counts them. `UsageError` where the format is unknown or
    cannot be written. A record that came from the same format equals itself.
    """
    reader = writer(to)
    memories = memories_for(graph, None if reader.everything else reader.ids)
    if reader.write_all is not None:
        return reader.write_all(memories)
    return _lines(memories, cast("Callable[[Memory], dict[str, Any] | None]", reader.write))


def writer(to: str) -> Reader:
    """The reader that writes a format; `UsageError` where there is none."""
    known = readers()
    reader = known.get(to)
    if reader is None or not reader.writable:
        possible = ", ".join(name for name, one in known.items() if one.writable)
        raise UsageError(f"cannot write {to!r}: {possible} can be written")
    return reader


def _lines(memories: Iterable[Memory], write: Callable[[Memory], dict[str, Any] | None]) -> Iterator[bytes]:
    encode = msgspec.json.Encoder().encode
    for memory in memories:
        record = write(memory)
        if record is not None:
            yield encode(record) + b"\n"


def memories_for(graph: Graph, own: str | None, *, only_foreign: bool = False) -> Iterator[Memory]:
    """The rows as memories, each with its links as resolved.

    With an id space of its `own`, the format gets the links of its rows as
    their records state them, and of other rows those that are memories.
    """
    foreign = foreign_nodes(graph, own) if own else np.ones(graph.size, np.bool_)
    wanted = ~foreign | (graph.role == code(Role.MEMORY)) if own else foreign
    if only_foreign:
        wanted &= foreign
    chosen_nodes = np.flatnonzero(wanted[: len(graph.rows)])
    for begin in range(0, len(chosen_nodes), _CHUNK):
        nodes = chosen_nodes[begin : begin + _CHUNK]
        resolved = _resolved_links(graph, nodes)
        stated = _stated_links(graph, nodes) if own else {}
        for node, row in zip(nodes.tolist(), _rows(graph, nodes), strict=True):
            chosen = resolved if foreign[node] else stated
            row.links = chosen.get(node, [])
            yield row


def _rows(graph: Graph, nodes: NDArray[np.int64]) -> Iterator[Memory]:
    rows = graph.rows[nodes]
    index = graph.corpus.index.take(numbers(rows)).to_pylist()
    # A record converted must be the record it was, its credentials included, unless it is to be redacted.
    stored = graph.corpus.texts_of if graph.corpus.redacted else graph.corpus.stored_texts
    texts = stored(rows).to_pylist()
    corpus = graph.corpus
    for row, text in zip(index, texts, strict=True):
        values: dict[str, Any] = {column.name: text[column.name] for column in TEXTS}
        values |= {name: None if row[name] == NO_TIME else row[name] for name in TIMES}
        for name in ("tags", "rejected"):
            values[name] = [(pair["first"], pair["second"]) for pair in text[name]]
        values["extra"] = msgspec.json.decode(text["extra"]) if text["extra"] is not None else None
        yield Memory(
            id=row["id"],
            format=corpus.formats[row["format"]],
            role=member(Role, row["role"]) or Role.MEMORY,
            kind=corpus.kinds[row["kind"]],
            boundary=row["boundary"],
            declared=member(Declared, row["declared"]),
            **values,
        )


def _resolved_links(graph: Graph, nodes: NDArray[np.int64]) -> dict[int, list[Link]]:
    """The links each node's record states, as ids that name one memory; implied ones marked."""
    links = graph.links
    chosen = np.flatnonzero(np.isin(links.declarer, nodes))
    corpus = graph.corpus
    names = graph.names.to_pylist() if len(chosen) > graph.size // 4 else None
    found: dict[int, list[Link]] = {}
    for position in chosen.tolist():
        declarer, source = int(links.declarer[position]), int(links.source[position])
        backwards = declarer != source
        other = source if backwards else int(links.target[position])
        by = member(DeclaredBy, int(links.declared_by[position])) or DeclaredBy.SUCCESSOR
        row = int(graph.rows[other]) if 0 <= other < len(graph.rows) else -1
        if other < 0:
            name = links.references[int(links.reference[position])]
        elif row >= 0:
            name = corpus.index["id"][row].as_py()
        else:
            name = names[other] if names else graph.id(other)
        void = member(Void, int(links.void[position]))
        number = int(links.number[position])
        link = Link(
            kind=member(LinkKind, int(links.kind[position])) or LinkKind.RELATES,
            other=name,
            via=links.vias[links.via[position]],
            by=by,
            boundary=corpus.links["boundary"][number].as_py() if number >= 0 else None,
            implied=bool(links.implied[position]),
            void=void if void in SETTLED else None,
        )
        found.setdefault(declarer, []).append(link)
    return found


def _stated_links(graph: Graph, nodes: NDArray[np.int64]) -> dict[int, list[Link]]:
    """The links as the records state them, word for word."""
    table = graph.corpus.links
    rows = as_numpy(table["row"])
    chosen = np.flatnonzero(np.isin(rows, graph.rows[nodes]))
    node_of = dict(zip(graph.rows[nodes].tolist(), nodes.tolist(), strict=True))
    found: dict[int, list[Link]] = {}
    for value in table.take(numbers(chosen)).to_pylist():
        link = Link(
            kind=member(LinkKind, value["kind"]) or LinkKind.RELATES,
            other=value["other"],
            via=graph.corpus.vias[value["via"]],
            by=member(DeclaredBy, value["by"]) or DeclaredBy.SUCCESSOR,
            boundary=value["boundary"],
        )
        found.setdefault(node_of[value["row"]], []).append(link)
    return found
