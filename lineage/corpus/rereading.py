"""Reading the texts of some rows again, where a quick look left them in their file."""

import mmap
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lineage.arrays import as_numpy, numbers
from lineage.corpus.columns import text_columns
from lineage.corpus.records import value_of
from lineage.corpus.tables import Corpus
from lineage.discovery import readers
from lineage.errors import InputError
from lineage.readers.base import Item, Memory, Record
from lineage.sources import Source

_NEAR = 1 << 15
"""Lines no further apart than this are read in one piece."""


class Rereader:
    """Reads rows again from plain files, as long as these have not changed.

    A quick look served these lines, so their reader has nothing to say about
    them: it is asked again only where `extra` is wanted.
    """

    def __init__(self, listed: Sequence[Source]) -> None:
        self._paths = [source.path for source in listed]
        self._stamps = [_stamp(source.path) for source in listed]

    def __call__(self, corpus: Corpus, rows: NDArray[np.int64], columns: Sequence[str]) -> pa.Table:
        """Some text columns of these rows, in their order."""
        known = readers()
        exact = [known[form].read for form in corpus.formats]
        looks = [known[form].quick for form in corpus.formats]
        quick = [None if look is None or "extra" in columns else look().columns for look in looks]
        places = corpus.index.select(["source", "format", "offset", "length"]).take(numbers(rows))
        sources_, formats, offsets, lengths = (as_numpy(column) for column in places.columns)
        order = np.lexsort([offsets, formats, sources_])
        begins = np.flatnonzero(np.diff(sources_[order], prepend=-1) | np.diff(formats[order], prepend=-1))
        batches = []
        for mine in np.split(order, begins)[1:]:
            form = int(formats[mine[0]])
            with self._opened(int(sources_[mine[0]])) as stream:
                lines = _lines(stream, offsets[mine], lengths[mine])
                short = quick[form]
                held = short(lines, columns) if short else _exactly(exact[form], lines, columns)
            batches.append(text_columns(held, columns))
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        table = pa.Table.from_batches(batches, text_columns({name: [] for name in columns}, columns).schema)
        return table.take(numbers(place))

    def lines(self, corpus: Corpus, rows: NDArray[np.int64]) -> pa.Array:
        """The lines of these rows as large binaries, in their order."""
        places = corpus.index.select(["source", "offset", "length"]).take(numbers(rows))
        sources_, offsets, lengths = (as_numpy(column) for column in places.columns)
        order = np.lexsort([offsets, sources_])
        parts = []
        for number in np.flatnonzero(np.bincount(sources_)).tolist():
            mine = order[sources_[order] == number]
            with self._opened(number) as stream:
                parts.append(_pieces(stream, offsets[mine], lengths[mine]))
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        return pa.concat_arrays(parts).take(numbers(place)) if parts else pa.nulls(0, pa.large_binary())

    def _opened(self, number: int) -> BinaryIO:
        path = self._paths[number]
        if path is None or _stamp(path) != self._stamps[number]:
            raise InputError(f"{path}: changed while it was being read")
        return path.open("rb", buffering=0)


def _exactly(
    read: Callable[[Record], Iterable[Item]], lines: Iterable[bytes], columns: Sequence[str]
) -> dict[str, list[Any]]:
    """The columns as the reader itself makes them of each line."""
    items = (read(value_of(line)[0]) for line in lines)
    found = [next(item for item in those if isinstance(item, Memory)) for those in items]
    return {name: [getattr(memory, name) for memory in found] for name in columns}


def _lines(stream: BinaryIO, offsets: NDArray[np.int64], lengths: NDArray[np.int64]) -> Iterator[bytes]:
    """The lines at some places of a file, which rise."""
    ends = offsets + lengths
    parts = np.split(np.arange(len(offsets)), np.flatnonzero(offsets[1:] - ends[:-1] > _NEAR) + 1)
    for part in parts:
        if not len(part):
            continue
        first = int(offsets[part[0]])
        stream.seek(first)
        piece = stream.read(int(ends[part[-1]]) - first)
        yield from map(piece.__getitem__, map(slice, (offsets[part] - first).tolist(), (ends[part] - first).tolist()))


def _pieces(stream: BinaryIO, offsets: NDArray[np.int64], lengths: NDArray[np.int64]) -> pa.Array:
    """The lines at some places of a file, which rise, as one array over the file itself."""
    with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        # What lies between two lines is an element, too: so the file need not be copied line by line.
        bounds = np.stack([offsets, offsets + lengths], axis=1).ravel()
        whole = pa.Array.from_buffers(
            pa.large_binary(), len(bounds) - 1, [None, pa.py_buffer(bounds), pa.py_buffer(mapped)]
        )
        found = whole.take(numbers(np.arange(0, len(bounds), 2)))
        del whole
    return found


def _stamp(path: Path | None) -> tuple[int, int] | None:
    if path is None:
        return None
    status = path.stat()
    return status.st_size, status.st_mtime_ns
