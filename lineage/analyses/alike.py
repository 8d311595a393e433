"""Memories that say nearly the same: found without comparing every one with every other.

Each memory comes to one number, the sum of the hashes of the words that carry
it. Two texts with the same words have the same number, whatever their order,
endings and fillers; where one has a phrase more, its number less that of the
phrase is the other's. So all pairs that differ in at most one phrase of three
words are found by looking numbers up, in time and memory that grow with the
words alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.analyses.meaning import Meaning, meaning
from lineage.analyses.words import Words, expanded, words
from lineage.arrays import NO_TIME, as_numpy, joined, numbers
from lineage.graph.core import Graph
from lineage.model import Role, Status, code

Int64 = NDArray[np.int64]
Bool = NDArray[np.bool_]
Hashes = NDArray[np.uint64]

USUAL = 0.9
"""How alike two memories are that say nearly the same, from 0 to 1: twice the carrying words they share to all."""

_CHUNK = 1 << 17
_PHRASE = 3
_SIEVE = 1 << 24
_STALE = (Status.SUPERSEDED, Status.REVERSED)


@dataclass(frozen=True)
class Pairs:
    """Pairs of nodes that say nearly the same, the acting one of each in `acting`; `similarity` from 0 to 1."""

    acting: Int64
    other: Int64
    similarity: NDArray[np.float64]

    def chosen(self, at: NDArray[np.integer] | Bool) -> "Pairs":
        """Some of the pairs."""
        return Pairs(self.acting[at], self.other[at], self.similarity[at])


def duplicates(graph: Graph, threshold: float = USUAL) -> Pairs:
    """Live memories that say nearly the same as an older live one of another lineage, with the nearest of these."""
    return graph.once(f"alike {threshold}", lambda graph: _found(graph, threshold))[0]


def echoes(graph: Graph, threshold: float = USUAL) -> Pairs:
    """Live memories that say nearly the same as a superseded or reversed one of another lineage.

    Not where that lineage says it still, in another memory.
    """
    return graph.once(f"alike {threshold}", lambda graph: _found(graph, threshold))[1]


def _found(graph: Graph, threshold: float) -> tuple[Pairs, Pairs]:
    told = words(graph)
    sense = meaning(told)
    stale = np.isin(graph.status, [code(status) for status in _STALE])
    live = graph.status == code(Status.LIVE)
    before = np.concatenate([[0], np.cumsum((sense.whole != 0)[told.codes], dtype=np.int32)])
    spoken = np.diff(before[told.offsets]) > 0
    wanted = np.flatnonzero((live | stale) & (graph.role == code(Role.MEMORY)) & spoken)
    summed = _Sums(graph, told, sense, wanted)
    longer, shorter = summed.one_phrase_more(threshold)
    groups = _Groups(graph, summed, np.union1d(longer, shorter), live)
    pairs = _verified(told, sense, groups.pairs(longer, shorter))
    between = _between(live, pairs)
    return _best(graph, between), _still_said(graph, between, _best(graph, _onto(live, stale, pairs)))


class _Sums:
    """The number of each wanted memory, and how many words carry it."""

    def __init__(self, graph: Graph, told: Words, sense: Meaning, wanted: Int64) -> None:
        self.told, self.sense, self.wanted = told, sense, wanted
        self.apart = _contexts(graph, told)
        self.sums = np.zeros(len(wanted), np.uint64)
        self.counts = np.zeros(len(wanted), np.int64)
        for begin in range(0, len(wanted), _CHUNK):
            hashes, _, bounds = self._carrying(begin)
            part = slice(begin, begin + _CHUNK)
            self.sums[part] = np.diff(_running(hashes)[bounds])
            self.counts[part] = np.diff(bounds)
        self.sums += self.apart[wanted]
        self.order = np.argsort(self.sums, kind="stable")
        self.sorted = self.sums[self.order]

    def _carrying(self, begin: int) -> tuple[Hashes, Bool, Int64]:
        """The carrying words of a chunk of memories, which of them are fixed, and where each memory's begin."""
        part = self.wanted[begin : begin + _CHUNK]
        counts = np.diff(self.told.offsets)[part]
        codes = self.told.codes[expanded(self.told.offsets[part], counts)]
        hashes = self.sense.hashes[codes]
        kept = hashes != 0
        before = np.concatenate([[0], np.cumsum(kept)])
        bounds = before[np.concatenate([[0], np.cumsum(counts)])]
        return hashes[kept], self.sense.fixed[codes[kept]], bounds

    def one_phrase_more(self, threshold: float) -> tuple[Int64, Int64]:
        """Positions in `wanted` of pairs that differ in one phrase: the longer, and the first of those it comes to."""
        sieve = np.zeros(_SIEVE, np.bool_)
        sieve[_places(self.sums)] = True
        owners, groups = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for begin in range(0, len(self.wanted), _CHUNK):
            hashes, fixed, bounds = self._carrying(begin)
            running, held = _running(hashes), np.concatenate([[0], np.cumsum(fixed)])
            counts = np.diff(bounds)
            for length in range(1, _PHRASE + 1):
                fits = 2 * (counts - length) >= threshold * (2 * counts - length) - 1e-9
                some = np.flatnonzero(fits & (counts > length + 1))
                each = counts[some] - length + 1
                at = expanded(bounds[some], each)
                owner = np.repeat(some, each) + begin
                free = held[at + length] == held[at]
                at, owner = at[free], owner[free]
                rest = self.sums[owner] - (running[at + length] - running[at])
                seen = sieve[_places(rest)]
                rest, owner = rest[seen], owner[seen]
                where = np.searchsorted(self.sorted, rest)
                hit = self.sorted[np.minimum(where, len(self.sorted) - 1)] == rest
                owners.append(owner[hit])
                groups.append(self.order[where[hit]])
        return np.concatenate(owners), np.concatenate(groups)


