"""A marker that does again what another has done.

What it finds: of several markers of one kind on one memory, the second and
every later one, in order of time.

Why it matters: it changes nothing now. But a reversal that is forgotten, to
bring the decision back, brings nothing back while a second one stands.

How to mend it: delete the later marker, or leave it and know that both must go
before the memory is in effect again.
"""

import numpy as np

from lineage.analyses.naming import quoted
from lineage.analyses.ordering import by_age
from lineage.graph.core import Graph
from lineage.model import LinkKind, Role, Severity, code
from lineage.rules.base import Example, Facts, Rule, pairs


def check(graph: Graph) -> Facts:
    """One fact for each marker that comes second or later: the marker, then its target."""
    links = graph.links
    resolves = links.effective(LinkKind.RESOLVES)
    acting = np.flatnonzero(links.effective(LinkKind.REVERSES) | resolves)
    acting = acting[graph.role[links.source[acting]] == code(Role.MARKER)]
    group = links.target[acting].astype(np.int64) * 2 + resolves[acting]
    _, place, count = np.unique(group, return_inverse=True, return_counts=True)
    several = count[place] > 1
    acting, group = acting[several], group[several]
    order = by_age(graph, links.source[acting], group)
    acting, group = acting[order], group[order]
    later = np.zeros(len(acting), np.bool_)
    later[1:] = np.diff(group) == 0
    # The marker before it in the order has acted already.
    found, earlier = acting[later], acting[np.flatnonzero(later) - 1]
    return pairs(
        links.source[found],
        links.target[found],
        words={
            "acts": lambda number: "resolves" if resolves[found[number]] else "reverses",
            "earlier": lambda number: quoted(graph.id(int(links.source[earlier[number]]))),
            "done": lambda number: "resolved" if resolves[found[number]] else "reversed",
        },
    )


_KAFKA = {
    "format": "lineage-memory/v1",
    "id": "kafka",
    "of": "mindr",
    "kind": "decision",
    "text": "Queue with Kafka",
    "created_at": "2026-01-01T10:00:00Z",
}
_UNDONE = {
    "format": "lineage-memory/v1",
    "id": "undone",
    "of": "mindr",
    "role": "marker",
    "kind": "note",
    "text": "Kafka reversed",
    "created_at": "2026-01-02T10:00:00Z",
    "links": [{"kind": "reverses", "target": "kafka", "via": "tags.original_decision"}],
}

RULE = Rule(
    code="LIN206",
    name="redundant-marker",
    severity=Severity.INFO,
    message="{first} {acts} {second}, which {earlier} had {done} already.",
    mend="Delete the later marker, or remember that both must go before the memory is in effect again.",
    check=check,
    distinct=("acts",),
    about=__doc__,
    examples=(
        Example(
            "a decision reversed twice",
            [_KAFKA, _UNDONE, {**_UNDONE, "id": "undone-again", "created_at": "2026-01-03T10:00:00Z"}],
            [["kafka", "undone-again"]],
        ),
        Example("a decision reversed once", [_KAFKA, _UNDONE]),
        Example(
            "the first reversal was deleted",
            [
                _KAFKA,
                {**_UNDONE, "deleted_at": "2026-01-03T10:00:00Z"},
                {**_UNDONE, "id": "undone-again", "created_at": "2026-01-04T10:00:00Z"},
            ],
        ),
    ),
)
