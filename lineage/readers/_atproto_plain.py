"""The quick way to the row of a record that is written as nearly all are.

It serves only values about which `_atproto_value.row` would have nothing to
say, and gives the same row; a property test holds the two together.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError, convert, field

from lineage.model import LinkKind
from lineage.readers._atproto_uri import boundary_of, is_at_uri
from lineage.readers.base import Link, Memory

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d\d\d)?Z", re.ASCII)
_SUPERSEDES = LinkKind.SUPERSEDES
_VIAS = tuple(f"supersedes[{position}]" for position in range(20))

# Limits count characters here, of which UTF-8 makes up to four bytes each.
_Scope = Annotated[str, Meta(max_length=128)]
_Agent = Annotated[str, Meta(max_length=64)]
_Uri = Annotated[str, Meta(pattern=r"^[a-z]+:[!-~]*[!-.0-~][!-~]*$")]


class _Occurrence(Struct, forbid_unknown_fields=True, gc=False):
    start: str = field(name="from")
    to: str | UnsetType = UNSET
    precision: Literal["year", "month", "day", "instant"] | UnsetType = UNSET


class _Provenance(Struct, forbid_unknown_fields=True, gc=False):
    agent: _Agent | UnsetType = UNSET
    client: _Uri | UnsetType = UNSET
    source_uri: _Uri | UnsetType = field(name="sourceUri", default=UNSET)


class _Value(Struct, forbid_unknown_fields=True, gc=False):
    type: Literal["dev.bastienrobert.memory.record"] = field(name="$type")
    content: Annotated[str, Meta(max_length=2500)]
    created_at: str = field(name="createdAt")
    updated_at: str | UnsetType = field(name="updatedAt", default=UNSET)
    kind: str | UnsetType = UNSET
    scope: _Scope | UnsetType = UNSET
    occurred_at: _Occurrence | UnsetType = field(name="occurredAt", default=UNSET)
    provenance: _Provenance | UnsetType = UNSET
    supersedes: Annotated[list[str], Meta(min_length=1, max_length=20)] | UnsetType = UNSET


def plain_row(value: Any, id: str, boundary: str) -> Memory | None:
    """The row of a plain value, its `extra` what the row does not give back; None for any other value."""
    try:
        found = convert(value, _Value)
        rest: dict[str, Any] = {"$type": found.type}
        memory = Memory(
            id=id,
            format="atproto",
            kind=None if found.kind is UNSET else found.kind,
            text=found.content,
            scope=None if found.scope is UNSET else found.scope,
            boundary=boundary,
            created_at=_time(found.created_at, "createdAt", rest),
            extra=rest,
        )
        if found.updated_at is not UNSET:
            memory.updated_at = _time(found.updated_at, "updatedAt", rest)
        if found.supersedes is not UNSET:
            memory.links = _links(found.supersedes)
        if found.occurred_at is not UNSET:
            _add_occurrence(found.occurred_at, memory, rest)
        if found.provenance is not UNSET:
            _add_provenance(found.provenance, memory)
    except (ValidationError, ValueError):
        return None
    return memory
