"""Facts of a rule put into words: findings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.analyses.naming import listed, quoted
from lineage.arrays import flags, known_numbers, numbers, strings
from lineage.corpus.masking import masked_table
from lineage.graph.core import Graph
from lineage.reporting.model import Finding, Location
from lineage.rules.base import Facts, Rule

Numbers = NDArray[np.int64]


def worded(graph: Graph, rule: Rule, gravity: str, facts: Facts, chosen: Numbers) -> list[Finding]:
    """The findings that some facts of a rule come to, in the order of the facts."""
    if facts.problems is not None:
        return _worded_problems(graph, rule, gravity, facts, facts.problems[chosen], chosen)
    everyone, sizes = _members(facts, chosen)
    ends = np.cumsum(sizes)
    oldest = np.append(graph.lineages.oldest, -1)[graph.lineage[facts.nodes[facts.offsets[chosen]]]]
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
                message=wording.message(number, ids),
                memories=ids,
                lineage=lineage,
                locations=places[first:last],
                mend=facts.mend(number) if facts.mend else rule.mend,
                detail=wording.detail(number),
            )
        )
    return made


def identities(graph: Graph, rule: Rule, facts: Facts) -> Iterator[tuple[list[str], str]]:
    """What the fingerprint of every fact is made of, in their order: the ids it names and its detail."""
    if not len(facts):
        return
    wording = _Wording(rule, facts)
    if facts.problems is not None:
        causes = graph.corpus.problems["cause"].take(numbers(facts.problems)).to_pylist()
        for number, (cause, name) in enumerate(zip(causes, problem_ids(graph, facts), strict=True)):
            yield [] if name is None else [name], wording.detail(number, cause)
        return
    graph.remember(np.unique(facts.nodes))
    names = graph.ids(facts.nodes)
    bounds = facts.offsets.tolist()
    for number in range(len(facts)):
        yield names[bounds[number] : bounds[number + 1]], wording.detail(number)


def problem_ids(graph: Graph, facts: Facts) -> list[str | None]:
    """The id of the record of every fact about records; None where it is not known."""
    table = graph.corpus.problems.select(["id", "format"])
    return _names(graph, [] if facts.problems is None else table.take(numbers(facts.problems)).to_pylist())


def _members(facts: Facts, chosen: Numbers) -> tuple[NDArray[np.int32], Numbers]:
    """The nodes of some facts one after the other, and how many each has."""
    offsets, sizes = facts.offsets[chosen], np.diff(facts.offsets)[chosen]
    ends = np.cumsum(sizes)
    return facts.nodes[np.repeat(offsets - ends + sizes, sizes) + np.arange(int(ends[-1]))], sizes


class _Wording:
    """The message and detail of a rule's facts; only the words they have are made."""

    def __init__(self, rule: Rule, facts: Facts) -> None:
        self._fill = rule.message.format
        self._words = [(name, word) for name, word in facts.words.items() if "{" + name in rule.message]
        self._own = [(name, make) for name, make in _OWN_WORDS.items() if "{" + name in rule.message]
        self._distinct = [facts.words[name] for name in rule.distinct if name != _CAUSE]
        self._by_cause = _CAUSE in rule.distinct

    def message(self, number: int, ids: Sequence[str], cause: str = "") -> str:
        words: dict[str, object] = {_CAUSE: cause}
        for name, make in self._own:
            words[name] = make(ids)
        for name, word in self._words:
            words[name] = word(number)
        return self._fill(**words)

    def detail(self, number: int, cause: str = "") -> str:
        words = [str(word(number)) for word in self._distinct]
        return "\n".join([*words, cause] if self._by_cause else words)


_CAUSE = "cause"
_OWN_WORDS: Mapping[str, Callable[[Sequence[str]], object]] = {
    "first": lambda ids: quoted(ids[0]) if ids else "",
    "second": lambda ids: quoted(ids[1]) if len(ids) > 1 else "",
    "ids": listed,
    "count": len,
}


def _worded_problems(
    graph: Graph, rule: Rule, gravity: str, facts: Facts, problems: Numbers, chosen: Numbers
) -> list[Finding]:
    table = graph.corpus.problems.take(numbers(problems))
    rows = masked_table(table, addresses=graph.corpus.redacted).to_pylist()
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
                message=wording.message(number, ids, row["cause"]),
                memories=ids,
                lineage=lineages.get(name),
                locations=places,
                mend=facts.mend(number) if facts.mend else rule.mend,
                detail=wording.detail(number, row["cause"]),
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
