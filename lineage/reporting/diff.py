"""What changed between two exports: plain values that every way to show it goes by.

Field names, order and meaning are those of the JSON schema `lineage-diff/v1`
(`lineage/reporting/diff.json`); `to_dict` gives it. It holds no time of its
own: the same two exports give the same document.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from lineage.reporting.model import Finding, Input

SCHEMA = "lineage-diff/v1"
SCHEMA_FILE = Path(__file__).with_name("diff.json")
"""The JSON Schema that every document validates against."""

Entry = TypeVar("Entry")

ADDED, GONE = "added", "gone"
"""Where a memory has no status before, or none after: it is in the other export alone."""


class Memory(msgspec.Struct, frozen=True, gc=False):
    """A memory and what became of it.

    `before` and `after` are its statuses, None for an export without it. `by`
    are the ids of those that brought it to the status it has now, `replaces`
    of those it supersedes directly. Text and place are those of the new
    export, or of the old one where the new one has it no more.
    """

    id: str
    before: str | None
    after: str | None
    by: Sequence[str]
    replaces: Sequence[str]
    text: str | None
    kind: str | None
    scope: str | None
    created_at: str | None
    source: str
    line: int | None


class Reworded(msgspec.Struct, frozen=True, gc=False):
    """A memory whose text is another under the same id; its status, and its place in the new export."""

    id: str
    before: str | None
    after: str | None
    status: str
    source: str
    line: int | None


@dataclass(frozen=True)
class Listed(Generic[Entry]):
    """The beginning of a list; `total` and `counts` (by what the list says of each entry) are of all of it."""

    entries: Sequence[Entry] = ()
    total: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def left_out(self) -> int:
        """How many entries are cut off."""
        return self.total - len(self.entries)


@dataclass(frozen=True)
class Side:
    """One of the two exports: what was read, and how many memories there are and are live."""

    inputs: Sequence[Input]
    memories: int
    live_heads: int


@dataclass(frozen=True)
class Diff:
    """Everything that changed.

    Heads gained are counted by their status before (or `added`), heads lost by
    their status after (or `gone`), `changed`, `added` and `reworded` by the status now,
    `removed` by the status then, findings by severity; `new_by_rule` are all
    new findings by rule. `restored` are the heads gained that were there
    before. The last three, for people, leave out what another list has:
    changes between two statuses neither of which is live, and memories added
    and removed that are no heads.
    """

    version: str
    as_of: str | None
    old: Side
    new: Side
    heads_gained: Listed[Memory]
    heads_lost: Listed[Memory]
    restored: Listed[Memory]
    changed: Listed[Memory]
    added: Listed[Memory]
    removed: Listed[Memory]
    reworded: Listed[Reworded]
    findings_new: Listed[Finding]
    findings_fixed: Listed[Finding]
    new_by_rule: Mapping[str, int]
    otherwise: Listed[Memory]
    added_past: Listed[Memory]
    removed_past: Listed[Memory]

    @property
    def empty(self) -> bool:
        """Whether nothing changed at all."""
        return not any(listed.total for listed in self.lists.values())

    @property
    def lists(self) -> dict[str, Listed[Any]]:
        """The lists of the schema by name."""
        return {name: getattr(self, name) for name in LISTS}


LISTS = (
    "heads_gained",
    "heads_lost",
    "restored",
    "changed",
    "added",
    "removed",
    "reworded",
    "findings_new",
    "findings_fixed",
)


def to_dict(diff: Diff) -> dict[str, Any]:
    """The document: dicts, lists, strings, numbers and None, its keys in the order of the schema."""
    counts = {name: {"total": listed.total, "by": dict(listed.counts)} for name, listed in diff.lists.items()}
    return {
        "schema": SCHEMA,
        "tool": {"name": "lineage", "version": diff.version},
        "as_of": diff.as_of,
        "old": _side(diff.old),
        "new": _side(diff.new),
        "summary": counts,
        **{name: [_entry(item) for item in listed.entries] for name, listed in diff.lists.items()},
        "truncated": {name: listed.left_out for name, listed in diff.lists.items() if listed.left_out},
    }


def _side(side: Side) -> dict[str, Any]:
    inputs = [{"path": item.path, "records": item.records, "unreadable": item.unreadable} for item in side.inputs]
    return {"inputs": inputs, "memories": side.memories, "live_heads": side.live_heads}


def _entry(item: Any) -> dict[str, Any]:
    if not isinstance(item, Finding):
        fields = msgspec.structs.asdict(item)
        return {name: list(value) if isinstance(value, (list, tuple)) else value for name, value in fields.items()}
    return {
        "rule": item.rule,
        "name": item.name,
        "severity": item.severity,
        "message": item.message,
        "memories": list(item.memories),
        "lineage": item.lineage,
        "locations": [{"source": place.source, "line": place.line} for place in item.locations],
        "fingerprint": item.fingerprint,
    }