def _running(hashes: Hashes) -> Hashes:
    return np.concatenate([np.zeros(1, np.uint64), np.cumsum(hashes, dtype=np.uint64)])


def _places(sums: Hashes) -> NDArray[np.uint64]:
    return (sums * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - 24)


def _contexts(graph: Graph, told: Words) -> Hashes:
    """A number for what two memories must share to be about one thing: module, trust boundary, being a debt or not."""
    boundary = joined(graph.corpus.index["boundary"])
    zones = np.zeros(graph.size, np.uint64)
    if boundary.null_count < len(boundary):
        codes = as_numpy(pc.fill_null(boundary.dictionary_encode().indices, -1)).astype(np.int64)
        zones[: len(graph.rows)] = (codes[graph.rows] + 1).astype(np.uint64)
    modules = (told.module + 1).astype(np.uint64)
    debts = graph.is_kind("debt").astype(np.uint64)
    factors = np.array([0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD6E8FEB86659FD93], np.uint64)
    apart: Hashes = zones * factors[0] + modules * factors[1] + debts * factors[2]
    return apart


class _Groups:
    """Memories of one number each, in order of time: those that have company, or are another's but for a phrase."""

    def __init__(self, graph: Graph, summed: _Sums, touched: Int64, live: Bool) -> None:
        alone = np.ones(len(summed.sorted), np.bool_)
        same = summed.sorted[1:] == summed.sorted[:-1]
        alone[1:] &= ~same
        alone[:-1] &= ~same
        involved = np.zeros(len(summed.wanted), np.bool_)
        involved[summed.order[~alone]] = True
        involved[touched] = True
        at = np.flatnonzero(involved)
        nodes = summed.wanted[at]
        rank = _ranks(graph, nodes)
        created = graph.times("created_at")[nodes]
        created = np.where(created == NO_TIME, np.iinfo(np.int64).max, created)
        order = np.lexsort([rank, created, summed.sums[at]])
        self.at, self.nodes = at[order], nodes[order]
        self.counts = summed.counts[self.at]
        self._sums = summed.sums[self.at]
        self._age = created[order], rank[order]
        self._lineage = graph.lineage[self.nodes]
        self._live = live[self.nodes]
        self._of = np.searchsorted(self._sums, summed.sums)
        self._known = involved

    def pairs(self, longer: Int64, shorter: Int64) -> Pairs:
        """Each memory with representatives of those of its number, and of the numbers it comes to less a phrase."""
        members = np.arange(len(self.nodes))
        position = np.full(len(self._known), -1, np.int64)
        position[self.at] = members
        begins = np.searchsorted(self._sums, self._sums)
        owner = np.concatenate([members, position[longer]])
        group = np.concatenate([begins, begins[position[shorter]]]) if len(members) else owner
        found_owner, found_other = [], []
        for kept in (self._live, ~self._live):
            for representative in self._representatives(begins, kept):
                other = representative[group]
                good = other >= 0
                good &= self._lineage[owner] != self._lineage[other]
                found_owner.append(owner[good])
                found_other.append(other[good])
        return self._named(np.concatenate(found_owner), np.concatenate(found_other))

    def _representatives(self, begins: Int64, kept: Bool) -> Sequence[Int64]:
        """At the beginning of each group its oldest kept member, and the oldest of another lineage than that; or -1."""
        places = np.flatnonzero(kept)
        first = np.full(len(begins), -1, np.int64)
        first[begins[places[::-1]]] = places[::-1]
        other = np.full(len(begins), -1, np.int64)
        apart = places[self._lineage[places] != self._lineage[first[begins[places]]]]
        other[begins[apart[::-1]]] = apart[::-1]
        return first, other

    def _named(self, owner: Int64, other: Int64) -> Pairs:
        """The pairs as nodes, the live one acting, of two live ones the newer."""
        created, rank = self._age
        older = (created[owner] < created[other]) | ((created[owner] == created[other]) & (rank[owner] < rank[other]))
        swap = np.where(self._live[owner] == self._live[other], older, self._live[other])
        acting, second = np.where(swap, other, owner), np.where(swap, owner, other)
        shared = np.minimum(self.counts[acting], self.counts[second])
        similarity = 2 * shared / np.maximum(self.counts[acting] + self.counts[second], 1)
        keys = acting * len(self.nodes) + second
        once = np.unique(keys, return_index=True)[1]
        return Pairs(self.nodes[acting[once]], self.nodes[second[once]], similarity[once])


