"""The rows of a Mindr store (SQLite), as the records Mindr prints of them."""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from lineage.errors import NotMemories
from lineage.readers._mindr_tags import FIRST_MILLISECOND, LAST_MILLISECOND, identity, wired
from lineage.readers._sqlite import BrokenText, has_table, opened, table_rows
from lineage.readers.base import Problem
from lineage.readers.fields import iso_milliseconds

_TABLE = "memories"
_TIMES = ("created_at", "deleted_at")
_NAMES = {
    "id": "id",
    "session_id": "sessionId",
    "role": "role",
    "content": "content",
    "tags": "tags",
    "metadata": "metadata",
    "created_at": "createdAt",
    "deleted_at": "deletedAt",
}
_JSON = ("tags", "metadata")

_Row = dict[str, Any]


def rows(path: Path) -> Iterator[tuple[_Row | None, list[Problem]]]:
    """Each row as a record, and what is wrong with its cells; no record where that is everything."""
    with opened(path) as connection:
        if not has_table(connection, _TABLE):
            raise NotMemories(f"{path}: a SQLite store without a table named {_TABLE}")
        for row in table_rows(connection, _TABLE):
            name = identity(row.get("id"))
            broken = next((column for column, cell in row.items() if isinstance(cell, BrokenText)), None)
            if broken is not None:
                yield None, [Problem("LIN901", f"{broken}: the text is not UTF-8", name)]
                continue
            problems = _without_blobs(row, name)
            yield _record(row), problems


def _without_blobs(row: _Row, name: str | None) -> list[Problem]:
    """Put text in place of the row's BLOBs, or an object where they hold none."""
    problems = []
    for column, cell in row.items():
        if isinstance(cell, bytes):
            try:
                row[column] = cell.decode()
            except UnicodeDecodeError:
                row[column] = {"$bytes": base64.b64encode(cell).decode()}
            problems.append(Problem("LIN905", f"{column}: expected text, found a BLOB", name))
    return problems


def _record(row: _Row) -> _Row:
    for column in _JSON:
        row[column] = _parsed(row.get(column))
    if isinstance(row["tags"], list):
        row["tags"] = [_tag(item) for item in row["tags"]]
    if row.get("deleted_at") is None:
        row.pop("deleted_at", None)
    for column in _TIMES:
        cell = row.get(column)
        if isinstance(cell, int) and FIRST_MILLISECOND <= cell <= LAST_MILLISECOND:
            row[column] = iso_milliseconds(cell * 1000)
    record = {name: row.pop(column) for column, name in _NAMES.items() if column in row}
    return record | row


def _parsed(cell: object) -> object:
    """What a cell says in JSON; the text itself where it is none."""
    if not isinstance(cell, str):
        return cell
    try:
        return msgspec.json.decode(cell)
    except (msgspec.DecodeError, RecursionError):
        return cell


def _tag(item: object) -> object:
    pair = wired(item) if isinstance(item, str) else None
    return {"key": pair[0], "value": pair[1]} if pair else item
