"""The columns of a batch by a mapping, as a whole.

A batch is clean where every id is known, every time can be read, and nothing
but text, numbers, times and lists of text fills a column.
"""

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lineage.arrays import joined, numbers, strings
from lineage.readers._mapping_plan import LINKS, TYPES, Plan, constant_of
from lineage.readers.base import Rows

_BLANKS = strings(["", "-", "n/a", "none", "null"])
_LONGEST_BLANK = 4
_FEW = 4  # a column whose values repeat so often is worked on value by value
_CONTROL = "[\\x00-\\x1f]"


class NotClean(Exception):
    """A batch whose rows must be read one by one."""


class Columns:
    """The columns of a clean batch; `NotClean` where it is not."""

    def __init__(self, batch: pa.RecordBatch, plan: Plan) -> None:
        if plan.unaccepted:
            raise NotClean
        self._batch = batch
        self._plan = plan
        # What is kept of each column beside what fills another: all of it, unless it is said here.
        self._kept: dict[str, pa.Array | None] = dict.fromkeys(batch.schema.names)

    def rows(self, first: int) -> Rows:
        """The batch as rows."""
        ids = self._id()
        columns = {"id": ids}
        links: list[tuple[str, pa.Array, pa.Array]] = []
        for key, path in self._plan.paths.items():
            if key == "id":
                continue
            if key in LINKS:
                links.append((key, *self._others(path)))
            elif key in TYPES and key not in {"role", "tags", "rejected"}:
                columns[key] = self._column(key, path)
            else:
                raise NotClean
        columns["extra"] = self._extra()
        table = pa.Table.from_arrays(list(columns.values()), names=list(columns))
        return Rows(self._plan.name, table, _link_table(self._plan, links), first)

    def _held(self, path: str) -> pa.Array | None:
        """The column of this name, its dictionary undone; None where there is none."""
        if path not in self._batch.schema.names:
            return None
        column = self._batch.column(self._batch.schema.get_field_index(path))
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        return column.cast(pa.string()) if _is_text(column.type) and column.type != pa.string() else column

    def _id(self) -> pa.Array:
        path = self._plan.paths["id"]
        column = self._held(path)
        if column is None or column.null_count:
            raise NotClean
        if pa.types.is_integer(column.type):
            return column.cast(pa.string())
        if not _is_text(column.type) or not _all(pc.greater(pc.binary_length(column), 0)):
            raise NotClean
        self._kept.pop(path, None)
        return column

    def _column(self, key: str, path: str) -> pa.Array:
        column = self._held(path)
        if column is None:
            column = _repeated(constant_of(path), len(self._batch))
        if key == "declared":
            return self._declared(column)
        made: Callable[[str, pa.Array], pa.Array] = {
            "string": self._strings,
            "time": self._times,
            "int": self._numbers,
            "float": self._numbers,
            "strings": self._lists,
        }[TYPES[key]]
        return made(key, column)

    def _strings(self, key: str, column: pa.Array) -> pa.Array:
        if not _is_text(column.type):
            raise NotClean
        self._kept.pop(self._plan.paths[key], None)
        return column

    def _times(self, key: str, column: pa.Array) -> pa.Array:
        if self._plan.unit is not None:
            raise NotClean
        path = self._plan.paths[key]
        if pa.types.is_timestamp(column.type) or pa.types.is_date(column.type):
            moment = column.cast(pa.timestamp("us", getattr(column.type, "tz", None)), safe=False).cast(pa.int64())
            if pa.types.is_date(column.type):
                self._kept[path] = column.cast(pa.string())
            else:
                self._kept.pop(path, None)
            return _in_range(moment)
        if not _is_text(column.type) or not _all(pc.ends_with(column, "Z")):
            raise NotClean
        if not _all(pc.greater_equal(pc.binary_length(column), _SHORTEST)):
            raise NotClean
        self._kept.pop(path, None)
        return _in_range(pc.cast(column, pa.timestamp("us", "UTC")).cast(pa.int64()))

    def _numbers(self, key: str, column: pa.Array) -> pa.Array:
        kind = column.type
        whole = TYPES[key] == "int"
        if not (pa.types.is_integer(kind) or (pa.types.is_floating(kind) and not whole)):
            raise NotClean
        if pa.types.is_floating(kind) and not _all(pc.is_finite(column)):
            raise NotClean
        self._kept.pop(self._plan.paths[key], None)
        return column.cast(pa.int64() if whole else pa.float64())

    def _lists(self, key: str, column: pa.Array) -> pa.Array:
        if _is_text(column.type):
            parted = pc.fill_null(pc.match_substring(column, ";"), False)
            if pc.any(parted).as_py() or not _all(pc.not_equal(column, "")):
                raise NotClean
            known = column.is_valid().to_numpy(zero_copy_only=False)
            offsets = numbers(np.concatenate([[0], np.cumsum(known)]).astype(np.int32))
            return pa.ListArray.from_arrays(offsets, column.drop_null())
        values = _listed(column)
        if values.null_count:
            raise NotClean
        self._kept.pop(self._plan.paths[key], None)
        return pc.fill_null(column.cast(pa.list_(pa.string())), [])

    def _declared(self, column: pa.Array) -> pa.Array:
        if not _is_text(column.type):
            raise NotClean
        encoded = column.dictionary_encode()
        words = [self._plan.words.get(word.strip().casefold()) for word in encoded.dictionary.to_pylist()]
        said = strings([None if word is None else str(word) for word in words])
        return said.take(encoded.indices)

    def _others(self, path: str) -> tuple[pa.Array, pa.Array]:
        """The rows that state links of one kind, and the other ends."""
        column = self._held(path)
        if column is None:
            raise NotClean
        rows = numbers(np.arange(len(column), dtype=np.int64))
        if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
            values, parents = _listed(column), pc.list_parent_indices(column).cast(pa.int64())
            if not _is_text(pc.list_flatten(column).type) or values.null_count or pc.any(_unlike(values)).as_py():
                raise NotClean
            self._kept.pop(path, None)
            return parents, values
        if pa.types.is_integer(column.type):
            return rows.filter(column.is_valid()), column.drop_null().cast(pa.string())
        if not _is_text(column.type):
            raise NotClean
        parents, values = rows.filter(column.is_valid()), column.drop_null()
        several = pc.match_substring(values, ";")
        odd = pc.or_(several, _unlike(values))
        if not pc.any(odd).as_py():
            self._kept.pop(path, None)
            return parents, values
        kept = pc.is_in(rows, value_set=parents.filter(odd))
        self._kept[path] = pc.if_else(kept, column, pa.scalar(None, pa.string()))
        parted = pc.split_pattern(values, ";")
        values, parents = pc.list_flatten(parted), parents.take(pc.list_parent_indices(parted))
        values = pc.utf8_trim_whitespace(values)
        named = pc.invert(pc.is_in(pc.utf8_lower(values), value_set=_BLANKS))
        return parents.filter(named), values.filter(named)

    def _extra(self) -> pa.Array:
        """What fills no column, or is not said by one, as JSON; an unknown cell is left out."""
        parts = [_member(name, self._held(name) if kept is None else kept) for name, kept in self._kept.items()]
        if not parts:
            return pa.nulls(len(self._batch), pa.string())
        inside = pc.binary_join_element_wise(*parts, ",", null_handling="skip")
        whole = pc.binary_join_element_wise("{", inside, "}", "")
        return pc.if_else(pc.equal(inside, ""), pa.scalar(None, pa.string()), whole)


