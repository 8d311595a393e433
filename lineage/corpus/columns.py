"""Items to columns: the batches that memories, links, problems and tombstones make."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lineage.arrays import floats, integers, numbers, pair_lists, sentinels, string_lists, strings
from lineage.corpus.tables import (
    INDEX_SCHEMA,
    LINK_SCHEMA,
    PROBLEM_SCHEMA,
    TEXT_SCHEMA,
    TEXTS,
    TIMES,
    TOMBSTONE_SCHEMA,
)
from lineage.model import Declared, DeclaredBy, LinkKind, Role, Void, code
from lineage.readers.base import ORIGINS, Link, Memory, Says

Columns = Mapping[str, Sequence[Any]]

_ROLE = {role: code(role) for role in Role}
_KIND = {kind: code(kind) for kind in LinkKind}
_VOID = {None: -1} | {void: code(void) for void in Void}
_DECLARED = {None: -1} | {declared: code(declared) for declared in Declared}
_BY = {by: code(by) for by in DeclaredBy}

_encode = msgspec.json.Encoder().encode
_TO_ARRAY: dict[str, Callable[[Sequence[Any]], pa.Array]] = {
    "string": strings,
    "int": integers,
    "float": floats,
    "strings": string_lists,
    "tags": pair_lists,
    "rejected": pair_lists,
    "json": lambda values: strings([None if value is None else str(_encode(value), "utf-8") for value in values]),
}
_TYPES = {column.name: column.type for column in TEXTS}


class Codes(dict[Any, int]):
    """Numbers values in the order of their first appearance."""

    def __missing__(self, value: Any) -> int:
        self[value] = len(self)
        return self[value]


def columns_of(rows: Sequence[Memory]) -> Columns:
    """The fields of rows, one sequence each."""
    return dict(zip(Memory.__struct_fields__, zip(*map(msgspec.structs.astuple, rows), strict=True), strict=True))


def index_batch(
    held: Columns, *, formats: Codes, kinds: Codes, sources: Sequence[int], lines: Sequence[int], text_row: int
) -> pa.RecordBatch:
    """The index columns of rows; the first of them has its texts in row `text_row`."""
    count = len(sources)
    columns = {
        "id": strings(held["id"]),
        "format": _coded(np.int8, held["format"], formats),
        "source": _codes(np.int32, sources),
        "line": _codes(np.int64, lines),
        "role": _coded(np.int8, held["role"], _ROLE),
        "kind": _coded(np.int32, held["kind"], kinds),
        "boundary": strings(held["boundary"]),
        "declared": _coded(np.int8, held["declared"], _DECLARED),
        "has_rationale": numbers(_any_said(held["rationale"])),
        "has_provenance": numbers(_any_said(*(held[name] for name in ORIGINS))),
        "relevance": numbers(np.array([np.nan if value is None else value for value in held["relevance"]], np.float64)),
        "injected": _counted(held["injected"]),
        "used": _counted(held["used"]),
        "says": numbers(_says(held)),
        "handle": strings(held["handle"]),
        "series": strings([series and "\0".join(series) for series in held["series"]]),
        "streamed": _codes(np.int8, held["streamed"]),
        "text_row": numbers(np.arange(text_row, text_row + count)),
        "offset": numbers(np.zeros(count, np.int64)),
        "length": numbers(np.zeros(count, np.int64)),
        **{name: sentinels(held[name]) for name in TIMES},
    }
    return pa.RecordBatch.from_arrays([columns[name] for name in INDEX_SCHEMA.names], schema=INDEX_SCHEMA)


def text_columns(held: Columns, columns: Sequence[str]) -> pa.RecordBatch:
    """Some text columns of rows, as a batch."""
    arrays = [_TO_ARRAY[_TYPES[name]](held[name]) for name in columns]
    return pa.RecordBatch.from_arrays(arrays, schema=pa.schema([TEXT_SCHEMA.field(name) for name in columns]))


def link_batch(rows: Sequence[int], links: Sequence[Link], vias: Codes) -> pa.RecordBatch:
    """Links, each with the row that states it, as a batch of `LINK_SCHEMA`."""
    columns = [
        _codes(np.int64, rows),
        _coded(np.int8, [link.kind for link in links], _KIND),
        strings([link.other for link in links]),
        _coded(np.int32, [link.via for link in links], vias),
        _coded(np.int8, [link.by for link in links], _BY),
        strings([link.boundary for link in links]),
        _codes(np.int8, [link.implied for link in links]),
        _codes(np.int8, [link.loose for link in links]),
        _coded(np.int8, [link.void for link in links], _VOID),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=LINK_SCHEMA)


def problem_batch(
    rules: Sequence[str],
    causes: Sequence[str],
    ids: Sequence[str | None],
    formats: Sequence[str | None],
    sources: Sequence[int],
    lines: Sequence[int | None],
    other_sources: Sequence[int | None] | None = None,
    other_lines: Sequence[int | None] | None = None,
) -> pa.RecordBatch:
    """Problems as a batch of `PROBLEM_SCHEMA`."""
    nothing = [None] * len(rules)
    columns = [
        strings(rules),
        strings(causes),
        strings(ids),
        strings(formats),
        numbers(np.array(sources, np.int32)),
        integers(lines),
        integers(other_sources or nothing).cast(pa.int32()),
        integers(other_lines or nothing),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=PROBLEM_SCHEMA)


def tombstone_batch(
    ids: Sequence[str], formats: Sequence[int], times: Sequence[int | None], after: Sequence[int]
) -> pa.RecordBatch:
    """Tombstones as a batch of `TOMBSTONE_SCHEMA`."""
    columns = [strings(ids), _codes(np.int8, formats), sentinels(times), _codes(np.int64, after)]
    return pa.RecordBatch.from_arrays(columns, schema=TOMBSTONE_SCHEMA)


def _counted(values: Sequence[int | None]) -> pa.Array:
    return _codes(np.int64, [-1 if value is None else value for value in values])


def _says(held: Columns) -> NDArray[np.int8]:
    """What each record says besides its text, as a sum of `Says`."""
    says = np.zeros(len(held["id"]), np.int8)
    for name, flag in (("rejected", Says.ALTERNATIVES), ("files", Says.FILES)):
        if any(held[name]):
            says |= np.where([len(value) > 0 for value in held[name]], np.int8(flag), np.int8(0))
    for name, flag in (("commit", Says.COMMIT), ("agent", Says.AGENT)):
        says |= np.where(_any_said(held[name]), np.int8(flag), np.int8(0))
    return says


def _codes(dtype: type[np.generic], values: Sequence[Any]) -> pa.Array:
    held: NDArray[Any] = np.array(values, dtype)
    return numbers(held)


def _coded(dtype: type[np.generic], values: Sequence[Any], codes: Mapping[Any, int]) -> pa.Array:
    """Words as numbers; they are usually all the same, and hashing an enum member is slow."""
    if values.count(values[0]) == len(values):
        return numbers(np.full(len(values), codes[values[0]], dtype))
    return _codes(dtype, [codes[value] for value in values])


def _any_said(*columns: Sequence[str | None]) -> NDArray[np.bool_]:
    """Mask of the rows in which one of the columns holds more than blanks."""
    said = np.zeros(len(columns[0]), np.bool_)
    for values in columns:
        if values.count(None) < len(values):
            said |= np.array([value is not None and value.strip() != "" for value in values], np.bool_)
    return said
