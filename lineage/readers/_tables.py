"""Tables in files: CSV with any separator, and Parquet, batch by batch.

A batch is what Arrow reads at once. Where Arrow cannot read a CSV file as a
whole, its rows come one by one, each bad one as a `Problem`.
"""

import csv
import io
import math
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa

from lineage.errors import InputError
from lineage.readers.base import Problem

PARQUET = b"PAR1"
FIRST_ROW = 2
"""The number of the first row of a CSV file as a spreadsheet counts: the names stand in row 1."""

_BOM = b"\xef\xbb\xbf"
_SEPARATORS = (",", "\t", ";", "|")
_BATCH = 1 << 16
_SURROGATE = re.compile("[\ud800-\udfff]")

Row = dict[str, Any] | Problem


def is_parquet(head: bytes) -> bool:
    """Whether a file that begins like this is a Parquet file."""
    return head.startswith(PARQUET)


def header(head: bytes, wanted: Sequence[str]) -> tuple[str, list[str]] | None:
    """The separator and the names of the columns of a CSV file that begins like this and has the `wanted` columns."""
    head = head.removeprefix(_BOM)
    if not head or head[:1] in b"{[":
        return None
    text = head.decode("utf-8", "ignore")
    for separator in _SEPARATORS:
        try:
            names = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])
        except csv.Error:
            continue
        if set(wanted) <= set(names):
            return separator, names
    return None


def names_of(path: Path) -> list[str]:
    """The names of the columns of a Parquet file; `InputError` where it is none."""
    with _parquet(path) as file:
        return list(file.schema_arrow.names)


def parquet_batches(path: Path) -> Iterator[pa.RecordBatch]:
    """The rows of a Parquet file; `InputError` where it is damaged. The next batch is read while one is used."""
    with _parquet(path) as file, ThreadPoolExecutor(1) as pool:
        batches = file.iter_batches(batch_size=_BATCH)
        ahead = pool.submit(next, batches, None)
        while (batch := ahead.result()) is not None:
            ahead = pool.submit(next, batches, None)
            yield batch


@contextmanager
def _parquet(path: Path) -> Iterator[Any]:
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            yield file
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: not a readable Parquet file ({_first_line(error)})") from error


def csv_batches(path: Path, separator: str, names: Sequence[str]) -> list[pa.RecordBatch] | None:
    """The rows of a CSV file, every cell text and an empty one null; None where Arrow cannot read it."""
    from pyarrow import csv as arrow_csv

    if len(set(names)) < len(names):
        return None
    try:
        table = arrow_csv.read_csv(
            path,
            read_options=arrow_csv.ReadOptions(block_size=8 << 20),
            parse_options=arrow_csv.ParseOptions(delimiter=separator, newlines_in_values=True),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                null_values=[""],
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )
    except (pa.ArrowException, OSError):
        return None
    batches: list[pa.RecordBatch] = table.to_batches(_BATCH)
    return batches


def csv_rows(path: Path, separator: str) -> Iterator[tuple[int, Row]]:
    """The rows of a CSV file one by one, each with its number."""
    before = csv.field_size_limit(sys.maxsize)
    try:
        with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as stream:
            reader = csv.reader(stream, delimiter=separator)
            names = next(reader, [])
            number = FIRST_ROW
            while True:
                try:
                    cells = next(reader)
                except StopIteration:
                    return
                except csv.Error as error:
                    yield number, Problem("LIN901", f"not CSV: {error}", line=number)
                    return
                if cells:
                    yield number, _row(names, cells, number)
                number += 1
    finally:
        csv.field_size_limit(before)


def _row(names: Sequence[str], cells: Sequence[str], number: int) -> Row:
    if len(cells) != len(names):
        return Problem("LIN901", f"{len(cells)} cells, where {len(names)} columns are named", line=number)
    if any(map(_SURROGATE.search, cells)):
        return Problem("LIN901", "not UTF-8", line=number)
    row: dict[str, Any] = {}
    for name, cell in zip(names, cells, strict=True):
        row.setdefault(name, cell or None)
    return row


def plain(value: Any) -> Any:
    """A cell as JSON has it; a time without an offset is taken as UTC."""
    if isinstance(value, datetime):
        aware = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
        return aware.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return _scalar(value)


def _scalar(value: Any) -> Any:
    if isinstance(value, Decimal):
        value = float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    known = value is None or isinstance(value, str | bool | int | float)
    return value if known else value.isoformat() if isinstance(value, date) else str(value)


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]
