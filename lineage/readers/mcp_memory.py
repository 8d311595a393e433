"""The knowledge graph of the MCP memory server: entities, and relations between them, a JSON line each.

The server appends and never cleans up: one entity may stand on several lines,
and a relation may outlive what it relates.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lineage.model import DeclaredBy, LinkKind
from lineage.readers.base import Item, Link, Memory, Problem, Reader, Record
from lineage.readers.fields import json_type, not_of, shown

_NAME = "mcp-memory"
_KINDS = {
    **dict.fromkeys(("supersedes", "replaces", "overrides", "deprecates"), LinkKind.SUPERSEDES),
    "extends": LinkKind.EXTENDS,
    "amends": LinkKind.AMENDS,
    "contradicts": LinkKind.CONFLICTS,
}
_PASSIVE = frozenset({"superseded_by", "replaced_by", "overridden_by", "deprecated_by"})
_ENTITY = frozenset({"type", "_type", "name", "entityType", "observations"})
_RELATION = frozenset({"type", "_type", "from", "to", "relationType"})
_GAPS = re.compile(r"[\s-]+")

_Place = tuple[int, int | None]
"""The number of a record, and the place of an item within it where it holds several."""


def _what(record: Record) -> str | None:
    """`entity`, `relation`, or None for neither."""
    said = record.get("type", record.get("_type"))
    if said in ("entity", "relation"):
        return str(said) if len(record.keys() & (_ENTITY if said == "entity" else _RELATION)) > 1 else None
    if "relationType" in record and ("from" in record or "to" in record):
        return "relation"
    return "entity" if "name" in record and "entityType" in record and "observations" in record else None


def _whole(record: Record) -> bool:
    """Whether this is a whole graph in one object, as the server's `read_graph` gives it."""
    parts = (record.get("entities"), record.get("relations"))
    if not all(isinstance(part, list) for part in parts):
        return False
    items = [item for part in parts for item in part or ()]
    return bool(items) and all(isinstance(item, dict) and _what(item) for item in items)


def sniff(record: Record) -> bool:
    """Whether this is an entity, a relation, or a whole graph of them."""
    return _what(record) is not None or _whole(record)


def together(records: Sequence[Record]) -> Iterator[tuple[int, Item]]:
    """The entities of one input as memories, each with the links that its relations make."""
    for number, record in enumerate(records):
        if not sniff(record):
            yield number, not_of("an entity or a relation", record)
    entities: dict[str, _Entity] = {}
    relations: list[tuple[_Place, Record]] = []
    for place, record in _each(records):
        if _what(record) == "relation":
            relations.append((place, record))
            continue
        name = _name_of(record.get("name"))
        if name is None:
            cause = f"name: expected a string, found {json_type(record.get('name'))}"
            yield place[0], Problem("LIN901", cause, line=place[1])
        elif name in entities:
            entities[name].add(place, record)
        else:
            entities[name] = _Entity(name, place, record)
    problems = [item for relation in relations for item in _related(*relation, entities)]
    for entity in entities.values():
        yield from entity.items()
    yield from problems


def _each(records: Sequence[Record]) -> Iterator[tuple[_Place, Record]]:
    for number, record in enumerate(records):
        if _what(record):
            yield (number, None), record
        elif _whole(record):
            items = [*record.get("entities", ()), *record.get("relations", ())]
            yield from (((number, place), item) for place, item in enumerate(items, 1))


def _name_of(value: object) -> str | None:
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


