"""Parquet that this project wrote: every column and the links of each memory, a row each.

Other Parquet files are read by a mapping.
"""

import io
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from lineage.errors import InputError, NotMemories
from lineage.readers import _tables as tables
from lineage.readers._own_tables import SCHEMA, SIGNS, NotClean, read_row, rows_of, table
from lineage.readers.base import Carrier, Item, Memory, Passed, Reader, Rows, Tombstone

_BATCH = 1 << 14


def _write(memories: Iterable[Memory]) -> Iterator[bytes]:
    """A file of memories."""
    from pyarrow import parquet

    sink = io.BytesIO()
    with parquet.ParquetWriter(sink, SCHEMA, compression="zstd") as writer:
        rest = iter(memories)
        while batch := list(islice(rest, _BATCH)):
            writer.write_table(table(batch))
    yield sink.getvalue()


def _holds(path: Path) -> bool:
    try:
        return set(SIGNS) <= set(tables.names_of(path))
    except InputError:
        return False


def _read(path: Path) -> Iterator[Item | Rows]:
    """The rows of a file, whole columns at a time where nothing in them needs a closer look."""
    names = tables.names_of(path)
    if not set(SIGNS) <= set(names):
        shown = ", ".join(names[:8]) + (" …" if len(names) > 8 else "")
        raise NotMemories(
            f"{path}: a Parquet file with the columns {shown}; expected those that `lineage convert --to parquet` "
            "writes, or a mapping that says what is what: --map id=COLUMN --map text=COLUMN"
        )
    first = 1
    for batch in tables.parquet_batches(path):
        try:
            yield from rows_of(batch, first)
        except NotClean:
            for number, row in enumerate(batch.to_pylist(), first):
                for item in read_row({key: tables.plain(value) for key, value in row.items()}):
                    yield item if isinstance(item, Passed | Tombstone) else replace(item, line=number)
        first += len(batch)


READER = Reader(
    name="parquet",
    signs="Parquet with the columns that `convert --to parquet` writes",
    about="Parquet that `convert --to parquet` wrote; any other by a mapping",
    write_all=_write,
    everything=True,
    carrier=Carrier(
        name="parquet",
        claims=tables.is_parquet,
        read=_read,
        holds=_holds,
    ),
    suffixes=(".parquet",),
)
