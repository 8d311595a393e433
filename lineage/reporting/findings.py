"""Rules applied: facts chosen and counted, and the first of them worded."""

import fnmatch
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from lineage.arrays import beginnings, numbers
from lineage.discovery import rules
from lineage.graph.core import Bool, Graph
from lineage.model import Role, Severity, code
from lineage.reporting.baseline import Baseline, Comparison
from lineage.reporting.model import AppliedRule, Compared, Finding
from lineage.reporting.wording import Numbers, identities, problem_ids, worded
from lineage.rules.base import Facts, Rule

OFF = "off"
MOST_TEXTS = 200_000
"""Beyond so many memories rules that read every text are looked for only where they are selected."""
_GRAVITY = {str(severity): number for number, severity in enumerate(Severity)}


@dataclass(frozen=True)
class Choice:
    """Which rules apply, and how grave they are.

    `select` and `ignore` hold codes or beginnings of codes; a word `CODE:GLOB`
    in `ignore` leaves out only findings that name a memory whose id is like the
    glob. `severity` maps codes to another severity or to `off`, `thresholds` to
    another threshold than the usual one, in the unit of the rule. `per_kind`
    maps kinds to codes or beginnings of codes whose findings do not count where
    the memory they name first is of that kind. With `kinds`, only findings that
    name a memory of one of these kinds (or no memory at all) count, and with a
    `baseline` only those that it does not know.
    """

    select: Collection[str] = ()
    ignore: Collection[str] = ()
    severity: Mapping[str, str] | None = None
    thresholds: Mapping[str, float] | None = None
    kinds: Collection[str] = ()
    baseline: Baseline | None = None
    per_kind: Mapping[str, Collection[str]] | None = None

    def gravity(self, rule: Rule) -> str:
        """The severity of a rule under this choice; `off` where it does not apply."""
        if self.select and not any(rule.code.startswith(begin) for begin in self.select):
            return OFF
        if any(rule.code.startswith(begin) for begin in self.ignore):
            return OFF
        return str((self.severity or {}).get(rule.code, rule.severity))

    def facts(self, graph: Graph, rule: Rule) -> Facts:
        """What a rule finds by its threshold under this choice."""
        return rule.facts(graph, (self.thresholds or {}).get(rule.code))

    def applied(self) -> list[tuple[Rule, str]]:
        """The rules that apply with their severities, in the order in which findings are listed."""
        found = [(rule, gravity) for rule in rules().values() if (gravity := self.gravity(rule)) != OFF]
        return sorted(found, key=lambda pair: (_GRAVITY[pair[1]], pair[0].code))

    def chosen(self, graph: Graph, rule: Rule, facts: Facts) -> Numbers:
        """The numbers of the facts that count, those that a baseline knows among them."""
        chosen = _of_kinds(graph, facts, self.kinds)
        if facts.problems is None and len(chosen):
            for kind in self.exempt(rule):
                chosen = chosen[~graph.is_kind(kind)[facts.nodes[facts.offsets[chosen]]]]
        return _not_ignored(graph, facts, chosen, self.globs(rule))

    def exempt(self, rule: Rule) -> list[str]:
        """The kinds of memory for which a rule does not count."""
        given = (self.per_kind or {}).items()
        return [kind for kind, codes in given if any(rule.code.startswith(begin) for begin in codes)]

    def globs(self, rule: Rule) -> list[str]:
        """The ids whose findings of a rule are left out."""
        words = (word.partition(":") for word in self.ignore)
        return [glob for begin, colon, glob in words if colon and rule.code.startswith(begin)]


@dataclass(frozen=True)
class Findings:
    """Findings in order (severity, rule, ids, place).

    `counts` by rule are of all of them, `left_out` of those past the limit.
    `rules` are all that were applied, those that found nothing included;
    `skipped` says which were not, and why.
    """

    shown: Sequence[Finding]
    counts: Mapping[str, int]
    by_severity: Mapping[str, int]
    left_out: Mapping[str, int]
    rules: Mapping[str, AppliedRule]
    compared: Compared | None
    skipped: Sequence[str] = ()


