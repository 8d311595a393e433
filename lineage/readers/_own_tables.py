"""This project's own tables: every column and the links of each memory, in CSV and in Parquet.

In CSV a list or an object is JSON text, an unknown value an empty cell (an
empty text is a pair of quotes), and a text that a spreadsheet would take for a
formula has an apostrophe before it, which reading takes away again.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lineage.arrays import PAIRS, joined, numbers, strings
from lineage.model import COLUMNS, Declared, DeclaredBy, LinkKind, Role, Void
from lineage.readers._own_record import read, write
from lineage.readers.base import SETTLED, Item, Memory, Rows

HELD = tuple(column for column in COLUMNS if column.name not in {"source", "line"})
NAMES = (*(column.name for column in HELD), "links")
SIGNS = ("id", "format", "role", "declared", "extra", "links")
"""The columns that tell such a table from any other."""

_VERSION = "lineage-memory/v1"
_LISTS = frozenset({"strings", "tags", "rejected", "json"})
_FORMULA = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_QUOTED = re.compile('[",\r\n;\t]|^\\s|\\s$')
_MOST_RUNS = 64
_LINK = pa.struct(
    [(name, pa.string()) for name in ("kind", "target", "source", "via", "declared_by", "target_boundary")]
    + [("implied", pa.bool_()), ("void", pa.string())]
)
_TYPES = {
    "string": pa.string(),
    "int": pa.int64(),
    "float": pa.float64(),
    "time": pa.timestamp("us", "UTC"),
    "strings": pa.list_(pa.string()),
    "tags": pa.list_(pa.struct([("key", pa.string()), ("value", pa.string())])),
    "rejected": pa.list_(pa.struct([("option", pa.string()), ("reason", pa.string())])),
    "json": pa.string(),
}
SCHEMA = pa.schema([*((column.name, _TYPES[column.type]) for column in HELD), ("links", pa.list_(_LINK))])
_PAIR_KINDS = ("tags", "rejected")


def _record(memory: Memory) -> dict[str, Any]:
    """The own record of a memory, its format under the name of the column."""
    record = write(memory)
    record["format"] = record.pop("of", "lineage")
    return record


def csv_lines(memories: Iterable[Memory]) -> Iterator[bytes]:
    """A CSV file of memories: the names of the columns, then a row each."""
    yield (",".join(NAMES) + "\n").encode()
    for memory in memories:
        record = _record(memory)
        yield (",".join(_cell(record.get(name)) for name in NAMES) + "\n").encode()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        text = "'" + value if _FORMULA.match(value) else value
    else:
        text = msgspec.json.encode(value).decode()
    return '"' + text.replace('"', '""') + '"' if not text or _QUOTED.search(text) else text


def read_cells(row: Mapping[str, Any]) -> list[Item]:
    """The row of such a CSV file as a memory, its problems after it."""
    record: dict[str, Any] = {}
    for column in HELD:
        cell = row.get(column.name)
        if cell is not None:
            record[column.name] = _value(cell, column.type)
    if row.get("links") is not None:
        record["links"] = _value(row["links"], "json")
    return read_row(record)


def _value(cell: str, kind: str) -> Any:
    if kind in {"string", "time"}:
        return cell[1:] if cell[0:1] == "'" and _FORMULA.match(cell) else cell
    try:
        return msgspec.json.decode(cell)
    except (msgspec.DecodeError, RecursionError):
        return cell


def read_row(record: dict[str, Any]) -> list[Item]:
    """The row of such a table as a memory, its problems after it; its values are as JSON has them."""
    record["of"] = record.get("format")
    record["format"] = _VERSION
    if isinstance(record.get("extra"), str):
        record["extra"] = _value(record["extra"], "json")
    return list(read({key: value for key, value in record.items() if value is not None}))


def table(memories: list[Memory]) -> pa.Table:
    """Memories as a table of `SCHEMA`."""
    records = [_record(memory) for memory in memories]
    columns = []
    for column, kind in zip((*HELD, None), SCHEMA.types, strict=True):
        name = column.name if column else "links"
        if column is not None and column.type == "time":
            moments = pa.array([getattr(memory, name) for memory in memories], pa.int64())
            columns.append(moments.cast(kind))
            continue
        values = [record.get(name) for record in records]
        if name == "role":
            values = [str(memory.role) for memory in memories]
        if name == "extra":
            values = [None if value is None else msgspec.json.encode(value).decode() for value in values]
        elif pa.types.is_list(kind):
            values = [value or [] for value in values]
        columns.append(pa.array(values, kind))
    return pa.Table.from_arrays(columns, schema=SCHEMA)


class NotClean(Exception):
    """A batch whose rows must be read one by one."""


def rows_of(batch: pa.RecordBatch, first: int) -> list[Rows]:
    """A batch as columns, in runs of one format; raises `NotClean`."""
    if batch.schema.names != list(NAMES) or batch.schema.types != SCHEMA.types:
        raise NotClean
    _check(batch)
    forms = batch.column("format").dictionary_encode()
    codes = forms.indices.to_numpy(zero_copy_only=False)
    starts = [0, *(np.flatnonzero(np.diff(codes)) + 1).tolist(), len(batch)]
    if len(starts) > _MOST_RUNS:
        raise NotClean
    return [
        _run(batch.slice(begin, end - begin), batch.column("format")[begin].as_py(), first + begin)
        for begin, end in itertools.pairwise(starts)
        if end > begin
    ]


def _check(batch: pa.RecordBatch) -> None:
    """Raise `NotClean` for what a memory cannot have."""
    for name in ("id", "format", "role", *_PAIR_KINDS, "files", "links"):
        if batch.column(name).null_count:
            raise NotClean
    words: dict[str, list[str]] = {"role": [Role.MEMORY, Role.MARKER, Role.LOG], "declared": list(Declared)}
    for name, known in words.items():
        if not set(batch.column(name).unique().to_pylist()) <= {None, *known}:
            raise NotClean
    for name in ("relevance", "confidence"):
        if pc.all(pc.is_finite(batch.column(name))).as_py() is False:
            raise NotClean
    if pc.list_flatten(batch.column("files")).null_count or batch.column("format").null_count:
        raise NotClean
    tags = pc.list_flatten(batch.column("tags"))
    if any(tags.field(name).null_count for name in ("key", "value")) or tags.null_count:
        raise NotClean
    if pc.list_flatten(batch.column("rejected")).null_count:
        raise NotClean
    _check_extra(batch.column("extra").drop_null().to_pylist())
    _check_links(pc.list_flatten(batch.column("links")))


def _check_extra(texts: list[str]) -> None:
    try:
        found = msgspec.json.decode(f"[{','.join(texts)}]", type=list[dict[str, Any]])
    except (msgspec.DecodeError, RecursionError):
        raise NotClean from None
    if len(found) != len(texts):
        raise NotClean


def _check_links(links: pa.Array) -> None:
    known = {"kind": LinkKind, "declared_by": DeclaredBy, "void": Void}
    if links.null_count or links.field("kind").null_count or links.field("via").null_count:
        raise NotClean
    for name, enum in known.items():
        if not set(links.field(name).unique().to_pylist()) <= {None, *map(str, enum)}:
            raise NotClean
    if pc.any(pc.and_(links.field("target").is_null(), links.field("source").is_null())).as_py():
        raise NotClean


def _run(batch: pa.RecordBatch, form: str, first: int) -> Rows:
    columns = {name: batch.column(name) for name in batch.schema.names if name not in {"format", "links"}}
    for column in HELD:
        if column.type == "time":
            columns[column.name] = columns[column.name].cast(pa.int64())
    for name in _PAIR_KINDS:
        columns[name] = _pairs(columns[name])
    return Rows(
        form, pa.Table.from_arrays(list(columns.values()), names=list(columns)), _links(batch.column("links")), first
    )


def _pairs(column: pa.Array) -> pa.Array:
    """Lists of pairs, their halves named as the tables of a corpus name them."""
    values = pc.list_flatten(column)
    halves = [values.field(number) for number in range(2)]
    pairs = pa.StructArray.from_arrays(halves, fields=list(PAIRS.value_type))
    lengths = pc.list_value_length(column).to_numpy(zero_copy_only=False)
    offsets = numbers(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32))
    return pa.ListArray.from_arrays(offsets, pairs)


def _links(column: pa.Array) -> pa.Table:
    links = pc.list_flatten(column)
    source, target = links.field("source"), links.field("target")
    backwards = pc.and_(source.is_valid(), target.is_null())
    usual = pc.if_else(backwards, str(DeclaredBy.PREDECESSOR), str(DeclaredBy.SUCCESSOR))
    by = pc.coalesce(links.field("declared_by"), usual)
    void = links.field("void")
    settled = pc.is_in(void, value_set=strings([str(one) for one in SETTLED]))
    columns = {
        "row": pc.list_parent_indices(column).cast(pa.int64()),
        "kind": links.field("kind"),
        "other": pc.if_else(pc.equal(by, str(DeclaredBy.PREDECESSOR)), source, target),
        "via": links.field("via"),
        "by": by,
        "boundary": links.field("target_boundary"),
        "implied": pc.fill_null(links.field("implied"), False),
        "void": pc.if_else(settled, void, pa.scalar(None, pa.string())),
    }
    if columns["other"].null_count:
        raise NotClean
    arrays = [joined(pa.chunked_array([values])) for values in columns.values()]
    return pa.Table.from_arrays(arrays, names=list(columns))
