"""The quick way to the row of a record that is written as nearly all are.

It serves only values about which `_atproto_value.row` would have nothing to
say, and gives the same row; a property test holds the two together.
"""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, convert, field

from lineage.model import DeclaredBy, LinkKind
from lineage.readers._atproto_uri import boundary_of, is_at_uri, is_uri
from lineage.readers.base import Link, Memory

_moment = datetime.fromisoformat
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WITH_SECONDS, _WITH_MILLISECONDS = 20, 24
_SUPERSEDES, _SUCCESSOR = LinkKind.SUPERSEDES, DeclaredBy.SUCCESSOR
_VIAS = tuple(f"supersedes[{position}]" for position in range(20))

# The default of what may be absent, and may not be null: defaults are not validated.
_ABSENT: Any = None
# Limits count characters here, of which UTF-8 makes up to four bytes each.
_Scope = Annotated[str, Meta(max_length=128)]
_Agent = Annotated[str, Meta(max_length=64)]


class _Occurrence(Struct, forbid_unknown_fields=True, gc=False):
    start: str = field(name="from")
    to: str = _ABSENT
    precision: Literal["year", "month", "day", "instant"] = _ABSENT


class _Provenance(Struct, forbid_unknown_fields=True, frozen=True, gc=False):
    agent: _Agent = _ABSENT
    client: str = _ABSENT
    source_uri: str = field(name="sourceUri", default=_ABSENT)


_NOTHING = _Provenance()


class _Value(Struct, forbid_unknown_fields=True, gc=False):
    type: Literal["dev.bastienrobert.memory.record"] = field(name="$type")
    content: Annotated[str, Meta(max_length=2500)]
    created_at: str = field(name="createdAt")
    updated_at: str = field(name="updatedAt", default=_ABSENT)
    kind: str = _ABSENT
    scope: _Scope = _ABSENT
    occurred_at: _Occurrence = field(name="occurredAt", default=_ABSENT)
    provenance: _Provenance = _NOTHING
    supersedes: Annotated[list[str], Meta(min_length=1, max_length=20)] = _ABSENT


def plain_row(value: Any, rest: dict[str, Any], id: str, home: str, boundary: str, line: int | None) -> Memory | None:
    """The row of a plain value; None for any other.

    Its `extra` is `rest` with what the row does not give back of the value.
    `home` is what the URIs of the same collection, repository and space begin with.
    """
    try:
        found = convert(value, _Value)
        kept: dict[str, Any] = {"$type": found.type}
        rest["value"] = kept
        provenance = found.provenance
        memory = Memory(
            id=id,
            format="atproto",
            kind=found.kind,
            text=found.content,
            scope=found.scope,
            boundary=boundary,
            created_at=_time(found.created_at, "createdAt", kept),
            agent=provenance.agent,
            client=provenance.client,
            source_uri=provenance.source_uri,
            extra=rest,
            line=line,
        )
        if found.supersedes is not None:
            memory.links = _links(found.supersedes, home, boundary)
        if found.updated_at is not None:
            memory.updated_at = _time(found.updated_at, "updatedAt", kept)
        if found.occurred_at is not None:
            _add_occurrence(found.occurred_at, memory, kept)
        if provenance is not _NOTHING:
            _check_provenance(memory, kept)
    except ValueError:
        return None
    return memory


def _time(text: str, key: str, kept: dict[str, Any]) -> int:
    """Microseconds since 1970 of a time in UTC with milliseconds or, kept as it is written, with seconds.

    Raises `ValueError` for a time of any other form.
    """
    marks = text[4:20:3]
    if marks == "--T::Z" and len(text) == _WITH_SECONDS:
        kept[key] = text
    elif marks != "--T::." or len(text) != _WITH_MILLISECONDS or text[23] != "Z":
        raise ValueError(text)
    past = _moment(text) - _EPOCH
    return (past.days * 86_400 + past.seconds) * 1_000_000 + past.microseconds


def _links(targets: list[str], home: str, boundary: str) -> list[Link]:
    if len(targets) > 1 and len(set(targets)) < len(targets):
        raise ValueError(targets)
    links = []
    for via, target in zip(_VIAS, targets, strict=False):
        rkey = target.removeprefix(home)
        if len(rkey) < len(target) and rkey.isalnum():
            links.append(Link(_SUPERSEDES, target, via, _SUCCESSOR, boundary))
        elif is_at_uri(target):
            links.append(Link(_SUPERSEDES, target, via, _SUCCESSOR, boundary_of(target)))
        else:
            raise ValueError(target)
    return links


def _check_provenance(memory: Memory, kept: dict[str, Any]) -> None:
    client, source_uri = memory.client, memory.source_uri
    if client is None and source_uri is None:
        if memory.agent is None:
            kept["provenance"] = {}
    elif not (client is None or is_uri(client)) or not (source_uri is None or is_uri(source_uri)):
        raise ValueError(client, source_uri)


def _add_occurrence(found: _Occurrence, memory: Memory, extra: dict[str, Any]) -> None:
    kept: dict[str, Any] = {}
    memory.occurred_from = _time(found.start, "from", kept)
    if found.to is not None:
        memory.occurred_to = _time(found.to, "to", kept)
    if found.precision is not None:
        kept["precision"] = found.precision
    if kept:
        extra["occurredAt"] = kept
