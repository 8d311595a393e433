"""What a reader is: one module that knows one format.

A module in this package (or one named by the entry-point group
`lineage.readers`) that holds a `READER` is found by itself. `sniff` looks at
one JSON record and says whether it is of this format; `read` turns the record
into items. A reader never raises for a bad record and never builds tables:
what it cannot use, it yields as a `Problem`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntFlag
from pathlib import Path
from typing import Any, Protocol

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lineage.model import Declared, DeclaredBy, LinkKind, Role, Void

Record = Mapping[str, Any]


SETTLED = (Void.AMBIGUOUS, Void.UNACCEPTED_SOURCE)
"""Why a link has no effect, where its reader knows."""


class Link(msgspec.Struct, frozen=True, gc=False):
    """A link as one memory declares it.

    `other` is the id (or shorthand) at the far end: what the declaring memory
    acts on, or, with `by = PREDECESSOR`, what acts on it. `boundary` is the
    trust boundary in which `other` would lie. With `loose`, `other` may be the
    `handle` of several memories, an id, or the first 12 characters of one.
    `void` is set only where the records of the input settle it (`ambiguous`,
    `unaccepted-source`).
    """

    kind: LinkKind
    other: str
    via: str
    by: DeclaredBy = DeclaredBy.SUCCESSOR
    boundary: str | None = None
    implied: bool = False
    loose: bool = False
    void: Void | None = None


class Memory(msgspec.Struct, kw_only=True, gc=False):
    """One record as a row: the columns of `lineage.model.COLUMNS` but source and line.

    Times are microseconds since 1970 in UTC. `line` is set only where the
    carrier numbers its records itself (a page in one JSON document).
    `handle` is another name by which loose links may find the memory. Memories
    of one input with the same `series` (a pair: what implies it, its value)
    replace each other in order of time. `revision` orders versions of one id
    that a stream of events gave; at rest it is None.
    """

    id: str
    format: str
    role: Role = Role.MEMORY
    kind: str | None = None
    text: str | None = None
    rationale: str | None = None
    scope: str | None = None
    module: str | None = None
    boundary: str | None = None
    created_at: int | None = None
    updated_at: int | None = None
    reviewed_at: int | None = None
    invalidated_at: int | None = None
    deleted_at: int | None = None
    occurred_from: int | None = None
    occurred_to: int | None = None
    declared: Declared | None = None
    session: str | None = None
    turn: int | None = None
    excerpt: str | None = None
    agent: str | None = None
    client: str | None = None
    source_uri: str | None = None
    commit: str | None = None
    branch: str | None = None
    files: Sequence[str] = ()
    tags: Sequence[tuple[str, str]] = ()
    rejected: Sequence[tuple[str | None, str | None]] = ()
    relevance: float | None = None
    confidence: float | None = None
    injected: int | None = None
    used: int | None = None
    extra: dict[str, Any] | None = None
    links: Sequence[Link] = ()
    handle: str | None = None
    series: tuple[str, str] | None = None
    streamed: bool = False
    line: int | None = None


class Problem(msgspec.Struct, frozen=True, gc=False):
    """A record, or a field of one, that cannot be used: LIN901, LIN902 or LIN905."""

    rule: str
    cause: str
    id: str | None = None
    line: int | None = None


class Tombstone(msgspec.Struct, frozen=True, gc=False):
    """A stream's word that the memory with this id was deleted at that time."""

    id: str
    format: str
    deleted_at: int | None


class Passed(msgspec.Struct, frozen=True, gc=False):
    """A record that is rightly no memory: counted by `what`, never an error."""

    what: str


Item = Memory | Problem | Tombstone | Passed


@dataclass(frozen=True)
class Traits:
    """What a format can say, which decides the rules that apply to its memories.

    `alternatives`, `files`, `commits` and `use` (how often a memory was injected
    and used) are fields it has. Where a format `retracts`, a memory that was ended and that nothing replaced
    never held; where it does not, it did hold, and so do its claims.
    """

    reviews: bool = False
    rationale: bool = False
    alternatives: bool = False
    files: bool = False
    commits: bool = False
    use: bool = False
    two_sided: bool = False
    retracts: bool = True


class Says(IntFlag):
    """What a record says besides its text; the sum is a column of the index."""

    ALTERNATIVES = 1
    FILES = 2
    COMMIT = 4
    AGENT = 8


