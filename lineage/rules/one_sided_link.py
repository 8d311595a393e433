"""A replacement that only one of the two records tells of.

What it finds: a supersedes link in a format whose records state it at both
ends, the successor as "supersedes" and the predecessor as "superseded by",
where one end does not.

Why it matters: the link counts all the same. But whoever reads the silent
record alone is not told that it was replaced, or what it replaced.

How to mend it: state the link in the other record as well.
"""

import numpy as np

from lineage.analyses.naming import quoted
from lineage.graph.core import Graph
from lineage.model import DeclaredBy, LinkKind, Severity, code
from lineage.rules.base import Example, Facts, Rule, pairs


def check(graph: Graph) -> Facts:
    """One fact for each such link: its source, then its target."""
    links, two_sided = graph.links, graph.trait("two_sided")
    one_sided = links.effective(LinkKind.SUPERSEDES) & (links.declared_by != code(DeclaredBy.BOTH)) & ~links.implied
    found = np.flatnonzero(one_sided) if two_sided.any() else np.zeros(0, np.intp)
    found = found[two_sided[links.source[found]] & two_sided[links.target[found]]]
    source, target = links.source[found], links.target[found]

    def silent(number: int) -> int:
        said_by_successor = links.declared_by[found[number]] == code(DeclaredBy.SUCCESSOR)
        return int(target[number] if said_by_successor else source[number])

    return pairs(
        source,
        target,
        words={"silent": lambda number: quoted(graph.id(silent(number)))},
        mend=lambda number: f"State the link in {quoted(graph.id(silent(number)))} as well.",
    )


_STANDARD = {"format": "lineage-memory/v1", "of": "standards", "kind": "standard"}
_OLD = {**_STANDARD, "id": "PEP-1", "text": "The old way", "created_at": "2026-01-01T10:00:00Z"}
_NEW = {**_STANDARD, "id": "PEP-2", "text": "The new way", "created_at": "2026-01-02T10:00:00Z"}
_LINK = {"kind": "supersedes", "target": "PEP-1", "via": "replaces"}

RULE = Rule(
    code="LIN109",
    name="one-sided-link",
    severity=Severity.INFO,
    message="{first} supersedes {second}, but {silent} does not say so.",
    mend="State the link in the silent record as well.",
    check=check,
    about=__doc__,
    examples=(
        Example("only the successor states it", [_OLD, {**_NEW, "links": [_LINK]}], [["PEP-1", "PEP-2"]]),
        Example("both ends state it", [_OLD, {**_NEW, "links": [{**_LINK, "declared_by": "both"}]}]),
        Example(
            "a format that states links at one end",
            [{**_OLD, "of": "robrain"}, {**_NEW, "of": "robrain", "links": [_LINK]}],
        ),
    ),
)
