"""A line or record that cannot be read.

What it finds: a line that is not JSON (`NaN` and invalid UTF-8 count), a value
that is no object, a record of no known format, or one without an id where its
format has ids.

Why it matters: the record is left out, and with it whatever it decided or put
out of effect. The rest of the input is read all the same.

How to mend it: export again, or correct the record. If it is of a format this
tool should know, force the format with `--from`.
"""

from dataclasses import replace

from lineage.analyses.intake import Problems
from lineage.graph.core import Graph
from lineage.model import Severity
from lineage.rules.base import Example, Facts, Rule, intake


def check(graph: Graph) -> Facts:
    """One fact for each record that was left out."""
    problems = Problems(graph, RULE.code)
    return replace(intake(problems.rows), words={"record": problems.record})


_NPM = {
    "format": "lineage-memory/v1",
    "id": "npm",
    "of": "robrain",
    "kind": "decision",
    "text": "Use npm",
    "created_at": "2026-01-01T10:00:00Z",
}

RULE = Rule(
    code="LIN901",
    name="unreadable-record",
    severity=Severity.ERROR,
    message="{record} cannot be read: {cause}.",
    mend="Export again, or correct the record.",
    check=check,
    distinct=("cause",),
    about=__doc__,
    examples=(
        Example("a line that was cut off", [_NPM, '{"format":"lineage-memory/v1","id":"pn'], [[]]),
        Example("an object of no known format", [_NPM, {"hello": "world"}], [[]]),
        Example("a readable record", [_NPM]),
    ),
)
