"""Where texts name an option, and whether they do so in order to use it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lineage.analyses.meaning import NEGATIONS
from lineage.analyses.words import Words, split

Int64 = NDArray[np.int64]
Bool = NDArray[np.bool_]

LONGEST = 6
"""An option of more words is no name that another text would use."""

_BEFORE = 4
_ASIDE = ("over", "than", "vs", "vs.", "versus", "besides", "unlike", "beyond")
_FROM = ("from", "off", "of")
_MOVES = (
    "away migrate migrates migrating migrated migration move moves moving moved switch switches switching switched "
    "port ports porting transition transitioning shift shifting swap swaps swapping swapped convert converts "
    "converting rip phase phasing"
).split()
_KEEPS = "phase phasing phased rule rules ruled keep keeps kept keeping leave leaves left rip opt take taken".split()
_ONTO = ("to", "with", "for", "by", "into", "->", "→")
_IS = (
    "is are was were has had will would should must can may might cannot can't isn't wasn't aren't won't shouldn't "
    "mustn't has been"
).split()
_OUT = ("out", "gone", "dead", "unsupported", "outdated", "overkill")
_DENIES = frozenset(NEGATIONS) | set(_OUT)


@dataclass(frozen=True)
class Mentions:
    """Places where nodes name options to use them: `node`, the number of the `option`, `place` among the words."""

    node: Int64
    option: Int64
    place: Int64


def mentions(told: Words, options: Sequence[Sequence[str]]) -> Mentions:
    """Where texts name options (lists of words) to use them; of two at one place the longer.

    A mention after a negation, or as what is left for something else, is none.
    """
    codes_of: dict[str, list[int]] = {}
    for code, word in enumerate(told.vocabulary):
        codes_of.setdefault(word, []).append(code)
    number = {word: at for at, word in enumerate(codes_of)}
    number_of = np.array([number[word] for word in told.vocabulary], np.int64)
    known = {
        tuple(number[word] for word in option): at
        for at, option in enumerate(options)
        if all(word in number for word in option)
    }
    node, option, place, length = _named(told, number_of, known)
    good = ~_denied(told, node, place, length)
    return Mentions(node[good], option[good], place[good])


def _named(told: Words, number_of: Int64, known: Mapping[tuple[int, ...], int]) -> tuple[Int64, Int64, Int64, Int64]:
    """All places where an option is named: the node, the option, the place and how many words it has."""
    first = np.zeros(int(number_of.max(initial=-1)) + 1, np.bool_)
    first[[option[0] for option in known]] = True
    begins = np.flatnonzero(first[number_of][told.codes]) if len(told.codes) else np.zeros(0, np.int64)
    found = [(np.zeros(0, np.int64),) * 3]
    for length in sorted({len(option) for option in known}, reverse=True):
        table = {option: at for option, at in known.items() if len(option) == length}
        place = begins[begins + length <= len(told.codes)]
        place = place[told.owners(place) == told.owners(place + length - 1)]
        keys = np.zeros(len(place), np.uint64)
        for step in range(length):
            keys = _mixed(keys, number_of[told.codes[place + step]].astype(np.uint64))
        sorted_keys, numbers = _keys(table)
        at = np.minimum(np.searchsorted(sorted_keys, keys), len(sorted_keys) - 1)
        hit = sorted_keys[at] == keys
        found.append((place[hit], numbers[at[hit]], np.full(int(hit.sum()), length)))
    place, option, length_of = (np.concatenate(parts) for parts in zip(*found, strict=True))
    # Longer ones stand first: of two that begin at one place the first stays.
    kept = np.unique(place, return_index=True)[1]
    place, option, length_of = place[kept], option[kept], length_of[kept]
    ends = np.maximum.accumulate(np.concatenate([[0], place + length_of]))[:-1]
    apart = place >= ends
    place, option, length_of = place[apart], option[apart], length_of[apart]
    return told.owners(place), option, place, length_of


def _mixed(keys: NDArray[np.uint64], numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    mixed: NDArray[np.uint64] = (keys * np.uint64(0x9E3779B97F4A7C15)) ^ (
        (numbers + np.uint64(1)) * np.uint64(0xBF58476D1CE4E5B9)
    )
    return mixed


def _keys(table: Mapping[tuple[int, ...], int]) -> tuple[NDArray[np.uint64], Int64]:
    """The keys of options of one length in order, and the options' numbers."""
    columns = np.array(list(table), np.uint64).T
    keys = np.zeros(len(table), np.uint64)
    for column in columns:
        keys = _mixed(keys, column)
    order = np.argsort(keys, kind="stable")
    return keys[order], np.array(list(table.values()), np.int64)[order]