class _Entity:
    """An entity as its lines give it, the first first: what a later line says otherwise is noted and kept."""

    def __init__(self, name: str, place: _Place, record: Record) -> None:
        self.name = name
        self.place = place
        self.links: list[Link] = []
        self.relations: list[Record] = []
        self._kind: str | None = None
        self._observations: list[Any] = []
        self._seen: set[str] = set()
        self._extra: dict[str, Any] = {}
        self._problems: list[tuple[int, Problem]] = []
        self.add(place, record)

    def add(self, place: _Place, record: Record) -> None:
        """Take in one more line that names this entity."""
        kind = record.get("entityType")
        if kind is not None and not isinstance(kind, str):
            self._note(place, f"entityType: expected a string, found {json_type(kind)}")
            self._keep("entityType", kind)
        elif self._kind is None:
            self._kind = kind
        elif kind not in (None, self._kind):
            self._note(place, f"entityType: {shown(str(kind))}, where an earlier line says {shown(self._kind)}")
            self._keep("entityType", kind)
        observations = record.get("observations")
        if observations is not None and not isinstance(observations, list):
            self._note(place, f"observations: expected a list, found {json_type(observations)}")
            self._keep("observations", observations)
        else:
            self._observe(observations or [])
        for key, value in record.items():
            if key not in _ENTITY:
                self._keep(key, value)

    def _observe(self, observations: Sequence[Any]) -> None:
        for item in observations:
            known = repr(item)
            if known not in self._seen:
                self._seen.add(known)
                self._observations.append(item)

    def _keep(self, key: str, value: Any) -> None:
        if key not in self._extra:
            self._extra[key] = value
        elif self._extra[key] != value:
            self._extra.setdefault("also", []).append({key: value})

    def _note(self, place: _Place, cause: str) -> None:
        self._problems.append((place[0], Problem("LIN905", cause, self.name, place[1])))

    def items(self) -> Iterator[tuple[int, Item]]:
        """The memory, and what is wrong with its lines."""
        words = [_words(item) for item in self._observations]
        text = "\n".join(words) if words else self.name
        if words and text.split("\n") != self._observations:
            self._extra.setdefault("observations", self._observations)
        if self.relations:
            self._extra.setdefault("relations", self.relations)
        yield (
            self.place[0],
            Memory(
                id=self.name,
                format=_NAME,
                kind=self._kind,
                text=text,
                extra=self._extra or None,
                links=self.links,
                line=self.place[1],
            ),
        )
        yield from self._problems


def _words(observation: Any) -> str:
    """An observation as text: some servers keep objects, the words under one of these names."""
    if isinstance(observation, Mapping):
        for key in ("content", "text", "observation", "value"):
            if isinstance(observation.get(key), str):
                return str(observation[key])
    return observation if isinstance(observation, str) else _plain(observation)


def _plain(value: Any) -> str:
    import msgspec

    return msgspec.json.encode(value).decode()


def _related(place: _Place, record: Record, entities: Mapping[str, _Entity]) -> Iterator[tuple[int, Item]]:
    """Give a relation's link to the entity it goes from, or to the other where that one is missing."""
    number, line = place
    source, target, name = _name_of(record.get("from")), _name_of(record.get("to")), record.get("relationType")
    if source is None or target is None:
        key = "from" if source is None else "to"
        yield number, Problem("LIN901", f"{key}: expected a string, found {json_type(record.get(key))}", line=line)
        return
    if not isinstance(name, str):
        cause = f"relationType: expected a string, found {json_type(name)}"
        yield number, Problem("LIN905", cause, source, line)
        name = "relation"
    said = _GAPS.sub("_", name.strip().lower())
    kind = LinkKind.SUPERSEDES if said in _PASSIVE else _KINDS.get(said, LinkKind.RELATES)
    holder, other = (source, target) if source in entities else (target, source)
    if holder not in entities:
        cause = f"a relation of two entities that are not here: {shown(source)}, {shown(target)}"
        yield number, Problem("LIN905", cause, source, line)
        return
    acts = (said in _PASSIVE) != (holder == source)
    by = DeclaredBy.SUCCESSOR if acts else DeclaredBy.PREDECESSOR
    entities[holder].links.append(Link(kind, other, name, by))
    if record.keys() - _RELATION:
        entities[holder].relations.append(dict(record))


READER = Reader(
    name=_NAME,
    signs="an object with `entityType` and `observations`, or with `from`, `to` and `relationType`",
    about="the knowledge graph of the MCP memory server: entities and relations, JSONL",
    sniff=sniff,
    together=together,
    local=True,
)
