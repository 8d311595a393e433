"""Ids as numbers, per id space."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lineage.arrays import as_numpy, joined, numbers


@dataclass(frozen=True)
class Keys:
    """`of_rows` and `of_links` hold equal numbers where they name the same id of the same id space.

    `row[key]` is a row with that id, -1 where no record has it. `names` are the
    ids themselves, `space[key]` the id space.
    """

    of_rows: NDArray[np.int32]
    of_links: NDArray[np.int32]
    row: NDArray[np.int64]
    names: pa.Array
    space: NDArray[np.int8]

    def name(self, key: int) -> str:
        """The id of a key."""
        return str(self.names[int(key)].as_py())


def keys_of(ids: pa.ChunkedArray, others: pa.ChunkedArray, row_space: NDArray[np.int8], link_space: NDArray[np.int8]) -> Keys:
    """Number the ids of rows and the far ends of links, space by space."""
    of_rows = np.empty(len(ids), np.int32)
    of_links = np.empty(len(others), np.int32)
    names: list[pa.Array] = []
    spaces: list[NDArray[np.int8]] = []
    first = 0
    present: Sequence[Any] = np.unique(row_space).tolist()
    for space in present:
        mine, theirs = row_space == space, link_space == space
        whole = bool(mine.all()) and bool(theirs.all())
        here = ids if whole else masked(ids, mine)
        there = others if whole else masked(others, theirs)
        both = joined(pa.chunked_array([*here.chunks, *there.chunks], type=pa.string()))
        encoded = both.dictionary_encode()
        codes = as_numpy(encoded.indices).astype(np.int32) + first
        of_rows[mine], of_links[theirs] = codes[: len(here)], codes[len(here) :]
        names.append(encoded.dictionary)
        spaces.append(np.full(len(encoded.dictionary), space, np.int8))
        first += len(encoded.dictionary)
    row = np.full(first, -1, np.int64)
    row[of_rows[::-1]] = np.arange(len(ids), dtype=np.int64)[::-1]
    all_names = pa.concat_arrays([name.cast(pa.large_string()) for name in names]) if len(names) > 1 else names[0]
    return Keys(of_rows, of_links, row, all_names, np.concatenate(spaces))


def space_codes(formats: Sequence[str], spaces: dict[str, str]) -> NDArray[np.int8]:
    """For each format the number of its id space."""
    order = sorted({spaces.get(form, form) for form in formats})
    return np.array([order.index(spaces.get(form, form)) for form in formats] or [0], np.int8)


def masked(column: pa.ChunkedArray, mask: NDArray[np.bool_]) -> pa.ChunkedArray:
    """The values where `mask` holds."""
    return column.take(numbers(np.flatnonzero(mask)))
