"""Rules applied: facts chosen and counted, and the first of them worded."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lineage.arrays import beginnings, numbers
from lineage.discovery import rules
from lineage.graph.core import Graph
from lineage.model import Severity
from lineage.reporting.baseline import Baseline, Comparison
from lineage.reporting.model import AppliedRule, Compared, Finding
from lineage.reporting.wording import identities, worded
from lineage.rules.base import Facts, Rule

OFF = "off"
_GRAVITY = {str(severity): number for number, severity in enumerate(Severity)}


@dataclass(frozen=True)
class Choice:
    """Which rules apply, and how grave they are.

    `select` and `ignore` hold codes or beginnings of codes; `severity` maps
    codes to another severity or to `off`. With `kinds`, only findings that
    name a memory of one of these kinds (or no memory at all) count, and with a
    `baseline` only those that it does not know.
    """

    select: Collection[str] = ()
    ignore: Collection[str] = ()
    severity: Mapping[str, str] | None = None
    kinds: Collection[str] = ()
    baseline: Baseline | None = None

    def gravity(self, rule: Rule) -> str:
        """The severity of a rule under this choice; `off` where it does not apply."""
        if self.select and not any(rule.code.startswith(begin) for begin in self.select):
            return OFF
        if any(rule.code.startswith(begin) for begin in self.ignore):
            return OFF
        return str((self.severity or {}).get(rule.code, rule.severity))


@dataclass(frozen=True)
class Findings:
    """Findings in order (severity, rule, ids, place).

    `counts` by rule are of all of them, `left_out` of those past the limit.
    `rules` are all that were applied, those that found nothing included.
    """

    shown: Sequence[Finding]
    counts: Mapping[str, int]
    by_severity: Mapping[str, int]
    left_out: Mapping[str, int]
    rules: Mapping[str, AppliedRule]
    compared: Compared | None


def findings(graph: Graph, choice: Choice, limit: int) -> Findings:
    """Apply the rules; of each, word the first `limit` facts (0 for all)."""
    shown: list[Finding] = []
    counts: dict[str, int] = {}
    left_out: dict[str, int] = {}
    by_severity = dict.fromkeys(map(str, Severity), 0)
    applied = [(rule, gravity) for rule in rules().values() if (gravity := choice.gravity(rule)) != OFF]
    comparison = Comparison(choice.baseline) if choice.baseline else None
    for rule, gravity in sorted(applied, key=lambda pair: (_GRAVITY[pair[1]], pair[0].code)):
        facts = rule.check(graph)
        chosen = _of_kinds(graph, facts, choice.kinds)
        if comparison:
            chosen = comparison.new(rule.code, identities(graph, rule, facts), chosen)
        if not len(chosen):
            continue
        counts[rule.code] = len(chosen)
        by_severity[gravity] += len(chosen)
        if limit and len(chosen) > limit:
            left_out[rule.code] = len(chosen) - limit
            chosen = _first(graph, facts, chosen, limit)
        shown += sorted(worded(graph, rule, gravity, facts, chosen), key=_order)[: limit or None]
    looked_for = {rule.code: _applied(rule, gravity) for rule, gravity in applied}
    compared = comparison.result() if comparison else None
    return Findings(shown, dict(sorted(counts.items())), by_severity, left_out, looked_for, compared)


def _applied(rule: Rule, gravity: str) -> AppliedRule:
    return AppliedRule(rule.code, rule.name, gravity, str(rule.severity), rule.about.strip())


def _order(finding: Finding) -> tuple[Any, ...]:
    places = [(place.source, place.line or 0) for place in finding.locations]
    return finding.memories, places, finding.message


def _of_kinds(graph: Graph, facts: Facts, kinds: Collection[str]) -> NDArray[np.int64]:
    """The numbers of the facts that name a memory of these kinds."""
    everything = np.arange(len(facts), dtype=np.int64)
    if not kinds or facts.problems is not None or not len(facts):
        return everything
    wanted = np.logical_or.reduce([graph.is_kind(kind) for kind in kinds])
    counted = np.concatenate([[0], np.cumsum(wanted[facts.nodes])])
    return everything[counted[facts.offsets[1:]] > counted[facts.offsets[:-1]]]


def _first(graph: Graph, facts: Facts, chosen: NDArray[np.int64], limit: int) -> NDArray[np.int64]:
    """At least the first `limit` facts by the id they name first; a few more where ids begin alike."""
    places = beginnings(_first_ids(graph, facts, chosen))
    first: NDArray[np.int64] = chosen[places <= np.partition(places, limit - 1)[limit - 1]]
    return first


def _first_ids(graph: Graph, facts: Facts, chosen: NDArray[np.int64]) -> pa.Array:
    if facts.problems is None:
        return graph.names.take(numbers(facts.nodes[facts.offsets[chosen]].astype(np.int64)))
    held = graph.corpus.problems["id"].take(numbers(facts.problems[chosen])).combine_chunks()
    return held.fill_null("")
