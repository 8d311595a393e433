"""Which records are nodes, and which nodes their links join."""

from collections import defaultdict
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from lineage.arrays import NO_TIME, as_numpy, numbers
from lineage.corpus.tables import Corpus
from lineage.graph.links import LinkColumns, Links, merged_links
from lineage.model import DeclaredBy, LinkKind, Role, Void, code

_PREFIX = 12
Scalar = TypeVar("Scalar", bound=np.generic)
_PREDECESSOR = code(DeclaredBy.PREDECESSOR)
_AMBIGUOUS = code(Void.AMBIGUOUS)


@dataclass(frozen=True)
class Nodes:
    """`rows[node]` is the corpus row of a node that is no ghost; `ghost_keys` the keys of the ghosts after them."""

    rows: NDArray[np.int64]
    ghost_keys: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.rows) + len(self.ghost_keys)


def spread(values: NDArray[Scalar], rows: NDArray[np.int64], ghosts: int, filler: int) -> NDArray[Scalar]:
    """Values of the corpus rows as values of the nodes; those of the ghosts are `filler`."""
    held = values if len(rows) == len(values) else values[rows]
    return np.concatenate([held, np.full(ghosts, filler, values.dtype)]) if ghosts else held


@dataclass
class _Ends:
    """Links with their declaring row and the key at the far end; `row` of the far end is -1 for a ghost."""

    declaring: NDArray[np.int64]
    key: NDArray[np.int64]
    columns: LinkColumns


def resolved(corpus: Corpus, as_of: int | None) -> tuple[Nodes, Links, NDArray[np.bool_]]:
    """The nodes and links that exist at `as_of`, and a mask of the links that leave their boundary by a ghost."""
    created = as_numpy(corpus.index["created_at"])
    exists = np.ones(len(corpus), np.bool_) if as_of is None else (created == NO_TIME) | (created <= as_of)
    rows = np.flatnonzero(exists)
    node_of_row = np.full(len(corpus) + 1, -1, np.int64)
    node_of_row[rows] = np.arange(len(rows))
    ends = _joined(_stated(corpus), _loose(corpus, exists), _implied(corpus, exists, as_of))
    keep = exists[ends.declaring]
    far_row = np.where(ends.key >= 0, corpus.keys.row[ends.key], -1)
    backwards = ends.columns.by == _PREDECESSOR
    later = (far_row >= 0) & ~exists[far_row]
    keep &= ~(backwards & later)
    far_node = node_of_row[far_row]
    far_node[ends.key < 0] = -1
    missing = keep & (far_node < 0) & (ends.key >= 0)
    ghost_keys = np.unique(ends.key[missing])
    far_node[missing] = len(rows) + np.searchsorted(ghost_keys, ends.key[missing])
    own_node = node_of_row[ends.declaring]
    source = np.where(backwards, far_node, own_node)[keep]
    target = np.where(backwards, own_node, far_node)[keep]
    columns = ends.columns.take(np.flatnonzero(keep))
    links, strays = merged_links(corpus, source, target, own_node[keep], columns, len(rows) + len(ghost_keys))
    return Nodes(rows, ghost_keys), links, strays


def _stated(corpus: Corpus) -> _Ends:
    """The links that name their far end exactly."""
    table = corpus.links
    exact = np.flatnonzero((as_numpy(table["loose"]) == 0) | (as_numpy(table["void"]) == _AMBIGUOUS))
    columns = LinkColumns.of(corpus)
    if len(exact) == len(table):
        return _Ends(as_numpy(table["row"]).astype(np.int64), _key(corpus, columns), columns)
    columns = columns.take(exact)
    return _Ends(as_numpy(table["row"])[exact], _key(corpus, columns), columns)


def _key(corpus: Corpus, columns: LinkColumns) -> NDArray[np.int64]:
    return np.where(columns.void == _AMBIGUOUS, -1, corpus.keys.of_links[columns.number].astype(np.int64))


def _joined(*parts: _Ends) -> _Ends:
    full = [part for part in parts if len(part.declaring)] or [parts[0]]
    if len(full) == 1:
        return full[0]
    return _Ends(
        np.concatenate([part.declaring for part in full]),
        np.concatenate([part.key for part in full]),
        LinkColumns.concatenated([part.columns for part in full]),
    )


