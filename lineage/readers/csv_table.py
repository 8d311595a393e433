"""CSV that this project wrote: every column and the links of each memory, a row each.

Other CSV files are read by a mapping.
"""

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from lineage.readers import _tables as tables
from lineage.readers._own_tables import SIGNS, csv_lines, read_cells
from lineage.readers.base import Carrier, Item, Passed, Problem, Reader, Tombstone

_HEAD = 1 << 16


def _read(path: Path) -> Iterator[Item]:
    """The rows of a file."""
    with path.open("rb") as stream:
        found = tables.header(stream.read(_HEAD), SIGNS)
    if found is None:
        return
    separator, names = found
    batches = tables.csv_batches(path, separator, names)
    if batches is None:
        rows = tables.csv_rows(path, separator)
    else:
        rows = enumerate((row for batch in batches for row in batch.to_pylist()), tables.FIRST_ROW)
    for number, row in rows:
        if isinstance(row, Problem):
            yield row
            continue
        for item in read_cells(row):
            yield item if isinstance(item, Passed | Tombstone) else replace(item, line=number)


READER = Reader(
    name="csv",
    signs="the header that `convert --to csv` writes",
    about="CSV that `convert --to csv` wrote; any other by a mapping",
    write_all=csv_lines,
    everything=True,
    carrier=Carrier(
        name="csv",
        claims=lambda head: tables.header(head, SIGNS) is not None,
        read=_read,
        holds=lambda path: not tables.is_parquet(path.open("rb").read(4)),
    ),
    suffixes=(".csv",),
)