def findings(graph: Graph, choice: Choice, limit: int) -> Findings:
    """Apply the rules; of each, word the first `limit` facts (0 for all)."""
    shown: list[Finding] = []
    counts: dict[str, int] = {}
    left_out: dict[str, int] = {}
    by_severity = dict.fromkeys(map(str, Severity), 0)
    applied, skipped = affordable(graph, choice)
    comparison = Comparison(choice.baseline) if choice.baseline else None
    for rule, gravity in applied:
        facts = choice.facts(graph, rule)
        chosen = choice.chosen(graph, rule, facts)
        if comparison:
            chosen = comparison.new(rule.code, identities(graph, rule, facts), chosen)
        if not len(chosen):
            continue
        counts[rule.code] = len(chosen)
        by_severity[gravity] += len(chosen)
        if limit and len(chosen) > limit:
            left_out[rule.code] = len(chosen) - limit
        shown += listed(graph, rule, gravity, facts, chosen, limit)
    looked_for = {
        rule.code: _applied(rule, gravity) for rule, gravity in sorted(applied, key=lambda pair: pair[0].code)
    }
    compared = comparison.result() if comparison else None
    return Findings(shown, dict(sorted(counts.items())), by_severity, left_out, looked_for, compared, skipped)


def affordable(graph: Graph, choice: Choice) -> tuple[list[tuple[Rule, str]], list[str]]:
    """The rules that are looked for, and why others are not.

    Reading every text of a large corpus takes several times as long as all
    else: it is done only where such a rule is selected.
    """
    applied = choice.applied()
    large = int((graph.role == code(Role.MEMORY)).sum()) > MOST_TEXTS
    asked = [begin for begin in choice.select if len(begin) > len("LIN")]
    unread = [rule.code for rule, _ in applied if rule.texts and large and not any(map(rule.code.startswith, asked))]
    said = [f"{', '.join(unread)} read every text: in so large a corpus --select them to look for them"] * bool(unread)
    return [(rule, gravity) for rule, gravity in applied if rule.code not in unread], said


def listed(graph: Graph, rule: Rule, gravity: str, facts: Facts, chosen: Numbers, limit: int) -> list[Finding]:
    """The chosen facts in words and in order, the first `limit` of them (0 for all)."""
    if not len(chosen):
        return []
    if limit and len(chosen) > limit:
        chosen = _first(graph, facts, chosen, limit)
    return sorted(worded(graph, rule, gravity, facts, chosen), key=_order)[: limit or None]


def _applied(rule: Rule, gravity: str) -> AppliedRule:
    return AppliedRule(rule.code, rule.name, gravity, str(rule.severity), rule.about.strip())


def _order(finding: Finding) -> tuple[Any, ...]:
    places = [(place.source, place.line or 0) for place in finding.locations]
    return finding.memories, places, finding.message


def _of_kinds(graph: Graph, facts: Facts, kinds: Collection[str]) -> Numbers:
    """The numbers of the facts that name a memory of these kinds."""
    everything = np.arange(len(facts), dtype=np.int64)
    if not kinds or facts.problems is not None or not len(facts):
        return everything
    return everything[_naming(facts, np.logical_or.reduce([graph.is_kind(kind) for kind in kinds]))]


def _naming(facts: Facts, wanted: Bool) -> Bool:
    """Mask of the facts that name one of the wanted nodes."""
    counted = np.concatenate([[0], np.cumsum(wanted[facts.nodes])])
    named: Bool = counted[facts.offsets[1:]] > counted[facts.offsets[:-1]]
    return named


def _not_ignored(graph: Graph, facts: Facts, chosen: Numbers, globs: Collection[str]) -> Numbers:
    """The chosen facts but for those that name an id like one of the globs."""
    if not globs or not len(chosen):
        return chosen
    like = re.compile("|".join(map(fnmatch.translate, globs))).match
    if facts.problems is not None:
        ids = problem_ids(graph, facts)
        ignored: Bool = np.array([name is not None and like(name) is not None for name in ids], np.bool_)
    else:
        nodes = np.unique(facts.nodes)
        wanted = np.zeros(graph.size, np.bool_)
        wanted[nodes] = [like(name) is not None for name in graph.ids(nodes)]
        ignored = _naming(facts, wanted)
    kept: Numbers = chosen[~ignored[chosen]]
    return kept


def _first(graph: Graph, facts: Facts, chosen: Numbers, limit: int) -> Numbers:
    """At least the first `limit` facts by the id they name first; a few more where ids begin alike."""
    places = beginnings(_first_ids(graph, facts, chosen))
    first: Numbers = chosen[places <= np.partition(places, limit - 1)[limit - 1]]
    return first


def _first_ids(graph: Graph, facts: Facts, chosen: Numbers) -> pa.Array:
    if facts.problems is None:
        return graph.names.take(numbers(facts.nodes[facts.offsets[chosen]].astype(np.int64)))
    held = graph.corpus.problems["id"].take(numbers(facts.problems[chosen])).combine_chunks()
    return held.fill_null("")
