"""Options that decisions rejected, and live decisions that take one up again.

A rejection counts while the decision that made it is in effect, or one that
replaced it is. It is lifted where a memory that replaces the one that rejected
the option says so, and names the option. A record that is carried on along a
lineage with what it rejected is one rejection, not many.
"""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lineage.analyses.meaning import carrying
from lineage.analyses.mentions import Mentions, mentions, phrase
from lineage.analyses.words import Words, among, expanded, words
from lineage.arrays import NO_TIME, as_numpy
from lineage.graph.core import Graph
from lineage.model import LinkKind, Role, Status, code

Int64 = NDArray[np.int64]
Bool = NDArray[np.bool_]

_ASKED = 1_000_000
"""Rejections that are looked at in all: of each mention's at least the latest two, at most 64."""

_IN_USE = 3
"""An option that live decisions name more often than this was evidently rejected for one purpose, not for good."""

_COMMON = 50
"""A word that stands in more than one of so many memories does not tell what one is about."""

_BLANKS = re.compile(r'[\x00-\x20"|=~^\\`*<>{}\[\]()\x7f]+')
"""What parts words, as in `lineage.analyses.words`."""

_FAR = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Relapses:
    """Live decisions (`acting`) that name an option that another one (`rejecting`) rejected."""

    acting: Int64
    rejecting: Int64
    options: list[str]


@dataclass(frozen=True)
class _Vetoes:
    """Who rejected what: `node` rejected `option`, a number into `names` and `phrases`."""

    node: Int64
    option: Int64
    names: list[str]
    phrases: list[list[str]]

    def keys(self, nodes: Int64, options: Int64) -> Int64:
        return nodes * max(len(self.names), 1) + options

    def held_by(self, nodes: Int64, options: Int64) -> Bool:
        """Whether nodes themselves rejected options."""
        return among(self.keys(nodes, options), self.keys(self.node, self.option))


def relapses(graph: Graph) -> Relapses:
    """The live decisions that name an option that a decision in effect, or an ancestor of one, rejected."""
    return graph.once("relapses", _relapses)


def _relapses(graph: Graph) -> Relapses:
    told = words(graph)
    vetoes = _vetoes(told)
    if not len(vetoes.node):
        return Relapses(vetoes.node, vetoes.node, [])
    named = mentions(told, vetoes.phrases)
    replaced, lifted = _replacing(graph, vetoes, named)
    standing = _standing(graph, vetoes) & ~lifted
    kept = _Vetoes(vetoes.node[standing], vetoes.option[standing], vetoes.names, vetoes.phrases)
    live = (graph.status == code(Status.LIVE)) & graph.is_kind("decision")
    acts = live[named.node] & ~vetoes.held_by(named.node, named.option)
    named = Mentions(named.node[acts], named.option[acts], named.place[acts])
    related = _Related(graph, told)
    number, rejecting = _candidates(graph, kept, named)
    node, option = named.node[number], named.option[number]
    same = graph.lineage[node] == graph.lineage[rejecting]
    uses = np.bincount(named.option, minlength=1)
    wide = uses[option] > _IN_USE
    other = np.where(wide, related.surely(node, rejecting), related.may_be(node, rejecting))
    good = np.where(same, ~among(kept.keys(node, option), replaced), other)
    number, rejecting, same, wide = number[good], rejecting[good], same[good], wide[good]
    return _settled(graph, told, kept, named, related, number, rejecting, same, wide)


