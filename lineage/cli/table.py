"""Memories as a table for people, or as JSON lines, CSV or ids for programs."""

import csv
import io
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import click

import lineage
from lineage.cli.streams import emit, emit_lines, wants_colour, width
from lineage.text import csv_cell, one_line, printable, shortened

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Row = Mapping[str, Any]

FORMATS = ("table", "jsonl", "csv", "ids")
COLOURS = {
    "live": "green",
    "superseded": "yellow",
    "reversed": "magenta",
    "resolved": "blue",
    "retracted": "red",
    "deleted": "red",
    "cyclic": "bright_red",
}

_SAMPLE = 1000
_CHUNK = 65_536
_LONGEST_ID = 40
_SHORT_ID = 16
_WIDE = 100
_LEAST_TEXT = 20
_STEERING = re.compile(
    "[\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)


@dataclass(frozen=True)
class Column:
    """One column of the table; the text, which has no column, gets what room is left.

    `show` words a value for a terminal of so many cells.
    """

    title: str
    key: str
    show: Callable[[Any, int], str] = lambda value, _: "" if value is None else one_line(str(value))


def short_id(value: str, across: int) -> str:
    """An id on one line; one that is long for a terminal of so many cells is cut in the middle.

    URIs differ at their ends.
    """
    line = one_line(value)
    if len(line) <= _SHORT_ID:
        return line
    half = (_LONGEST_ID if across >= _WIDE else across // 3) // 2
    return line if len(line) <= 2 * half else f"{line[: half - 1]}…{line[-half:]}"


def day(value: str | None) -> str:
    """The date of an ISO time."""
    return (value or "")[:10]


STATUS = Column("STATUS", "status")
CREATED = Column("CREATED", "created_at", lambda value, _: day(value))
KIND = Column("KIND", "kind", lambda value, _: shortened(value or "", 16))
ID = Column("ID", "id", short_id)
DEPTH = Column("DEPTH", "depth", lambda value, _: str(value))


def show(rows: Iterable[Row], format: str, columns: Sequence[Column], keys: Sequence[str]) -> None:
    """Write rows to standard output as they come; `keys` are the columns of CSV."""
    match format:
        case "jsonl":
            emit(_json_lines(rows))
        case "csv":
            emit(_csv(rows, keys))
        case _:
            emit_lines(_table(iter(rows), columns))


def show_ids(graph: "lineage.Graph", nodes: "NDArray[np.int64]") -> None:
    """Write the ids of nodes to standard output, each on a line of its own."""
    chunks = (graph.core.ids(nodes[begin : begin + _CHUNK]) for begin in range(0, len(nodes), _CHUNK))
    emit(f"{_plain_id(id)}\n".encode() for ids in chunks for id in ids)


def _plain_id(value: str) -> str:
    return printable(value).replace("\n", "\\u{a}").replace("\t", "\\u{9}")


def _json_lines(rows: Iterable[Row]) -> Iterator[bytes]:
    """JSON lines in which nothing can steer a terminal: such characters are written as JSON's own escapes."""
    encode = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": ")).encode
    for row in rows:
        line = encode(row)
        if not line.isascii() or "\x7f" in line:
            line = _STEERING.sub(lambda found: json.dumps(found[0])[1:-1], line)
        yield f"{line}\n".encode()


def _csv(rows: Iterable[Row], keys: Sequence[str]) -> Iterator[bytes]:
    safe = printable if sys.stdout.isatty() else str
    buffer = io.StringIO()
    plain = csv.writer(buffer, lineterminator="\n")
    # A lone carriage return ends a row for most readers, and the writer does not quote it.
    quoted = csv.writer(buffer, lineterminator="\n", quoting=csv.QUOTE_ALL)
    plain.writerow(keys)
    for number, row in enumerate(rows):
        cells = [csv_cell(safe(_cell(row[key]))) for key in keys]
        (quoted if any("\r" in cell for cell in cells) else plain).writerow(cells)
        if number % _SAMPLE == 0:
            yield _drain(buffer)
    yield _drain(buffer)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return ";".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _drain(buffer: io.StringIO) -> bytes:
    content = buffer.getvalue().encode("utf-8", "backslashreplace")
    buffer.seek(0)
    buffer.truncate()
    return content


def _table(rows: Iterator[Row], columns: Sequence[Column]) -> Iterator[str]:
    """Lines of a table; the first rows decide how wide each column is, so that a million can stream."""
    head = list(islice(rows, _SAMPLE))
    across = width()
    widths = [
        max(map(len, (column.title, *(column.show(row[column.key], across) for row in head)))) for column in columns
    ]
    room = max(_LEAST_TEXT, across - sum(widths) - 2 * len(widths))
    colour = wants_colour()
    heading = "  ".join(column.title.ljust(cells) for column, cells in zip(columns, widths, strict=True))
    yield click.style(f"{heading}  TEXT", bold=True) if colour else f"{heading}  TEXT"
    for row in chain(head, rows):
        cells = [
            column.show(row[column.key], across).ljust(cells) for column, cells in zip(columns, widths, strict=True)
        ]
        if colour and row.get("status"):
            cells[0] = click.style(cells[0], fg=COLOURS[row["status"]])
        yield "  ".join([*cells, shortened(row["text"] or "", room)]).rstrip()
