"""What can be done: build a graph, check it, report on it, compare and draw it."""

import os
from collections.abc import Collection, Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING

from lineage.corpus.tables import Corpus
from lineage.errors import UsageError
from lineage.face.differences import Diff
from lineage.face.graphs import Graph
from lineage.face.reports import Report
from lineage.graph import build as building
from lineage.model import HALF_LIFE, Severity
from lineage.reporting import build as reporting
from lineage.reporting import differing
from lineage.reporting.baseline import Baseline
from lineage.reporting.findings import OFF, Choice
from lineage.reporting.findings import findings as found_in
from lineage.reporting.model import Finding
from lineage.reporting.trend import earlier, scale

if TYPE_CHECKING:
    from lineage.drawings.making import Drawing

Moment = str | datetime | date | int | None


def _choice(
    select: Collection[str],
    ignore: Collection[str],
    severity: Mapping[str, str] | None,
    kinds: Collection[str],
    thresholds: Mapping[str, float] | None,
    limit: int,
    per_kind: Mapping[str, Collection[str]] | None,
    baseline: Baseline | None = None,
) -> Choice:
    for rule, word in (severity or {}).items():
        if word not in (*Severity, OFF):
            raise UsageError(f"severity of {rule}: {word!r} is none of {', '.join((*Severity, OFF))}")
    for rule, number in (thresholds or {}).items():
        if not number >= 0:
            raise UsageError(f"threshold of {rule}: {number} is below 0")
    if limit < 0:
        raise UsageError(f"limit: {limit} is below 0, which stands for all")
    return Choice(select, ignore, severity, thresholds, kinds, baseline, per_kind)


def build(corpus: Corpus, *, as_of: Moment = None, now: Moment = None) -> Graph:
    """Resolve the links of a corpus and decide the status of every memory.

    `as_of` asks what was in effect at an instant (ISO 8601, a datetime, or a
    date for its midnight UTC). `now` is the time with which the rule on future
    times compares, the clock's by default.
    """
    return Graph(building.build(corpus, as_of=as_of, now=now))


def check(
    graph: Graph,
    *,
    select: Collection[str] = (),
    ignore: Collection[str] = (),
    severity: Mapping[str, str] | None = None,
    thresholds: Mapping[str, float] | None = None,
    per_kind: Mapping[str, Collection[str]] | None = None,
    limit: int = 0,
    kinds: Collection[str] = (),
) -> list[Finding]:
    """What is broken: the findings in order of severity, rule and id.

    `select` and `ignore` hold rule codes or beginnings of codes, `ignore` also
    `CODE:GLOB` for findings that name a memory with such an id; `severity` maps
    codes to error, warning, info or off, `thresholds` to a number in the unit
    that `lineage rules` gives, `per_kind` kinds to codes that do not count where
    a finding names a memory of that kind first. At most `limit` findings a rule
    (0 for all).
    """
    choice = _choice(select, ignore, severity, kinds, thresholds, limit, per_kind)
    return list(found_in(graph.core, choice, limit).shown)


def report(  # noqa: PLR0913 - each is a setting of its own
    graph: Graph,
    *,
    title: str | None = None,
    select: Collection[str] = (),
    ignore: Collection[str] = (),
    severity: Mapping[str, str] | None = None,
    thresholds: Mapping[str, float] | None = None,
    per_kind: Mapping[str, Collection[str]] | None = None,
    limit: int = reporting.LIMIT,
    kinds: Collection[str] = (),
    generated_at: str | None = None,
    lists: bool = True,
    baseline: Baseline | None = None,
    graded: bool = False,
    weights: Mapping[str, float] | None = None,
    half_life: float = HALF_LIFE,
    against: "str | os.PathLike[str] | None" = None,
) -> Report:
    """A report on a graph: counts of everything, lists of at most `limit` entries (0 for all).

    Findings are chosen as in `check`. Without `lists` it lists them alone. Those that
    the `baseline` knows are neither listed nor counted; with one, an empty one
    too, all that was found is kept as the report's own `baseline`. The quality
    of the corpus goes with the lists, and without them where it is to be
    `graded`: by `weights` of `completeness`, `trust`, `use`, `relevance` and
    `freshness`, which halves every `half_life` days. `against` is an earlier JSON
    report to compare with.
    """
    model = reporting.report(
        graph.core,
        title=title,
        choice=_choice(select, ignore, severity, kinds, thresholds, limit, per_kind, baseline),
        limit=limit,
        generated_at=generated_at,
        lists=lists,
        graded=graded,
        scale=scale(weights, half_life),
        against=earlier(against) if against is not None else None,
    )
    return Report(model, graph.core)


def diff(
    old: Graph,
    new: Graph,
    *,
    select: Collection[str] = (),
    ignore: Collection[str] = (),
    severity: Mapping[str, str] | None = None,
    thresholds: Mapping[str, float] | None = None,
    per_kind: Mapping[str, Collection[str]] | None = None,
    limit: int = reporting.LIMIT,
    kinds: Collection[str] = (),
) -> Diff:
    """What changed from one graph to another: heads, statuses, memories, texts and findings.

    Memories are matched by id, findings by fingerprint and chosen as in
    `check`. Everything is counted, and each list holds its first `limit` entries
    (0 for all). With `kinds`, only memories count that are of one of these
    kinds in either graph.
    Raises `InputError` where a file has changed since it was read.
    """
    choice = _choice(select, ignore, severity, kinds, thresholds, limit, per_kind)
    return Diff(differing.diff(old.core, new.core, choice, limit=limit))


def draw(
    graph: Graph,
    format: str = "svg",
    *,
    lineage: str | None = None,
    around: str | None = None,
    depth: int = 3,
    top: int | None = None,
    statuses: Collection[str] = (),
    kinds: Collection[str] = (),
    cycles: bool = False,
    max_nodes: int = 300,
) -> "Drawing":
    """Draw lineages: svg, html, png, pdf, dot, mermaid; graphml and json carry the nodes and links themselves.

    Everything is drawn unless it is narrowed: to the `lineage` of an id, to
    what lies at most `depth` links `around` an id, to the `top` largest
    lineages, to those that hold a memory of some `statuses` or `kinds` or a
    circle (`cycles`). Beyond `max_nodes` (0: no limit) plain superseded
    memories are folded. Raises `UnknownMemory` and `UsageError`.
    """
    # Drawing is a part of its own, and commands that draw nothing start without it.
    from lineage.drawings.making import drawing
    from lineage.layout.selection import Selection

    return drawing(graph.core, format, Selection(lineage, around, depth, top, statuses, kinds, cycles), max_nodes)
