"""The same record read twice.

What it finds: a record whose id was read before with equal content, in the same
input or in another.

Why it matters: it does no harm, and the two count as one memory. It may show
that an input was given twice, or that two exports overlap.

How to mend it: nothing needs to be done; leave out the input that is held in
another.
"""

from dataclasses import replace

from lineage.analyses.intake import Problems
from lineage.graph.core import Graph
from lineage.model import Severity
from lineage.rules.base import Example, Facts, Rule, intake


def check(graph: Graph) -> Facts:
    """One fact for each record that is held already."""
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
    code="LIN903",
    name="duplicate",
    severity=Severity.INFO,
    message="{record} stands twice with equal content, at {place} and at {other}.",
    mend="Leave out the input that is held in another; nothing else needs to be done.",
    check=check,
    about=__doc__,
    examples=(
        Example("one record twice", [_NPM, _NPM], [["npm"]]),
        Example("two records", [_NPM, {**_NPM, "id": "pnpm"}]),
        Example("the same id with other content", [_NPM, {**_NPM, "text": "Use pnpm"}]),
    ),
)
