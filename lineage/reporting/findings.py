"""Rules applied: facts chosen, counted and worded."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.analyses.naming import listed, quoted
from lineage.arrays import beginnings, flags, known_numbers, numbers, strings
from lineage.discovery import rules
from lineage.graph.core import Graph
from lineage.model import Severity
from lineage.reporting.model import Finding, Location
from lineage.rules.base import Facts, Rule

OFF = "off"
_GRAVITY = {str(severity): number for number, severity in enumerate(Severity)}


@dataclass(frozen=True)
class Choice:
    """Which rules apply, and how grave they are.

    `select` and `ignore` hold codes or beginnings of codes; `severity` maps
    codes to another severity or to `off`. With `kinds`, only findings that
    name a memory of one of these kinds (or no memory at all) count.
    """

    select: Collection[str] = ()
    ignore: Collection[str] = ()
    severity: Mapping[str, str] | None = None
    kinds: Collection[str] = ()

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
    """

    shown: Sequence[Finding]
    counts: Mapping[str, int]
    by_severity: Mapping[str, int]
    left_out: Mapping[str, int]


def findings(graph: Graph, choice: Choice, limit: int) -> Findings:
    """Apply the rules; of each, word the first `limit` facts (0 for all)."""
    shown: list[Finding] = []
    counts: dict[str, int] = {}
    left_out: dict[str, int] = {}
    by_severity = dict.fromkeys(map(str, Severity), 0)
    applied = [(rule, choice.gravity(rule)) for rule in rules().values()]
    for rule, gravity in sorted(applied, key=lambda pair: (_GRAVITY.get(pair[1], 9), pair[0].code)):
        if gravity == OFF:
            continue
        facts = rule.check(graph)
        chosen = _of_kinds(graph, facts, choice.kinds)
        if not len(chosen):
            continue
        counts[rule.code] = len(chosen)
        by_severity[gravity] += len(chosen)
        if limit and len(chosen) > limit:
            left_out[rule.code] = len(chosen) - limit
            chosen = _first(graph, facts, chosen, limit)
        worded = _worded(graph, rule, gravity, facts, chosen)
        worded.sort(key=_order)
        shown += worded[: limit or None]
    return Findings(shown, dict(sorted(counts.items())), by_severity, left_out)


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


def _worded(graph: Graph, rule: Rule, gravity: str, facts: Facts, chosen: NDArray[np.int64]) -> list[Finding]:
    if facts.problems is not None:
        return _worded_problems(graph, rule, gravity, facts, facts.problems[chosen], chosen)
    offsets, sizes = facts.offsets[chosen], np.diff(facts.offsets)[chosen]
    ends = np.cumsum(sizes)
    everyone = facts.nodes[np.repeat(offsets - ends + sizes, sizes) + np.arange(int(ends[-1]))]
    oldest = np.append(graph.lineages.oldest, -1)[graph.lineage[facts.nodes[offsets]]]
    graph.remember(np.unique(np.concatenate([everyone, oldest[oldest >= 0]])))
    names = graph.ids(everyone)
    recorded = everyone < len(graph.rows)
    places = [Location(source, line) for source, line in graph.places(everyone[recorded])]
    before = np.concatenate([[0], np.cumsum(recorded)])
    lineages = [graph.id(node) if node >= 0 else None for node in oldest.tolist()]
    wording = _Wording(rule, facts)
    made = []
    bounds = (array.tolist() for array in (ends - sizes, ends, before[ends - sizes], before[ends]))
    for number, lineage, begin, end, first, last in zip(chosen.tolist(), lineages, *bounds, strict=True):
        ids = names[begin:end]
        made.append(
            Finding(
                rule=rule.code,
                name=rule.name,
                severity=gravity,
                message=wording(number, ids),
                memories=ids,
                lineage=lineage,
                locations=places[first:last],
                mend=facts.mend(number) if facts.mend else rule.mend,
            )
        )
    return made


class _Wording:
    """The message of a rule's facts; only the words its template has are made."""

    def __init__(self, rule: Rule, facts: Facts) -> None:
        self._fill = rule.message.format
        self._words = [(name, word) for name, word in facts.words.items() if "{" + name in rule.message]
        self._own = [(name, make) for name, make in _OWN_WORDS.items() if "{" + name in rule.message]

    def __call__(self, number: int, ids: Sequence[str], cause: str = "") -> str:
        words: dict[str, object] = {"cause": cause}
        for name, make in self._own:
            words[name] = make(ids)
        for name, word in self._words:
            words[name] = word(number)
        return self._fill(**words)


_OWN_WORDS: Mapping[str, Callable[[Sequence[str]], object]] = {
    "first": lambda ids: quoted(ids[0]) if ids else "",
    "second": lambda ids: quoted(ids[1]) if len(ids) > 1 else "",
    "ids": listed,
    "count": len,
}


def _worded_problems(
    graph: Graph, rule: Rule, gravity: str, facts: Facts, problems: NDArray[np.int64], chosen: NDArray[np.int64]
) -> list[Finding]:
    rows = graph.corpus.problems.take(numbers(problems)).to_pylist()
    paths = graph.corpus.paths
    names = _names(graph, rows)
    lineages = _lineages_by_id(graph, names)
    wording = _Wording(rule, facts)
    made = []
    for number, row, name in zip(chosen.tolist(), rows, names, strict=True):
        ids = [] if name is None else [name]
        places = [Location(paths[row["source"]], row["line"])]
        if row["other_source"] is not None:
            places.append(Location(paths[row["other_source"]], row["other_line"]))
        made.append(
            Finding(
                rule=rule.code,
                name=rule.name,
                severity=gravity,
                message=wording(number, ids, row["cause"]),
                memories=ids,
                lineage=lineages.get(name),
                locations=places,
                mend=facts.mend(number) if facts.mend else rule.mend,
            )
        )
    return made


def _names(graph: Graph, rows: Sequence[Mapping[str, Any]]) -> list[str | None]:
    """How the graph names the records of problems: one whose id another format uses too, with its format."""
    if len(graph.corpus.formats) < 2:
        return [row["id"] for row in rows]
    told = [None if row["id"] is None else f"{row['format']}:{row['id']}" for row in rows]
    known = flags(pc.is_in(strings(told), value_set=graph.names)).tolist()
    return [name if apart and name else row["id"] for row, name, apart in zip(rows, told, known, strict=True)]


def _lineages_by_id(graph: Graph, ids: Sequence[str | None]) -> dict[str | None, str | None]:
    named = sorted({name for name in ids if name is not None})
    if not named:
        return {}
    found = known_numbers(pc.index_in(strings(named), value_set=graph.names)).tolist()
    return {name: graph.lineage_name(node) for name, node in zip(named, found, strict=True) if node >= 0}
