"""Choosing nodes, and telling them row by row."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.arrays import NO_TIME, as_numpy, flags, known_numbers, numbers, strings
from lineage.errors import UnknownMemory, UsageError
from lineage.graph.build import Moment, instant_of
from lineage.graph.core import Bool, Graph, filled
from lineage.model import LinkKind, Role, Status, code

Nodes = NDArray[np.int64]

CHUNK = 8192
_SHORTEST = 8
_ORDERS = ("created", "-created", "id", "status", "lineage", "generation")


def find(graph: Graph, given: str) -> int:
    """The node with this id, or the only one that it shortens.

    An id may be shortened to its first 8 characters or more, to what a table
    shows of it (`…wv66aiwu22r`, `b881a1b7…1146`), or, for a record URI, to its
    record key. Raises `UnknownMemory`, which names the nearest id or the candidates.
    """
    exact = pc.index(graph.names, pa.scalar(given, graph.names.type)).as_py()
    if exact >= 0:
        return int(exact)
    found = _shortened(graph, given)
    if len(found) == 1:
        return int(found[0])
    if len(found):
        names = sorted(graph.ids(found[:CHUNK]))[:3]
        raise UnknownMemory(f"{given!r} is short for {len(found)} ids: {', '.join(names)} …")
    raise UnknownMemory(f"no memory has the id {given!r}{_nearest(graph, given)}")


def numbered(graph: Graph, ids: Sequence[str]) -> Nodes:
    """The nodes with these ids, each named once; -1 where there is none."""
    place = known_numbers(pc.index_in(graph.names, value_set=strings(ids)))
    nodes = np.flatnonzero(place >= 0)
    found = np.full(len(ids), -1, np.int64)
    found[place[nodes]] = nodes
    return found


def _shortened(graph: Graph, given: str) -> Nodes:
    """The nodes whose ids a shortened id may stand for."""
    names = graph.names
    before, cut, after = given.partition("…")
    if cut and len(before) + len(after) >= _SHORTEST:
        alike = flags(pc.starts_with(names, before)) & flags(pc.ends_with(names, after))
    elif len(given) >= _SHORTEST and not cut:
        alike = flags(pc.starts_with(names, given))
        if not alike.any():
            alike = flags(pc.ends_with(names, f"/{given}"))
    else:
        return np.zeros(0, np.int64)
    return np.flatnonzero(alike)


def _nearest(graph: Graph, prefix: str) -> str:
    alike = pc.starts_with(graph.names, prefix[:4]) if prefix else pa.array([], pa.bool_())
    near = graph.ids(np.flatnonzero(flags(alike))[:CHUNK]) if len(alike) else []
    pool = near or graph.ids(np.arange(min(graph.size, CHUNK)))
    found = get_close_matches(prefix, pool, n=1, cutoff=0.6)
    if found:
        return f"; the nearest is {found[0]!r}"
    return "; give at least 8 characters of it" if len(prefix) < _SHORTEST else ""


def matching(
    graph: Graph,
    *,
    statuses: Collection[str] = (),
    kinds: Collection[str] = (),
    scope: str | None = None,
    module: str | None = None,
    touching: str | None = None,
    since: Moment = None,
    until: Moment = None,
    all_roles: bool = False,
) -> Nodes:
    """The memories that meet every condition given, in the order of their records.

    `touching` is a repo-relative path, the end of one, or a directory.
    `since` and `until` bound created_at, both included. With `all_roles`,
    markers, logs and ghosts are among them.
    """
    chosen: Bool = np.ones(graph.size, np.bool_) if all_roles else graph.role == code(Role.MEMORY)
    if statuses:
        chosen = chosen & np.isin(graph.status, [code(Status(status)) for status in statuses])
    if kinds:
        chosen = chosen & np.logical_or.reduce([graph.is_kind(kind) for kind in kinds])
    created = graph.times("created_at")
    first, last = instant_of(since, "since"), instant_of(until, "until")
    if first is not None:
        chosen = chosen & (created >= first)
    if last is not None:
        chosen = chosen & (created <= last) & (created != NO_TIME)
    nodes = np.flatnonzero(chosen)
    if scope is None and module is None and touching is None:
        return nodes
    parts = [_by_text(graph, nodes[at : at + CHUNK], scope, module, touching) for at in range(0, len(nodes), CHUNK)]
    return np.concatenate([np.zeros(0, np.int64), *parts])


def _by_text(graph: Graph, nodes: Nodes, scope: str | None, module: str | None, touching: str | None) -> Nodes:
    nodes = nodes[nodes < len(graph.rows)]
    texts = graph.corpus.stored_texts(graph.rows[nodes], ["scope", "module", "files"])
    kept = np.ones(len(nodes), np.bool_)
    for name, value in (("scope", scope), ("module", module)):
        if value is not None:
            kept &= flags(pc.equal(texts[name], value))
    if touching is not None:
        wanted = touching.strip("/").removeprefix("./")
        kept &= np.array([any(_touches(path, wanted) for path in files or ()) for files in texts["files"].to_pylist()])
    return nodes[kept]


def _touches(path: str, wanted: str) -> bool:
    """Whether a path is the wanted one, ends with it, or lies in it; whole names only."""
    framed = "/" + path.removeprefix("./").strip("/") + "/"
    return f"/{wanted}/" in framed and (framed.endswith(f"/{wanted}/") or framed.startswith(f"/{wanted}/"))


def ordered(graph: Graph, nodes: Nodes, by: str | None = None) -> Nodes:
    """Some nodes in an order: created, -created (the default), id, status, lineage or generation; then by id."""
    by = by or "-created"
    if by not in _ORDERS:
        raise UsageError(f"cannot sort by {by!r}: {', '.join(_ORDERS)}")
    values: NDArray[Any]
    if by.endswith("created"):
        values = graph.times("created_at")[nodes]
        if by == "created":
            values = np.where(values == NO_TIME, np.iinfo(np.int64).max, values)
    elif by == "lineage":
        rank = graph.orders[graph.lineages.oldest]
        lineage = graph.lineage[nodes]
        values = np.where(lineage < 0, len(graph.orders), rank[lineage]) if len(rank) else lineage
    elif by == "id":
        values = np.zeros(len(nodes), np.int8)
    else:
        values = (graph.status if by == "status" else graph.generation)[nodes]
    way = "descending" if by == "-created" else "ascending"
    table = pa.table({"value": _int64(values), "id": graph.names.take(numbers(nodes))})
    return nodes[as_numpy(pc.sort_indices(table, [("value", way), ("id", "ascending")])).astype(np.int64)]


def _int64(values: NDArray[Any]) -> pa.Array:
    return numbers(values.astype(np.int64))


class _Neighbours:
    """For any node those at the other ends of its effective links of one kind."""

    def __init__(self, graph: Graph, kind: LinkKind, *, onto: bool) -> None:
        chosen = graph.links.effective(kind)
        ends = (graph.links.target, graph.links.source) if onto else (graph.links.source, graph.links.target)
        here, there = (end[chosen] for end in ends)
        order = np.argsort(here, kind="stable")
        self._there = there[order]
        self._begins = np.searchsorted(here[order], np.arange(graph.size + 1))

    def of(self, nodes: Nodes) -> tuple[NDArray[np.int32], list[int]]:
        """The neighbours of some nodes one after the other, and how many each has."""
        begins = self._begins[nodes]
        counts = self._begins[nodes + 1] - begins
        ends = np.cumsum(counts)
        return self._there[np.repeat(begins - ends + counts, counts) + np.arange(counts.sum())], counts.tolist()


def listing(graph: Graph, nodes: Nodes) -> Iterator[dict[str, Any]]:
    """Some nodes as the objects of `lineage list -f jsonl`, a chunk of them in memory at a time."""
    around: Sequence[tuple[str, _Neighbours]] = (
        ("superseded_by", _Neighbours(graph, LinkKind.SUPERSEDES, onto=True)),
        ("supersedes", _Neighbours(graph, LinkKind.SUPERSEDES, onto=False)),
        ("reversed_by", _Neighbours(graph, LinkKind.REVERSES, onto=True)),
        ("resolved_by", _Neighbours(graph, LinkKind.RESOLVES, onto=True)),
    )
    for begin in range(0, len(nodes), CHUNK):
        yield from _listed(graph, nodes[begin : begin + CHUNK], around)


def _listed(graph: Graph, nodes: Nodes, around: Sequence[tuple[str, _Neighbours]]) -> Iterator[dict[str, Any]]:
    neighbours = {name: found.of(nodes) for name, found in around}
    oldest = np.append(graph.lineages.oldest, -1)[graph.lineage[nodes]]
    joined, recorded = oldest >= 0, nodes < len(graph.rows)
    graph.remember(np.unique(np.concatenate([nodes, oldest[joined], *(others for others, _ in neighbours.values())])))
    texts = graph.corpus.texts_of(graph.rows[nodes[recorded]], ["text", "scope"])
    places = graph.places(nodes[recorded])
    columns: dict[str, list[Any]] = {
        "id": graph.ids(nodes),
        "status": _words(Status, graph.status[nodes]),
        "role": _words(Role, graph.role[nodes]),
        "kind": _words(graph.corpus.kinds, graph.column("kind")[nodes]),
        "text": filled(recorded, texts["text"].to_pylist()),
        "scope": filled(recorded, texts["scope"].to_pylist()),
        "created_at": graph.time_texts(graph.times("created_at")[nodes]),
        "lineage": filled(joined, graph.ids(oldest[joined])),
        "generation": graph.generation[nodes].tolist(),
        **{name: _grouped(graph.ids(others), counts) for name, (others, counts) in neighbours.items()},
        "source": filled(recorded, [source for source, _ in places]),
        "line": filled(recorded, [line for _, line in places]),
    }
    for row in zip(*columns.values(), strict=True):
        yield dict(zip(columns, row, strict=True))


def _words(words: Iterable[str | None], codes: NDArray[Any]) -> list[str | None]:
    held = [*words, None]
    return [held[code] for code in codes.tolist()]


def _grouped(names: Sequence[str], counts: Iterable[int]) -> list[list[str]]:
    """The names in groups of so many, each sorted."""
    rest = iter(names)
    return [sorted(islice(rest, count)) if count else [] for count in counts]
