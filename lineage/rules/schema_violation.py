"""A readable record that breaks the contract of its format.

What it finds: a missing required key, a value of the wrong type, a text over
its maximum, a date and time that is none, and the like.

Why it matters: what can be used of the record is used, and what cannot is
treated as absent. The producer of the file and its readers no longer agree,
and another reader may refuse the record.

How to mend it: correct the field that is named, or the program that wrote it.
"""

from dataclasses import replace
from typing import Any

from lineage.analyses.intake import Problems
from lineage.graph.core import Graph
from lineage.model import Severity
from lineage.rules.base import Example, Facts, Rule, intake


def check(graph: Graph) -> Facts:
    """One fact for each breach."""
    problems = Problems(graph, RULE.code)
    return replace(intake(problems.rows), words={"record": problems.record})


_LINE: dict[str, Any] = {
    "format": "robrain-memory/v1",
    "id": "npm",
    "decision": "Use npm",
    "rationale": None,
    "rejected": [],
    "files_affected": [],
    "scope": "team",
    "lifecycle": {
        "created_at": "2026-01-01T10:00:00.000Z",
        "invalidated_at": None,
        "reviewed_at": None,
        "supersedes_id": None,
    },
    "provenance": {"session_id": "s1", "source_turn_sequence": None, "source_excerpt": None},
    "quality": {"historical_relevance": None, "injected_count": 0, "used_count": 0},
}

RULE = Rule(
    code="LIN905",
    name="schema-violation",
    severity=Severity.WARNING,
    message="{record} breaks the contract of its format: {cause}.",
    mend="Correct the field that is named, or the program that wrote it.",
    check=check,
    distinct=("cause",),
    about=__doc__,
    examples=(
        Example("a key is missing", [{key: value for key, value in _LINE.items() if key != "scope"}], [["npm"]]),
        Example("a field of the wrong type", [{**_LINE, "files_affected": "package.json"}], [["npm"]]),
        Example("a key that is not known", [{**_LINE, "colour": "red"}]),
    ),
)
