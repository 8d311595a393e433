"""Memories as a PROV document, and back.

An entity that came from PROV is written as it stood. Any other carries its
columns as attributes in a namespace of this project, beside what PROV itself
can say of it: its label, when it was made and ended, what it revised.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

import msgspec

from lineage.model import DeclaredBy, LinkKind
from lineage.readers._own_record import write as own_record
from lineage.readers.base import Link, Memory
from lineage.readers.fields import iso

NAME = "prov"
DOCUMENT = "document"
RELATIONS: Mapping[str, tuple[str, ...]] = {
    "wasDerivedFrom": ("prov:generatedEntity", "prov:usedEntity"),
    "wasInvalidatedBy": ("prov:entity",),
    "wasGeneratedBy": ("prov:entity",),
    "wasAttributedTo": ("prov:entity",),
    "used": ("prov:entity",),
    "wasInfluencedBy": ("prov:influencee", "prov:influencer"),
    "specializationOf": ("prov:specificEntity", "prov:generalEntity"),
    "alternateOf": ("prov:alternate1", "prov:alternate2"),
    "hadMember": ("prov:collection", "prov:entity"),
    "wasStartedBy": ("prov:trigger",),
    "wasEndedBy": ("prov:trigger",),
    "mentionOf": ("prov:specificEntity", "prov:generalEntity"),
    "wasInformedBy": (),
    "wasAssociatedWith": (),
    "actedOnBehalfOf": (),
}
"""The relations of PROV, each with the ends at which an entity stands, the one it is about first."""

_MEMORY, _COLUMN = "urn:decision-lineage:memory:", "urn:decision-lineage:column:"


def own_prefixes(prefixes: object) -> tuple[str, str] | None:
    """The prefixes that a document gives to this project's namespaces of memories and of columns."""
    if not isinstance(prefixes, Mapping):
        return None
    found = {uri: name for name, uri in prefixes.items() if uri in (_MEMORY, _COLUMN)}
    return (found[_MEMORY], found[_COLUMN]) if len(found) == 2 else None


def without_own(rest: Mapping[str, Any], own: tuple[str, str] | None) -> dict[str, Any]:
    """What a document holds beside entities and relations, but for prefixes of this project's own."""
    kept = dict(rest)
    if own is not None:
        kept["prefix"] = {name: uri for name, uri in rest["prefix"].items() if name not in own}
    return {key: value for key, value in kept.items() if key != "prefix" or value or own is None}


def is_own(relation: Mapping[str, Any], own: tuple[str, str] | None) -> bool:
    """Whether this project wrote a relation: the columns of its entity say it, too."""
    return own is not None and f"{own[1]}:via" in relation


def restored(name: str, attributes: Mapping[str, Any], own: tuple[str, str] | None) -> dict[str, Any] | None:
    """The own record that an entity's attributes hold; None where it is none that this project wrote."""
    if own is None or not name.startswith(f"{own[0]}:") or f"{own[1]}:id" not in attributes:
        return None
    begin = f"{own[1]}:"
    record = {
        str(key).removeprefix(begin): _plain(value) for key, value in attributes.items() if str(key).startswith(begin)
    }
    record["format"] = "lineage-memory/v1"
    return record


