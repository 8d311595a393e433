"""Reading the texts of some rows again, where a quick look left them in their file."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lineage.arrays import as_numpy, numbers
from lineage.corpus.columns import text_columns
from lineage.corpus.records import value_of
from lineage.corpus.tables import Corpus
from lineage.discovery import readers
from lineage.errors import InputError
from lineage.readers.base import Memory
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
        quick = [None if look is None or "extra" in columns else look().texts for look in looks]
        places = corpus.index.select(["source", "format", "offset", "length"]).take(numbers(rows))
        sources_, formats, offsets, lengths = (as_numpy(column) for column in places.columns)
        order = np.lexsort([offsets, sources_])
        found: list[Memory] = []
        for number in np.flatnonzero(np.bincount(sources_)).tolist():
            mine = order[sources_[order] == number]
            with self._opened(number) as stream:
                lines = _lines(stream, offsets[mine], lengths[mine])
                for form, line in zip(formats[mine].tolist(), lines, strict=True):
                    short = quick[form]
                    items = [short(line)] if short else exact[form](value_of(line)[0])
                    found.append(next(item for item in items if isinstance(item, Memory)))
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        held = {name: [getattr(memory, name) for memory in found] for name in columns}
        return pa.Table.from_batches([text_columns(held, columns)]).take(numbers(place))

    def _opened(self, number: int) -> BinaryIO:
        path = self._paths[number]
        if path is None or _stamp(path) != self._stamps[number]:
            raise InputError(f"{path}: changed while it was being read")
        return path.open("rb", buffering=0)


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
        for begin, end in zip((offsets[part] - first).tolist(), (ends[part] - first).tolist(), strict=True):
            yield piece[begin:end]


def _stamp(path: Path | None) -> tuple[int, int] | None:
    if path is None:
        return None
    status = path.stat()
    return status.st_size, status.st_mtime_ns
