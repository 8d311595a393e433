"""Links by hand: a small table that adds links to what was read, or takes some away.

Its columns are `source`, `kind`, `target` and `note`; `kind` is a kind of link,
or `none` for taking away every link from source to target. `score` and
`reasons`, which suggestions have, are let stand.
"""

import csv
import difflib
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lineage.corpus.records import NotJson, begins_like_json, value_of
from lineage.errors import UsageError
from lineage.model import LinkKind
from lineage.sources import reason

if TYPE_CHECKING:
    import pandas as pd

NONE = "none"
_COLUMNS = ("source", "kind", "target", "note", "score", "reasons")
_NEEDED = ("source", "kind", "target")
_KINDS = (*map(str, LinkKind), NONE)


@dataclass(frozen=True)
class Overlay:
    """One line of an overlay: `kind` is None where links are taken away; `place` is where it stands."""

    source: str
    kind: LinkKind | None
    target: str
    note: str | None
    file: str
    line: int

    @property
    def place(self) -> str:
        """The file and line, as the beginning of a message."""
        return f"{self.file}:{self.line}"


def overlays(given: "Sequence[str | os.PathLike[str] | pd.DataFrame]") -> list[Overlay]:
    """The lines of some overlay files (CSV, or JSON lines) or DataFrames with those columns.

    Raises `UsageError` for a file that cannot be read, an unknown column or
    kind (naming the nearest), and a line without a source or target.
    """
    found: list[Overlay] = []
    for number, one in enumerate(given, 1):
        if isinstance(one, str | os.PathLike):
            name = os.fspath(one)
            found += (_checked(row, name, line) for line, row in _rows(name))
        else:
            name = f"<DataFrame {number}>"
            rows = one.astype(object).where(one.notna(), None).to_dict("records")
            found += (_checked(_named(row, name), name, line) for line, row in enumerate(rows, 1))
    return found


def _rows(name: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    try:
        data = Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"{name}: {reason(error)}") from None
    if begins_like_json(data):
        yield from _json_rows(name, data)
        return
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{name}: not UTF-8 (byte {error.start + 1})") from None
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        header = next(reader, None)
        if header is None:
            return
        columns = [column.strip() for column in header]
        _named(dict.fromkeys(columns), name)
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, dict(zip(columns, cells, strict=False))
    except csv.Error as error:
        raise UsageError(f"{name}:{reader.line_num}: not CSV: {error}") from None


def _json_rows(name: str, data: bytes) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for line, text in enumerate(data.split(b"\n"), 1):
        if not text.strip():
            continue
        try:
            row, _ = value_of(text)
        except NotJson as error:
            raise UsageError(f"{name}:{line}: {error}") from None
        if not isinstance(row, dict):
            raise UsageError(f"{name}:{line}: expected an object with {', '.join(_NEEDED)}")
        yield line, _named(row, f"{name}:{line}")


def _named(row: Mapping[Any, Any], place: str) -> Mapping[str, Any]:
    """The row, if its columns are those of an overlay."""
    for column in map(str, row):
        if column not in _COLUMNS:
            nearest = difflib.get_close_matches(column, _COLUMNS, n=1, cutoff=0.0)[0]
            raise UsageError(f"{place}: unknown column {column!r}; the nearest known one is {nearest!r}")
    missing = [column for column in _NEEDED if column not in row]
    if missing:
        raise UsageError(f"{place}: no column {missing[0]!r}; an overlay has {', '.join(_COLUMNS[:4])}")
    return row


def _checked(row: Mapping[str, Any], file: str, line: int) -> Overlay:
    words = {column: str(row[column]).strip() if row.get(column) is not None else "" for column in _COLUMNS[:4]}
    for column in ("source", "target"):
        if not words[column]:
            raise UsageError(f"{file}:{line}: no {column}")
    kind = words["kind"].lower()
    if kind not in _KINDS:
        nearest = difflib.get_close_matches(kind, _KINDS, n=1, cutoff=0.0)[0]
        raise UsageError(f"{file}:{line}: unknown kind {words['kind']!r}; the nearest known one is {nearest!r}")
    return Overlay(
        words["source"], None if kind == NONE else LinkKind(kind), words["target"], words["note"] or None, file, line
    )
