"""The public functions and objects, under the names that `lineage` exports.

Nothing inside the package imports from here.
"""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from lineage.corpus.tables import Corpus
from lineage.discovery import drawings, renderer, renderers
from lineage.drawings.base import Export
from lineage.errors import UsageError
from lineage.graph import build as building
from lineage.graph import conversion, core, frames, query
from lineage.layout.compose import MOST, diagram
from lineage.layout.folding import FEWEST
from lineage.layout.selection import DEPTH, Selection, choose
from lineage.model import Severity, Status, Void, code
from lineage.opening import read
from lineage.reporting import build as reporting
from lineage.reporting.document import to_dict
from lineage.reporting.findings import OFF, Choice
from lineage.reporting.findings import findings as found_in
from lineage.reporting.model import Finding
from lineage.reporting.model import Report as ReportModel

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

__all__ = ["Drawing", "Graph", "Lineage", "Report", "build", "check", "convert", "draw", "losses", "read", "report"]

Moment = str | datetime | date | int | None
Nodes = NDArray[np.int64]


def _choice(
    select: Collection[str],
    ignore: Collection[str],
    severity: Mapping[str, str] | None,
    kinds: Collection[str],
    limit: int,
) -> Choice:
    for rule, word in (severity or {}).items():
        if word not in (*Severity, OFF):
            raise UsageError(f"severity of {rule}: {word!r} is none of {', '.join((*Severity, OFF))}")
    if limit < 0:
        raise UsageError(f"limit: {limit} is below 0, which stands for all")
    return Choice(select, ignore, severity, kinds)


def build(corpus: Corpus, *, as_of: Moment = None, now: Moment = None) -> "Graph":
    """Resolve the links of a corpus and decide the status of every memory.

    `as_of` asks what was in effect at an instant (ISO 8601, a datetime, or a
    date for its midnight UTC). `now` is the time with which the rule on future
    times compares, the clock's by default.
    """
    return Graph(building.build(corpus, as_of=as_of, now=now))


def check(
    graph: "Graph",
    *,
    select: Collection[str] = (),
    ignore: Collection[str] = (),
    severity: Mapping[str, str] | None = None,
    limit: int = 0,
    kinds: Collection[str] = (),
) -> list[Finding]:
    """What is broken: the findings in order of severity, rule and id.

    `select` and `ignore` hold rule codes or beginnings of codes; `severity`
    maps codes to error, warning, info or off. At most `limit` findings a rule
    (0 for all).
    """
    choice = _choice(select, ignore, severity, kinds, limit)
    return list(found_in(graph.core, choice, limit).shown)


def report(
    graph: "Graph",
    *,
    title: str | None = None,
    select: Collection[str] = (),
    ignore: Collection[str] = (),
    severity: Mapping[str, str] | None = None,
    limit: int = reporting.LIMIT,
    kinds: Collection[str] = (),
    generated_at: str | None = None,
    lists: bool = True,
) -> "Report":
    """A report on a graph: counts of everything, lists of at most `limit` entries (0 for all).

    Without `lists` it lists findings alone.
    """
    model = reporting.report(
        graph.core,
        title=title,
        choice=_choice(select, ignore, severity, kinds, limit),
        limit=limit,
        generated_at=generated_at,
        lists=lists,
    )
    return Report(model)


def convert(graph: "Graph", to: str) -> Iterator[bytes]:
    """The memories in another format, one JSON line each, in the order they were read."""
    return conversion.convert(graph.core, to)


def losses(graph: "Graph", to: str) -> dict[str, int]:
    """What `convert` to a format would leave out or not be able to say, counted by what it is."""
    return conversion.losses(graph.core, to)


@dataclass(frozen=True)
class Drawing:
    """A diagram as a whole file, and what was folded in it, in sentences."""

    content: bytes
    folded: Sequence[str]


def draw(
    graph: "Graph",
    format: str = "svg",
    *,
    lineage: str | None = None,
    around: str | None = None,
    depth: int = DEPTH,
    top: int | None = None,
    statuses: Collection[str] = (),
    kinds: Collection[str] = (),
    cycles: bool = False,
    max_nodes: int = MOST,
) -> Drawing:
    """Draw lineages: svg, html, png, pdf, dot, mermaid; graphml and json carry the nodes and links themselves.

    Everything is drawn unless it is narrowed: to the `lineage` of an id, to
    what lies at most `depth` links `around` an id, to the `top` largest
    lineages, to those that hold a memory of some `statuses` or `kinds` or a
    circle (`cycles`). Beyond `max_nodes` (0: no limit) plain superseded
    memories are folded. Raises `UnknownMemory` and `UsageError`.
    """
    selection = Selection(lineage, around, depth, top, statuses, kinds, cycles)
    return _drawn(graph.core, format, selection, max_nodes)