def _loose(corpus: Corpus, exists: NDArray[np.bool_]) -> _Ends:
    """Links by handle, id or the first characters of one; a handle may stand for several memories."""
    table = corpus.links
    numbers_ = np.flatnonzero((as_numpy(table["loose"]) != 0) & (as_numpy(table["void"]) != _AMBIGUOUS))
    columns = LinkColumns.of(corpus)
    if not len(numbers_):
        return _Ends(np.zeros(0, np.int64), np.zeros(0, np.int64), columns.take(numbers_))
    rows = as_numpy(table["row"])[numbers_]
    texts = table["other"].take(numbers(numbers_)).to_pylist()
    found = _Finder(corpus, exists)
    declaring, keys, chosen, ambiguous = [], [], [], []
    for number, row, text in zip(numbers_.tolist(), rows.tolist(), texts, strict=True):
        hits = found(text, row, int(corpus.keys.of_links[number]))
        for key in hits if hits is not None else [-1]:
            declaring.append(row)
            keys.append(key)
            chosen.append(number)
            ambiguous.append(hits is None)
    columns = columns.take(np.array(chosen, np.int64))
    columns.void[np.array(ambiguous, np.bool_)] = code(Void.AMBIGUOUS)
    return _Ends(np.array(declaring, np.int64), np.array(keys, np.int64), columns)


class _Finder:
    """Looks loose references up within their own id space."""

    def __init__(self, corpus: Corpus, exists: NDArray[np.bool_]) -> None:
        self._keys = corpus.keys
        self._space = corpus.keys.space[corpus.keys.of_rows]
        self._created = as_numpy(corpus.index["created_at"])
        self._handles: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        self._beginnings: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        for row in np.flatnonzero(exists).tolist():
            self._note(row, *(corpus.index[name][row].as_py() for name in ("id", "handle")))

    def _note(self, row: int, name: str, handle: str | None) -> None:
        space = int(self._space[row])
        if handle is not None:
            self._handles[space, handle].append(row)
        self._beginnings[space, name[:_PREFIX]].append(row)

    def __call__(self, text: str, row: int, key: int) -> list[int] | None:
        """The keys a reference names; None where it is ambiguous."""
        space, moment = int(self._space[row]), self._created[row]
        holders = self._handles.get((space, text), [])
        earlier = [at for at in holders if NO_TIME in (moment, self._created[at]) or self._created[at] <= moment]
        if earlier:
            return [int(self._keys.of_rows[at]) for at in earlier]
        if self._keys.row[key] >= 0 or len(text) != _PREFIX:
            return [key]
        begun = self._beginnings.get((space, text), [])
        if len(begun) > 1:
            return None
        return [int(self._keys.of_rows[begun[0]])] if begun else [key]


def _implied(corpus: Corpus, exists: NDArray[np.bool_], as_of: int | None) -> _Ends:
    """In a series of one input each memory supersedes the one before it."""
    index = corpus.index
    empty = LinkColumns.of(corpus).take(np.zeros(0, np.int64))
    none = _Ends(np.zeros(0, np.int64), np.zeros(0, np.int64), empty)
    if not corpus.series:
        return none
    deleted, created = as_numpy(index["deleted_at"]), as_numpy(index["created_at"])
    gone = (deleted != NO_TIME) if as_of is None else (deleted != NO_TIME) & (deleted <= as_of)
    usable = exists & ~gone & (as_numpy(index["role"]) == code(Role.MEMORY))
    newer: list[int] = []
    older: list[int] = []
    vias: list[str] = []
    for (_, series), members in sorted(corpus.series.items()):
        rows = [row for row in corpus.keys.row[sorted(set(members))].tolist() if usable[row]]
        ordered = sorted(rows, key=lambda row: (created[row], index["id"][row].as_py()))
        older += ordered[:-1]
        newer += ordered[1:]
        vias += [series.partition("\0")[0]] * max(len(ordered) - 1, 0)
    if not newer:
        return none
    columns = LinkColumns.new(corpus, LinkKind.SUPERSEDES, vias)
    return _Ends(np.array(newer), corpus.keys.of_rows[np.array(older)].astype(np.int64), columns)
