"""What only a page has room for: diagrams, provenance, and what happened when and where."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from lineage.analyses.activity import activity
from lineage.analyses.lifespans import spans, survival
from lineage.analyses.places import places
from lineage.graph.core import Graph
from lineage.graph.query import numbered
from lineage.layout.compose import diagrams, together
from lineage.layout.diagram import Diagram
from lineage.model import Severity
from lineage.reporting.model import Details, Head, HeadDetails, Report

HEADS = 500
"""Of how many live heads a page that is not full tells everything."""

_LINEAGES = 40
_NODES = 360
_NODES_EACH = 24
_NODES_OF_FULL = 300
_BROKEN = 8
_NODES_OF_BROKEN = 40
_PLACES = 15
_SAID = 400
_PROVENANCE = ("session", "turn", "agent", "client", "source_uri", "commit", "branch", "excerpt")
_SIGNALS = ("relevance", "confidence", "injected", "used")
_TEXTS = ("module", "rejected", "tags", *_PROVENANCE, *_SIGNALS)


def details(graph: Graph, report: Report, *, full: bool = False) -> Details:
    """The details of a report on this graph; with `full` of every head and lineage that it lists."""
    lasted = spans(graph)
    now = graph.now if graph.as_of is None else graph.as_of
    heads = report.live_heads if full else report.live_heads[:HEADS]
    return Details(
        heads=dict(_heads(graph, heads)),
        diagrams=_diagrams(graph, report, full=full),
        broken=_broken(graph, report),
        said=_said(graph, report, full=full),
        activity=activity(graph, lasted),
        survival=survival(lasted, now),
        places=places(graph, 0 if full else _PLACES),
        now=now,
        full=full,
    )


def _heads(graph: Graph, heads: Sequence[Head]) -> Iterator[tuple[str, HeadDetails]]:
    nodes = numbered(graph, [head.id for head in heads])
    rows = graph.corpus.texts_of(graph.rows[nodes], list(_TEXTS)).to_pylist()
    formats = graph.column("format")[nodes].tolist()
    for head, row, form in zip(heads, rows, formats, strict=True):
        yield (
            head.id,
            HeadDetails(
                format=graph.corpus.formats[form],
                module=row["module"],
                rejected=_pairs(row["rejected"]),
                tags=_pairs(row["tags"]),
                provenance=_known(row, _PROVENANCE),
                signals=_known(row, _SIGNALS),
            ),
        )


def _said(graph: Graph, report: Report, *, full: bool) -> dict[str, str]:
    grave = {Severity.ERROR, Severity.WARNING}
    named = [item.memories[0] for item in report.findings if item.severity in grave and item.memories]
    ids = list(dict.fromkeys(named if full else named[:_SAID]))
    nodes = numbered(graph, ids)
    kept = (nodes >= 0) & (nodes < len(graph.rows))
    texts = graph.corpus.texts_of(graph.rows[nodes[kept]], ["text"])["text"].to_pylist()
    known = [name for name, here in zip(ids, kept.tolist(), strict=True) if here]
    return {name: text for name, text in zip(known, texts, strict=True) if text}


def _pairs(values: Sequence[Mapping[str, str]] | None) -> list[tuple[str, str | None]]:
    return [(pair["first"], pair["second"]) for pair in values or ()]


def _known(row: Mapping[str, object], names: Sequence[str]) -> dict[str, str]:
    return {
        name: f"{row[name]:g}" if isinstance(row[name], float) else str(row[name])
        for name in names
        if row[name] is not None
    }


def _troubled(report: Report) -> list[str]:
    """The lineages that errors and warnings are about, the gravest first."""
    grave = {Severity.ERROR, Severity.WARNING}
    named = [item.lineage for item in report.findings if item.severity in grave and item.lineage is not None]
    return list(dict.fromkeys(named))


def _broken(graph: Graph, report: Report) -> Diagram | None:
    names = _troubled(report)[:_BROKEN]
    if not names:
        return None
    numbers = graph.lineage[numbered(graph, names)].tolist()
    return together(graph, numbers, "What is broken", max_nodes=_NODES_OF_BROKEN)


def _diagrams(graph: Graph, report: Report, *, full: bool) -> dict[str, Diagram]:
    """The lineages that errors and warnings are about, then the largest, as many as a page has room for."""
    names = list(dict.fromkeys([*_troubled(report), *(row.id for row in report.lineages)]))
    names = names if full else names[:_LINEAGES]
    if not names:
        return {}
    numbers = graph.lineage[numbered(graph, names)].tolist()
    drawn = diagrams(graph, numbers, max_nodes=_NODES_OF_FULL if full else _NODES_EACH)
    room = np.cumsum([len(diagram.nodes) for diagram in drawn]) <= _NODES
    kept = [True] * len(drawn) if full else [fits or not at for at, fits in enumerate(room.tolist())]
    return {name: diagram for name, diagram, fits in zip(names, drawn, kept, strict=True) if fits and diagram.edges}