def _drawn(graph: core.Graph, format: str, selection: Selection, max_nodes: int) -> Drawing:
    if format not in drawings():
        raise UsageError(f"unknown format of drawings {format!r}: {', '.join(drawings())}")
    if max_nodes and max_nodes < FEWEST:
        raise UsageError(f"max_nodes: {max_nodes} is below {FEWEST}; 0 stands for all")
    form = drawings()[format]
    chosen = choose(graph, selection)
    if isinstance(form, Export):
        return Drawing(form.write(frames.networkx_graph(graph, np.flatnonzero(chosen.mask))), ())
    limit = max_nodes
    while True:
        made = diagram(graph, chosen, max_nodes=limit)
        content = form.draw(made)
        if form.fits(made, content) or len(made.nodes) <= FEWEST:
            return Drawing(content, made.folded)
        # What a format cannot hold is folded until it can.
        limit = max(min(len(made.nodes), limit or len(made.nodes)) * 2 // 3, FEWEST)


class Graph:
    """A corpus with its links resolved and every status decided.

    `core` holds the arrays; everything else is made of them when asked for.
    """

    def __init__(self, graph: core.Graph) -> None:
        self.core = graph

    @property
    def corpus(self) -> Corpus:
        """The corpus it was built from."""
        return self.core.corpus

    @cached_property
    def memories(self) -> "pd.DataFrame":
        """One row a memory (role `memory`): its columns, then `status`, `lineage`, `generation`.

        Times are datetime64[us, UTC], closed vocabularies categories, lists
        Python lists; an unknown value is None, NaN or NaT.
        """
        return frames.memories_frame(self.core, self.matching())

    @cached_property
    def links(self) -> "pd.DataFrame":
        """One row a link: `source`, `target`, `kind`, `declared_by`, `via`, `implied`, `void`."""
        return frames.links_frame(self.core)

    def live_heads(self) -> "pd.DataFrame":
        """The memories in effect, the newest first; the columns of `memories`."""
        return frames.memories_frame(self.core, self.sorted(self.matching(statuses=[Status.LIVE])))

    def orphans(self) -> "pd.DataFrame":
        """The masking links whose other end is missing: `id`, `missing`, `kind`, `via`, `source`, `line`."""
        return _frame(self._report.orphans, ["id", "missing", "kind", "via", "source", "line"])

    def cycles(self) -> "pd.DataFrame":
        """The circles: `memories` (a closed walk), `lineage`, `cut` (links to remove), `then` (who would hold)."""
        return _frame(self._report.cycles, ["memories", "lineage", "cut", "then"])

    def lineages(self) -> "pd.DataFrame":
        """The lineages of two or more, largest first.

        Columns `id`, `size`, `depth`, `forks`, `merges`, `live_heads`, `first`, `last`.
        """
        names = ["id", "size", "depth", "forks", "merges", "live_heads", "first", "last"]
        return _frame(self._report.lineages, names)

    @cached_property
    def _report(self) -> ReportModel:
        return reporting.report(self.core, choice=Choice(select=("none",)), limit=0)

    def lineage(self, id: str) -> "Lineage":
        """The lineage of the memory with this id, or the only one whose id begins so."""
        return Lineage(self, self.find(id))

    def find(self, prefix: str) -> int:
        """The node with this id, or the only one whose id begins so (8 characters or more)."""
        return query.find(self.core, prefix)

    def matching(self, **conditions: Any) -> Nodes:
        """The nodes that meet every condition; see `lineage.graph.query.matching`."""
        return query.matching(self.core, **conditions)

    def sorted(self, nodes: Nodes, by: str | None = None) -> Nodes:
        """Nodes in an order: created, -created (the default), id, status, lineage or generation."""
        return query.ordered(self.core, nodes, by)

    def listing(self, nodes: Nodes) -> Iterator[dict[str, Any]]:
        """Nodes as the objects of `lineage list -f jsonl`."""
        return query.listing(self.core, nodes)

    def head_rows(self, nodes: Nodes) -> Iterator[dict[str, Any]]:
        """Live heads as the objects of `live_heads` in the JSON report."""
        for head in reporting.head_rows(self.core, nodes):
            row = msgspec.structs.asdict(head)
            del row["rationale"]
            yield row

    def to_networkx(self) -> "nx.MultiDiGraph":
        """All nodes and links as a `networkx.MultiDiGraph`, every column an attribute."""
        return frames.networkx_graph(self.core)

    def __repr__(self) -> str:
        return repr(self.core)

    def _repr_html_(self) -> str:
        counts = self._report.summary
        cells = {**counts.by_status, "lineages": counts.lineages, "orphans": counts.orphans, "cycles": counts.cycles}
        return _html_table(repr(self)[1:-1], cells)


class Lineage:
    """One lineage: the memories, markers and ghosts that its links join."""

    def __init__(self, graph: Graph, node: int) -> None:
        arrays = graph.core
        number = arrays.lineage[node]
        self._graph = graph
        self._nodes = np.flatnonzero(arrays.lineage == number) if number >= 0 else np.array([node], np.int64)
        self.id = arrays.lineage_name(node) or arrays.id(node)
        """The id of its oldest memory."""

    @cached_property
    def memories(self) -> "pd.DataFrame":
        """Its nodes, the oldest first, with the columns of `graph.memories`; `role` tells markers and ghosts."""
        return frames.memories_frame(self._graph.core, self._graph.sorted(self._nodes, "created"))

    @cached_property
    def links(self) -> "pd.DataFrame":
        """The links that one of its memories states, those that leave it included."""
        links = self._graph.core.links
        here = np.isin(links.source, self._nodes) | np.isin(links.target, self._nodes)
        foreign = (links.void == code(Void.BOUNDARY)) & ~np.isin(links.declarer, self._nodes)
        return frames.links_frame(self._graph.core, np.flatnonzero(here & ~foreign))

    def to_networkx(self) -> "nx.MultiDiGraph":
        """Its nodes and links as a `networkx.MultiDiGraph`."""
        return frames.networkx_graph(self._graph.core, self._nodes)

    def __repr__(self) -> str:
        return f"<Lineage {self.id!r} of {len(self._nodes):,}>"

    def _repr_html_(self) -> str:
        shown = self.memories[["id", "role", "status", "text", "created_at"]]
        return str(shown.to_html(index=False, max_rows=40, escape=True))


class Report:
    """A report, and its ways out."""

    def __init__(self, model: ReportModel) -> None:
        self.model = model
        """The plain values that every renderer shows."""

    @property
    def findings(self) -> "pd.DataFrame":
        """One row a finding: `rule`, `name`, `severity`, `message`, `memories`, `lineage`, `locations`, `mend`."""
        names = ["rule", "name", "severity", "message", "memories", "lineage", "locations", "mend"]
        frame = _frame(self.model.findings, names)
        frame["locations"] = frame["locations"].map(lambda places: [(place.source, place.line) for place in places])
        return frame

    @property
    def quality(self) -> dict[str, Any]:
        """The `quality` of the JSON report."""
        return dict(self.to_dict()["quality"])

    def to_dict(self) -> dict[str, Any]:
        """The JSON report (`lineage-report/v1`) as plain values."""
        return to_dict(self.model)

    def render(self, name: str) -> bytes:
        """The report in one of the output formats, as a whole file."""
        return renderer(name).render(self.model)

    def save(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Write the report; the format is told by the ending unless it is given."""
        target = Path(path)
        endings = {renderer.suffix: renderer.name for renderer in renderers().values()}
        name = format or endings.get(target.suffix)
        if name is None:
            raise UsageError(f"{target}: no report format ends like this; {', '.join(sorted(endings))} do")
        content = self.render(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)

    def __repr__(self) -> str:
        counts = self.model.summary
        total = sum(counts.findings.values())
        return f"<Report on {counts.memories:,} memories: {counts.live_heads:,} live, {total:,} findings>"

    def _repr_html_(self) -> str:
        counts = self.model.summary
        return _html_table(repr(self)[1:-1], {**counts.by_status, **counts.findings})


def _frame(entries: Sequence[Any], columns: list[str]) -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame([{name: getattr(entry, name) for name in columns} for entry in entries], columns=columns)


def _html_table(title: str, cells: Mapping[str, int]) -> str:
    from html import escape

    head = "".join(f"<th>{escape(name)}</th>" for name in cells)
    body = "".join(f"<td>{count:,}</td>" for count in cells.values())
    return f"<table><caption>{escape(title)}</caption><tr>{head}</tr><tr>{body}</tr></table>"
