"""What a rule is: one module that finds one kind of fault in a graph.

A module in this package that holds a `RULE` is found by itself. Its docstring
is the rule's page: what it finds, why that matters, how to mend it. `check`
looks at the graph's arrays and yields facts, columnar: a corpus may hold a
million of one kind, and only the first of them are ever worded.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lineage.graph.core import Graph
from lineage.model import Severity

Nodes = NDArray[np.int32]
Word = Callable[[int], object]


@dataclass(frozen=True)
class Facts:
    """Facts of one rule: fact i names the nodes `nodes[offsets[i]:offsets[i + 1]]`.

    The acting node stands first. `words[name](i)` gives a further value for the
    message of fact i, and `mend(i)` a sentence that says how to mend it, both
    called only for facts that are shown. Facts about records that are no node
    (unreadable lines) have no nodes and point with `problems` into the rows of
    `graph.corpus.problems` instead.
    """

    offsets: NDArray[np.int64]
    nodes: Nodes
    words: Mapping[str, Word] = field(default_factory=dict)
    mend: Callable[[int], str] | None = None
    problems: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.offsets) - 1 if self.problems is None else len(self.problems)

    def members(self, number: int) -> Nodes:
        """The nodes of one fact, the acting one first."""
        return self.nodes[self.offsets[number] : self.offsets[number + 1]]


_NO_NODES: Nodes = np.zeros(0, np.int32)


def singles(nodes: NDArray[Any], **more: Any) -> Facts:
    """Facts that each name one node."""
    return Facts(np.arange(len(nodes) + 1, dtype=np.int64), nodes.astype(np.int32), **more)


def pairs(acting: NDArray[Any], other: NDArray[Any], **more: Any) -> Facts:
    """Facts that each name two nodes."""
    both = np.empty(2 * len(acting), np.int32)
    both[0::2], both[1::2] = acting, other
    return Facts(np.arange(len(acting) + 1, dtype=np.int64) * 2, both, **more)


def groups(members: Sequence[NDArray[Any]], **more: Any) -> Facts:
    """Facts that each name several nodes."""
    offsets = np.zeros(len(members) + 1, np.int64)
    np.cumsum([len(group) for group in members], out=offsets[1:])
    nodes = np.concatenate(members).astype(np.int32) if members else _NO_NODES
    return Facts(offsets, nodes, **more)


def intake(rows: NDArray[np.int64]) -> Facts:
    """Facts about records: rows of `graph.corpus.problems`."""
    return Facts(np.zeros(1, np.int64), _NO_NODES, problems=rows)


@dataclass(frozen=True)
class Example:
    """A small corpus and what the rule finds in it.

    `records` are JSON records of any format, or a string for a line that is
    none. `finds` lists the ids of each finding, sorted; empty where the rule
    must be silent. `threshold` is set where the usual one is not meant.
    """

    title: str
    records: Sequence[Mapping[str, Any] | str]
    finds: Sequence[Sequence[str]] = ()
    threshold: float | None = None


SECOND = 1_000_000
"""Microseconds."""
DAY = 86_400 * SECOND
"""Microseconds."""
_FOREVER = 1 << 62


def span(number: float, unit: int) -> int:
    """So many seconds or days in microseconds; longer than any time there is where it is more than fits."""
    return round(min(number * unit, _FOREVER))


@dataclass(frozen=True)
class Threshold:
    """A number that a rule compares with and that settings may change; `check` goes by another than the usual one."""

    usual: float
    unit: str
    check: Callable[[Graph, float], Facts]


@dataclass(frozen=True)
class Rule:
    """One rule.

    `message` is a `str.format` template: `{first}`, `{second}` and `{ids}` are
    the ids of a fact (quoted and shortened), `{count}` their number, `{cause}`
    the cause of an intake problem, every other name one of the fact's words.
    `mend` is the general way to mend it; a fact may say it more precisely.
    `distinct` names the words (or `cause`) that tell apart two facts about the
    same memories; a place is none of them, as records move.
    A rule on `texts` reads every text, and in a large corpus is looked for only
    where it is selected.
    """

    code: str
    name: str
    severity: Severity
    message: str
    mend: str
    check: Callable[[Graph], Facts]
    examples: Sequence[Example]
    distinct: Sequence[str] = ()
    texts: bool = False
    threshold: Threshold | None = None
    about: str = ""

    def facts(self, graph: Graph, threshold: float | None = None) -> Facts:
        """What it finds, by its usual threshold unless another is given."""
        if threshold is None or self.threshold is None:
            return self.check(graph)
        return self.threshold.check(graph, threshold)
