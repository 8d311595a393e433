"""The value of a memory record, as a row; and the value that a row gives back."""

from collections.abc import Mapping
from typing import Any

from lineage.model import DeclaredBy, LinkKind
from lineage.readers._atproto_time import instant, iso
from lineage.readers._atproto_uri import COLLECTION, SCHEMES, boundary_of, is_at_uri, is_uri, without_query
from lineage.readers.base import Link, Memory, Problem
from lineage.readers.fields import json_type, shown

FORMAT = "atproto"
MOST_NESTED = 200
_MOST_LINKS = 20
_CONTENT_BYTES = 10_000
_CONTENT_GRAPHEMES = 2_500
_SCOPE_BYTES = 512
_AGENT_BYTES = 256
_PRECISIONS = ("year", "month", "day", "instant")


def row(value: Mapping[str, Any], *, id: str, boundary: str, notes: list[str]) -> Memory | None:
    """The row of a record's value, without `extra`; what breaks the lexicon is added to `notes`.

    None, with the reason in `notes`, for a value without usable `content`.
    """
    content = value.get("content")
    if type(content) is not str:
        notes[:] = [_not_a_string(value, "content")]
        return None
    if len(content) > _CONTENT_GRAPHEMES:
        _check_length(content, notes)
    if value.get("$type") != COLLECTION:
        notes.append(_not_a_string(value, "$type"))
    if "createdAt" not in value:
        notes.append("createdAt: the key is missing")
    memory = Memory(
        id=id,
        format=FORMAT,
        kind=_string(value, "kind", notes),
        text=content,
        scope=_string(value, "scope", notes, most=_SCOPE_BYTES),
        boundary=boundary,
        created_at=_time(value, "createdAt", notes),
        updated_at=_time(value, "updatedAt", notes),
    )
    if "occurredAt" in value:
        _read_occurrence(value["occurredAt"], memory, notes)
    if "provenance" in value:
        _read_provenance(value["provenance"], memory, notes)
    if "supersedes" in value:
        memory.links = _links(value["supersedes"], notes)
    return memory


def written(memory: Memory) -> dict[str, Any]:
    """What the columns and links of a row say, as a record's value without `$type`."""
    value: dict[str, Any] = {"content": memory.text or "", "createdAt": iso(memory.created_at)}
    value["updatedAt"] = iso(memory.updated_at)
    value["kind"] = memory.kind
    value["scope"] = memory.scope
    if memory.occurred_from is not None or memory.occurred_to is not None:
        occurrence = {"from": iso(memory.occurred_from), "to": iso(memory.occurred_to)}
        value["occurredAt"] = {key: time for key, time in occurrence.items() if time is not None} or None
    provenance = {"agent": memory.agent, "client": memory.client, "sourceUri": memory.source_uri}
    value["provenance"] = {key: text for key, text in provenance.items() if text is not None} or None
    if memory.links:
        value["supersedes"] = _targets(memory) or None
    return {key: item for key, item in value.items() if item is not None}


def too_deep(value: object) -> bool:
    """Whether lists and objects are nested in each other more than `MOST_NESTED` deep."""
    level = [value]
    for _ in range(MOST_NESTED + 1):
        inner: list[object] = []
        for item in level:
            if isinstance(item, dict):
                inner.extend(item.values())
            elif isinstance(item, list):
                inner.extend(item)
        if not inner:
            return False
        level = inner
    return True


def problems(notes: list[str], *, id: str | None, line: int | None, rule: str = "LIN905") -> list[Problem]:
    """One problem for each note."""
    return [Problem(rule, note, id, line) for note in notes]


def _targets(memory: Memory) -> list[str]:
    """The AT URIs that the memory supersedes, in the order of the record's list."""
    found = [
        (_position(link.via), link.other)
        for link in memory.links
        if link.kind is LinkKind.SUPERSEDES and link.by is not DeclaredBy.PREDECESSOR and link.other.startswith(SCHEMES)
    ]
    return [uri for _, uri in sorted(found, key=lambda pair: pair[0])]


def _position(via: str) -> int:
    digits = via.removeprefix("supersedes[").removesuffix("]")
    return int(digits) if digits.isdecimal() else 0


def _not_a_string(value: Mapping[str, Any], key: str) -> str:
    if key not in value:
        return f"{key}: the key is missing"
    return f"{key}: expected a string, found {json_type(value[key])}"


