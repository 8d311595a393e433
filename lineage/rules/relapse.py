"""A decision in effect that takes up what another one rejected.

What it finds: a live decision whose text names an option that a decision in
effect, or one that was replaced by it, rejected before. The option stands there
as a whole word, and to be used: not after "not", "instead of", "away from" or
"replace". A decision that itself supersedes the one that rejected the option,
or lists the option among what it rejects, knows what it does; so does one
about another module, folder or trust boundary. An option that many decisions in
effect name was rejected for one purpose only: then both must be about the same.

Why it matters: what was weighed and turned down comes back without anybody
having weighed it again, and agents find two answers.

How to mend it: supersede the decision that rejected the option and say why it
is right now, or end the one that takes it up again.
"""

from lineage.analyses.naming import quoted
from lineage.analyses.vetoes import relapses
from lineage.corpus.masking import masked_text
from lineage.graph.core import Graph
from lineage.model import Severity
from lineage.rules.base import Example, Facts, Rule, pairs


def check(graph: Graph) -> Facts:
    """One fact for each live decision and option that it takes up again: itself, then who rejected it."""
    found = relapses(graph)

    def mend(number: int) -> str:
        acting, rejecting = (quoted(graph.id(int(side[number]))) for side in (found.acting, found.rejecting))
        return f"Let {acting} supersede {rejecting} and say why, or end {acting}."

    return pairs(
        found.acting,
        found.rejecting,
        words={"option": lambda number: quoted(masked_text(found.options[number]))},
        mend=mend,
    )


_ZUSTAND = {
    "format": "lineage-memory/v1",
    "id": "zustand",
    "of": "robrain",
    "kind": "decision",
    "text": "Keep client state in Zustand",
    "rejected": [{"option": "Redux", "reason": "too much ceremony"}],
    "created_at": "2026-01-01T10:00:00Z",
}
_REDUX = {
    **_ZUSTAND,
    "id": "redux",
    "text": "Use Redux for the state of the settings page",
    "rejected": [],
    "created_at": "2026-02-01T10:00:00Z",
}

RULE = Rule(
    code="LIN501",
    name="relapse",
    severity=Severity.WARNING,
    message="{first} takes up {option}, which {second} rejected.",
    mend="Supersede the decision that rejected the option and say why, or end the one that takes it up.",
    check=check,
    texts=True,
    distinct=("option",),
    about=__doc__,
    examples=(
        Example("a rejected option comes back", [_ZUSTAND, _REDUX], [["redux", "zustand"]]),
        Example("it is named to be avoided", [_ZUSTAND, {**_REDUX, "text": "Use signals instead of Redux"}]),
        Example(
            "it supersedes the one that rejected it",
            [_ZUSTAND, {**_REDUX, "links": [{"kind": "supersedes", "target": "zustand", "via": "supersedes"}]}],
        ),
        Example(
            "it rejects the option itself", [_ZUSTAND, {**_REDUX, "rejected": [{"option": "Redux", "reason": "heavy"}]}]
        ),
        Example("the option is part of a longer word", [_ZUSTAND, {**_REDUX, "text": "Adopt Reduxjs-like reducers"}]),
    ),
)
