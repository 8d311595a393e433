"""A graph and a lineage as their readers in Python get them."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from lineage.analyses import grouped
from lineage.analyses.explaining import Explanation, explain
from lineage.analyses.suggestions import suggestions
from lineage.corpus.tables import Corpus
from lineage.face.tables import frame, html_table
from lineage.face.worth import quality_frame
from lineage.graph import build as building
from lineage.graph import core, frames, query
from lineage.graph.build import Moment
from lineage.model import HALF_LIFE, Status, Void, code
from lineage.reporting import build as reporting
from lineage.reporting.findings import Choice
from lineage.reporting.model import Report as ReportModel
from lineage.reporting.trend import scale

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd
    from matplotlib.axes import Axes

    from lineage.analyses.grouped import By
    from lineage.layout.diagram import Diagram

# How many nodes a drawing has before the plain ones are folded.
_MOST = 300

# How many nodes a notebook shows of a graph or lineage that was not asked to be drawn.
_SHOWN = 60

Nodes = NDArray[np.int64]


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
        return frame(self._report.orphans, ["id", "missing", "kind", "via", "source", "line"])

    def cycles(self) -> "pd.DataFrame":
        """The circles: `memories` (a closed walk), `lineage`, `cut` (links to remove), `then` (who would hold)."""
        return frame(self._report.cycles, ["memories", "lineage", "cut", "then"])

    def lineages(self) -> "pd.DataFrame":
        """The lineages of two or more, largest first.

        Columns `id`, `size`, `depth`, `forks`, `merges`, `live_heads`, `first`, `last`.
        """
        names = ["id", "size", "depth", "forks", "merges", "live_heads", "first", "last"]
        return frame(self._report.lineages, names)

    def quality(self, *, weights: Mapping[str, float] | None = None, half_life: float = HALF_LIFE) -> "pd.DataFrame":
        """How good each memory is, one row a memory in the order of `memories`.

        Columns `id`, `status`, `score` (0 to 100), and its parts, each between 0
        and 1 and NaN where nothing is known: `completeness` (the share of what
        its format offers that it `has`, of so many `offered`), `trust`, `use`
        (with 95 % certainty between `use_low` and `use_high`), `relevance`,
        `freshness` (which halves every `half_life` days); `age_days`. The score
        is 100 times the mean of the known parts, by their `weights`.
        """
        return quality_frame(self.core, scale(weights, half_life))

    def lifespans(self, by: "By" = "kind") -> "pd.DataFrame":
        """How long memories last and how many are reversed, by kind, scope, module, source or format.

        Columns: the group, `memories`, `live`, `superseded`, `reversed`,
        `reversal_rate`, `ended`, `median_days`.
        """
        return grouped.lifespans(self.core, by)

    def reworked(self) -> "pd.DataFrame":
        """The lineages in which most was replaced.

        Columns `lineage`, `memories`, `supersessions`, `reversals`, `live`, `days`.
        """
        return grouped.reworked(self.core)

    def contested(self) -> "pd.DataFrame":
        """The files about which most was decided and undone: `file`, `memories`, `live`, `undone`."""
        return grouped.contested(self.core)

    def over_time(self) -> "pd.DataFrame":
        """What happened by period: `start`, `made`, `superseded`, `reversed`, and `in_effect` at its end."""
        return grouped.in_effect(self.core)

    def explain(self, path: str) -> "Explanation":
        """Why a file is as it is: what is in effect of it, what that replaced, and what was turned down."""
        return explain(self.core, path)

    def as_of(self, moment: Moment) -> "Graph":
        """The graph of the same corpus as it was at an instant."""
        return Graph(building.build(self.core.corpus, as_of=moment, now=self.core.now))

    def suggest(self, least: float = 0.5) -> "pd.DataFrame":
        """Pairs in which a newer live decision most likely supersedes an older one; nothing is linked by it.

        Columns `source` (the newer), `kind`, `target`, `note`, `score` (0 to 1,
        at least `least`, the highest first), `reasons`; see
        `lineage.analyses.suggestions`. `lineage.read(..., links=[frame])` takes
        what is left of it after review.
        """
        return suggestions(self.core, least)

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

    def diagram(self, *, max_nodes: int = _MOST, **selection: Any) -> "Diagram":
        """Where everything stands in a drawing of the graph; what is selected as in `lineage.draw`."""
        from lineage.drawings.making import laid_out
        from lineage.layout.selection import Selection

        return laid_out(self.core, Selection(**selection), max_nodes)

    def draw(self, ax: "Axes | None" = None, *, max_nodes: int = _MOST, **selection: Any) -> "Axes":
        """Draw the graph into matplotlib axes, or into a figure of its own; what is drawn as in `lineage.draw`."""
        return _painted(self.diagram(max_nodes=max_nodes, **selection), ax)

    def to_networkx(self) -> "nx.MultiDiGraph":
        """All nodes and links as a `networkx.MultiDiGraph`, every column an attribute."""
        return frames.networkx_graph(self.core)

    def __repr__(self) -> str:
        return repr(self.core)

    def _repr_html_(self) -> str:
        counts = self._report.summary
        cells = {**counts.by_status, "lineages": counts.lineages, "orphans": counts.orphans, "cycles": counts.cycles}
        return html_table(repr(self)[1:-1], cells) + _shown(self.diagram(max_nodes=_SHOWN))


class Lineage:
    """One lineage: the memories, markers and ghosts that its links join."""

    def __init__(self, graph: Graph, node: int) -> None:
        arrays = graph.core
        number = arrays.lineage[node]
        self._graph = graph
        self._asked = arrays.id(node)
        self.nodes = np.flatnonzero(arrays.lineage == number) if number >= 0 else np.array([node], np.int64)
        """The numbers of its nodes in the graph's arrays."""
        self.id = arrays.lineage_name(node) or arrays.id(node)
        """The id of its oldest memory."""

    @cached_property
    def memories(self) -> "pd.DataFrame":
        """Its nodes, the oldest first, with the columns of `graph.memories`; `role` tells markers and ghosts."""
        return frames.memories_frame(self._graph.core, self._graph.sorted(self.nodes, "created"))

    @cached_property
    def links(self) -> "pd.DataFrame":
        """The links that one of its memories states, those that leave it included."""
        links = self._graph.core.links
        here = np.isin(links.source, self.nodes) | np.isin(links.target, self.nodes)
        foreign = (links.void == code(Void.BOUNDARY)) & ~np.isin(links.declarer, self.nodes)
        return frames.links_frame(self._graph.core, np.flatnonzero(here & ~foreign))

    def to_networkx(self) -> "nx.MultiDiGraph":
        """Its nodes and links as a `networkx.MultiDiGraph`."""
        return frames.networkx_graph(self._graph.core, self.nodes)

    def diagram(self, *, max_nodes: int = _MOST) -> "Diagram":
        """Where everything stands in a drawing of the lineage."""
        return self._graph.diagram(lineage=self._asked, max_nodes=max_nodes)

    def draw(self, ax: "Axes | None" = None, *, max_nodes: int = _MOST) -> "Axes":
        """Draw the lineage into matplotlib axes, or into a figure of its own."""
        return _painted(self.diagram(max_nodes=max_nodes), ax)

    def __repr__(self) -> str:
        return f"<Lineage {self.id!r} of {len(self.nodes):,}>"

    def _repr_html_(self) -> str:
        return _shown(self.diagram(max_nodes=_SHOWN))


def _painted(diagram: "Diagram", ax: "Axes | None") -> "Axes":
    from lineage.drawings._paint import paint

    return paint(diagram, ax)


def _shown(diagram: "Diagram") -> str:
    from lineage.drawings.svg import svg

    return svg(diagram)
