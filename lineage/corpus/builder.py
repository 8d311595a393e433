"""Items become tables, batch by batch."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lineage.arrays import as_numpy, numbers
from lineage.corpus import columnar
from lineage.corpus.columns import (
    Codes,
    columns_of,
    index_batch,
    link_batch,
    problem_batch,
    text_columns,
    tombstone_batch,
)
from lineage.corpus.quick import Constants, index_columns, link_columns
from lineage.corpus.tables import INDEX_SCHEMA, LINK_SCHEMA, TEXT_SCHEMA
from lineage.model import code
from lineage.readers.base import Memory, Passed, Problem, QuickRows, Rows, Tombstone

_BATCH = 4096
_QUICK_BATCH = 1 << 16


@dataclass
class Counts:
    """What one source gave so far.

    `group` is the number of the input within which its ids may mean something,
    and `within` what stands before such an id where another input has it, too.
    """

    formats: Counter[str] = field(default_factory=Counter)
    unreadable: int = 0
    recognised: int = 0
    bytes: int = 0
    passed: Counter[str] = field(default_factory=Counter)
    group: int = 0
    within: str = ""

    def add(self, other: Mapping[str, Any]) -> None:
        """Add the counts of another part of the same input, by their names."""
        self.formats.update(other["formats"])
        self.passed.update(other["passed"])
        self.unreadable += other["unreadable"]
        self.recognised += other["recognised"]
        self.bytes += other["bytes"]


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
        self._problems: list[tuple[str, str, str | None, str | None, int, int | None]] = []
        self.problem_format: str | None = None
        """The format of the record whose problems are being added, where it is known."""
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
            self._problems.append((item.rule, item.cause, item.id, self.problem_format, self.source, line))
            if len(self._problems) >= _BATCH:
                self._flush_problems()
        elif isinstance(item, Tombstone):
            self._tombstones.append((item.id, self.formats[item.format], item.deleted_at, self.rows))
        else:
            self.counts.passed[item.what] += 1

    def add_rows(self, rows: Rows) -> None:
        """Add rows that come as columns."""
        self._flush_rows()
        self._flush_quick()
        count = len(rows.memories)
        self.counts.formats[rows.format] += count
        values = {"format": self.formats[rows.format], "source": self.source, "text_row": self._text_rows}
        self.index.append(columnar.index_batch(rows, self._constants, values, self.kinds))
        self.texts.append(columnar.text_batch(rows))
        if len(rows.links):
            self.links.append(columnar.link_batch(rows, self._rows, self.vias))
        self._rows += count
        self._text_rows += count

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
        links = {"kind": code(first.link_kind), "via": self.vias[first.link_via], "void": -1}
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
            self.tombstones.append(tombstone_batch(*zip(*self._tombstones, strict=True)))
            self._tombstones = []

    def _flush_problems(self) -> None:
        if not self._problems:
            return
        self.problems.append(problem_batch(*zip(*self._problems, strict=True)))
        self._problems = []

    def _flush_rows(self) -> None:
        rows = self._memories
        if not rows:
            return
        self._flush_quick()
        count = len(rows)
        held = columns_of(rows)
        self.index.append(
            index_batch(
                held,
                formats=self.formats,
                kinds=self.kinds,
                sources=self._sources,
                lines=self._lines,
                text_row=self._text_rows,
            )
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
        stating, links = zip(*found, strict=True)
        self.links.append(link_batch(stating, links, self.vias))


def _changed(batch: pa.RecordBatch, changes: Mapping[str, Callable[[Any], Any]]) -> pa.RecordBatch:
    """The batch with some fixed-width columns replaced by a function of their values."""
    return pa.RecordBatch.from_arrays(
        [
            _replaced(column, changes[name]) if name in changes else column
            for name, column in zip(batch.schema.names, batch.columns, strict=True)
        ],
        schema=batch.schema,
    )


def _replaced(column: pa.Array, change: Callable[[Any], Any]) -> pa.Array:
    values = np.broadcast_to(change(as_numpy(column)), (len(column),))
    return numbers(values.astype(column.type.to_pandas_dtype()))
