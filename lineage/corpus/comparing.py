"""Which records say something else than those of another corpus, without reading every text again."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.arrays import as_numpy, flags
from lineage.corpus.tables import Corpus

Rows = NDArray[np.int64]

_CHUNK = 1 << 16
"""Rows that are compared at a time: enough for whole arrays, few enough that their lines fit into memory."""


def reworded(old: Corpus, old_rows: Rows, new: Corpus, new_rows: Rows) -> Rows:
    """The positions at which the text of a row of `old` and of the row of `new` beside it differ.

    Rows whose texts both still lie in a file are first compared as they stand
    there: only those that differ are read again. Raises `InputError` where a
    file has changed since it was read.
    """
    parts = [np.zeros(0, np.int64)]
    for begin in range(0, len(old_rows), _CHUNK):
        rows = old_rows[begin : begin + _CHUNK], new_rows[begin : begin + _CHUNK]
        doubtful = np.flatnonzero(~_same_lines(old, rows[0], new, rows[1]))
        if len(doubtful):
            texts = [
                corpus.stored_texts(some[doubtful], ["text"])["text"]
                for corpus, some in zip((old, new), rows, strict=True)
            ]
            parts.append(begin + doubtful[_differ(*texts)])
    return np.concatenate(parts)


def _differ(before: pa.ChunkedArray, after: pa.ChunkedArray) -> NDArray[np.bool_]:
    """Mask of the places where two columns differ; an unknown text is like an unknown one only."""
    unknown = flags(pc.xor(before.is_null(), after.is_null()))
    return unknown | flags(pc.not_equal(before, after))


def _same_lines(old: Corpus, old_rows: Rows, new: Corpus, new_rows: Rows) -> NDArray[np.bool_]:
    """Mask of the rows that stand in their files letter by letter alike, in the same format."""
    same = np.zeros(len(old_rows), np.bool_)
    before, after = (_places(corpus, rows) for corpus, rows in ((old, old_rows), (new, new_rows)))
    forms = np.array([new.formats.index(form) if form in new.formats else -1 for form in old.formats], np.int64)
    alike = (before["text_row"] < 0) & (after["text_row"] < 0) & (before["length"] == after["length"])
    alike &= forms[before["format"]] == after["format"]
    at = np.flatnonzero(alike)
    if len(at) and old.reread is not None and new.reread is not None:
        lines = old.reread.lines(old, old_rows[at]), new.reread.lines(new, new_rows[at])
        same[at] = flags(pc.equal(*lines))
    return same


def _places(corpus: Corpus, rows: Rows) -> dict[str, NDArray[np.int64]]:
    return {name: as_numpy(corpus.index[name])[rows] for name in ("text_row", "format", "length")}
