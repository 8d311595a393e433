"""The words of the domain: enums, and the columns every memory has.

The position of a member in its enum is its code in the arrays of the graph;
`code()` and `member()` translate. A code of -1 means null.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Literal, TypeVar


class Role(StrEnum):
    """What a node is; only `memory` has a status."""

    MEMORY = "memory"
    MARKER = "marker"
    LOG = "log"
    GHOST = "ghost"


class Status(StrEnum):
    """Whether a memory is in effect."""

    LIVE = "live"
    SUPERSEDED = "superseded"
    REVERSED = "reversed"
    RESOLVED = "resolved"
    RETRACTED = "retracted"
    DELETED = "deleted"
    CYCLIC = "cyclic"


class LinkKind(StrEnum):
    """What the acting (newer) memory does to the one acted on."""

    SUPERSEDES = "supersedes"
    REVERSES = "reverses"
    RESOLVES = "resolves"
    AMENDS = "amends"
    EXTENDS = "extends"
    CONFLICTS = "conflicts"
    RELATES = "relates"


MASKING = (LinkKind.SUPERSEDES, LinkKind.REVERSES, LinkKind.RESOLVES)


class Void(StrEnum):
    """Why a link has no effect; the order is the order in which reasons apply."""

    SELF = "self"
    AMBIGUOUS = "ambiguous"
    DANGLING = "dangling"
    BOUNDARY = "boundary"
    WRONG_TARGET = "wrong-target"
    DELETED_SOURCE = "deleted-source"
    RETRACTED_SOURCE = "retracted-source"
    UNACCEPTED_SOURCE = "unaccepted-source"


class Declared(StrEnum):
    """What the record itself says about being in effect."""

    LIVE = "live"
    ENDED = "ended"
    REVERSED = "reversed"


class DeclaredBy(StrEnum):
    """Which end of a link stated it."""

    SUCCESSOR = "successor"
    PREDECESSOR = "predecessor"
    BOTH = "both"


class Severity(StrEnum):
    """How much a finding matters, the gravest first."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


AnyEnum = TypeVar("AnyEnum", bound=StrEnum)


@cache
def _members(enum: type[AnyEnum]) -> tuple[AnyEnum, ...]:
    return tuple(enum)


@cache
def _codes(enum: type[AnyEnum]) -> Mapping[AnyEnum, int]:
    return {item: number for number, item in enumerate(enum)}


def code(item: StrEnum) -> int:
    """The code of an enum member in the graph's arrays."""
    return _codes(type(item))[item]


def member(enum: type[AnyEnum], number: int) -> AnyEnum | None:
    """The enum member with this code; None for -1."""
    return None if number < 0 else _members(enum)[number]


ColumnType = Literal["string", "int", "float", "time", "strings", "tags", "rejected", "json"]


@dataclass(frozen=True)
class Column:
    """One column of the memories table.

    `index` columns are in memory for every row; the others may be read
    again from their source when they are wanted (see `Corpus.rows`).
    Times are microseconds since 1970 in UTC.
    """

    name: str
    type: ColumnType
    index: bool
    about: str


COLUMNS: tuple[Column, ...] = (
    Column("id", "string", True, "global key"),
    Column("format", "string", True, "the format of the record"),
    Column("source", "string", True, "input path as given"),
    Column("line", "int", True, "1-based line, row or record number"),
    Column("role", "string", True, "memory, marker, log or ghost"),
    Column("kind", "string", True, "open vocabulary: decision, convention, fact …"),
    Column("text", "string", False, "the decision or content itself"),
    Column("rationale", "string", False, "why"),
    Column("scope", "string", False, "as the format says"),
    Column("module", "string", False, "as the format says"),
    Column("boundary", "string", True, "trust boundary within which a link may retire a memory"),
    Column("created_at", "time", True, "when it was first stated"),
    Column("updated_at", "time", True, "when it was last revised"),
    Column("reviewed_at", "time", True, "when a person approved it"),
    Column("invalidated_at", "time", True, "when it stopped being in effect"),
    Column("deleted_at", "time", True, "when it was deleted"),
    Column("occurred_from", "time", True, "start of the remembered event"),
    Column("occurred_to", "time", True, "end of the remembered event"),
    Column("declared", "string", True, "live, ended or reversed, as the record says; null if it does not say"),
    Column("session", "string", False, "session it was captured in"),
    Column("turn", "int", False, "turn within that session"),
    Column("excerpt", "string", False, "words it was captured from"),
    Column("agent", "string", False, "agent that wrote it"),
    Column("client", "string", False, "application that wrote it"),
    Column("source_uri", "string", False, "what it was derived from"),
    Column("commit", "string", False, "commit it belongs to"),
    Column("branch", "string", False, "branch it was made on"),
    Column("files", "strings", False, "repo-relative paths"),
    Column("tags", "tags", False, "key/value pairs"),
    Column("rejected", "rejected", False, "alternatives turned down: option, reason"),
    Column("relevance", "float", False, "0 to 1, as the format gives it"),
    Column("confidence", "float", False, "0 to 1, as the format gives it"),
    Column("injected", "int", False, "times put into an agent's context"),
    Column("used", "int", False, "of these, times the reply drew on it"),
    Column("extra", "json", False, "every property not mapped above, verbatim"),
)

HALF_LIFE = 180.0
"""Days after which what nobody has touched counts half as fresh."""
WEIGHTS: Mapping[str, float] = {"completeness": 0.3, "trust": 0.2, "use": 0.2, "relevance": 0.2, "freshness": 0.1}
"""The weights of the parts of a memory's score, of those that are known."""
GRADES = (("A", 90.0), ("B", 80.0), ("C", 70.0), ("D", 60.0), ("F", 0.0))
"""Grades of a corpus and the least score of each."""
