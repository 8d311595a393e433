"""A memory that claims to supersede one across a trust boundary.

What it finds: a supersedes link whose two ends lie in different trust
boundaries, such as the repositories of two authors.

Why it matters: anybody can publish a record that names yours. Were such a link
followed, a stranger could retire your decisions; it is refused, and both
memories keep their status.

How to mend it: if the replacement is meant, state it within the boundary of the
memory it replaces; if not, there is nothing to mend but the claim.
"""

from lineage.graph.core import Graph
from lineage.model import Severity, Void
from lineage.rules.base import Example, Facts, Rule, pairs


def check(graph: Graph) -> Facts:
    """One fact for each refused link: its source, then its target."""
    links = graph.links
    found = links.voided(Void.BOUNDARY)
    return pairs(links.source[found], links.target[found])


_DECISION = {"format": "lineage-memory/v1", "of": "atproto", "kind": "decision"}
_TABS = {
    **_DECISION,
    "id": "tabs",
    "text": "Indent with tabs",
    "created_at": "2026-01-01T10:00:00Z",
    "boundary": "did:plc:alice",
}
_SPACES = {
    **_DECISION,
    "id": "spaces",
    "text": "Indent with spaces",
    "created_at": "2026-01-02T10:00:00Z",
    "links": [{"kind": "supersedes", "target": "tabs", "via": "supersedes[0]", "target_boundary": "did:plc:alice"}],
}

RULE = Rule(
    code="LIN105",
    name="boundary-crossing",
    severity=Severity.WARNING,
    message="{first} claims to supersede {second} in another trust boundary, which is refused.",
    mend="State the replacement within the trust boundary of the memory it replaces, or withdraw the claim.",
    check=check,
    about=__doc__,
    examples=(
        Example("a record of another author", [_TABS, {**_SPACES, "boundary": "did:plc:bob"}], [["spaces", "tabs"]]),
        Example("a record of the same author", [_TABS, {**_SPACES, "boundary": "did:plc:alice"}]),
    ),
)
