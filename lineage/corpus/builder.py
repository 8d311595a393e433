"""Items become tables, batch by batch."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lineage.arrays import (
    as_numpy,
    floats,
    integers,
    numbers,
    pair_lists,
    sentinels,
    string_lists,
    strings,
)
from lineage.corpus.quick import Constants, index_columns, link_columns
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
from lineage.readers.base import Memory, Passed, Problem, QuickRows, Tombstone

_BATCH = 4096
_QUICK_BATCH = 1 << 16
_ROLE = {role: code(role) for role in Role}
_KIND = {kind: code(kind) for kind in LinkKind}
_VOID = {None: -1} | {void: code(void) for void in Void}
_DECLARED = {None: -1} | {declared: code(declared) for declared in Declared}
_BY = {by: code(by) for by in DeclaredBy}

_TO_ARRAY: dict[str, Callable[[Sequence[Any]], pa.Array]] = {
    "string": strings,
    "int": integers,
    "float": floats,
    "strings": string_lists,
    "tags": pair_lists,
    "rejected": pair_lists,
    "json": lambda values: strings([None if value is None else str(_encode(value), "utf-8") for value in values]),
}
_encode = msgspec.json.Encoder().encode
_ORIGINS = ("session", "commit", "agent", "source_uri")
_TYPES = {column.name: column.type for column in TEXTS}


class Codes(dict[Any, int]):
    """Numbers values in the order of their first appearance."""

    def __missing__(self, value: Any) -> int:
        self[value] = len(self)
        return self[value]


@dataclass
class Counts:
    """What one input gave so far."""

    formats: Counter[str] = field(default_factory=Counter)
    unreadable: int = 0
    bytes: int = 0
    passed: Counter[str] = field(default_factory=Counter)


class Builder:
    """Collects items into the batches of the corpus tables.

    Rows number on through all inputs; `source` is the index of the input
    whose items are being added.
    """

    def __init__(self) -> None:
        self.formats, self.kinds, self.vias = Codes(), Codes(), Codes()
        self.index: list[pa.RecordBatch] = []
        self.texts: list[pa.RecordBatch] = []
        self.links: list[pa.RecordBatch] = []
        self.problems: list[pa.RecordBatch] = []
        self.tombstones: list[pa.RecordBatch] = []
        self.source = 0
        self.counts = Counts()
        self._constants = Constants()
        self._quick: list[tuple[QuickRows, int, int]] = []
        self._quick_from = 0
        self._rows = 0
        self._text_rows = 0
        self._memories: list[Memory] = []
        self._lines: list[int] = []
        self._sources: list[int] = []
        self._problems: list[tuple[str, str, str | None, int, int | None]] = []
        self._tombstones: list[tuple[str, int, int | None, int]] = []

    @property
    def rows(self) -> int:
        """How many rows were added so far."""
        return self._rows + len(self._memories)

    def add(self, item: Memory | Problem | Tombstone | Passed, line: int | None) -> None:
        """Add one item that stands at `line` of the current source."""
        if isinstance(item, Memory):
            self._memories.append(item)
            self._lines.append(line or 0)
            self._sources.append(self.source)
            self.counts.formats[item.format] += 1
            if len(self._memories) >= _BATCH:
                self._flush_rows()
        elif isinstance(item, Problem):
            if item.rule != "LIN905":
                self.counts.unreadable += 1
            self._problems.append((item.rule, item.cause, item.id, self.source, line))
            if len(self._problems) >= _BATCH:
                self._flush_problems()
        elif isinstance(item, Tombstone):
            self._tombstones.append((item.id, self.formats[item.format], item.deleted_at, self.rows))
        else:
            self.counts.passed[item.what] += 1

    def add_quick(self, quick: QuickRows, *, line: int, offset: int) -> None:
        """Add the served lines of a block that begins at `offset` with line `line`."""
        self._flush_rows()
        count = len(quick.served)
        if not count:
            return
        if not self._quick:
            self._quick_from = self._rows
        self._quick.append((quick, line, offset))
        self.counts.formats[quick.format] += count
        self._rows += count
        if self._rows - self._quick_from >= _QUICK_BATCH:
            self._flush_quick()

    def _flush_quick(self) -> None:
        if not self._quick:
            return
        first = self._quick[0][0]
        index = {
            "format": self.formats[first.format],
            "source": self.source,
            "kind": self.kinds[first.kind],
            "text_row": -1,
        }
        links = {"kind": _KIND[first.link_kind], "via": self.vias[first.link_via], "void": -1}
        self.index.append(self._constants.filled(INDEX_SCHEMA, index_columns(self._quick), index))
        linked = link_columns(self._quick, self._quick_from)
        if len(linked["row"]):
            self.links.append(self._constants.filled(LINK_SCHEMA, linked, links))
        self._quick = []

    def absorb(self, tables: Mapping[str, pa.Table], words: Mapping[str, Sequence[Any]], *, lines: int) -> None:
        """Append what another builder made of the part of the same source that follows `lines` lines."""
        self.flush()
        codes = {
            name: np.array([own[word] for word in words[name]] or [0], np.int64)
            for name, own in (("formats", self.formats), ("kinds", self.kinds), ("vias", self.vias))
        }
        for name, batches, changes in (
            ("texts", self.texts, {}),
            ("index", self.index, self._index_changes(codes, lines)),
            ("links", self.links, {"row": lambda rows: rows + self._rows, "via": codes["vias"].__getitem__}),
            ("problems", self.problems, {"source": lambda _: self.source, "line": lambda numbers_: numbers_ + lines}),
            (
                "tombstones",
                self.tombstones,
                {"format": codes["formats"].__getitem__, "after": lambda rows: rows + self._rows},
            ),
        ):
            batches += [_changed(batch, changes) for batch in tables[name].to_batches() if batch.num_rows]
        self._rows += tables["index"].num_rows
        self._text_rows += tables["texts"].num_rows

    def _index_changes(self, codes: Mapping[str, NDArray[np.int64]], lines: int) -> dict[str, Callable[[Any], Any]]:
        def text_rows(rows: NDArray[np.int64]) -> NDArray[np.int64]:
            return np.where(rows < 0, rows, rows + self._text_rows)

        return {
            "format": codes["formats"].__getitem__,
            "kind": codes["kinds"].__getitem__,
            "source": lambda _: self.source,
            "line": lambda numbers_: numbers_ + lines,
            "text_row": text_rows,
        }

    def flush(self) -> None:
        """Turn everything collected into batches."""
        self._flush_rows()
        self._flush_quick()
        self._flush_problems()
        if self._tombstones:
            ids, formats, times, after = zip(*self._tombstones, strict=True)
            columns = [
                strings(ids),
                numbers(np.array(formats, np.int8)),
                sentinels(times),
                numbers(np.array(after, np.int64)),
            ]
            self.tombstones.append(pa.RecordBatch.from_arrays(columns, schema=TOMBSTONE_SCHEMA))
            self._tombstones = []

    def _flush_problems(self) -> None:
        if not self._problems:
            return
        rules, causes, ids, sources, lines = zip(*self._problems, strict=True)
        self.problems.append(problem_batch(rules, causes, ids, sources, lines))
        self._problems = []

    def _flush_rows(self) -> None:
        rows = self._memories
        if not rows:
            return
        self._flush_quick()
        count = len(rows)
        held = columns_of(rows)
        columns = {
            "id": strings(held["id"]),
            "format": _coded(np.int8, held["format"], self.formats),
            "source": _codes(np.int32, self._sources),
            "line": _codes(np.int64, self._lines),
            "role": _coded(np.int8, held["role"], _ROLE),
            "kind": _coded(np.int32, held["kind"], self.kinds),
            "boundary": strings(held["boundary"]),
            "declared": _coded(np.int8, held["declared"], _DECLARED),
            "has_rationale": numbers(_any_said(held["rationale"])),
            "has_provenance": numbers(_any_said(*(held[name] for name in _ORIGINS))),
            "handle": strings(held["handle"]),
            "series": strings([series and "\0".join(series) for series in held["series"]]),
            "streamed": _codes(np.int8, held["streamed"]),
            "text_row": numbers(np.arange(self._text_rows, self._text_rows + count)),
            "offset": numbers(np.zeros(count, np.int64)),
            "length": numbers(np.zeros(count, np.int64)),
            **{name: sentinels(held[name]) for name in TIMES},
        }
        self.index.append(
            pa.RecordBatch.from_arrays([columns[name] for name in INDEX_SCHEMA.names], schema=INDEX_SCHEMA)
        )
        for series in filter(None, held["series"]):
            self.vias[series[0]]
        self.texts.append(text_columns(held, TEXT_SCHEMA.names))
        self._flush_links(rows)
        self._rows += count
        self._text_rows += count
        self._memories, self._lines, self._sources = [], [], []

    def _flush_links(self, rows: list[Memory]) -> None:
        found = [(self._rows + position, link) for position, row in enumerate(rows) if row.links for link in row.links]
        if not found:
            return
        links = [link for _, link in found]
        columns = [
            numbers(np.array([row for row, _ in found], np.int64)),
            _coded(np.int8, [link.kind for link in links], _KIND),
            strings([link.other for link in links]),
            _coded(np.int32, [link.via for link in links], self.vias),
            _coded(np.int8, [link.by for link in links], _BY),
            strings([link.boundary for link in links]),
            _codes(np.int8, [link.implied for link in links]),
            _codes(np.int8, [link.loose for link in links]),
            _coded(np.int8, [link.void for link in links], _VOID),
        ]
        self.links.append(pa.RecordBatch.from_arrays(columns, schema=LINK_SCHEMA))


def columns_of(rows: Sequence[Memory]) -> Mapping[str, Sequence[Any]]:
    """The fields of rows, one sequence each."""
    return dict(zip(Memory.__struct_fields__, zip(*map(msgspec.structs.astuple, rows), strict=True), strict=True))


def text_columns(held: Mapping[str, Sequence[Any]], columns: Sequence[str]) -> pa.RecordBatch:
    """Some text columns of rows, as a batch."""
    arrays = [_TO_ARRAY[_TYPES[name]](held[name]) for name in columns]
    return pa.RecordBatch.from_arrays(arrays, schema=pa.schema([TEXT_SCHEMA.field(name) for name in columns]))


def problem_batch(
    rules: Sequence[str],
    causes: Sequence[str],
    ids: Sequence[str | None],
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
        numbers(np.array(sources, np.int32)),
        integers(lines),
        integers(other_sources or nothing).cast(pa.int32()),
        integers(other_lines or nothing),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=PROBLEM_SCHEMA)


def _changed(batch: pa.RecordBatch, changes: Mapping[str, Callable[[Any], Any]]) -> pa.RecordBatch:
    """The batch with some fixed-width columns replaced by a function of their values."""
    columns = []
    for field_, column in zip(batch.schema, batch.columns, strict=True):
        change = changes.get(field_.name)
        if change is not None:
            values = np.broadcast_to(change(as_numpy(column)), (len(column),))
            column = numbers(values.astype(field_.type.to_pandas_dtype()))
        columns.append(column)
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


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
