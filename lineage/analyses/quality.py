"""How good memories are, and the whole corpus: whether to act on them.

Every score is a weighted mean of parts between 0 and 1. What a format does not
offer, or nobody recorded, is no part of the mean: it is never a fault.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lineage.analyses.usefulness import wilson
from lineage.arrays import NO_TIME
from lineage.graph.core import Graph
from lineage.model import GRADES, HALF_LIFE, MASKING, WEIGHTS, Declared, LinkKind, Role, Status, code
from lineage.readers.base import Says

Floats = NDArray[np.float64]
Int64 = NDArray[np.int64]

DAY = 86_400_000_000
"""Microseconds."""

CORPUS_WEIGHTS: Mapping[str, float] = {
    "integrity": 0.3,
    "consistency": 0.3,
    "coverage": 0.2,
    "freshness": 0.1,
    "use": 0.1,
}
"""The weights of the parts of a corpus's score."""


@dataclass(frozen=True)
class Scale:
    """By what is scored: the weights of a memory's parts, and the half-life of freshness in days."""

    weights: Mapping[str, float] = field(default_factory=lambda: WEIGHTS)
    half_life: float = HALF_LIFE


USUAL = Scale()


@dataclass(frozen=True)
class Parts:
    """The parts of the scores of some nodes, one value a node, between 0 and 1 and NaN where there is none.

    `completeness` is the share of what its format offers (rationale,
    alternatives, files, provenance, review) that a record has; `offered` and
    `has` count them. `trust` is the share of review and commit, of those that
    its format offers, that is there. `use` is used / injected, between
    `use_low` and `use_high` with 95 % certainty (see `wilson`). `relevance` is
    as given. `age` is days since it was made, `freshness` is
    0.5 ** (days since it was made, revised or reviewed / half-life). `score` is
    100 Σ weight · part / Σ weight over the parts that are there.
    """

    nodes: Int64
    offered: Int64
    has: Int64
    completeness: Floats
    trust: Floats
    use: Floats
    use_low: Floats
    use_high: Floats
    relevance: Floats
    age: Floats
    freshness: Floats
    score: Floats


def parts(graph: Graph, nodes: Int64, scale: Scale = USUAL) -> Parts:
    """The parts and scores of some memories, by the time of the graph."""
    offers = {name: graph.trait(name)[nodes] for name in ("rationale", "alternatives", "files", "reviews", "commits")}
    reviewed = graph.times("reviewed_at")[nodes] != NO_TIME
    told = {
        "rationale": graph.has_rationale[nodes],
        "alternatives": graph.says(Says.ALTERNATIVES)[nodes],
        "files": graph.says(Says.FILES)[nodes],
        "reviews": reviewed,
    }
    offered: Int64 = np.asarray(np.sum([offers[name] for name in told], axis=0, dtype=np.int64)) + 1
    filled = np.sum([offers[name] & told[name] for name in told], axis=0, dtype=np.int64)
    has: Int64 = filled + graph.has_provenance[nodes].astype(np.int64)
    checks = offers["reviews"].astype(np.float64) + offers["commits"]
    passed = (offers["reviews"] & reviewed).astype(np.float64) + (offers["commits"] & graph.says(Says.COMMIT)[nodes])
    injected, used = graph.column("injected")[nodes], graph.column("used")[nodes]
    known = (injected > 0) & (used >= 0)
    low, high = wilson(np.maximum(used, 0), np.where(known, injected, 0))
    age, freshness = _ages(graph, nodes, scale.half_life)
    made = {
        "completeness": has / offered,
        "trust": _ratio(passed, checks),
        "use": np.clip(_ratio(np.where(known, used, 0.0), np.where(known, injected, 0.0)), 0.0, 1.0),
        "relevance": graph.relevance[nodes].astype(np.float64),
        "freshness": freshness,
    }
    return Parts(
        nodes=nodes,
        offered=offered,
        has=has,
        use_low=low,
        use_high=high,
        age=age,
        score=_mean(made, scale.weights),
        **made,
    )


