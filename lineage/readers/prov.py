"""W3C PROV-JSON: entities are memories, revisions supersede, invalidations end.

One document is one record that holds many memories.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from lineage.model import Declared, DeclaredBy, LinkKind
from lineage.readers import _prov_writing as writing
from lineage.readers._own_record import read as read_own
from lineage.readers._prov_writing import DOCUMENT, NAME, RELATIONS
from lineage.readers.base import Item, Link, Memory, Passed, Problem, Reader, Record
from lineage.readers.fields import json_type, microseconds, not_of, shown

_PARTS = frozenset({"prefix", "entity", "activity", "agent", "bundle", *RELATIONS})
_REVISION = frozenset({"prov:Revision", "Revision", "http://www.w3.org/ns/prov#Revision"})

_About = Mapping[str, list[Mapping[str, Any]]]
"""The relations of one entity, by their kinds."""


def sniff(record: Record) -> bool:
    """Whether this is a PROV document that names entities."""
    entities = record.get("entity")
    if not isinstance(entities, Mapping) or not all(isinstance(one, dict | list) for one in entities.values()):
        return False
    return len(record.keys() & _PARTS) >= 2 or record.keys() <= _PARTS


def read(record: Record) -> list[Item]:
    """The entities of a document as memories, each followed by what is wrong with it."""
    return list(_Document(record).items()) if sniff(record) else [not_of("a PROV document with entities", record)]


class _Document:
    """A PROV document: what its parts say of each entity."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.entities: Mapping[str, Any] = record["entity"]
        self.problems: list[Problem] = []
        self.own = writing.own_prefixes(record.get("prefix"))
        # The relations of each entity, and those it keeps as they stand.
        self.about: dict[str, dict[str, list[Mapping[str, Any]]]] = {}
        self.kept: dict[str, dict[str, dict[str, Any]]] = {}
        self.homeless: dict[str, dict[str, Any]] = {}
        for name, ends in RELATIONS.items():
            self._place(name, ends)

    def _place(self, name: str, ends: tuple[str, ...]) -> None:
        part = self.record.get(name)
        if part is None:
            return
        if not isinstance(part, Mapping):
            self.problems.append(Problem("LIN905", f"{name}: expected an object, found {json_type(part)}"))
            self.homeless[name] = part
            return
        for identifier, value in part.items():
            homes = []
            for relation in value if isinstance(value, list) else [value]:
                if not isinstance(relation, Mapping):
                    cause = f"{name}.{shown(identifier)}: expected an object, found {json_type(relation)}"
                    self.problems.append(Problem("LIN905", cause))
                    continue
                home = next((relation[end] for end in ends if self._is_entity(relation.get(end))), None)
                if home is not None:
                    homes.append(home)
                    self.about.setdefault(home, {}).setdefault(name, []).append(relation)
                elif name == "wasDerivedFrom":
                    named = " and ".join(shown(str(relation.get(end))) for end in ends)
                    cause = f"{name}.{shown(identifier)}: {named} are no entities of it"
                    self.problems.append(Problem("LIN905", cause))
            kept = self.kept.setdefault(homes[0], {}) if homes else self.homeless
            kept.setdefault(name, {})[identifier] = value

    def _is_entity(self, value: object) -> bool:
        return isinstance(value, str) and value in self.entities

    def items(self) -> Iterator[Item]:
        rest = {key: value for key, value in self.record.items() if key != "entity" and key not in RELATIONS}
        rest = writing.without_own(rest, self.own) | self.homeless
        for name, value in self.entities.items():
            given = value if isinstance(value, list) else [value]
            attributes = [one for one in given if isinstance(one, Mapping)]
            if len(attributes) < len(given) or not attributes:
                yield Problem("LIN901", f"entity {shown(name)}: expected an object", name)
                continue
            items = self._own(name, attributes[0]) or self._foreign(name, attributes)
            if rest and isinstance(items[0], Memory) and items[0].format == NAME:
                items[0].extra, rest = {**(items[0].extra or {}), DOCUMENT: rest}, {}
            yield from items
        if isinstance(self.record.get("bundle"), Mapping):
            yield Passed("PROV bundle")
        yield from self.problems

    def _own(self, name: str, attributes: Mapping[str, Any]) -> list[Item] | None:
        """An entity that this project wrote: its columns are among its attributes."""
        record = writing.restored(name, attributes, self.own)
        if record is None:
            return None
        items = list(read_own(record))
        added = self._links(name)
        if added and isinstance(items[0], Memory):
            items[0].links = [*items[0].links, *added]
        return items

    def _foreign(self, name: str, given: list[Mapping[str, Any]]) -> list[Item]:
        attributes = {key: value for one in reversed(given) for key, value in one.items()}
        about = self.about.get(name, {})
        text = _literal(attributes.get("prov:label"))
        problems: list[Problem] = []
        memory = Memory(
            id=name,
            format=NAME,
            kind=_literal(attributes.get("prov:type")),
            text=text if text is not None else _literal(attributes.get("prov:value")) or name,
            created_at=_time(about, "wasGeneratedBy", name, problems),
            invalidated_at=_time(about, "wasInvalidatedBy", name, problems),
            declared=Declared.ENDED if _of(about, "wasInvalidatedBy", "prov:entity", name) else None,
            agent=_first(about, "wasAttributedTo", "prov:agent"),
            source_uri=_literal(attributes.get("prov:location")),
            links=self._links(name),
        )
        kept = given[0] if len(given) == 1 else given
        relations = self.kept.get(name)
        memory.extra = {"attributes": kept} if kept != {"prov:label": memory.text} else {}
        memory.extra |= {"relations": relations} if relations else {}
        return [memory, *problems]

    def _links(self, name: str) -> list[Link]:
        """The links that the derivations of an entity make; those this project wrote are among its columns."""
        links = []
        for relation in self.about.get(name, {}).get("wasDerivedFrom", ()):
            newer, older = relation.get("prov:generatedEntity"), relation.get("prov:usedEntity")
            if not isinstance(newer, str) or not isinstance(older, str) or writing.is_own(relation, self.own):
                continue
            kind = LinkKind.SUPERSEDES if _is_revision(relation.get("prov:type")) else LinkKind.EXTENDS
            by = DeclaredBy.SUCCESSOR if newer == name else DeclaredBy.PREDECESSOR
            links.append(Link(kind, self._id(older if newer == name else newer), "wasDerivedFrom", by))
        return links

    def _id(self, name: str) -> str:
        """The id of the memory that an entity is."""
        attributes = self.entities.get(name)
        known = isinstance(attributes, Mapping) and writing.restored(name, attributes, self.own)
        return str(known["id"]) if known else name


