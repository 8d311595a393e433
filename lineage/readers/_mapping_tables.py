"""Tables by a mapping: columns as a whole where a batch is clean, else its rows one by one.

Both ways come to the same rows.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from lineage.readers import _tables as tables
from lineage.readers._mapping_columns import Columns, NotClean
from lineage.readers._mapping_documents import beside
from lineage.readers._mapping_plan import Plan, cell_getter
from lineage.readers._mapping_records import Mapped
from lineage.readers.base import Item, Problem, Rows


def read_parquet(path: Path, plan: Plan) -> Iterator[Item | Rows]:
    """The rows of a Parquet file."""
    mapped = _mapped(plan, tables.names_of(path))
    if plan.unaccepted:
        yield from _beside(mapped, _rows(tables.parquet_batches(path), 1))
        return
    first = 1
    for batch in tables.parquet_batches(path):
        yield from _read_batch(batch, mapped, first)
        first += len(batch)


def read_csv(path: Path, plan: Plan, separator: str, names: list[str]) -> Iterator[Item | Rows]:
    """The rows of a CSV file."""
    mapped = _mapped(plan, names)
    batches = tables.csv_batches(path, separator, names)
    if plan.unaccepted:
        rows = tables.csv_rows(path, separator) if batches is None else _rows(batches, tables.FIRST_ROW)
        yield from _beside(mapped, rows)
        return
    if batches is None:
        for number, row in tables.csv_rows(path, separator):
            yield from (row,) if isinstance(row, Problem) else mapped.items(row, number)
        return
    first = tables.FIRST_ROW
    for batch in batches:
        yield from _read_batch(batch, mapped, first)
        first += len(batch)


def _mapped(plan: Plan, names: list[str]) -> Mapped:
    columns = frozenset(names)
    return Mapped(plan, {key: cell_getter(path, columns) for key, path in plan.paths.items()})


def _rows(batches: Iterable[pa.RecordBatch], first: int) -> Iterator[tuple[int, tables.Row]]:
    """The rows of batches one by one, each with its number."""
    rows = (row for batch in batches for row in batch.to_pylist())
    for number, row in enumerate(rows, first):
        yield number, {key: tables.plain(value) for key, value in row.items() if value is not None}


def _beside(mapped: Mapped, rows: Iterable[tuple[int, tables.Row]]) -> Iterator[Item]:
    """Rows of which one may void what another says."""
    held = list(rows)
    yield from (row for _, row in held if isinstance(row, Problem))
    usable = ((number, number, row) for number, row in held if not isinstance(row, Problem))
    yield from (item for _, item in beside(mapped, usable))


def _read_batch(batch: pa.RecordBatch, mapped: Mapped, first: int) -> Iterator[Item | Rows]:
    try:
        yield Columns(batch, mapped.plan).rows(first)
    except (NotClean, pa.ArrowException):
        for number, row in _rows([batch], first):
            yield from () if isinstance(row, Problem) else mapped.items(row, number)
