"""Lifespans, reversals and rework as tables: by kind, scope, module, source or format, and by lineage."""

from typing import TYPE_CHECKING, Literal

import numpy as np

from lineage.analyses.lifespans import NEVER, Spans, spans
from lineage.arrays import NO_TIME
from lineage.graph.core import Graph
from lineage.model import LinkKind, Status, code

if TYPE_CHECKING:
    import pandas as pd

By = Literal["kind", "scope", "module", "source", "format"]
_DAY = 86_400_000_000


def lifespans(graph: Graph, by: By = "kind") -> "pd.DataFrame":
    """How long memories last, one row a group, the largest first.

    Columns: the group (as `by` is called; empty where it is unknown),
    `memories`, `live`, `superseded`, `reversed`, `reversal_rate` (the share of
    memories that were reversed), `ended` (how many ended at a known time) and
    `median_days` (the median lifespan of these; NaN for none).
    """
    import pandas as pd

    found = spans(graph)
    status = graph.status[found.nodes]
    frame = pd.DataFrame(
        {
            by: _groups(graph, found, by),
            "live": status == code(Status.LIVE),
            "superseded": status == code(Status.SUPERSEDED),
            "reversed": status == code(Status.REVERSED),
            "days": _days(found),
        }
    )
    table = frame.groupby(by, sort=True).agg(
        memories=("live", "size"),
        live=("live", "sum"),
        superseded=("superseded", "sum"),
        reversed=("reversed", "sum"),
        reversal_rate=("reversed", "mean"),
        ended=("days", "count"),
        median_days=("days", "median"),
    )
    return table.reset_index().sort_values(["memories", by], ascending=[False, True], ignore_index=True)


def _days(found: Spans) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    known = (found.begin != NO_TIME) & (found.end != NO_TIME) & (found.end != NEVER)
    days = np.full(len(found.nodes), np.nan)
    days[known] = np.maximum(found.end[known] - found.begin[known], 0) / _DAY
    return days


def _groups(graph: Graph, found: Spans, by: By) -> "list[str]":
    if by in {"kind", "format"}:
        words = graph.corpus.kinds if by == "kind" else graph.corpus.formats
        named = [*(word or "" for word in words), ""]
        return [named[number] for number in graph.column(by)[found.nodes].tolist()]
    if by == "source":
        return [graph.corpus.paths[number] for number in graph.column("source")[found.nodes].tolist()]
    texts = graph.corpus.texts_of(graph.rows[found.nodes], [by])[by]
    return [text or "" for text in texts.to_pylist()]


def reworked(graph: Graph) -> "pd.DataFrame":
    """The lineages in which most was replaced, one row each, the most reworked first.

    Columns `lineage`, `memories`, `supersessions` (links of it that are in
    effect), `reversals`, `live` (heads), and `days` from the first memory to the
    last (NaN where times are unknown).
    """
    import pandas as pd

    links, lineages = graph.links, graph.lineages
    counts = {
        name: np.bincount(graph.lineage[links.source[links.effective(kind)]], minlength=len(lineages))
        for name, kind in (("supersessions", LinkKind.SUPERSEDES), ("reversals", LinkKind.REVERSES))
    }
    chosen = np.flatnonzero(counts["supersessions"] + counts["reversals"])
    first, last = lineages.first[chosen], lineages.last[chosen]
    known = (first != NO_TIME) & (last != NO_TIME)
    days = np.full(len(chosen), np.nan)
    days[known] = (last[known] - first[known]) / _DAY
    frame = pd.DataFrame(
        {
            "lineage": graph.ids(lineages.oldest[chosen]),
            "memories": lineages.memories[chosen],
            **{name: values[chosen] for name, values in counts.items()},
            "live": lineages.live[chosen],
            "days": days,
        }
    )
    return frame.sort_values(
        ["supersessions", "reversals", "lineage"], ascending=[False, False, True], ignore_index=True
    )


def in_effect(graph: Graph) -> "pd.DataFrame":
    """What happened by week (or month, or year), one row a period: `start`, `made`, `superseded`, `reversed`,
    and `in_effect` at its end.
    """
    import pandas as pd

    from lineage.analyses.activity import activity

    found = activity(graph, spans(graph))
    columns = {name: getattr(found, name) for name in ("made", "superseded", "reversed", "in_effect")}
    return pd.DataFrame({"start": pd.to_datetime(found.starts), **columns})


def contested(graph: Graph) -> "pd.DataFrame":
    """The files about which most was decided and undone, one row each: `file`, `memories`, `live`, `undone`."""
    import pandas as pd

    from lineage.analyses.places import places

    rows = [(place.name, place.memories, place.live, place.undone) for place in places(graph).files]
    frame = pd.DataFrame(rows, columns=["file", "memories", "live", "undone"])
    return frame.sort_values(["undone", "memories", "file"], ascending=[False, False, True], ignore_index=True)