def _literal(value: object) -> str | None:
    """The words of an attribute: a string, a typed or tagged one, or the first of several."""
    if isinstance(value, list):
        return next((found for found in map(_literal, value) if found is not None), None)
    if isinstance(value, Mapping):
        value = value.get("$")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else None


def _of(about: _About, part: str, end: str, name: str) -> list[Mapping[str, Any]]:
    return [relation for relation in about.get(part, ()) if relation.get(end) == name]


def _first(about: _About, part: str, key: str) -> str | None:
    return next((_literal(relation.get(key)) for relation in about.get(part, ())), None)


def _time(about: _About, part: str, name: str, problems: list[Problem]) -> int | None:
    """The time of the first relation of this kind that has one."""
    for relation in _of(about, part, "prov:entity", name):
        said = _literal(relation.get("prov:time"))
        if said is None:
            continue
        moment = microseconds(said)
        if moment is not None:
            return moment
        problems.append(Problem("LIN905", f"{part}: {shown(said)} is no date and time this tool can hold", name))
    return None


def _is_revision(said: object) -> bool:
    if isinstance(said, list):
        return any(map(_is_revision, said))
    return _literal(said) in _REVISION


READER = Reader(
    name=NAME,
    signs="an object with `entity`, and relations of PROV beside it",
    about="W3C PROV-JSON: entities, their revisions and invalidations",
    sniff=sniff,
    read=read,
    write_all=writing.write_all,
    everything=True,
)