@dataclass(frozen=True)
class QuickRows:
    """What a quick look at a block of lines gives: the index columns of the lines it serves.

    `served` and `refused` are line numbers within the block; every array but
    `starts` and `lengths` (bytes, one value a line of the block) has one value
    a served line: `relevance` is NaN and `injected` and `used` are -1 where that
    is unknown, `says` is a sum of `Says`. `link_rows` are positions among the
    served lines.
    """

    format: str
    kind: str
    ids: pa.Array
    times: Mapping[str, NDArray[np.int64]]
    declared: NDArray[np.int8]
    has_rationale: NDArray[np.bool_]
    has_provenance: NDArray[np.bool_]
    relevance: NDArray[np.float64]
    injected: NDArray[np.int64]
    used: NDArray[np.int64]
    says: NDArray[np.int8]
    link_rows: NDArray[np.int64]
    link_others: pa.Array
    link_kind: LinkKind
    link_via: str
    served: NDArray[np.int64]
    refused: NDArray[np.int64]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]


class Quick(Protocol):
    """Looks at blocks of whole lines of one format, quickly."""

    def decode(self, block: memoryview) -> QuickRows:
        """The lines of a block that are served here, and the rest."""

    def columns(self, lines: Iterable[bytes], names: Sequence[str]) -> Mapping[str, Sequence[Any]]:
        """Some text columns of lines that were served, `extra` not among them."""


ORIGINS = ("session", "commit", "agent", "source_uri")
"""The columns one of which says where a memory comes from."""


@dataclass(frozen=True)
class Rows:
    """Memories of one format that come as columns.

    `memories` has some of the columns of `lineage.model.COLUMNS`, `id` (never
    null) at least: words as strings, times in microseconds and whole numbers as
    64-bit integers, lists of strings, `tags` and `rejected` as lists of structs
    of `first` and `second`, `extra` as JSON text. `links` has the columns `row`
    (a position in `memories`), `kind`, `other`, `via` and, where they are not
    the usual, `by`, `void` and `boundary`, as words, and `implied`. `first` is the number of the first row
    in its container.
    """

    format: str
    memories: pa.Table
    links: pa.Table
    first: int = 1


@dataclass(frozen=True)
class Carrier:
    """A container that is no text: recognised by its first bytes, read from a path.

    `read` opens the path read-only and yields items in the carrier's order. It
    raises `InputError` where the container as a whole cannot be trusted. Where
    several formats use one kind of container (SQLite), `holds` looks inside.
    """

    name: str
    claims: Callable[[bytes], bool]
    read: Callable[[Path], Iterator[Item | Rows]]
    holds: Callable[[Path], bool] | None = None


@dataclass(frozen=True)
class Document:
    """A whole file of text.

    `path` is where it lies below the input that led to it, with `/` between its
    parts; that of a file given by its own name is this name without folders.
    `text` has no byte order mark, and its lines end with a line feed alone.
    """

    path: str
    text: str


@dataclass(frozen=True)
class Documents:
    """Reads files of text that hold no JSON.

    `claims` tells by content (its path may help) whether a document is of this
    format. `read` gets all such documents of one input, by their paths, since
    they refer to each other, and yields items, each with the number (from 0) of
    the document it stands in; the item's own `line` says where.
    """

    claims: Callable[[Document], bool]
    read: Callable[[Sequence[Document]], Iterator[tuple[int, Item]]]


def NEVER(_: Record) -> bool:  # noqa: N802 - a constant that is a function
    """No JSON record is of this format."""
    return False


def _nothing(_: Record) -> Iterable[Item]:
    return ()


@dataclass(frozen=True)
class Reader:
    """One format.

    `sniff` and `read` serve JSON records one by one. Where records only make
    sense beside each other, `together` reads those of one input at once, in
    their order, and yields each item with the number (from 0) of its record.
    `carrier` reads containers, `documents` files of text.

    `family` names the id space: formats of one family are one format to links
    and duplicates. The ids of a `local` format mean something within one input
    only. `write` gives back the record of a row, or None where the format has
    no form for it. Where a format is no JSON record a line, `write_all` makes the
    whole file of rows instead. A format of `everything` keeps every column and
    link of rows of any format, markers and logs too. `quick` serves large files: lines it serves are read a
    second time only where their text is wanted. `suffixes` are the endings of
    the files that a directory offers. `signs` says in a few words by what a
    record or document is told.
    """

    name: str
    about: str
    sniff: Callable[[Record], bool] = NEVER
    read: Callable[[Record], Iterable[Item]] = _nothing
    together: Callable[[Sequence[Record]], Iterator[tuple[int, Item]]] | None = None
    write: Callable[[Memory], dict[str, Any] | None] | None = None
    write_all: Callable[[Iterable[Memory]], Iterator[bytes]] | None = None
    everything: bool = False
    traits: Traits = field(default_factory=Traits)
    family: str | None = None
    local: bool = False
    carrier: Carrier | None = None
    documents: Documents | None = None
    quick: Callable[[], Quick] | None = None
    suffixes: tuple[str, ...] = (".json", ".jsonl", ".ndjson")
    signs: str = ""

    @property
    def writable(self) -> bool:
        """Whether rows can be written in this format."""
        return self.write is not None or self.write_all is not None

    @property
    def ids(self) -> str:
        """The id space of this format."""
        return self.family or self.name