def _ratio(part: Floats, whole: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = np.where(whole > 0, part / whole, np.nan)
    return found


def _ages(graph: Graph, nodes: Int64, half_life: float) -> tuple[Floats, Floats]:
    """Days since each was made, and how fresh it is; NaN where its times are unknown."""
    now = graph.now if graph.as_of is None else graph.as_of
    created = graph.times("created_at")[nodes]
    last = np.maximum.reduce([graph.times(name)[nodes] for name in ("created_at", "updated_at", "reviewed_at")])
    age = np.where(created == NO_TIME, np.nan, (now - created.astype(np.float64)) / DAY)
    idle = np.where(last == NO_TIME, np.nan, np.maximum(now - last.astype(np.float64), 0.0) / DAY)
    with np.errstate(over="ignore", under="ignore"):
        return age, 0.5 ** (idle / half_life)


def _mean(made: Mapping[str, Floats], weights: Mapping[str, float]) -> Floats:
    """100 Σ weight · part / Σ weight over the parts that are there; NaN without any."""
    total = np.zeros(len(next(iter(made.values()))), np.float64)
    weight = np.zeros(len(total), np.float64)
    for name, values in made.items():
        there = ~np.isnan(values)
        total[there] += weights.get(name, 0.0) * values[there]
        weight[there] += weights.get(name, 0.0)
    return 100 * _ratio(total, weight)


@dataclass(frozen=True)
class Aspect:
    """One part of a corpus's quality: 0 to 100, None where nothing speaks to it; and the reasons."""

    score: float | None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Quality:
    """The quality of a corpus.

    `score` is the weighted mean of the `aspects` that have a score, `grade`
    what it comes to. `weights` are those of the aspects. `memories` is how many
    live memories the means of coverage, freshness and use are of.
    """

    score: float | None
    grade: str | None
    aspects: Mapping[str, Aspect]
    weights: Mapping[str, float] = field(default_factory=lambda: CORPUS_WEIGHTS)
    memories: int = 0


def assess(graph: Graph, scale: Scale = USUAL) -> Quality:
    """The quality of a corpus.

    - integrity: the share of stated masking links that are sound: not void, and
      not in a circle.
    - consistency: 1 less the share of memories that say they live and do not,
      that compete as second and further heads of one lineage, or whose lineage
      lost its last head, each counted once.
    - coverage, freshness, use: the means of completeness, freshness and use over
      live memories.
    """
    live = np.flatnonzero(graph.status == code(Status.LIVE))
    found = parts(graph, live, scale)
    aspects = {
        "integrity": _integrity(graph),
        "consistency": _consistency(graph),
        "coverage": _coverage(found),
        "freshness": _averaged(
            found.freshness, "half of {count} memories in effect are {days} days old or more", found.age
        ),
        "use": _averaged(
            found.use, "{count} memories in effect were put before an agent, and used {mean} of the time", found.age
        ),
    }
    known = {name: one.score for name, one in aspects.items() if one.score is not None}
    total = sum(CORPUS_WEIGHTS[name] for name in known)
    score = sum(CORPUS_WEIGHTS[name] * value for name, value in known.items()) / total if total else None
    rounded = None if score is None else round(score, 1)
    return Quality(rounded, grade_of(rounded), aspects, memories=len(live))


def grade_of(score: float | None) -> str | None:
    """The letter of a score."""
    return None if score is None else next(letter for letter, least in GRADES if score >= least)


def _integrity(graph: Graph) -> Aspect:
    links = graph.links
    masking = np.isin(links.kind, [code(kind) for kind in MASKING])
    total = int(masking.sum())
    if not total:
        return Aspect(None, ("nothing replaces anything",))
    void = int((masking & (links.void >= 0)).sum())
    circling = np.full(graph.size, -1, np.int64)
    for number, members in enumerate(graph.sccs):
        circling[members] = number
    inside = masking & links.effective(LinkKind.SUPERSEDES) & (circling[links.source] >= 0)
    inside &= circling[links.source] == circling[links.target]
    closed = int(inside.sum())
    reasons = [f"{void:,} of {total:,} links have no effect"] if void else []
    reasons += [f"{closed:,} of {total:,} links close {_counted(len(graph.sccs), 'circle')}"] if closed else []
    return Aspect(_percent(1 - (void + closed) / total), tuple(reasons or [f"all {total:,} links are sound"]))


def _consistency(graph: Graph) -> Aspect:
    memory = graph.role == code(Role.MEMORY)
    total = int(memory.sum())
    if not total:
        return Aspect(None)
    gone = np.isin(graph.status, [code(status) for status in (Status.SUPERSEDED, Status.REVERSED, Status.RESOLVED)])
    stale = memory & gone & (graph.declared == code(Declared.LIVE))
    lineages, live = graph.lineages, graph.status == code(Status.LIVE)
    competing = memory & live & (lineages.live > 1)[graph.lineage] & (graph.lineage >= 0)
    further = competing.copy()
    # One head of each lineage is as it should be.
    _, first = np.unique(graph.lineage[competing], return_index=True)
    further[np.flatnonzero(competing)[first]] = False
    settled = np.isin(graph.status, [code(status) for status in (Status.DELETED, Status.RESOLVED)])
    open_ends = (
        memory & ~settled & (graph.lineage >= 0) & ((lineages.live == 0) & (lineages.memories > 1))[graph.lineage]
    )
    wrong = stale | further | open_ends
    said = [
        (int(stale.sum()), "say they live and do not"),
        (int(further.sum()), "are further heads of their lineage"),
        (int(open_ends.sum()), "belong to a lineage without a head"),
    ]
    reasons = tuple(f"{count:,} of {total:,} memories {words}" for count, words in said if count)
    return Aspect(
        _percent(1 - int(wrong.sum()) / total), reasons or (f"what {total:,} memories say of themselves holds",)
    )


def _coverage(found: Parts) -> Aspect:
    if not len(found.nodes):
        return Aspect(None)
    lacking = int((found.has < found.offered).sum())
    reason = f"{lacking:,} of {len(found.nodes):,} memories in effect lack something that their format has a place for"
    return Aspect(_percent(float(found.completeness.mean())), (reason,) if lacking else ("nothing is lacking",))


def _averaged(values: Floats, reason: str, ages: Floats) -> Aspect:
    """The mean of what is known of some memories; `ages` are what the reason tells the median of."""
    known = values[~np.isnan(values)]
    if not len(known):
        return Aspect(None)
    known_ages = ages[~np.isnan(ages)]
    median = f"{float(np.median(known_ages)):,.0f}" if len(known_ages) else "unknown"
    words = reason.format(count=f"{len(known):,}", days=median, mean=f"{known.mean():.0%}")
    return Aspect(_percent(float(known.mean())), (words,))


def _percent(share: float) -> float:
    return round(100 * min(max(share, 0.0), 1.0), 1)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
