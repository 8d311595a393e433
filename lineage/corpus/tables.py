"""The corpus: every record read, as tables.

`index` holds one row a memory, marker or log with the columns the graph
needs; the texts of rows that were only looked at quickly stay in their source
until `rows` asks for them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lineage.arrays import PAIRS, STRINGS, as_numpy, numbers
from lineage.corpus.keys import Keys
from lineage.corpus.masking import masked_table
from lineage.corpus.overlay import Overlay
from lineage.errors import InputError
from lineage.model import COLUMNS


class Reread(Protocol):
    """Reads some rows of a corpus again from their sources."""

    def __call__(self, corpus: "Corpus", rows: NDArray[np.int64], columns: Sequence[str]) -> pa.Table:
        """The columns of these rows, in their order."""

    def lines(self, corpus: "Corpus", rows: NDArray[np.int64]) -> pa.Array:
        """The lines of these rows as they stand in their files, in their order."""


TIMES = tuple(column.name for column in COLUMNS if column.type == "time")
TEXTS = tuple(column for column in COLUMNS if not column.index)

INDEX_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("format", pa.int8()),
        ("source", pa.int32()),
        ("line", pa.int64()),
        ("role", pa.int8()),
        ("kind", pa.int32()),
        ("boundary", pa.string()),
        *((name, pa.int64()) for name in TIMES),
        ("declared", pa.int8()),
        ("has_rationale", pa.int8()),
        ("has_provenance", pa.int8()),
        ("relevance", pa.float64()),
        ("injected", pa.int64()),
        ("used", pa.int64()),
        ("says", pa.int8()),
        ("handle", pa.string()),
        ("series", pa.string()),
        ("streamed", pa.int8()),
        ("text_row", pa.int64()),
        ("offset", pa.int64()),
        ("length", pa.int64()),
    ]
)
"""One row a record. Codes index the corpus's `formats`, `paths`, `kinds` or an enum.

`text_row` is the row of `texts`, or -1 where the text is still in the source,
`length` bytes at `offset`. `series` is its name and value around a NUL. An
unknown `relevance` is NaN, an unknown `injected` or `used` -1; `says` is a sum
of `lineage.readers.base.Says`.
"""

_ARROW = {
    "string": pa.string(),
    "int": pa.int64(),
    "float": pa.float64(),
    "strings": STRINGS,
    "tags": PAIRS,
    "rejected": PAIRS,
    "json": pa.string(),
}
TEXT_SCHEMA = pa.schema([(column.name, _ARROW[column.type]) for column in TEXTS])

LINK_SCHEMA = pa.schema(
    [
        ("row", pa.int64()),
        ("kind", pa.int8()),
        ("other", pa.string()),
        ("via", pa.int32()),
        ("by", pa.int8()),
        ("boundary", pa.string()),
        ("implied", pa.int8()),
        ("loose", pa.int8()),
        ("void", pa.int8()),
    ]
)

PROBLEM_SCHEMA = pa.schema(
    [
        ("rule", pa.string()),
        ("cause", pa.string()),
        ("id", pa.string()),
        ("format", pa.string()),
        ("source", pa.int32()),
        ("line", pa.int64()),
        ("other_source", pa.int32()),
        ("other_line", pa.int64()),
    ]
)

TOMBSTONE_SCHEMA = pa.schema(
    [("id", pa.string()), ("format", pa.int8()), ("deleted_at", pa.int64()), ("after", pa.int64())]
)
"""`after` is the number of rows read before the deletion."""

SCHEMAS = {
    "index": INDEX_SCHEMA,
    "texts": TEXT_SCHEMA,
    "links": LINK_SCHEMA,
    "problems": PROBLEM_SCHEMA,
    "tombstones": TOMBSTONE_SCHEMA,
}
"""The schema of every table that reading makes."""


@dataclass(frozen=True)
class InputCount:
    """What one input gave; `passed` counts what was rightly no memory, by what it was."""

    path: str
    bytes: int
    formats: Mapping[str, int]
    unreadable: int
    passed: Mapping[str, int]


@dataclass(frozen=True)
class Corpus:
    """Everything read from some inputs, duplicates settled.

    `index`, `links`, `problems` follow the schemas of this module; `links` name
    rows of `index`. `series` holds the keys of the memories of each series of
    each input, those that were settled as copies included. `passed_over` are sentences about files and records that
    are rightly no memories. `first_error` is the place and cause of the first
    unreadable record. `overlay` are links by hand. With `redacted`, e-mail addresses are masked as
    credentials always are.
    """

    index: pa.Table
    texts: pa.Table
    links: pa.Table
    problems: pa.Table
    keys: Keys
    series: Mapping[tuple[int, str], Sequence[int]]
    formats: Sequence[str]
    kinds: Sequence[str | None]
    vias: Sequence[str]
    paths: Sequence[str]
    inputs: Sequence[InputCount]
    passed_over: Sequence[str] = ()
    first_error: str | None = None
    reread: Reread | None = field(default=None, repr=False)
    overlay: Sequence[Overlay] = field(default=(), repr=False)
    redacted: bool = False

    def __len__(self) -> int:
        return int(self.index.num_rows)

    def __repr__(self) -> str:
        plural = "" if len(self) == 1 else "s"
        return f"<Corpus of {len(self):,} record{plural} from {', '.join(count.path for count in self.inputs[:3])}>"

    @property
    def texts_at_hand(self) -> bool:
        """Whether texts are in memory; otherwise each is read again from its source when it is asked for."""
        return self.reread is None

    def texts_of(self, rows: NDArray[np.int64], columns: Sequence[str] | None = None) -> pa.Table:
        """The text columns (`TEXT_SCHEMA`) of these rows, in their order, for everything that is shown.

        Credentials in them are masked, and e-mail addresses where the corpus is `redacted`.
        """
        return masked_table(self.stored_texts(rows, columns), addresses=self.redacted)

    def stored_texts(self, rows: NDArray[np.int64], columns: Sequence[str] | None = None) -> pa.Table:
        """The text columns of these rows as they are stored: for comparing and searching them, and for converting.

        Rows that were only looked at quickly are read again from their source;
        `InputError` says so where the source has changed since.
        """
        names = list(columns) if columns is not None else TEXT_SCHEMA.names
        at = as_numpy(self.index["text_row"])[rows]
        held = self.texts.select(names)
        if (at >= 0).all():
            return held.take(numbers(at))
        if self.reread is None:
            raise InputError("the texts of this corpus are not at hand")
        away = np.flatnonzero(at < 0)
        fetched = self.reread(self, rows[away], names)
        order = at.copy()
        order[away] = len(self.texts) + np.arange(len(away))
        return pa.concat_tables([held, fetched]).take(numbers(order))