class _Around:
    """Whether words of a kind stand around places, in the same text and clause."""

    def __init__(self, told: Words, node: Int64, place: Int64, length: Int64) -> None:
        self._told, self._node, self._place, self._length = told, node, place, length

    def _is(self, words: Iterable[str]) -> Bool:
        wanted = frozenset(words)
        return np.array([word in wanted for word in self._told.vocabulary], np.bool_)

    def before(self, words: Iterable[str], far: int, near: int = 1) -> Bool:
        """Whether one of the words stands at most `far` words before, and at least `near`."""
        kind, told = self._is(words), self._told
        found, open_ = np.zeros((2, len(self._place)), np.bool_)
        open_[:] = True
        for step in range(1, far + 1):
            at = self._place - step
            open_ &= at >= told.offsets[self._node]
            code = told.codes[np.where(open_, at, 0)] if len(told.codes) else at
            open_ &= ~told.ends_clause[code]
            if step >= near:
                found |= open_ & kind[code]
        return found

    def after(self, words: Iterable[str], far: int, near: int = 1) -> Bool:
        """Whether one of the words stands at most `far` words after, and at least `near`."""
        kind, told = self._is(words), self._told
        found = np.zeros(len(self._place), np.bool_)
        last = self._place + self._length - 1
        open_ = ~told.ends_clause[told.codes[last]] if len(last) else found
        for step in range(1, far + 1):
            at = last + step
            open_ = open_ & (at < told.offsets[self._node + 1])
            code = told.codes[np.where(open_, at, 0)] if len(told.codes) else at
            if step >= near:
                found |= open_ & kind[code]
            open_ = open_ & ~told.ends_clause[code]
        return found


def _denied(told: Words, node: Int64, place: Int64, length: Int64) -> Bool:
    """Whether places name what is not to be used, or what something else is used in place of."""
    around = _Around(told, node, place, length)
    denied = around.before(NEGATIONS, _BEFORE) | around.before(_ASIDE, 2)
    denied |= around.before(_FROM, 2) & around.before(_MOVES, _BEFORE + 1, near=2)
    denied |= around.before(("out",), 2) & around.before(_KEEPS, _BEFORE, near=2)
    denied |= around.before(_MOVES, 2) & around.after(_ONTO, 3) & ~around.before(_ONTO, 1)
    denied |= around.after(_IS, 1) & around.after(_DENIES, 4, near=1)
    return denied


def phrase(option: str) -> list[str]:
    """The words of an option by which a text would name it; none where it is no name.

    What explains it, in brackets or after a dash, is left out.
    """
    name = option.strip()
    for mark in (" (", " — ", " – ", " - ", ": ", "; ", ", "):
        name = name.partition(mark)[0]
    if len(name.strip()) < 3:
        return []
    found = split(name)
    while len(found) > 1 and found[0] in _LEADING:
        found = found[1:]
    if not found or len(found) > LONGEST or all(word in _NO_NAMES for word in found) or len(" ".join(found)) < 3:
        return []
    return found


_LEADING = frozenset("use using adopt adopting a an the keep keeping stay staying with on".split())
_NO_NAMES = frozenset(
    "none nothing other others both either neither all any yes not status quo same now later this that the nope "
    "manual default custom various".split()
) | frozenset(NEGATIONS)
