"""This project's own record (`lineage-memory/v1`): every column and the resolved links.

Nulls and empty lists are left out. `of` is the format the memory came from. A
link names the far end as `target`, or as `source` where the declaring memory is
the one acted on; `declared_by`, `implied` and `void` are
written only where they say something.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from lineage.model import COLUMNS, AnyEnum, ColumnType, Declared, DeclaredBy, LinkKind, Role
from lineage.readers.base import SETTLED, Item, Link, Memory, Problem, Record
from lineage.readers.fields import Fields, iso, json_type, shown

_PREFIX = "lineage-memory/"
_VERSION = "lineage-memory/v1"
_STRINGS = tuple(
    c.name for c in COLUMNS if c.type == "string" and c.name not in {"id", "format", "source", "role", "declared"}
)
_TIMES = tuple(c.name for c in COLUMNS if c.type == "time")
_NUMBERS = ("relevance", "confidence")
_WHOLE = ("turn", "injected", "used")
_KNOWN = frozenset(c.name for c in COLUMNS) | {"of", "links"}
_LISTS = frozenset({"strings", "tags", "rejected"})
_SETTLED = {str(void): void for void in SETTLED}
_APART = frozenset({"id", "format", "source", "line", "role", "extra"})
"""Columns that `write` puts where they belong by itself, or not at all."""


def sniff(record: Record) -> bool:
    """Whether `format` names any version of this project's own format."""
    form = record.get("format")
    return isinstance(form, str) and form.startswith(_PREFIX)


def read(record: Record) -> Iterable[Item]:
    """One line as a memory, its problems after it."""
    name = record.get("id")
    if record.get("format") != _VERSION:
        found = shown(str(record.get("format")))
        return [
            Problem("LIN902", f"format is {found}; only {_VERSION} is read", name if isinstance(name, str) else None)
        ]
    if not isinstance(name, str):
        return [Problem("LIN901", f"`id` must be a string, found {json_type(name) if 'id' in record else 'nothing'}")]
    fields = Fields(record, id=name)
    extra = dict(fields.mapping("extra"))
    extra.update({key: value for key, value in record.items() if key not in _KNOWN and key != "format"})
    memory = Memory(
        id=name,
        format=fields.string("of") or "lineage",
        role=_member(fields, "role", Role) or Role.MEMORY,
        declared=_member(fields, "declared", Declared),
        files=fields.strings("files"),
        tags=[(key or "", value or "") for key, value in _pairs(fields, "tags", ("key", "value"))],
        rejected=_pairs(fields, "rejected", ("option", "reason")),
        links=_links(fields),
        extra=extra or None,
        **_plain(fields),
    )
    return [memory, *fields.problems]


def _plain(fields: Fields) -> dict[str, Any]:
    """The columns of one string, time or number each."""
    return {
        **{key: fields.string(key) for key in _STRINGS},
        **{key: fields.time(key) for key in _TIMES},
        **{key: fields.number(key) for key in _NUMBERS},
        **{key: fields.integer(key) for key in _WHOLE},
    }


def _member(fields: Fields, key: str, enum: type[AnyEnum]) -> AnyEnum | None:
    found = fields.string(key)
    if found is None:
        return None
    try:
        return enum(found)
    except ValueError:
        fields.note(key, f"{shown(found)} is none of {', '.join(enum)}")
        return None


def _objects(fields: Fields, key: str) -> list[Fields]:
    found = fields.value(key)
    if found is None:
        return []
    if not isinstance(found, list):
        fields.note(key, f"expected a list, found {json_type(found)}")
        return []
    for position, item in enumerate(found):
        if not isinstance(item, Mapping):
            fields.note(f"{key}[{position}]", f"expected an object, found {json_type(item)}")
    return [fields.at(key, position, item) for position, item in enumerate(found) if isinstance(item, Mapping)]


def _pairs(fields: Fields, key: str, names: tuple[str, str]) -> list[tuple[str | None, str | None]]:
    return [(item.string(names[0]), item.string(names[1])) for item in _objects(fields, key)]


def _links(fields: Fields) -> list[Link]:
    links = []
    for item in _objects(fields, "links"):
        kind = _member(item, "kind", LinkKind)
        by = _member(item, "declared_by", DeclaredBy)
        source, target = item.string("source"), item.string("target")
        if by is None:
            by = DeclaredBy.PREDECESSOR if source is not None else DeclaredBy.SUCCESSOR
        other = source if by is DeclaredBy.PREDECESSOR else target
        if kind is None or other is None:
            item.note("kind" if kind is None else "target", "a link needs a kind and a target (or source)")
            continue
        links.append(
            Link(
                kind=kind,
                other=other,
                via=item.string("via") or "links",
                by=by,
                boundary=item.string("target_boundary"),
                implied=item.value("implied") is True,
                void=_SETTLED.get(item.string("void") or ""),
            )
        )
    return links


def write(memory: Memory) -> dict[str, Any]:
    """The line of a row, whatever format it came from."""
    record: dict[str, Any] = {"format": _VERSION, "id": memory.id}
    if memory.format != "lineage":
        record["of"] = memory.format
    if memory.role is not Role.MEMORY:
        record["role"] = str(memory.role)
    for column in COLUMNS:
        value = getattr(memory, column.name, None)
        if column.name in _APART or value is None or (column.type in _LISTS and not value):
            continue
        record[column.name] = _as_json(value, column.type)
    if memory.links:
        record["links"] = [_written(link) for link in memory.links]
    if memory.extra:
        record["extra"] = memory.extra
    return record


def _as_json(value: Any, kind: ColumnType) -> Any:
    match kind:
        case "time":
            return iso(value)
        case "strings":
            return list(value)
        case "tags":
            return [{"key": key, "value": text} for key, text in value]
        case "rejected":
            return [{"option": option, "reason": reason} for option, reason in value]
        case _:
            return value


def _written(link: Link) -> dict[str, Any]:
    end = "source" if link.by is DeclaredBy.PREDECESSOR else "target"
    record: dict[str, Any] = {"kind": str(link.kind), end: link.other, "via": link.via}
    if link.by is not DeclaredBy.SUCCESSOR:
        record["declared_by"] = str(link.by)
    if link.boundary is not None:
        record["target_boundary"] = link.boundary
    if link.implied:
        record["implied"] = True
    if link.void is not None:
        record["void"] = str(link.void)
    return record
