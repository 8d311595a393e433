"""Findings of two graphs held against each other: which are new, and which are fixed."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lineage.analyses.changes import where_in
from lineage.arrays import numbers
from lineage.graph.core import Graph
from lineage.model import Severity
from lineage.reporting.diff import Listed
from lineage.reporting.findings import Choice, affordable, listed
from lineage.reporting.model import Finding
from lineage.reporting.wording import identities
from lineage.rules.base import Facts, Rule

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Renewal:
    """New and fixed findings, counted by severity; of the new ones also how many each rule has."""

    new: Listed[Finding]
    fixed: Listed[Finding]
    new_by_rule: Mapping[str, int]


@dataclass(frozen=True)
class _Found:
    """What a rule finds in a graph: `chosen` are the numbers of those facts that count."""

    graph: Graph
    rule: Rule
    facts: Facts
    chosen: Numbers

    @property
    def plain(self) -> bool:
        """Whether each fact is known by the one memory it names, and no other fact names that one."""
        facts = self.facts
        alone = facts.problems is None and not self.rule.distinct and len(facts.nodes) == len(facts)
        return alone and len(np.unique(facts.nodes)) == len(facts.nodes)

    def beyond(self, other: "_Found") -> Numbers:
        """The numbers of the chosen facts that the other graph has no equal of."""
        if self.plain and other.plain:
            mine, theirs = (
                one.graph.names.take(numbers(one.facts.nodes[one.chosen].astype(np.int64))) for one in (self, other)
            )
            new: Numbers = self.chosen[where_in(mine, theirs) < 0]
            return new
        known = Counter(key for _, key in other.identified())
        left = []
        for number, key in self.identified():
            if known[key]:
                known[key] -= 1
            else:
                left.append(number)
        return np.array(left, np.int64)

    def identified(self) -> list[tuple[int, tuple[tuple[str, ...], str]]]:
        """The numbers of the chosen facts, each with what its fingerprint is made of beside the rule."""
        told = [(tuple(sorted(ids)), detail) for ids, detail in identities(self.graph, self.rule, self.facts)]
        return [(number, told[number]) for number in self.chosen.tolist()]


class _List:
    """Findings in the making."""

    def __init__(self) -> None:
        self.shown: list[Finding] = []
        self.severities = dict.fromkeys(map(str, Severity), 0)
        self.rules: dict[str, int] = {}

    def take(self, found: _Found, numbers_: Numbers, gravity: str, limit: int) -> None:
        """Count some facts, and put the first of them into words."""
        self.severities[gravity] += len(numbers_)
        if len(numbers_):
            self.rules[found.rule.code] = len(numbers_)
        self.shown += listed(found.graph, found.rule, gravity, found.facts, numbers_, limit)

    def listed(self) -> Listed[Finding]:
        """The list; counts of none are left out."""
        counts = {severity: count for severity, count in self.severities.items() if count}
        return Listed(self.shown, sum(counts.values()), counts)


def renewal(old: Graph, new: Graph, choice: Choice, limit: int) -> Renewal:
    """Match the findings of two graphs by fingerprint; of each rule list the first `limit` (0 for all)."""
    added, fixed = _List(), _List()
    for rule, gravity in affordable(new, choice)[0]:
        before, after = (_found(graph, choice, rule) for graph in (old, new))
        added.take(after, after.beyond(before), gravity, limit)
        fixed.take(before, before.beyond(after), gravity, limit)
    return Renewal(added.listed(), fixed.listed(), dict(sorted(added.rules.items())))


def _found(graph: Graph, choice: Choice, rule: Rule) -> _Found:
    facts = choice.facts(graph, rule)
    return _Found(graph, rule, facts, choice.chosen(graph, rule, facts))
