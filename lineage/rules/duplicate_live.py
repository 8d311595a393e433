"""Two memories in effect that say nearly the same, and know nothing of each other.

What it finds: a live memory whose text an older live memory of another lineage
has nearly word for word. Fillers, endings, spelling and a short phrase in a long
text make no difference; a number, a negation, a limit such as "only", or
another thing that the text is about does, and so does another module or trust
boundary.

Why it matters: when the decision changes, one of the two is replaced and the
other goes on being followed.

How to mend it: let the newer one supersede the older one, or delete one of them.
"""

from lineage.analyses.alike import USUAL, duplicates
from lineage.analyses.differences import alike
from lineage.analyses.naming import quoted
from lineage.graph.core import Graph
from lineage.model import Severity
from lineage.rules.base import Example, Facts, Rule, Threshold, pairs


def check(graph: Graph, threshold: float = USUAL) -> Facts:
    """One fact for each live memory that an older one says already: itself, then the nearest of these."""
    found = duplicates(graph, threshold)

    def how(number: int) -> str:
        acting, other = int(found.acting[number]), int(found.other[number])
        return alike(graph, acting, other, float(found.similarity[number]))

    def mend(number: int) -> str:
        newer, older = (quoted(graph.id(int(side[number]))) for side in (found.acting, found.other))
        return f"Let {newer} supersede {older}, or delete one of them."

    return pairs(found.acting, found.other, words={"how": how}, mend=mend)


_PNPM = {
    "format": "lineage-memory/v1",
    "id": "pnpm",
    "of": "robrain",
    "kind": "decision",
    "text": "Use pnpm workspaces for all packages of the repository",
    "created_at": "2026-01-01T10:00:00Z",
}
_AGAIN = {
    **_PNPM,
    "id": "again",
    "text": "Use pnpm workspaces for all packages of the repo.",
    "created_at": "2026-01-02T10:00:00Z",
}

RULE = Rule(
    code="LIN502",
    name="duplicate-live",
    severity=Severity.WARNING,
    message="{first} says nearly the same as {second}, which is in effect too: {how}.",
    mend="Let the newer one supersede the older one, or delete one of them.",
    check=check,
    texts=True,
    threshold=Threshold(USUAL, "likeness, from 0 to 1", check),
    about=__doc__,
    examples=(
        Example("the same said twice", [_PNPM, _AGAIN], [["again", "pnpm"]]),
        Example(
            "one supersedes the other",
            [_PNPM, {**_AGAIN, "links": [{"kind": "supersedes", "target": "pnpm", "via": "supersedes"}]}],
        ),
        Example("a negation", [_PNPM, {**_AGAIN, "text": "Do not use pnpm workspaces for all packages of the repo."}]),
        Example("another thing", [_PNPM, {**_AGAIN, "text": "Use yarn workspaces for all packages of the repo."}]),
    ),
)
