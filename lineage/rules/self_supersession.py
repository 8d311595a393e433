"""A memory that names itself as what it acts on.

What it finds: a supersedes, reverses or resolves link from a memory to itself.

Why it matters: the link has no effect, and the memory it was meant for is
still taken to be in effect. Most often the id of the new record was written
where that of the old one belonged.

How to mend it: name the memory that was meant, or take the link out.
"""

import numpy as np

from lineage.graph.core import Graph
from lineage.model import MASKING, Severity, Void, code
from lineage.rules.base import Example, Facts, Rule, singles


def check(graph: Graph) -> Facts:
    """One fact for each memory that acts on itself."""
    links = graph.links
    found = links.voided(Void.SELF) & np.isin(links.kind, [code(kind) for kind in MASKING])
    return singles(np.unique(links.source[found]))


_NPM = {
    "format": "lineage-memory/v1",
    "id": "npm",
    "of": "robrain",
    "kind": "decision",
    "text": "Use npm",
    "created_at": "2026-01-01T10:00:00Z",
}

RULE = Rule(
    code="LIN102",
    name="self-supersession",
    severity=Severity.ERROR,
    message="{first} names itself as the memory it acts on, which has no effect.",
    mend="Name the memory that was meant in place of its own id, or take the link out.",
    check=check,
    about=__doc__,
    examples=(
        Example(
            "a decision that supersedes itself",
            [{**_NPM, "links": [{"kind": "supersedes", "target": "npm", "via": "supersedes"}]}],
            [["npm"]],
        ),
        Example("a decision that supersedes nothing", [_NPM]),
    ),
)
