"""RoBrain interchange files: JSONL, one decision a line (`robrain-memory/v1`)."""

from collections.abc import Iterable, Mapping
from typing import Any

from lineage.model import Declared, LinkKind
from lineage.readers._robrain_quick import Lines
from lineage.readers.base import Item, Link, Memory, Problem, Reader, Record, Traits
from lineage.readers.fields import Fields, iso_milliseconds, json_type, leftover, merged, shown

_PREFIX = "robrain-memory/"
_VERSION = "robrain-memory/v1"
_VIA = "lifecycle.supersedes_id"
_EXCERPT_LIMIT = 300
_ABSENT = "robrain:absent"
"""Names, in `extra`, the paths of required keys that the record lacks, so that writing does not invent them."""


def sniff(record: Record) -> bool:
    """Whether `format` names any version of the interchange format."""
    form = record.get("format")
    return isinstance(form, str) and form.startswith(_PREFIX)


def read(record: Record) -> Iterable[Item]:
    """One line as a memory, its problems after it."""
    if "format" in record and record["format"] != _VERSION:
        form = record.get("format")
        found = shown(form) if isinstance(form, str) else json_type(form)
        name = record.get("id")
        return [
            Problem(
                "LIN902",
                f"format is {found}; only {_VERSION} is read",
                name if isinstance(name, str) else None,
            )
        ]
    name, decision = record.get("id"), record.get("decision")
    if not isinstance(name, str):
        return [Problem("LIN901", f"`id` must be a string, found {_found(record, 'id')}")]
    if not isinstance(decision, str):
        return [Problem("LIN901", f"`decision` must be a string, found {_found(record, 'decision')}", name)]
    fields = Fields(record, id=name, required=True)
    fields.value("format")
    memory = _memory(fields, name, decision)
    skeleton = _skeleton(memory)
    memory.extra = leftover(record, skeleton)
    absent = _absent(record, skeleton)
    if absent:
        memory.extra = {**(memory.extra or {}), _ABSENT: absent}
    return [memory, *fields.problems]


def _absent(record: Record, skeleton: Record) -> list[list[str]]:
    """The paths of the keys that the record should have and has not."""
    paths = []
    for key, value in skeleton.items():
        if key not in record:
            paths.append([key])
        elif isinstance(value, dict) and isinstance(record[key], dict):
            paths += [[key, inner] for inner in value if inner not in record[key]]
    return paths


def _found(record: Record, key: str) -> str:
    return json_type(record[key]) if key in record else "nothing"


def _memory(fields: Fields, name: str, decision: str) -> Memory:
    lifecycle, provenance, quality = (fields.inner(key, null=False) for key in ("lifecycle", "provenance", "quality"))
    target = lifecycle.string("supersedes_id")
    invalidated = lifecycle.raw("invalidated_at")
    excerpt = provenance.string("source_excerpt")
    if excerpt is not None and len(excerpt) > _EXCERPT_LIMIT:
        provenance.note("source_excerpt", f"{len(excerpt)} characters, {_EXCERPT_LIMIT} are allowed")
    return Memory(
        id=name,
        format="robrain",
        kind="decision",
        text=decision,
        rationale=fields.string("rationale"),
        rejected=_rejected(fields),
        files=fields.strings("files_affected", null=False),
        scope=fields.string("scope", null=False),
        created_at=lifecycle.time("created_at", null=False),
        invalidated_at=lifecycle.time("invalidated_at"),
        reviewed_at=lifecycle.time("reviewed_at"),
        declared=Declared.LIVE if invalidated is None else Declared.ENDED,
        session=provenance.string("session_id", null=False),
        turn=provenance.integer("source_turn_sequence", low=0),
        excerpt=excerpt,
        relevance=quality.number("historical_relevance", low=0, high=1),
        injected=quality.integer("injected_count", low=0, null=False),
        used=quality.integer("used_count", low=0, null=False),
        links=(Link(LinkKind.SUPERSEDES, target, _VIA),) if target is not None else (),
    )


def _rejected(fields: Fields) -> list[tuple[str | None, str | None]]:
    found = fields.value("rejected", never_null="a list")
    if found is None:
        return []
    if not isinstance(found, list):
        fields.note("rejected", f"expected a list, found {json_type(found)}")
        return []
    options: list[tuple[str | None, str | None]] = []
    for position, item in enumerate(found):
        if not isinstance(item, Mapping):
            fields.note(f"rejected[{position}]", f"expected an object, found {json_type(item)}")
            continue
        inner = fields.at("rejected", position, item)
        options.append((inner.string("option", null=False), inner.string("reason", null=False)))
    return options


def _skeleton(memory: Memory) -> dict[str, Any]:
    """The record as the columns alone give it back."""
    target = next((link.other for link in memory.links if link.kind is LinkKind.SUPERSEDES), None)
    return {
        "format": _VERSION,
        "id": memory.id,
        "decision": memory.text or "",
        "rationale": memory.rationale,
        "rejected": [{"option": option, "reason": reason} for option, reason in memory.rejected],
        "files_affected": list(memory.files),
        "scope": memory.scope,
        "lifecycle": {
            "created_at": iso_milliseconds(memory.created_at),
            "invalidated_at": iso_milliseconds(memory.invalidated_at),
            "reviewed_at": iso_milliseconds(memory.reviewed_at),
            "supersedes_id": target,
        },
        "provenance": {
            "session_id": memory.session,
            "source_turn_sequence": memory.turn,
            "source_excerpt": memory.excerpt,
        },
        "quality": {
            "historical_relevance": memory.relevance,
            "injected_count": memory.injected,
            "used_count": memory.used,
        },
    }


def write(memory: Memory) -> dict[str, Any]:
    """The record of a row; a row of another format gets what this one can hold."""
    record = _skeleton(memory)
    if memory.format == "robrain":
        extra = dict(memory.extra or {})
        absent = extra.pop(_ABSENT, [])
        merged(record, extra)
        for *outer, key in absent:
            (record[outer[0]] if outer else record).pop(key, None)
        return record
    record["scope"] = memory.scope or "team"
    if memory.declared is Declared.ENDED and memory.invalidated_at is None:
        record["lifecycle"]["invalidated_at"] = iso_milliseconds(memory.updated_at or memory.created_at)
    record["quality"]["injected_count"] = memory.injected or 0
    record["quality"]["used_count"] = memory.used or 0
    return record


READER = Reader(
    name="robrain",
    signs="an object whose `format` begins with robrain-memory/",
    about="RoBrain interchange, JSONL (robrain-memory/v1)",
    sniff=sniff,
    read=read,
    write=write,
    traits=Traits(reviews=True, rationale=True),
    quick=Lines,
)
