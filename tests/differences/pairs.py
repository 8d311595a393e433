"""Pairs of exports, compared; and one pair in which one of everything changed."""

import json
from collections.abc import Sequence
from typing import Any

import jsonschema

import lineage
from lineage.reporting.diff import SCHEMA_FILE
from tests.graphs import graph_of, memory
from tests.records import when

VALID = jsonschema.Draft202012Validator(json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))
ENDED = {"declared": "ended", "invalidated_at": when(9)}

Records = Sequence[Any]


def diff_of(old: Records, new: Records, **options: Any) -> lineage.Diff:
    """What changed from some records to others."""
    return lineage.diff(graph_of(*old), graph_of(*new), **options)


def changes(diff: lineage.Diff) -> dict[str, tuple[str | None, str | None, list[str]]]:
    """The changes of status by id: before, after, by whom."""
    return {row.id: (row.before, row.after, list(row.by)) for row in diff.changed.itertuples()}


def everything(text: str = "Decide", id: str = "x") -> lineage.Diff:
    """One of everything, with a text and a beginning of ids of its own."""

    def named(name: str, *supersedes: str, **columns: Any) -> dict[str, Any]:
        targets = [f"{id}{other}" for other in supersedes]
        return memory(f"{id}{name}", targets, **{"text": f"{text} {name}", "kind": text, "scope": text, **columns})

    old = [
        named("lost"),
        named("gone"),
        named("past", **ENDED),
        named("said"),
        named("kept", "nowhere"),
        named("mend", "mend"),
    ]
    new = [
        named("lost"),
        named("past", **ENDED),
        named("next", "lost", "past"),
        named("said", text=f"Else {text}"),
        named("kept"),
        named("mend"),
        named("odd", "odd"),
        named("one", "two"),
        named("two", "one"),
    ]
    return diff_of(old, new)
