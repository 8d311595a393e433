"""Memories that supersede each other in a circle.

What it finds: a group of memories in which each, by way of the others,
supersedes itself. One finding names the whole group; the message walks round a
shortest circle in it.

Why it matters: a decision cannot be older and newer than another at once. As
long as the circle stands and nothing outside it supersedes a member, nobody
can say which of its memories holds, and none is taken to be in effect.

How to mend it: remove the link that was never meant, most often the one whose
source is older than its target. The finding names the fewest links that will
do and the memory that then holds.
"""

from functools import cache

from lineage.analyses.circles import Circle, Circles
from lineage.analyses.naming import listed, quoted, walked
from lineage.graph.core import Graph
from lineage.model import Severity
from lineage.rules.base import Example, Facts, Rule, groups


def check(graph: Graph) -> Facts:
    """One fact for each circle, its members in order of id."""
    circles = Circles(graph)
    circle = cache(circles.circle)
    return groups(
        circles.members,
        words={"walk": lambda number: walked(graph.ids(circle(number).walk))},
        mend=lambda number: _mend(graph, circle(number)),
    )


def _mend(graph: Graph, circle: Circle) -> str:
    links = [f"{quoted(graph.id(source))} → {quoted(graph.id(target))}" for source, target in circle.cut[:_SHOWN]]
    if len(circle.cut) > _SHOWN:
        links.append(f"{len(circle.cut) - _SHOWN:,} more")
    then = "nothing in it is in effect"
    if circle.then:
        then = f"{listed(graph.ids(circle.then))} {'holds' if len(circle.then) == 1 else 'hold'}"
    return f"Remove the supersedes {'link' if len(links) == 1 else 'links'} {', '.join(links)}; then {then}."


_SHOWN = 4

_DECISION = {"format": "lineage-memory/v1", "of": "robrain", "kind": "decision"}
_NPM = {**_DECISION, "id": "npm", "text": "Use npm", "created_at": "2026-01-01T10:00:00Z"}
_YARN = {
    **_DECISION,
    "id": "yarn",
    "text": "Use yarn",
    "created_at": "2026-01-02T10:00:00Z",
    "links": [{"kind": "supersedes", "target": "npm", "via": "supersedes"}],
}

RULE = Rule(
    code="LIN101",
    name="supersession-cycle",
    severity=Severity.ERROR,
    message="{count} memories supersede each other in a circle: {walk}.",
    mend="Remove the supersedes link that was never meant, most often the one whose source is older than its target.",
    check=check,
    about=__doc__,
    examples=(
        Example(
            "two decisions that supersede each other",
            [{**_NPM, "links": [{"kind": "supersedes", "target": "yarn", "via": "supersedes"}]}, _YARN],
            [["npm", "yarn"]],
        ),
        Example("a chain that ends", [_NPM, _YARN]),
    ),
)
