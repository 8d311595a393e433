"""What only a page has room for: diagrams, provenance, and what happened when and where."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby, islice

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

HEADS = 600
"""Of how many live heads a page that is not full tells everything."""

FINDINGS = 100
"""Of how many findings of each rule such a page tells what the memories say."""

QUOTED = 2
"""Of how many memories that a finding names."""

_LINEAGES = 40
_NODES = 360
_NODES_EACH = 24
_NODES_OF_FULL = 300
_BROKEN = 8
_NODES_OF_BROKEN = 40
_PLACES = 15
_PROVENANCE = ("session", "turn", "agent", "client", "source_uri", "commit", "branch", "excerpt")
_SIGNALS = ("relevance", "confidence", "injected", "used")
_TEXTS = ("module", "rejected", "tags", *_PROVENANCE, *_SIGNALS)


def details(graph: Graph, report: Report, *, full: bool = False) -> Details:
    """The details of a report on this graph; with `full` of every head, finding and lineage that it lists."""
    lasted = spans(graph)
    now = graph.now if graph.as_of is None else graph.as_of
    heads = report.live_heads if full else report.live_heads[:HEADS]
    lineages = _lineages(report, None if full else _LINEAGES)
    cited = _cited(report, None if full else FINDINGS)
    names = list(dict.fromkeys([*(head.id for head in heads), *lineages, *cited]))
    nodes = dict(zip(names, numbered(graph, names).tolist(), strict=True))
    return Details(
        heads=dict(_heads(graph, heads, nodes)),
        diagrams=_diagrams(graph, lineages, nodes, full=full),
        broken=_broken(graph, report),
        said=_said(graph, cited, nodes),
        activity=activity(graph, lasted),
        survival=survival(lasted, now),
        places=places(graph, 0 if full else _PLACES),
        now=now,
        full=full,
    )


def _heads(graph: Graph, heads: Sequence[Head], numbers: Mapping[str, int]) -> Iterator[tuple[str, HeadDetails]]:
    nodes = np.array([numbers[head.id] for head in heads], np.int64)
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
    named = (item.lineage for item in report.findings if item.severity in grave and item.lineage is not None)
    return list(dict.fromkeys(named))


def _broken(graph: Graph, report: Report) -> Diagram | None:
    names = _troubled(report)[:_BROKEN]
    if not names:
        return None
    numbers = graph.lineage[numbered(graph, names)].tolist()
    return together(graph, numbers, "What is broken", max_nodes=_NODES_OF_BROKEN)


def _cited(report: Report, most: int | None) -> list[str]:
    """The memories that the first findings of each rule name first."""
    groups = groupby(report.findings, key=lambda item: item.rule)
    first = chain.from_iterable(islice(group, most) for _, group in groups)
    return list(dict.fromkeys(name for item in first for name in item.memories[:QUOTED]))


def _said(graph: Graph, cited: Sequence[str], numbers: Mapping[str, int]) -> dict[str, str]:
    """The texts of the memories that are in the corpus and have one."""
    known = [name for name in cited if 0 <= numbers[name] < len(graph.rows)]
    rows = graph.rows[np.array([numbers[name] for name in known], np.int64)]
    texts = graph.corpus.texts_of(rows, ["text"])["text"].to_pylist()
    return {name: text for name, text in zip(known, texts, strict=True) if text}


def _lineages(report: Report, most: int | None) -> list[str]:
    """The lineages that errors and warnings are about, then the largest."""
    troubled = _troubled(report)
    # Lineages in the same trouble look alike: a page is to show some others, too.
    first = islice(troubled, most and most - most // 4)
    return list(dict.fromkeys(chain(first, (row.id for row in report.lineages), troubled)))[:most]


def _diagrams(graph: Graph, names: Sequence[str], numbers: Mapping[str, int], *, full: bool) -> dict[str, Diagram]:
    """The diagrams of as many lineages as a page has room for."""
    if not names:
        return {}
    lineages = graph.lineage[[numbers[name] for name in names]].tolist()
    drawn = diagrams(graph, lineages, max_nodes=_NODES_OF_FULL if full else _NODES_EACH)
    room = np.cumsum([len(diagram.nodes) for diagram in drawn]) <= _NODES
    kept = [True] * len(drawn) if full else [fits or not at for at, fits in enumerate(room.tolist())]
    return {name: diagram for name, diagram, fits in zip(names, drawn, kept, strict=True) if fits and diagram.edges}