def _plain(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    text = value.get("$")
    if not isinstance(text, str):
        return text
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text


def write_all(memories: Iterable[Memory]) -> Iterator[bytes]:
    """One document of all memories."""
    writer = _Writer(list(memories))
    yield msgspec.json.format(msgspec.json.encode(writer.document()), indent=1) + b"\n"


class _Writer:
    """Puts memories into one document."""

    def __init__(self, memories: Sequence[Memory]) -> None:
        self._memories = memories
        self._parts: dict[str, dict[str, Any]] = {}
        self._rest: dict[str, Any] = {}
        self._number = 0
        native = [memory for memory in memories if memory.format == NAME]
        for memory in native:
            self._merge(self._rest, (memory.extra or {}).get(DOCUMENT))
        taken = self._rest.get("prefix") or {}
        self._memory = _free("memory", taken)
        self._column = _free("lineage", taken)
        self._keys = {memory.id: self._key(memory) for memory in memories}

    def document(self) -> dict[str, Any]:
        entities: dict[str, Any] = {}
        for memory in self._memories:
            entities[self._key(memory)] = self._native(memory) if memory.format == NAME else self._translated(memory)
        prefix = dict(self._rest.get("prefix") or {})
        if any(memory.format != NAME for memory in self._memories):
            prefix |= {self._memory: _MEMORY, self._column: _COLUMN}
        whole = {"prefix": prefix} if prefix or "prefix" in self._rest else {}
        whole["entity"] = entities
        whole |= self._parts
        self._merge(whole, {key: value for key, value in self._rest.items() if key != "prefix"})
        return whole

    def _key(self, memory: Memory) -> str:
        if memory.format == NAME:
            return memory.id
        return f"{self._memory}:{quote(memory.format, safe='')}/{quote(memory.id, safe='')}"

    def _merge(self, whole: dict[str, Any], rest: object) -> None:
        """Lay the rest of one document over that of others; what two say differently stays as it was first."""
        for key, value in rest.items() if isinstance(rest, Mapping) else ():
            held = whole.get(key)
            if isinstance(held, dict) and isinstance(value, Mapping):
                whole[key] = {**value, **held}
            else:
                whole.setdefault(key, value)

    def _native(self, memory: Memory) -> Any:
        extra = memory.extra or {}
        relations = extra.get("relations")
        for part, held in relations.items() if isinstance(relations, Mapping) else ():
            for identifier, value in held.items():
                self._relate(part, identifier, value)
        return extra.get("attributes", {"prov:label": memory.text})

    def _relate(self, part: str, identifier: str, value: Any) -> None:
        """Put in a relation; where another document used its identifier, too, a blank one is changed."""
        held = self._parts.setdefault(part, {})
        if identifier in held and identifier.startswith("_:"):
            self._number += 1
            identifier = f"{identifier}-{self._number}"
        before = _listed(held[identifier]) if identifier in held else None
        held[identifier] = value if before is None else [*before, *_listed(value)]

    def _translated(self, memory: Memory) -> dict[str, Any]:
        key, column = self._key(memory), self._column
        entity: dict[str, Any] = {"prov:label": memory.text} if memory.text is not None else {}
        for name, value in own_record(memory).items():
            if name == "format":
                continue
            plain = isinstance(value, str | int | float)
            entity[f"{column}:{name}"] = value if plain else {"$": _text(value), "type": f"{column}:json"}
        ended = memory.deleted_at if memory.deleted_at is not None else memory.invalidated_at
        for part, moment in (("wasGeneratedBy", memory.created_at), ("wasInvalidatedBy", ended)):
            if moment is not None:
                self._add(part, {"prov:entity": key, "prov:time": iso(moment)})
        for link in memory.links:
            self._link(key, link)
        return entity

    def _link(self, key: str, link: Link) -> None:
        other = self._keys.get(link.other, f"{self._memory}:{quote(link.other, safe='')}")
        newer, older = (other, key) if link.by is DeclaredBy.PREDECESSOR else (key, other)
        kind = "prov:Revision" if link.kind is LinkKind.SUPERSEDES else f"{self._column}:{link.kind}"
        said = {"prov:type": {"$": kind, "type": "prov:QUALIFIED_NAME"}, f"{self._column}:via": link.via}
        if link.void is not None:
            return
        if link.kind in {LinkKind.SUPERSEDES, LinkKind.EXTENDS, LinkKind.AMENDS}:
            self._add("wasDerivedFrom", {"prov:generatedEntity": newer, "prov:usedEntity": older, **said})
        else:
            self._add("wasInfluencedBy", {"prov:influencee": newer, "prov:influencer": older, **said})

    def _add(self, part: str, relation: dict[str, Any]) -> None:
        held = self._parts.setdefault(part, {})
        self._number += 1
        held[f"_:{part}{self._number}"] = relation


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _free(name: str, taken: Mapping[str, Any]) -> str:
    while name in taken:
        name += "_"
    return name


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()
