"""Arrow arrays from Python lists.

`pyarrow.array` and `fill_null` import pandas at their first call, which costs
a command-line run a third of a second; these work on the buffers.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

NO_TIME = int(np.iinfo(np.int64).min)
"""Stands for an unknown time (or any unknown whole number) in arrays without nulls."""

PAIRS = pa.list_(pa.struct([("first", pa.string()), ("second", pa.string())]))
STRINGS = pa.list_(pa.string())


def _validity(present: NDArray[np.bool_]) -> pa.Buffer:
    return pa.py_buffer(np.packbits(present, bitorder="little").tobytes())


def _offsets(lengths: Iterable[int], count: int) -> NDArray[np.int32]:
    offsets = np.zeros(count + 1, np.int32)
    np.cumsum(np.fromiter(lengths, np.int32, count), out=offsets[1:])
    return offsets


def _present(values: Sequence[object]) -> NDArray[np.bool_]:
    return np.array([value is not None for value in values], np.bool_)


def strings(values: Sequence[str | None]) -> pa.Array:
    """A string array; None is null."""
    count = len(values)
    validity = None
    filled = cast("Sequence[str]", values)
    unknown = values.count(None)
    if unknown == count:
        return pa.nulls(count, pa.string())
    if unknown:
        validity = _validity(_present(values))
        filled = [value or "" for value in values]
    joined = "".join(filled)
    data = joined.encode("utf-8")
    if len(data) == len(joined):
        offsets = _offsets(map(len, filled), count)
    else:
        offsets = _offsets((len(value.encode("utf-8")) for value in filled), count)
    return pa.Array.from_buffers(pa.string(), count, [validity, pa.py_buffer(offsets), pa.py_buffer(data)])


def integers(values: Sequence[int | None]) -> pa.Array:
    """A 64-bit integer array; None is null."""
    return _nullable(values, np.int64, pa.int64())


def floats(values: Sequence[float | None]) -> pa.Array:
    """A 64-bit float array; None is null."""
    return _nullable(values, np.float64, pa.float64())


def _nullable(values: Sequence[float | None], dtype: type[np.generic], kind: pa.DataType) -> pa.Array:
    unknown = values.count(None)
    if not unknown:
        return numbers(np.array(values, dtype))
    if unknown == len(values):
        return pa.nulls(len(values), kind)
    data = np.array([value or 0 for value in values], dtype)
    return pa.Array.from_buffers(kind, len(values), [_validity(_present(values)), pa.py_buffer(data)])


def numbers(values: NDArray[np.generic]) -> pa.Array:
    """An array of the same fixed-width type without nulls (booleans as int8)."""
    held = np.ascontiguousarray(values.astype(np.int8) if values.dtype == np.bool_ else values)
    return pa.Array.from_buffers(pa.from_numpy_dtype(held.dtype), len(held), [None, pa.py_buffer(held)])


def sentinels(values: Sequence[int | None]) -> pa.Array:
    """A 64-bit integer array in which None is NO_TIME."""
    unknown = values.count(None)
    if unknown == len(values):
        return numbers(np.full(len(values), NO_TIME, np.int64))
    if unknown:
        values = [NO_TIME if value is None else value for value in values]
    return numbers(np.array(values, np.int64))


def _lengths_to_offsets(values: Sequence[Sequence[object]]) -> NDArray[np.int32]:
    if not any(values):
        return np.zeros(len(values) + 1, np.int32)
    return _offsets(map(len, values), len(values))


def string_lists(values: Sequence[Sequence[str]]) -> pa.Array:
    """A list array of strings."""
    offsets = numbers(_lengths_to_offsets(values))
    return pa.ListArray.from_arrays(offsets, strings(list(chain.from_iterable(values))))


def pair_lists(values: Sequence[Sequence[tuple[str | None, str | None]]]) -> pa.Array:
    """A list array of pairs of strings, as structs of `first` and `second`."""
    offsets = numbers(_lengths_to_offsets(values))
    flat = list(chain.from_iterable(values))
    struct = pa.StructArray.from_arrays(
        [strings([pair[0] for pair in flat]), strings([pair[1] for pair in flat])], ["first", "second"]
    )
    return pa.ListArray.from_arrays(offsets, struct)


def joined(column: pa.ChunkedArray) -> pa.Array:
    """One contiguous array; long strings take 64-bit offsets."""
    if column.num_chunks == 1:
        return column.chunk(0)
    if column.num_chunks == 0:
        return pa.nulls(0, column.type)
    if pa.types.is_string(column.type) and column.nbytes >= 2**31:
        column = column.cast(pa.large_string())
    return column.combine_chunks()


def as_numpy(column: pa.ChunkedArray | pa.Array) -> NDArray[Any]:
    """The values of a fixed-width column without nulls, not copied where they are contiguous."""
    array = joined(column) if isinstance(column, pa.ChunkedArray) else column
    dtype = np.dtype(array.type.to_pandas_dtype())
    buffer = array.buffers()[1]
    if buffer is None or len(array) == 0:
        return np.zeros(0, dtype)
    return np.frombuffer(buffer, dtype)[array.offset : array.offset + len(array)]


def flags(column: pa.ChunkedArray | pa.Array) -> NDArray[np.bool_]:
    """The values of a boolean column, null as false."""
    array = joined(column) if isinstance(column, pa.ChunkedArray) else column
    known, packed = array.buffers()
    held = _bits(packed, array)
    return held & _bits(known, array) if array.null_count else held


def _bits(packed: pa.Buffer | None, array: pa.Array) -> NDArray[np.bool_]:
    bits = np.unpackbits(np.frombuffer(packed or b"", np.uint8), bitorder="little")
    return bits[array.offset : array.offset + len(array)].astype(np.bool_)


def known_numbers(array: pa.Array) -> NDArray[Any]:
    """The values of a whole-number array, null as -1."""
    held = as_numpy(array)
    return np.where(flags(array.is_valid()), held, -1) if array.null_count else held


def masked(values: NDArray[np.bool_]) -> pa.Array:
    """A boolean array without nulls."""
    return pa.Array.from_buffers(pa.bool_(), len(values), [None, _validity(values)])


def letters_of(texts: pa.Array) -> tuple[NDArray[np.integer[Any]], NDArray[np.uint8]]:
    """Where the bytes of each string begin and those of the last one end, and the bytes; not copied."""
    _, offsets, data = texts.buffers()
    wide = np.int64 if pa.types.is_large_string(texts.type) else np.int32
    bounds: NDArray[np.integer[Any]] = np.frombuffer(offsets, wide)
    return bounds[texts.offset : texts.offset + len(texts) + 1], np.frombuffer(data or b"", np.uint8)


def beginnings(texts: pa.Array) -> NDArray[np.uint64]:
    """The first eight bytes in which strings differ as a number, which sorts as the strings do but for ties."""
    bounds, letters = letters_of(texts)
    letters = np.append(letters, np.uint8(0))
    begin, end = bounds[:-1], bounds[1:]
    shared = _shared_beginning(texts)
    number = np.zeros(len(texts), np.uint64)
    for place in range(shared, shared + 8):
        at = begin + place
        inside = at < end
        number = (number << np.uint64(8)) | np.where(inside, letters[np.where(inside, at, -1)], 0).astype(np.uint64)
    return number


def _shared_beginning(texts: pa.Array) -> int:
    """How many bytes all strings begin with alike."""
    ends = pc.min_max(texts).as_py()
    least, most = ((ends[name] or "").encode() for name in ("min", "max"))
    differing = (place for place, pair in enumerate(zip(least, most, strict=False)) if pair[0] != pair[1])
    return next(differing, min(len(least), len(most)))
