"""What quick looks gave, many blocks of it at once, as batches of the corpus tables."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from lineage.arrays import NO_TIME, joined, numbers
from lineage.corpus.tables import TIMES
from lineage.readers.base import QuickRows

Blocks = Sequence[tuple[QuickRows, int, int]]
"""Blocks looked at quickly: what they gave, the number of their first line, and where they begin in the file."""

_USUAL = 1 << 17


def index_columns(blocks: Blocks) -> dict[str, pa.Array]:
    """The index columns that a quick look fills."""
    lines = np.concatenate([quick.served + line for quick, line, _ in blocks])
    offsets = np.concatenate([quick.starts[quick.served] + offset for quick, _, offset in blocks])
    lengths = np.concatenate([quick.lengths[quick.served] for quick, *_ in blocks])
    times = {name: np.concatenate([quick.times[name] for quick, *_ in blocks]) for name in blocks[0][0].times}
    flags = {
        name: np.concatenate([getattr(quick, name) for quick, *_ in blocks])
        for name in ("declared", "has_rationale", "has_provenance", "relevance", "injected", "used", "says")
    }
    return {
        "id": joined(pa.chunked_array([quick.ids for quick, *_ in blocks])),
        "line": numbers(lines),
        "offset": numbers(offsets),
        "length": numbers(lengths),
        **{name: numbers(values) for name, values in {**times, **flags}.items()},
    }


def link_columns(blocks: Blocks, first_row: int) -> dict[str, pa.Array]:
    """The link columns that a quick look fills; the rows of the blocks are numbered from `first_row`."""
    rows = []
    for quick, *_ in blocks:
        rows.append(quick.link_rows + first_row)
        first_row += len(quick.served)
    others = pa.chunked_array([quick.link_others for quick, *_ in blocks], type=pa.string())
    return {"row": numbers(np.concatenate(rows)), "other": joined(others)}


class Constants:
    """Columns of one value; slices of an array kept for each, since most batches are alike."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, int | None], pa.Array] = {}

    def filled(self, schema: pa.Schema, given: Mapping[str, pa.Array], values: Mapping[str, int]) -> pa.RecordBatch:
        """A batch of the columns given; the others hold their one value, or null, or no time, or zero."""
        count = len(next(iter(given.values())))
        columns = [
            given[column.name] if column.name in given else self._constant(column, values.get(column.name), count)
            for column in schema
        ]
        return pa.RecordBatch.from_arrays(columns, schema=schema)

    def _constant(self, column: pa.Field, value: int | None, count: int) -> pa.Array:
        key = (column.name, value)
        held = self._held.get(key)
        if held is None or len(held) < count:
            held = self._held[key] = _repeated(column, value, max(count, _USUAL))
        return held.slice(0, count)


def _repeated(column: pa.Field, value: int | None, count: int) -> pa.Array:
    if pa.types.is_string(column.type):
        return pa.nulls(count, pa.string())
    missing = NO_TIME if column.name in TIMES else 0
    return numbers(np.full(count, missing if value is None else value, column.type.to_pandas_dtype()))
