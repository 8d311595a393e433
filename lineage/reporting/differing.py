"""Two graphs to what changed between them: counted in full, listed up to a limit."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.analyses.changes import Changes, Nodes, Pairs, acting, changes, replaced, status_of
from lineage.arrays import NO_TIME, as_numpy, numbers
from lineage.graph.core import Graph
from lineage.model import Role, Status, code
from lineage.readers.fields import iso
from lineage.reporting.build import inputs_of, version
from lineage.reporting.diff import ADDED, GONE, Diff, Listed, Memory, Reworded, Side
from lineage.reporting.findings import Choice
from lineage.reporting.renewal import renewal

_LIVE = code(Status.LIVE)


def diff(old: Graph, new: Graph, choice: Choice | None = None, *, limit: int = 0) -> Diff:
    """What changed from one graph to another; each list holds its first `limit` entries (0 for all).

    Memories are matched by id, findings by fingerprint. Lists of memories are
    sorted by time, newest first, then by id; findings by severity, rule and
    id. Raises `InputError` where a file has changed since it was read.
    """
    choice = choice or Choice()
    made = changes(old, new, choice.kinds)
    teller = _Teller(old, new, limit)
    found = renewal(old, new, choice, limit)
    return Diff(
        version=version(),
        as_of=iso(new.as_of),
        old=_side(old),
        new=_side(new),
        **_lists(teller, made),
        reworded=teller.reworded(made.reworded),
        findings_new=found.new,
        findings_fixed=found.fixed,
        new_by_rule=found.new_by_rule,
    )


def _lists(teller: "_Teller", made: Changes) -> dict[str, Listed[Memory]]:
    before, after = (_Standing(teller.old, old=True), _Standing(teller.new, old=False))
    restored = made.gained.old >= 0
    quiet = (before.codes(made.changed) != _LIVE) & (after.codes(made.changed) != _LIVE)
    return {
        "heads_gained": teller.memories(made.gained, before),
        "heads_lost": teller.memories(made.lost, after),
        "restored": teller.memories(made.gained.where(restored), before),
        "changed": teller.memories(made.changed, after),
        "added": teller.memories(made.added, after),
        "removed": teller.memories(made.removed, before),
        "otherwise": teller.memories(made.changed.where(quiet), after),
        "added_past": teller.memories(made.added.where(after.codes(made.added) != _LIVE), after),
        "removed_past": teller.memories(made.removed.where(before.codes(made.removed) != _LIVE), before),
    }


def _side(graph: Graph) -> Side:
    memories = int((graph.role == code(Role.MEMORY)).sum())
    return Side(inputs_of(graph), memories, int((graph.status == _LIVE).sum()))


class _Standing:
    """The statuses of pairs on one of their sides, and how they are counted."""

    def __init__(self, graph: Graph, *, old: bool) -> None:
        self._graph = graph
        self._old = old

    def codes(self, pairs: Pairs) -> NDArray[np.int8]:
        return status_of(self._graph, pairs.old if self._old else pairs.new)

    def counts(self, pairs: Pairs) -> dict[str, int]:
        held = np.bincount(self.codes(pairs).astype(np.int64) + 1, minlength=len(Status) + 1).tolist()
        names = (ADDED if self._old else GONE, *map(str, Status))
        return {name: count for name, count in zip(names, held, strict=True) if count}


class _Teller:
    """Tells of pairs of memories in words, of the first of them only."""

    def __init__(self, old: Graph, new: Graph, limit: int) -> None:
        self.old = old
        self.new = new
        self._limit = limit

    def memories(self, pairs: Pairs, standing: _Standing) -> Listed[Memory]:
        """Some memories, counted by how they stand on one side."""
        shown = self._first(pairs)
        here = shown.new >= 0
        told, past = iter(_told(self.new, shown.new[here])), iter(_told(self.old, shown.old[~here]))
        columns = (
            [next(told if there else past) for there in here.tolist()],
            _words(status_of(self.old, shown.old)),
            _words(status_of(self.new, shown.new)),
            _grouped(self.new, shown.new, acting),
            _grouped(self.new, shown.new, replaced),
        )
        entries = [
            Memory(before=before, after=after, by=by, replaces=replaces, **words)
            for words, before, after, by, replaces in zip(*columns, strict=True)
        ]
        return Listed(entries, len(pairs), standing.counts(pairs))

    def reworded(self, pairs: Pairs) -> Listed[Reworded]:
        """Some memories of both graphs, with their texts."""
        shown = self._first(pairs)
        statuses = _words(status_of(self.new, shown.new))
        entries = [
            Reworded(now["id"], then["text"], now["text"], str(status), now["source"], now["line"])
            for then, now, status in zip(_told(self.old, shown.old), _told(self.new, shown.new), statuses, strict=True)
        ]
        return Listed(entries, len(pairs), _Standing(self.new, old=False).counts(pairs))

    def _first(self, pairs: Pairs) -> Pairs:
        """The newest pairs, those of one time by id."""
        if self._limit and self._limit < len(pairs):
            times = self._times(pairs)
            pairs = pairs.where(times >= np.partition(times, len(times) - self._limit)[len(times) - self._limit])
        here = pairs.new >= 0
        # The names of the new graph, then those of the old one: sorted as if they were one column.
        places = np.concatenate([np.flatnonzero(here), np.flatnonzero(~here)])
        new, old = (
            graph.names.take(numbers(nodes))
            for graph, nodes in ((self.new, pairs.new[here]), (self.old, pairs.old[~here]))
        )
        table = pa.table(
            {"time": numbers(self._times(pairs)[places]), "id": pa.chunked_array([new, old.cast(new.type)])}
        )
        order = pc.sort_indices(table, [("time", "descending"), ("id", "ascending")])
        chosen = places[as_numpy(order).astype(np.int64)][: self._limit or None]
        return Pairs(pairs.old[chosen], pairs.new[chosen])

    def _times(self, pairs: Pairs) -> Nodes:
        new, old = (
            np.append(graph.times("created_at"), NO_TIME)[nodes]
            for graph, nodes in ((self.new, pairs.new), (self.old, pairs.old))
        )
        return np.where(pairs.new >= 0, new, old)


def _told(graph: Graph, nodes: Nodes) -> list[dict[str, Any]]:
    """The id, text, kind, scope, time and place of some memories."""
    rows = graph.rows[nodes]
    texts = graph.corpus.texts_of(rows, ["text", "scope"])
    places = graph.places(nodes)
    columns = {
        "id": graph.names.take(numbers(nodes)).to_pylist(),
        "text": texts["text"].to_pylist(),
        "kind": [graph.corpus.kinds[kind] for kind in graph.column("kind")[nodes].tolist()],
        "scope": texts["scope"].to_pylist(),
        "created_at": graph.time_texts(graph.times("created_at")[nodes]),
        "source": [source for source, _ in places],
        "line": [line for _, line in places],
    }
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _words(codes: NDArray[np.int8]) -> list[str | None]:
    words = [*map(str, Status), None]
    return [words[number] for number in codes.tolist()]


def _grouped(
    graph: Graph, nodes: Nodes, neighbours: Callable[[Graph, Nodes], tuple[Nodes, Nodes]]
) -> Iterator[list[str]]:
    """The ids of the neighbours of each node, sorted; none of a node of -1."""
    here = nodes >= 0
    others, sizes = neighbours(graph, nodes[here])
    names = iter(graph.names.take(numbers(others)).to_pylist())
    counts = np.zeros(len(nodes), np.int64)
    counts[here] = sizes
    return (sorted(islice(names, count)) for count in counts.tolist())
