"""Ids as numbers, per id space."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lineage.arrays import as_numpy, joined, numbers
from lineage.corpus.hashing import found


@dataclass(frozen=True)
class Keys:
    """`of_rows` and `of_links` hold equal numbers where they name the same id of the same id space.

    `row[key]` is a row with that id, -1 where no record has it. `names` are the
    ids themselves, `space[key]` the id space.
    """

    of_rows: NDArray[np.int32]
    of_links: NDArray[np.int32]
    row: NDArray[np.int64]
    names: pa.ChunkedArray
    space: NDArray[np.int8]

    def name(self, key: int) -> str:
        """The id of a key."""
        return str(self.names[int(key)].as_py())


def keys_of(
    ids: pa.ChunkedArray, others: pa.ChunkedArray, row_space: NDArray[np.int8], link_space: NDArray[np.int8]
) -> Keys:
    """Number the ids of rows and the far ends of links, space by space."""
    present: Sequence[Any] = np.flatnonzero(np.bincount(row_space)).tolist() or [0]
    if len(present) == 1:
        of_rows, of_links, names = _encoded(ids, others)
        space = np.full(len(names), present[0], np.int8)
        return Keys(of_rows, of_links, _rows_of(of_rows, len(names)), names, space)
    of_rows, of_links = np.empty(len(ids), np.int32), np.empty(len(others), np.int32)
    parts: list[pa.ChunkedArray] = []
    spaces: list[NDArray[np.int8]] = []
    first = 0
    for space_ in present:
        mine, theirs = row_space == space_, link_space == space_
        rows, links, names = _encoded(masked(ids, mine), masked(others, theirs))
        of_rows[mine], of_links[theirs] = rows + first, links + first
        parts.append(names.cast(pa.large_string()))
        spaces.append(np.full(len(names), space_, np.int8))
        first += len(names)
    return Keys(
        of_rows,
        of_links,
        _rows_of(of_rows, first),
        pa.chunked_array([chunk for part in parts for chunk in part.chunks]),
        np.concatenate(spaces),
    )


def _encoded(
    ids: pa.ChunkedArray, others: pa.ChunkedArray
) -> tuple[NDArray[np.int32], NDArray[np.int32], pa.ChunkedArray]:
    own, far = joined(ids), joined(others)
    at = found(far, own)
    if at is None:
        both = joined(pa.chunked_array([*ids.chunks, *others.chunks], type=ids.type))
        encoded = both.dictionary_encode()
        codes = as_numpy(encoded.indices)
        return codes[: len(ids)], codes[len(ids) :], pa.chunked_array([encoded.dictionary])
    lost = np.flatnonzero(at < 0)
    missing = far.take(numbers(lost)).dictionary_encode()
    at[lost] = as_numpy(missing.indices) + len(own)
    names = pa.chunked_array([own, missing.dictionary.cast(own.type)])
    return np.arange(len(own), dtype=np.int32), at.astype(np.int32), names


def _rows_of(of_rows: NDArray[np.int32], count: int) -> NDArray[np.int64]:
    """The first row of every key, -1 for none."""
    row = np.full(count, -1, np.int64)
    row[of_rows[::-1]] = np.arange(len(of_rows), dtype=np.int64)[::-1]
    return row


def space_codes(spaces: Sequence[str]) -> NDArray[np.int8]:
    """For the id space of each format its number, in the order of their names."""
    order = sorted(set(spaces))
    return np.array([order.index(space) for space in spaces] or [0], np.int8)


def masked(column: pa.ChunkedArray, mask: NDArray[np.bool_]) -> pa.ChunkedArray:
    """The values where `mask` holds."""
    return column.take(numbers(np.flatnonzero(mask)))
