"""A graph to a report: plain values, counted in full, listed up to a limit."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.analyses.circles import Circles
from lineage.analyses.quality import USUAL, Scale, assess
from lineage.arrays import as_numpy, numbers
from lineage.graph.core import Bool, Graph
from lineage.model import MASKING, LinkKind, Role, Status, Void, code, member
from lineage.readers.fields import iso
from lineage.reporting.findings import Choice, Findings, findings
from lineage.reporting.model import Cycle, Head, Input, LineageRow, Orphan, Report, Summary

Nodes = NDArray[np.int64]
LIMIT = 10_000


def report(
    graph: Graph,
    *,
    title: str | None = None,
    choice: Choice | None = None,
    limit: int = LIMIT,
    generated_at: str | None = None,
    lists: bool = True,
    graded: bool = False,
    scale: Scale = USUAL,
    against: Mapping[str, Any] | None = None,
) -> Report:
    """Everything a renderer needs; each list holds its first `limit` entries (0 for all).

    Without `lists`, only findings are listed; everything is counted all the
    same. The quality of the corpus, by a `scale`, goes with the lists, and
    without them where it is to be `graded`; `against` is the quality of an
    earlier report.
    """
    choice = choice or Choice()
    wanted = _wanted(graph, choice)
    found = findings(graph, choice, limit)
    heads = np.flatnonzero(wanted & (graph.status == code(Status.LIVE)))
    orphans = _orphan_links(graph, wanted)
    lineages = _lineage_numbers(graph, wanted)
    circles = [number for number, members in enumerate(graph.sccs) if wanted[members].any()]
    totals = {"live_heads": len(heads), "orphans": len(orphans), "cycles": len(circles), "lineages": len(lineages)}
    return Report(
        generated_at=generated_at or datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        as_of=iso(graph.as_of),
        title=title or _title(graph),
        inputs=inputs_of(graph),
        summary=_summary(graph, wanted, found, heads=len(heads), orphans=len(orphans), cycles=len(circles)),
        live_heads=list(head_rows(graph, _newest(graph, heads, limit))) if lists else [],
        orphans=_orphans(graph, orphans)[: limit or None] if lists else [],
        cycles=_cycles(graph, circles[: limit or None]) if lists else [],
        lineages=_lineage_rows(graph, _largest(graph, lineages, limit)) if lists else [],
        findings=found.shown,
        truncated=_truncated(totals, limit if lists else 0, found),
        version=version(),
        counts=found.counts,
        rules=found.rules,
        compared=found.compared,
        skipped=found.skipped,
        by_hand=len(graph.corpus.overlay),
        quality=assess(graph, scale) if lists or graded else None,
        against=against,
    )


def _truncated(totals: Mapping[str, int], limit: int, found: Findings) -> dict[str, Any]:
    truncated: dict[str, Any] = {name: total - limit for name, total in totals.items() if limit and total > limit}
    if found.left_out:
        truncated["findings"] = dict(sorted(found.left_out.items()))
    return truncated


def version() -> str:
    """The version of this package as installed."""
    try:
        return installed("decision-lineage")
    except PackageNotFoundError:
        return "0.1.0"


def _wanted(graph: Graph, choice: Choice) -> Bool:
    """Mask of the memories the report is about."""
    memory: Bool = graph.role == code(Role.MEMORY)
    if choice.kinds:
        memory &= np.logical_or.reduce([graph.is_kind(kind) for kind in choice.kinds])
    return memory


def _title(graph: Graph) -> str:
    names = [read.path for read in graph.corpus.inputs]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def inputs_of(graph: Graph) -> list[Input]:
    """What was read."""
    return [
        Input(
            path=read.path,
            formats=read.formats,
            bytes=read.bytes,
            records=sum(read.formats.values()) + read.unreadable,
            unreadable=read.unreadable,
            passed=read.passed,
        )
        for read in graph.corpus.inputs
    ]


def _counted(values: NDArray[Any], names: Sequence[str]) -> dict[str, int]:
    counts = np.bincount(values, minlength=len(names)).tolist()
    return {name: count for name, count in sorted(zip(names, counts, strict=True)) if count}


def _summary(graph: Graph, wanted: Bool, found: Findings, *, heads: int, orphans: int, cycles: int) -> Summary:
    roles = np.bincount(graph.role, minlength=len(Role)).tolist()
    links, lineages = graph.links, graph.lineages
    numbers_ = np.flatnonzero(np.bincount(graph.lineage[wanted], minlength=len(lineages)))
    kinds = [kind or "(none)" for kind in graph.corpus.kinds]
    effective = {kind: int(links.effective(kind).sum()) for kind in LinkKind}
    statuses = np.bincount(graph.status[wanted], minlength=len(Status)).tolist()
    formats: dict[str, int] = {}
    for read in graph.corpus.inputs:
        for form, count in read.formats.items():
            formats[form] = formats.get(form, 0) + count
    return Summary(
        memories=int(wanted.sum()),
        markers=roles[code(Role.MARKER)],
        logs=roles[code(Role.LOG)],
        ghosts=roles[code(Role.GHOST)],
        by_status=dict(zip(map(str, Status), statuses, strict=True)),
        by_kind=_counted(graph.column("kind")[wanted], kinds),
        by_format=dict(sorted(formats.items())),
        links={
            **{str(kind): count for kind, count in effective.items() if kind in MASKING or count},
            "void": int((links.void >= 0).sum()),
        },
        lineages=len(numbers_),
        standalone=int(((lineages.size[numbers_] == 1) & (lineages.live[numbers_] == 1)).sum()),
        longest_depth=int(lineages.depth[numbers_].max(initial=0)),
        forks=int(lineages.forks[numbers_].sum()),
        merges=int(lineages.merges[numbers_].sum()),
        live_heads=heads,
        orphans=orphans,
        cycles=cycles,
        findings=found.by_severity,
    )


def first_by(graph: Graph, nodes: Nodes, values: NDArray[np.int64], limit: int) -> Nodes:
    """The first `limit` nodes by falling value, then id (0 for all)."""
    if limit and limit < len(nodes):
        bound = np.partition(values, len(values) - limit)[len(values) - limit]
        kept = values >= bound
        nodes, values = nodes[kept], values[kept]
    table = pa.table({"value": numbers(values), "id": graph.names.take(numbers(nodes))})
    order = pc.sort_indices(table, [("value", "descending"), ("id", "ascending")])
    return nodes[as_numpy(order).astype(np.int64)][: limit or None]


def _newest(graph: Graph, nodes: Nodes, limit: int) -> Nodes:
    """The newest memories; those of unknown time last."""
    return first_by(graph, nodes, graph.times("created_at")[nodes], limit)


def head_rows(graph: Graph, nodes: Nodes) -> Iterator[Head]:
    """What the report says of some live heads."""
    links = graph.links
    supersedes = np.flatnonzero(links.effective(LinkKind.SUPERSEDES))
    sources = links.source[supersedes]
    for begin in range(0, len(nodes), LIMIT):
        part = nodes[begin : begin + LIMIT]
        first, last = np.searchsorted(sources, part), np.searchsorted(sources, part, side="right")
        older = [links.target[supersedes[a:b]] for a, b in zip(first.tolist(), last.tolist(), strict=True)]
        lineages = graph.lineages.oldest[graph.lineage[part]]
        graph.remember(np.unique(np.concatenate([part, lineages, *older])))
        rows = graph.rows[part]
        texts = graph.corpus.texts_of(rows, ["text", "rationale", "scope", "files"]).to_pylist()
        created, kinds = graph.time_texts(graph.times("created_at")[part]), graph.column("kind")[part].tolist()
        places = graph.places(part)
        for i, node in enumerate(part.tolist()):
            yield Head(
                id=graph.id(node),
                text=texts[i]["text"],
                kind=graph.corpus.kinds[kinds[i]],
                scope=texts[i]["scope"],
                created_at=created[i],
                files=texts[i]["files"],
                lineage=graph.id(int(lineages[i])),
                depth=int(graph.generation[node]),
                replaces=sorted(graph.ids(older[i])),
                source=places[i][0],
                line=places[i][1],
                rationale=texts[i]["rationale"],
            )


def _orphan_links(graph: Graph, wanted: Bool) -> Nodes:
    """The dangling links of masking kinds; with kinds chosen, those a wanted memory states."""
    links = graph.links
    masking = np.isin(links.kind, [code(kind) for kind in MASKING])
    found = np.flatnonzero(links.voided(Void.DANGLING) & masking)
    if wanted.sum() == (graph.role == code(Role.MEMORY)).sum():
        return found
    return found[wanted[links.declarer[found]]]


def _orphans(graph: Graph, numbers_: Nodes) -> list[Orphan]:
    links = graph.links
    stating = links.declarer[numbers_]
    missing = np.where(links.source[numbers_] == stating, links.target[numbers_], links.source[numbers_])
    rows = zip(
        graph.ids(stating),
        graph.ids(missing),
        links.kind[numbers_].tolist(),
        links.via[numbers_].tolist(),
        graph.places(stating),
        strict=True,
    )
    made = [
        Orphan(name, other, str(member(LinkKind, kind)), links.vias[via], *place)
        for name, other, kind, via, place in rows
    ]
    return sorted(made, key=lambda orphan: (orphan.id, orphan.missing, orphan.kind))


def _cycles(graph: Graph, numbers_: Sequence[int]) -> list[Cycle]:
    circles = Circles(graph)
    made = []
    for number in numbers_:
        circle = circles.circle(number)
        made.append(
            Cycle(
                memories=graph.ids(circle.walk),
                lineage=graph.lineage_name(circle.walk[0]) or "",
                cut=[(graph.id(source), graph.id(target)) for source, target in circle.cut],
                then=graph.ids(circle.then),
            )
        )
    return made


def _lineage_numbers(graph: Graph, wanted: Bool) -> Nodes:
    """The lineages of two or more that hold a wanted memory."""
    held = np.zeros(len(graph.lineages), np.bool_)
    held[graph.lineage[wanted]] = True
    return np.flatnonzero(held & (graph.lineages.size > 1))


def _largest(graph: Graph, numbers_: Nodes, limit: int) -> Nodes:
    oldest = graph.lineages.oldest[numbers_].astype(np.int64)
    chosen = first_by(graph, oldest, graph.lineages.size[numbers_].astype(np.int64), limit)
    return graph.lineage[chosen].astype(np.int64)


def _lineage_rows(graph: Graph, numbers_: Nodes) -> list[LineageRow]:
    table = graph.lineages
    shown = np.zeros(len(table) + 1, np.bool_)
    shown[numbers_] = True
    live = np.flatnonzero((graph.status == code(Status.LIVE)) & shown[graph.lineage])
    live = live[np.argsort(graph.lineage[live], kind="stable")]
    owners = graph.lineage[live]
    first, last = np.searchsorted(owners, numbers_), np.searchsorted(owners, numbers_, side="right")
    graph.remember(np.unique(np.concatenate([live, table.oldest[numbers_]])))
    names = graph.ids(live)
    columns = (
        graph.ids(table.oldest[numbers_]),
        *(getattr(table, name)[numbers_].tolist() for name in ("size", "depth", "forks", "merges")),
        [sorted(names[begin:end]) for begin, end in zip(first.tolist(), last.tolist(), strict=True)],
        graph.time_texts(table.first[numbers_]),
        graph.time_texts(table.last[numbers_]),
    )
    return list(map(LineageRow, *columns))