def _verified(told: Words, sense: Meaning, pairs: Pairs) -> Pairs:
    """The pairs that hold when their words are looked at in order."""
    good = np.array(
        [_says_the_same(told, sense, *both) for both in zip(pairs.acting.tolist(), pairs.other.tolist(), strict=True)],
        np.bool_,
    )
    return pairs.chosen(good)


def _says_the_same(told: Words, sense: Meaning, first: int, second: int) -> bool:
    one, two = (told.codes[told.offsets[node] : told.offsets[node + 1]] for node in (first, second))
    if np.array_equal(sense.whole[one], sense.whole[two]):
        return True
    (short, short_turns), (long, long_turns) = sorted((_sequence(sense, codes) for codes in (one, two)), key=_length)
    if len(short) < 2:
        return False
    more = len(long) - len(short)
    return any(
        _in_order(short, short_turns, long[:at] + long[at + more :], long_turns - more * (at < long_turns))
        for at in range(len(short) + 1)
    )


def _sequence(sense: Meaning, codes: NDArray[np.int32]) -> tuple[list[str], int]:
    """What carries a text, in order, and from where on the order means something."""
    stems = [sense.stems[code] for code in codes.tolist()]
    turns = np.flatnonzero(sense.turns[codes])
    found = [stem for word in stems for stem in word]
    return found, sum(map(len, stems[: turns[0]])) if len(turns) else len(found)


def _length(sequence: tuple[list[str], int]) -> int:
    return len(sequence[0])


def _in_order(one: list[str], one_turns: int, two: list[str], two_turns: int) -> bool:
    """Whether two sequences are the same, but for one word that stands first in one of them.

    So `store dates` is `dates are stored`; `the gateway calls the backend` is not `the backend calls the gateway`.
    """
    if one == two:
        return True
    if one_turns != two_turns or one[one_turns:] != two[one_turns:]:
        return False
    first, second = one[:one_turns], two[:one_turns]
    return any(
        head and tail.count(head[0]) and head[1:] == _without(tail, head[0])
        for head, tail in ((first, second), (second, first))
    )


def _without(sequence: list[str], word: str) -> list[str]:
    at = sequence.index(word)
    return sequence[:at] + sequence[at + 1 :]


def _between(live: Bool, pairs: Pairs) -> Pairs:
    return pairs.chosen(live[pairs.acting] & live[pairs.other])


def _onto(live: Bool, stale: Bool, pairs: Pairs) -> Pairs:
    return pairs.chosen(live[pairs.acting] & stale[pairs.other])


def _best(graph: Graph, pairs: Pairs) -> Pairs:
    """For each acting memory the pair of the greatest similarity, the oldest of these, in order of the nodes."""
    created = graph.times("created_at")[pairs.other]
    order = np.lexsort([_ranks(graph, pairs.other), created, -pairs.similarity, pairs.acting])
    first = np.unique(pairs.acting[order], return_index=True)[1]
    return pairs.chosen(order[first])


def _ranks(graph: Graph, nodes: Int64) -> Int64:
    """The places of nodes in the order of their ids."""
    ranks = np.empty(len(nodes), np.int64)
    ranks[as_numpy(pc.array_sort_indices(graph.names.take(numbers(nodes)))).astype(np.int64)] = np.arange(len(nodes))
    return ranks


def _still_said(graph: Graph, between: Pairs, found: Pairs) -> Pairs:
    """The echoes of what their lineage does not say any more."""
    count = len(graph.lineages) + 1
    said = np.concatenate(
        [
            between.acting * count + graph.lineage[between.other],
            between.other * count + graph.lineage[between.acting],
        ]
    )
    return found.chosen(~np.isin(found.acting * count + graph.lineage[found.other], said))