def _string(
    value: Mapping[str, Any], key: str, notes: list[str], *, path: str = "", most: int | None = None
) -> str | None:
    found = value.get(key)
    if found is None and key not in value:
        return None
    if type(found) is not str:
        notes.append(path + _not_a_string(value, key))
        return None
    if most is not None and 4 * len(found) > most:
        size = len(found.encode("utf-8", "surrogatepass"))
        if size > most:
            notes.append(f"{path}{key}: {size:,} bytes are over the limit of {most:,}")
    return found


def _time(value: Mapping[str, Any], key: str, notes: list[str], *, path: str = "") -> int | None:
    text = _string(value, key, notes, path=path)
    if text is None:
        return None
    moment, cause = instant(text)
    if cause:
        notes.append(f"{path}{key}: {cause}")
    return moment


def _check_length(content: str, notes: list[str]) -> None:
    size = len(content.encode("utf-8", "surrogatepass"))
    if size > _CONTENT_BYTES:
        notes.append(f"content: {size:,} bytes are over the limit of {_CONTENT_BYTES:,}")
        return
    # Few records are long enough to need it, and its tables take a while to load.
    import regex

    graphemes = len(regex.findall(r"\X", content))
    if graphemes > _CONTENT_GRAPHEMES:
        notes.append(f"content: {graphemes:,} graphemes are over the limit of {_CONTENT_GRAPHEMES:,}")


def _read_occurrence(occurrence: object, memory: Memory, notes: list[str]) -> None:
    if not isinstance(occurrence, Mapping):
        notes.append(f"occurredAt: expected an object, found {json_type(occurrence)}")
        return
    if "from" not in occurrence:
        notes.append("occurredAt.from: the key is missing")
    memory.occurred_from = _time(occurrence, "from", notes, path="occurredAt.")
    memory.occurred_to = _time(occurrence, "to", notes, path="occurredAt.")
    precision = _string(occurrence, "precision", notes, path="occurredAt.")
    if precision is not None and precision not in _PRECISIONS:
        notes.append(f"occurredAt.precision: {shown(precision)} is none of {', '.join(_PRECISIONS)}")


def _read_provenance(provenance: object, memory: Memory, notes: list[str]) -> None:
    if not isinstance(provenance, Mapping):
        notes.append(f"provenance: expected an object, found {json_type(provenance)}")
        return
    memory.agent = _string(provenance, "agent", notes, path="provenance.", most=_AGENT_BYTES)
    memory.client = _uri(provenance, "client", notes)
    memory.source_uri = _uri(provenance, "sourceUri", notes)


def _uri(provenance: Mapping[str, Any], key: str, notes: list[str]) -> str | None:
    text = _string(provenance, key, notes, path="provenance.")
    if text is not None and not is_uri(text):
        notes.append(f"provenance.{key}: {shown(text)} is no URI")
    return text


def _links(supersedes: object, notes: list[str]) -> list[Link]:
    if isinstance(supersedes, list):
        items = [(f"supersedes[{position}]", item) for position, item in enumerate(supersedes)]
    else:
        notes.append(f"supersedes: expected a list, found {json_type(supersedes)}")
        only = supersedes.get("uri") if isinstance(supersedes, Mapping) else supersedes
        items = [("supersedes", only)] if isinstance(only, str) else []
    if len(items) > _MOST_LINKS:
        notes.append(f"supersedes: {len(items):,} items are over the limit of {_MOST_LINKS}")
    links: dict[str, Link] = {}
    for via, item in items:
        target = _target(item, via, notes)
        if target is not None and target not in links:
            links[target] = Link(LinkKind.SUPERSEDES, target, via, boundary=boundary_of(target))
    return list(links.values())


def _target(item: object, via: str, notes: list[str]) -> str | None:
    """The AT URI that an item of `supersedes` names; None, and a note, where it names none."""
    if isinstance(item, Mapping) and isinstance(item.get("uri"), str):
        notes.append(f"{via}: a strong reference stands where an AT URI should")
        item = item["uri"]
    if not isinstance(item, str):
        notes.append(f"{via}: expected an AT URI, found {json_type(item)}")
        return None
    target = without_query(item)
    if not is_at_uri(target):
        notes.append(f"{via}: {shown(item)} is not an at:// or ats:// URI")
        return None
    if target != item:
        notes.append(f"{via}: {shown(item[len(target) :])} behind the record's URI is cut")
    return target
