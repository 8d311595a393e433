"""A record of a known format in a version that must be rejected.

What it finds: a record that names a version of its format which this tool does
not read, such as `robrain-memory/v2`.

Why it matters: a new version may mean something else by the same words. Formats
ask their importers to reject what they do not know, and so the record is left
out.

How to mend it: export in the version this tool reads, or use a release of the
tool that reads the new one.
"""

from dataclasses import replace
from typing import Any

from lineage.analyses.intake import Problems
from lineage.graph.core import Graph
from lineage.model import Severity
from lineage.rules.base import Example, Facts, Rule, intake


def check(graph: Graph) -> Facts:
    """One fact for each record that was rejected."""
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
    code="LIN902",
    name="unsupported-version",
    severity=Severity.ERROR,
    message="{record} must be rejected: {cause}.",
    mend="Export in the version this tool reads, or use a release of the tool that reads the new one.",
    check=check,
    distinct=("cause",),
    about=__doc__,
    examples=(
        Example(
            "a line of a later version", [_LINE, {**_LINE, "format": "robrain-memory/v2", "id": "pnpm"}], [["pnpm"]]
        ),
        Example("a line of the known version", [_LINE]),
    ),
)
