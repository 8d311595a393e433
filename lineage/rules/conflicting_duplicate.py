"""The same id with different content.

What it finds: two records of one id that differ in more than where they stand.

Why it matters: they cannot both be what the memory says. The one with the
latest time of its own is used, and the other left out; if both bear the same
times, the choice is arbitrary, though always the same.

How to mend it: give only the later export, or a new id to the one that is
another memory.
"""

from dataclasses import replace

from lineage.analyses.intake import Problems
from lineage.graph.core import Graph
from lineage.model import Severity
from lineage.rules.base import Example, Facts, Rule, intake


def check(graph: Graph) -> Facts:
    """One fact for each record that was left out for another of its id."""
    problems = Problems(graph, RULE.code)
    return replace(
        intake(problems.rows),
        words={"record": problems.record, "place": problems.place, "other": problems.other_place},
    )


_NPM = {
    "format": "lineage-memory/v1",
    "id": "npm",
    "of": "robrain",
    "kind": "decision",
    "text": "Use npm",
    "created_at": "2026-01-01T10:00:00Z",
}

RULE = Rule(
    code="LIN904",
    name="conflicting-duplicate",
    severity=Severity.WARNING,
    message="{record} stands at {place}, which is used, and with different content at {other}.",
    mend="Give only the later export, or a new id to the record that is another memory.",
    check=check,
    about=__doc__,
    examples=(
        Example(
            "an older version of the same record",
            [_NPM, {**_NPM, "text": "Use npm 10", "updated_at": "2026-01-02T10:00:00Z"}],
            [["npm"]],
        ),
        Example("the same record twice", [_NPM, _NPM]),
    ),
)