def _vetoes(told: Words) -> _Vetoes:
    encoded = told.options.dictionary_encode()
    written = encoded.dictionary.to_pylist()
    codes = as_numpy(encoded.indices.fill_null(len(written))).astype(np.int64)
    numbers: dict[tuple[str, ...], int] = {}
    places, names = [], []
    for option in written:
        words_ = tuple(phrase(option))
        if words_ and words_ not in numbers:
            names.append(option.strip())
        places.append(numbers.setdefault(words_, len(numbers)) if words_ else -1)
    option = np.array([*places, -1], np.int64)[codes]
    good = option >= 0
    count = max(len(names), 1)
    keys = np.unique(told.vetoes[good] * count + option[good])
    return _Vetoes(keys // count, keys % count, names, [list(one) for one in numbers])


def _replacing(graph: Graph, vetoes: _Vetoes, named: Mentions) -> tuple[Int64, Bool]:
    """The keys of memories that say they replace one that rejected an option, with it; and the lifted rejections."""
    links = graph.links
    stated = np.flatnonzero(links.effective(LinkKind.SUPERSEDES) & ~links.implied & (links.target >= 0))
    source, target = links.source[stated].astype(np.int64), links.target[stated].astype(np.int64)
    order = np.argsort(target, kind="stable")
    source, target = source[order], target[order]
    begins, ends = (np.searchsorted(target, vetoes.node, side=side) for side in ("left", "right"))
    number = np.repeat(np.arange(len(vetoes.node)), ends - begins)
    by = source[expanded(begins, ends - begins)]
    replaced = vetoes.keys(by, vetoes.option[number])
    lifts = among(replaced, vetoes.keys(named.node, named.option)) & ~vetoes.held_by(by, vetoes.option[number])
    # Whoever held it before the one that lifts it handed it down: it is one rejection.
    count = max(len(vetoes.names), 1)
    lineage = graph.lineage[vetoes.node].astype(np.int64) * count + vetoes.option
    keys, place = np.unique(lineage, return_inverse=True)
    latest = np.full(len(keys), -1, np.int64)
    np.maximum.at(latest, place[number[lifts]], graph.generation[by[lifts]])
    lifted: Bool = graph.generation[vetoes.node] < latest[place]
    return replaced, lifted


def _standing(graph: Graph, vetoes: _Vetoes) -> Bool:
    """Whether the decision that rejected something is in effect, or a later one of its lineage."""
    status = graph.status[vetoes.node]
    alive = np.append(graph.lineages.live, 0)[graph.lineage[vetoes.node]] > 0
    memory = graph.role[vetoes.node] == code(Role.MEMORY)
    standing: Bool = memory & ((status == code(Status.LIVE)) | ((status == code(Status.SUPERSEDED)) & alive))
    return standing


def _candidates(graph: Graph, vetoes: _Vetoes, named: Mentions) -> tuple[Int64, Int64]:
    """For each mention the latest rejections of its option that are no later than it; the mention and the node."""
    if not len(vetoes.node) or not len(named.node):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    created = graph.times("created_at")
    since = np.where(created == NO_TIME, _FAR, created)
    order = np.lexsort([vetoes.node, created[vetoes.node], vetoes.option])
    holder, option = vetoes.node[order], vetoes.option[order]
    # One rank for each pair of option and time, so that one search finds the last rejection before a mention.
    times = np.unique(np.concatenate([created[holder], since[named.node]]))
    rank = option * len(times) + np.searchsorted(times, created[holder])
    wanted = named.option * len(times) + np.searchsorted(times, since[named.node])
    ends = np.searchsorted(rank, wanted, side="right")
    most = int(np.clip(_ASKED // len(named.node), 2, 64))
    begins = np.maximum(np.searchsorted(option, named.option), ends - most)
    number = np.repeat(np.arange(len(named.node)), ends - begins)
    rejecting = holder[expanded(begins, ends - begins)]
    own = rejecting == named.node[number]
    return number[~own], rejecting[~own]


class _Related:
    """Whether two memories may be about the same thing, by module, folder and trust boundary."""

    def __init__(self, graph: Graph, told: Words) -> None:
        self._module = told.module
        self._count = int(told.folders.max(initial=-1)) + 1
        held = np.sort(told.in_folder * max(self._count, 1) + told.folders)
        self._keys, self._nodes = held, held // max(self._count, 1)
        self._folder = held % max(self._count, 1)
        self._has = np.zeros(graph.size, np.bool_)
        self._has[self._nodes] = True
        zones = graph.corpus.index["boundary"]
        self._zone = np.full(graph.size, -1, np.int64)
        if zones.null_count < len(zones):
            codes = as_numpy(zones.combine_chunks().dictionary_encode().indices.fill_null(-1)).astype(np.int64)
            self._zone[: len(graph.rows)] = codes[graph.rows]

    def share_folder(self, one: Int64, two: Int64) -> Bool:
        """Whether two memories name files of one folder."""
        found = np.zeros(len(one), np.bool_)
        begins, ends = (np.searchsorted(self._nodes, one, side=side) for side in ("left", "right"))
        number = np.repeat(np.arange(len(one)), ends - begins)
        keys = two[number] * max(self._count, 1) + self._folder[expanded(begins, ends - begins)]
        found[number[among(keys, self._keys)]] = True
        return found

    def surely(self, one: Int64, two: Int64) -> Bool:
        """Whether both are known to be about one module or folder."""
        surely: Bool = ((self._module[one] >= 0) & (self._module[one] == self._module[two])) | self.share_folder(
            one, two
        )
        return surely

    def may_be(self, one: Int64, two: Int64) -> Bool:
        """Whether nothing says that they are about different things."""
        modules = (self._module[one] >= 0) & (self._module[two] >= 0)
        folders = self._has[one] & self._has[two]
        apart = np.where(modules, self._module[one] != self._module[two], folders & ~self.share_folder(one, two))
        zones = (self._zone[one] >= 0) & (self._zone[two] >= 0) & (self._zone[one] != self._zone[two])
        may_be: Bool = ~apart & ~zones
        return may_be


def _settled(
    graph: Graph,
    told: Words,
    vetoes: _Vetoes,
    named: Mentions,
    related: _Related,
    number: Int64,
    rejecting: Int64,
    same: Bool,
    wide: Bool,
) -> Relapses:
    """Of the candidates of each mention the first that convinces: its own lineage's, then the latest."""
    sure = same | related.surely(named.node[number], rejecting)
    created = graph.times("created_at")[rejecting]
    order = np.lexsort([rejecting, -created.astype(np.float64), ~sure, ~same, number])
    number, rejecting, sure, wide = number[order], rejecting[order], sure[order], wide[order]
    first = np.unique(number, return_index=True)[1]
    number, rejecting, sure, wide = number[first], rejecting[first], sure[first], wide[first]
    keys = vetoes.keys(named.node[number], named.option[number])
    once = np.unique(keys, return_index=True)[1]
    number, rejecting, wide = number[once], rejecting[once], wide[once]
    acting, option = named.node[number], named.option[number]
    place = named.place[number] - told.offsets[acting]
    same = graph.lineage[acting] == graph.lineage[rejecting]
    judge = _Judge(told, vetoes)
    good = np.zeros(len(number), np.bool_)
    for begin in range(0, len(number), 1 << 16):
        part = slice(begin, begin + (1 << 16))
        texts = graph.corpus.stored_texts(graph.rows[acting[part]], ["text"])["text"].to_pylist()
        columns = (column[part].tolist() for column in (acting, rejecting, option, place, same, wide))
        good[part] = [judge.convinces(text or "", *row) for text, *row in zip(texts, *columns, strict=True)]
    return Relapses(acting[good], rejecting[good], [vetoes.names[one] for one in option[good].tolist()])


class _Judge:
    """Whether a mention is one of the very option, and not just of a word that it has in common with a text."""

    def __init__(self, told: Words, vetoes: _Vetoes) -> None:
        self._told, self._vetoes = told, vetoes
        memories = int((np.diff(told.offsets) > 0).sum())
        often = np.flatnonzero(np.bincount(told.codes, minlength=len(told.vocabulary)) > max(memories // _COMMON, 20))
        self._common = set(carrying([told.vocabulary[code] for code in often.tolist()]))

    def convinces(self, text: str, node: int, other: int, option: int, at: int, same: bool, wide: bool) -> bool:
        name, words_ = self._vetoes.names[option], self._vetoes.phrases[option]
        written = [word for word in _BLANKS.split(text) if word]
        here = written[at : at + len(words_)]
        after = written[at + len(words_) : at + len(words_) + 1]
        if after and _goes_on(here, after[0]):
            return False
        if same:
            return True
        named = len(words_) > 1 or not name.isalpha() or not name.islower() or _is_name(here, at)
        return (named and not wide) or bool(self._shared(node, other) - set(carrying(words_)))

    def _shared(self, node: int, other: int) -> set[str]:
        """The words that carry both memories, but for those that many have."""
        mine, theirs = (set(carrying(self._told.of(one))) for one in (node, other))
        return {word for word in mine & theirs if word.isalpha()} - self._common


def _is_name(here: list[str], at: int) -> bool:
    """Whether words are written as a name, not at the beginning of a text."""
    return at > 0 and any(letter.isupper() for word in here for letter in word)


def _goes_on(here: list[str], after: str) -> bool:
    """Whether the name goes on in the next word, as `React` does in `React Native`."""
    ends = here[-1][-1:] in ",;:!?.)]}\"'`" if here else True
    return not ends and after[:1].isupper() and not after.isupper() and any(word[:1].isupper() for word in here)
