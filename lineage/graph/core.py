"""The graph: nodes, links, statuses and lineages as arrays, and views on them.

A node is a number. The first nodes are the memories, markers and logs of the
corpus that exist at `as_of`, in the order of their rows; the ghosts follow.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.arrays import NO_TIME, as_numpy, numbers
from lineage.corpus.tables import TIMES, Corpus
from lineage.graph.links import Links
from lineage.graph.nodes import spread
from lineage.graph.shape import Lineages
from lineage.model import Role, Status, code
from lineage.readers.base import Says, Traits
from lineage.readers.fields import iso

__all__ = ["NO_TIME", "Graph", "Lineages", "Links", "filled"]

Int8 = NDArray[np.int8]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Bool = NDArray[np.bool_]
Made = TypeVar("Made")


@dataclass(frozen=True, eq=False)
class Graph:
    """What a corpus means at one moment.

    Arrays have one value a node: `role`, `status` (codes of the enums; status
    is -1 where a node has none), `declared` (as of the date, -1 for null),
    `lineage` (an index into `lineages`, -1 for none), `generation`,
    `has_rationale`, `has_provenance`. `rows` gives the corpus row of every
    node that is no ghost. `sccs` are the members of each circle of supersedes
    links. `now` and `as_of` are microseconds since 1970 in UTC.
    """

    corpus: Corpus = field(repr=False)
    as_of: int | None
    now: int
    rows: Int64 = field(repr=False)
    names: pa.Array = field(repr=False)
    role: Int8 = field(repr=False)
    status: Int8 = field(repr=False)
    declared: Int8 = field(repr=False)
    generation: Int32 = field(repr=False)
    links: Links = field(repr=False)
    lineage: Int32 = field(repr=False)
    lineages: Lineages = field(repr=False)
    sccs: Sequence[Int32] = field(repr=False)
    traits: Sequence[Traits] = field(repr=False)

    @property
    def size(self) -> int:
        """How many nodes there are, ghosts included."""
        return len(self.role)

    @property
    def ghosts(self) -> int:
        """How many nodes stand for ids that are not in the corpus."""
        return self.size - len(self.rows)

    def __repr__(self) -> str:
        live = int((self.status == code(Status.LIVE)).sum())
        memories = int((self.role == code(Role.MEMORY)).sum())
        return f"<Graph of {memories:,} memories, {live:,} live, {len(self.links):,} links>"

    @cached_property
    def _kept(self) -> dict[str, Any]:
        return {}

    def once(self, name: str, make: "Callable[[Graph], Made]") -> Made:
        """What `make` makes of the graph, made once and kept under a name: for what several rules go by."""
        if name not in self._kept:
            self._kept[name] = make(self)
        made: Made = self._kept[name]
        return made

    @cached_property
    def _columns(self) -> dict[tuple[str, int], NDArray[Any]]:
        return {}

    def column(self, name: str, ghost: int = -1) -> NDArray[Any]:
        """A fixed-width column of the corpus index, one value a node."""
        if (name, ghost) not in self._columns:
            values = as_numpy(self.corpus.index[name])
            self._columns[name, ghost] = spread(values, self.rows, self.ghosts, ghost)
        return self._columns[name, ghost]

    def times(self, name: str) -> Int64:
        """A time of every node in microseconds, NO_TIME where unknown; not hidden by `as_of`."""
        if name not in TIMES:
            raise KeyError(name)
        return self.column(name, NO_TIME)

    @cached_property
    def has_rationale(self) -> Bool:
        """Mask of the nodes whose record says why."""
        mask: Bool = self.column("has_rationale", 0) != 0
        return mask

    @cached_property
    def has_provenance(self) -> Bool:
        """Mask of the nodes whose session, commit, agent or source is known."""
        mask: Bool = self.column("has_provenance", 0) != 0
        return mask

    @cached_property
    def relevance(self) -> NDArray[np.float64]:
        """The relevance of every node as its format gives it, NaN where unknown."""
        values = self.column("relevance", 0).copy()
        values[len(self.rows) :] = np.nan
        return values

    def says(self, what: Says) -> Bool:
        """Mask of the nodes whose record says such a thing."""
        mask: Bool = (self.column("says", 0) & int(what)) != 0
        return mask

    def is_kind(self, kind: str) -> Bool:
        """Mask of the nodes of this kind."""
        kinds = list(self.corpus.kinds)
        if kind not in kinds:
            return np.zeros(self.size, np.bool_)
        mask: Bool = self.column("kind") == kinds.index(kind)
        return mask

    def trait(self, name: str) -> Bool:
        """Mask of the nodes whose format has a trait, by the name of a field of `Traits`."""
        has = np.array([getattr(traits, name) for traits in self.traits] + [False], np.bool_)
        mask: Bool = has[self.column("format")]
        return mask

    @cached_property
    def _remembered(self) -> dict[int, str]:
        return {}

    def remember(self, nodes: NDArray[Any]) -> None:
        """Look up the ids of nodes that will be asked for one by one, all at once."""
        self._remembered.clear()
        self._remembered.update(zip(nodes.tolist(), self._looked_up(nodes), strict=True))

    def _looked_up(self, nodes: NDArray[Any]) -> list[str]:
        found: list[str] = self.names.take(numbers(nodes.astype(np.int64))).to_pylist()
        return found

    def id(self, node: int) -> str:
        """The id of a node."""
        return self._remembered.get(node) or str(self.names[int(node)].as_py())

    def ids(self, nodes: Sequence[int] | NDArray[Any]) -> list[str]:
        """The ids of some nodes."""
        wanted = nodes.tolist() if isinstance(nodes, np.ndarray) else list(nodes)
        try:
            return [self._remembered[node] for node in wanted]
        except KeyError:
            return self._looked_up(np.asarray(wanted, np.int64))

    @cached_property
    def orders(self) -> Int64:
        """The rank of every node by its id."""
        rank = np.empty(self.size, np.int64)
        rank[as_numpy(pc.array_sort_indices(self.names)).astype(np.int64)] = np.arange(self.size)
        return rank

    def sorted_by_id(self, nodes: NDArray[Any]) -> NDArray[Any]:
        """Some nodes in the order of their ids."""
        names = self.names.take(numbers(nodes.astype(np.int64)))
        return nodes[as_numpy(pc.array_sort_indices(names)).astype(np.int64)]

    def place(self, node: int) -> tuple[str, int | None]:
        """The source and line of a node's record; an empty name for a ghost."""
        if node >= len(self.rows):
            return "", None
        row = int(self.rows[node])
        index = self.corpus.index
        return self.corpus.paths[index["source"][row].as_py()], index["line"][row].as_py()

    def places(self, nodes: NDArray[Any]) -> list[tuple[str, int]]:
        """The source and line of the records of some nodes, none of them a ghost."""
        paths = self.corpus.paths
        sources, lines = self._where
        rows = self.rows[nodes]
        found = zip(sources[rows].tolist(), lines[rows].tolist(), strict=True)
        return [(paths[source], line) for source, line in found]

    @cached_property
    def _where(self) -> tuple[Int32, Int64]:
        return as_numpy(self.corpus.index["source"]), as_numpy(self.corpus.index["line"])

    def lineage_name(self, node: int) -> str | None:
        """The id of the oldest memory of a node's lineage."""
        number = self.lineage[node]
        return None if number < 0 else self.id(int(self.lineages.oldest[number]))

    @staticmethod
    def time_text(moment: int) -> str | None:
        """A time of the graph as ISO 8601 in UTC; None for NO_TIME."""
        return None if moment == NO_TIME else iso(int(moment))

    @staticmethod
    def time_texts(moments: Int64) -> list[str | None]:
        """Times of the graph as ISO 8601 in UTC; None for NO_TIME."""
        texts = np.datetime_as_string(moments.astype("datetime64[us]")).tolist()
        return [None if text == "NaT" else f"{text.removesuffix('.000000')}Z" for text in texts]


def filled(mask: NDArray[np.bool_], values: list[Any]) -> list[Any]:
    """The values in the places where the mask holds, None in the others."""
    if len(values) == len(mask):
        return values
    given = iter(values)
    return [next(given) if here else None for here in mask.tolist()]