_SHORTEST = len("2026-01-01T00:00:00Z")


def _unlike(values: pa.Array) -> pa.Array:
    """Where a link does not say what stands there: blanks around an id, or a word for none."""
    trimmed = pc.utf8_trim_whitespace(values)
    unlike = pc.not_equal(trimmed, values)
    if pc.any(pc.less_equal(pc.binary_length(trimmed), _LONGEST_BLANK)).as_py():
        unlike = pc.or_(unlike, pc.is_in(pc.utf8_lower(trimmed), value_set=_BLANKS))
    return unlike


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind == pa.string_view())


def _all(mask: pa.Array) -> bool:
    """Whether it holds of every known value."""
    return pc.all(mask).as_py() is not False


def _in_range(moments: pa.Array) -> pa.Array:
    """The times, which must lie in the years 1 to 9999."""
    inside = pc.and_(
        pc.greater_equal(moments, -62_135_596_800_000_000), pc.less_equal(moments, 253_402_300_799_999_999)
    )
    if not _all(inside):
        raise NotClean
    return moments


def _listed(column: pa.Array) -> pa.Array:
    """All values of lists of text or whole numbers, as text."""
    if not (pa.types.is_list(column.type) or pa.types.is_large_list(column.type)):
        raise NotClean
    values = pc.list_flatten(column)
    if not (_is_text(values.type) or pa.types.is_integer(values.type)):
        raise NotClean
    return values.cast(pa.string())


def _member(name: str, column: pa.Array) -> pa.Array:
    """A column as members of JSON objects, `"name":value`."""
    if _is_text(column.type):
        encoded = column.dictionary_encode()
        if len(encoded.dictionary) * _FEW < len(column):
            return _member_of(name, encoded.dictionary).take(encoded.indices)
    return _member_of(name, column)


def _member_of(name: str, column: pa.Array) -> pa.Array:
    import msgspec

    if _is_text(column.type):
        if pc.any(pc.match_substring_regex(column, _CONTROL)).as_py():
            raise NotClean
        text = pc.replace_substring(pc.replace_substring(column, "\\", "\\\\"), '"', '\\"')
        value = pc.binary_join_element_wise('"', text, '"', "")
    elif pa.types.is_integer(column.type) or pa.types.is_boolean(column.type):
        value = column.cast(pa.string())
    elif pa.types.is_null(column.type):
        value = pa.nulls(len(column), pa.string())
    else:
        raise NotClean
    return pc.binary_join_element_wise(msgspec.json.encode(name).decode() + ":", value, "")


def _link_table(plan: Plan, links: list[tuple[str, pa.Array, pa.Array]]) -> pa.Table:
    columns: dict[str, list[pa.Array]] = {name: [] for name in ("row", "kind", "other", "via", "by")}
    for key, rows, others in links:
        kind, by = LINKS[key]
        columns["row"].append(rows)
        columns["other"].append(others)
        for name, word in (("kind", str(kind)), ("via", plan.via(key)), ("by", str(by))):
            columns[name].append(_repeated(word, len(rows)))
    types = {"row": pa.int64()}
    arrays = [joined(pa.chunked_array(parts, types.get(name, pa.string()))) for name, parts in columns.items()]
    return pa.Table.from_arrays(arrays, names=list(columns))


def _repeated(word: str | None, count: int) -> pa.Array:
    """An array of one text."""
    return strings([word]).take(numbers(np.zeros(count, np.int64)))
