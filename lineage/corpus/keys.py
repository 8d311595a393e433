"""Ids as numbers, per id space."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lineage.arrays import as_numpy, joined, numbers
from lineage.corpus.hashing import found


@dataclass(frozen=True, order=True)
class Space:
    """Where an id means one memory: one family of formats, in everything read or in one input alone.

    `within` is what stands before an id that two inputs use, a file with a colon
    or a folder with a slash; empty where ids mean the same in every input.
    `number` tells apart inputs of one name.
    """

    family: str
    within: str = ""
    number: int = -1


@dataclass(frozen=True)
class Keys:
    """`of_rows` and `of_links` hold equal numbers where they name the same id of the same id space.

    `row[key]` is a row with that id, -1 where no record has it. `names` are the
    ids themselves, `space[key]` the number of the id space in `spaces`.
    """

    of_rows: NDArray[np.int32]
    of_links: NDArray[np.int32]
    row: NDArray[np.int64]
    names: pa.ChunkedArray
    space: NDArray[np.int32]
    spaces: Sequence[Space] = ()

    def name(self, key: int) -> str:
        """The id of a key."""
        return str(self.names[int(key)].as_py())


def keys_of(
    ids: pa.ChunkedArray, others: pa.ChunkedArray, row_space: NDArray[np.int32], link_space: NDArray[np.int32]
) -> Keys:
    """Number the ids of rows and the far ends of links, space by space."""
    present: Sequence[Any] = np.flatnonzero(np.bincount(row_space)).tolist() or [0]
    if len(present) == 1:
        of_rows, of_links, names = _encoded(ids, others)
        space = np.full(len(names), present[0], np.int32)
        return Keys(of_rows, of_links, _rows_of(of_rows, len(names)), names, space)
    of_rows, of_links = np.empty(len(ids), np.int32), np.empty(len(others), np.int32)
    parts: list[pa.ChunkedArray] = []
    spaces: list[NDArray[np.int32]] = []
    first = 0
    for space_ in present:
        mine, theirs = row_space == space_, link_space == space_
        rows, links, names = _encoded(masked(ids, mine), masked(others, theirs))
        of_rows[mine], of_links[theirs] = rows + first, links + first
        parts.append(names.cast(pa.large_string()))
        spaces.append(np.full(len(names), space_, np.int32))
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


def spaces_of(
    formats: NDArray[np.int8], groups: NDArray[np.int32], known: Sequence[tuple[str, bool]], inputs: Sequence[str]
) -> tuple[NDArray[np.int32], list[Space]]:
    """The id space of each row, as a number, and the spaces in their order.

    `known` says of each format its family and whether its ids are local to an
    input; `groups` gives the input of each row, and `inputs` what stands before
    the ids of each where they are told apart.
    """
    local = np.array([local for _, local in known] or [False], np.bool_)
    if not local.any():
        families = sorted({family for family, _ in known})
        place = np.array([families.index(family) for family, _ in known] or [0], np.int32)
        return place[formats], [Space(family) for family in families]
    within = np.where(local[formats], groups, -1)
    pairs, number = np.unique(formats * np.int64(len(inputs) + 1) + within + 1, return_inverse=True)
    found = []
    for form, group in zip(*(part.tolist() for part in divmod(pairs, len(inputs) + 1)), strict=True):
        family, alone = known[form]
        found.append(Space(family, inputs[group - 1], group - 1) if alone else Space(family))
    ordered = sorted(set(found))
    return np.array([ordered.index(space) for space in found], np.int32)[number], ordered


def masked(column: pa.ChunkedArray, mask: NDArray[np.bool_]) -> pa.ChunkedArray:
    """The values where `mask` holds."""
    return column.take(numbers(np.flatnonzero(mask)))
