"""Rows that come as columns, as batches of the corpus tables."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.arrays import NO_TIME, as_numpy, flags, joined, numbers
from lineage.corpus.columns import Codes
from lineage.corpus.quick import Constants
from lineage.corpus.tables import INDEX_SCHEMA, LINK_SCHEMA, TEXT_SCHEMA, TIMES
from lineage.model import Declared, DeclaredBy, LinkKind, Role, Void, code
from lineage.readers.base import ORIGINS, Rows, Says

_ROLES = {str(role): code(role) for role in Role}
_DECLARED = {str(declared): code(declared) for declared in Declared}


def index_batch(rows: Rows, constants: Constants, values: Mapping[str, int], kinds: Codes) -> pa.RecordBatch:
    """The index columns; `values` gives those that are one for all rows, `text_row` that of the first."""
    held, count = rows.memories, len(rows.memories)
    given: dict[str, pa.Array] = {
        "id": _plain(held, "id"),
        "line": numbers(rows.first + np.arange(count, dtype=np.int64)),
        "text_row": numbers(values["text_row"] + np.arange(count, dtype=np.int64)),
        "kind": numbers(_coded(held, "kind", kinds, kinds[None]).astype(np.int32)),
        "role": numbers(_coded(held, "role", _ROLES, code(Role.MEMORY)).astype(np.int8)),
        "declared": numbers(_coded(held, "declared", _DECLARED, -1).astype(np.int8)),
        "has_rationale": numbers(_said(held, ["rationale"])),
        "has_provenance": numbers(_said(held, ORIGINS)),
        "relevance": _number(held, "relevance", pa.float64(), float("nan")),
        "injected": _number(held, "injected", pa.int64(), -1),
        "used": _number(held, "used", pa.int64(), -1),
        "says": numbers(_says(held)),
    }
    given |= {name: _plain(held, name) for name in ("boundary",) if name in held.column_names}
    given |= {name: joined(held[name]).fill_null(NO_TIME) for name in TIMES if name in held.column_names}
    constant = {name: value for name, value in values.items() if name != "text_row"}
    return constants.filled(INDEX_SCHEMA, given, constant)


def text_batch(rows: Rows) -> pa.RecordBatch:
    """The text columns; what is not given is null, or an empty list."""
    held, count = rows.memories, len(rows.memories)
    arrays = [
        joined(held[column.name]).cast(column.type) if column.name in held.column_names else _missing(column, count)
        for column in TEXT_SCHEMA
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=TEXT_SCHEMA)


def link_batch(rows: Rows, first_row: int, vias: Codes) -> pa.RecordBatch:
    """The links; the first of the rows is row `first_row` of the corpus."""
    links, count = rows.links, len(rows.links)
    columns = {
        "row": numbers(as_numpy(links["row"]).astype(np.int64) + first_row),
        "kind": numbers(_coded(links, "kind", _codes(LinkKind), 0).astype(np.int8)),
        "other": _plain(links, "other"),
        "via": numbers(_coded(links, "via", vias, 0).astype(np.int32)),
        "by": numbers(_coded(links, "by", _codes(DeclaredBy), code(DeclaredBy.SUCCESSOR)).astype(np.int8)),
        "boundary": _plain(links, "boundary") if "boundary" in links.column_names else pa.nulls(count, pa.string()),
        "implied": numbers(flags(links["implied"]) if "implied" in links.column_names else np.zeros(count, np.int8)),
        "loose": numbers(np.zeros(count, np.int8)),
        "void": numbers(_coded(links, "void", _codes(Void), -1).astype(np.int8)),
    }
    return pa.RecordBatch.from_arrays([columns[name] for name in LINK_SCHEMA.names], schema=LINK_SCHEMA)


def _codes(enum: Any) -> dict[str, int]:
    return {str(item): code(item) for item in enum}


def _plain(table: pa.Table, name: str) -> pa.Array:
    return joined(table[name].cast(pa.string()))


def _coded(table: pa.Table, name: str, codes: Mapping[Any, int], missing: int) -> NDArray[np.int64]:
    """Words as their codes; null, or a column that is not there, as `missing`."""
    if name not in table.column_names:
        return np.full(len(table), missing, np.int64)
    encoded = joined(table[name]).dictionary_encode()
    of_word = np.array([codes[word] for word in encoded.dictionary.to_pylist()] + [missing], np.int64)
    found: NDArray[np.int64] = of_word[as_numpy(encoded.indices.fill_null(-1))]
    return found


def _said(table: pa.Table, names: Any) -> NDArray[np.bool_]:
    """Mask of the rows in which one of the columns holds more than blanks."""
    said = np.zeros(len(table), np.bool_)
    for name in set(names).intersection(table.column_names):
        said |= flags(pc.not_equal(pc.utf8_trim_whitespace(_plain(table, name)), ""))
    return said


def _number(table: pa.Table, name: str, kind: pa.DataType, missing: float) -> pa.Array:
    if name not in table.column_names:
        return numbers(np.full(len(table), missing, kind.to_pandas_dtype()))
    return joined(table[name].cast(kind)).fill_null(missing)


def _says(table: pa.Table) -> NDArray[np.int8]:
    """What each row says besides its text, as a sum of `Says`."""
    says = np.zeros(len(table), np.int8)
    for name, flag in (("rejected", Says.ALTERNATIVES), ("files", Says.FILES)):
        if name in table.column_names:
            says[flags(pc.greater(pc.list_value_length(table[name]), 0))] |= flag
    for name, flag in (("commit", Says.COMMIT), ("agent", Says.AGENT)):
        says[_said(table, [name])] |= flag
    return says


def _missing(column: pa.Field, count: int) -> pa.Array:
    if not pa.types.is_list(column.type):
        return pa.nulls(count, column.type)
    empty = pa.nulls(0, column.type.value_type)
    return pa.ListArray.from_arrays(numbers(np.zeros(count + 1, np.int32)), empty)
