"""The report model: plain values that every renderer shows, no markup.

Field names, order and meaning are those of the JSON schema
`lineage-report/v1` (`lineage/reporting/schema.json`); `to_dict` gives it.
Times are ISO 8601 strings in UTC. Entries of the long lists are structs,
which are made four times as fast as dataclasses.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from lineage.analyses.activity import Activity
    from lineage.analyses.lifespans import Survival
    from lineage.analyses.places import Places
    from lineage.analyses.quality import Quality
    from lineage.layout.diagram import Diagram


def fingerprint(rule: str, memories: Sequence[str], detail: str) -> str:
    """What a finding is known by from run to run: 16 hex digits.

    It holds neither lines nor paths, so it outlives moved lines and records
    that have nothing to do with it. `detail` tells apart what a rule finds
    more than once about the same memories.
    """
    said = json.dumps([rule, sorted(memories), detail], separators=(",", ":"))
    return hashlib.sha256(said.encode()).hexdigest()[:16]


class Location(msgspec.Struct, frozen=True, gc=False):
    """A place in an input; `line` is a 1-based line, row or record number."""

    source: str
    line: int | None


class Finding(msgspec.Struct, frozen=True, gc=False):
    """One fault: a rule, the memories it names (the acting one first) and where they stand.

    `message` and `mend` are one sentence each. `lineage` is None for a record
    that is in no lineage. `detail` is what tells it apart from another finding
    of its rule about the same memories.
    """

    rule: str
    name: str
    severity: str
    message: str
    memories: Sequence[str]
    lineage: str | None
    locations: Sequence[Location]
    mend: str = ""
    detail: str = ""

    @property
    def fingerprint(self) -> str:
        """What it is known by from run to run; see `fingerprint`."""
        return fingerprint(self.rule, self.memories, self.detail)


class KnownFinding(msgspec.Struct, frozen=True, order=True, gc=False):
    """A finding as a baseline knows it; `memories` are sorted."""

    rule: str
    memories: tuple[str, ...]
    fingerprint: str


@dataclass(frozen=True)
class Compared:
    """A run held against a baseline.

    `known` counts the findings that it holds, which the report leaves out;
    `stale` are its entries that were not found any more, those of rules that
    were not looked for aside; `found` is all that was found, known or new.
    """

    known: int
    stale: Sequence[KnownFinding]
    found: Sequence[KnownFinding]


@dataclass(frozen=True)
class AppliedRule:
    """A rule that was looked for: `severity` as configured here, `usual` as it is by default.

    `about` is its page, paragraphs of text whose first line says what it is.
    """

    code: str
    name: str
    severity: str
    usual: str
    about: str


@dataclass(frozen=True)
class Input:
    """One input as read: readable records per format, and unreadable ones.

    `passed` counts what was rightly no memory, by what it was.
    """

    path: str
    formats: Mapping[str, int]
    bytes: int
    records: int
    unreadable: int
    passed: Mapping[str, int] = field(default_factory=dict)


class Head(msgspec.Struct, frozen=True, gc=False):
    """A memory in effect; `depth` is its generation, `replaces` what it supersedes directly."""

    id: str
    text: str | None
    kind: str | None
    scope: str | None
    created_at: str | None
    files: Sequence[str]
    lineage: str
    depth: int
    replaces: Sequence[str]
    source: str
    line: int | None
    rationale: str | None = None


class Orphan(msgspec.Struct, frozen=True, gc=False):
    """A masking link whose other end, `missing`, is not in the corpus."""

    id: str
    missing: str
    kind: str
    via: str
    source: str
    line: int | None


@dataclass(frozen=True)
class Cycle:
    """A circle of supersedes links: a shortest closed walk, its first memory repeated at the end.

    `cut` names the links (source, target) whose removal breaks the circle and
    `then` the memories that would then be live.
    """

    memories: Sequence[str]
    lineage: str
    cut: Sequence[tuple[str, str]] = ()
    then: Sequence[str] = ()


class LineageRow(msgspec.Struct, frozen=True, gc=False):
    """One lineage of two or more."""

    id: str
    size: int
    depth: int
    forks: int
    merges: int
    live_heads: Sequence[str]
    first: str | None
    last: str | None


@dataclass(frozen=True)
class Summary:
    """Counts of everything, whatever the lists are limited to."""

    memories: int
    markers: int
    logs: int
    ghosts: int
    by_status: Mapping[str, int]
    by_kind: Mapping[str, int]
    by_format: Mapping[str, int]
    links: Mapping[str, int]
    lineages: int
    standalone: int
    longest_depth: int
    forks: int
    merges: int
    live_heads: int
    orphans: int
    cycles: int
    findings: Mapping[str, int]


@dataclass(frozen=True)
class HeadDetails:
    """What a live head's record says beside its text.

    `rejected` holds (option, reason), `tags` (key, value), `provenance` and
    `signals` what is known of each, as text.
    """

    format: str
    module: str | None
    rejected: Sequence[tuple[str, str | None]]
    tags: Sequence[tuple[str, str | None]]
    provenance: Mapping[str, str]
    signals: Mapping[str, str]


@dataclass(frozen=True)
class Details:
    """`heads` by id, for the first live heads of the report; `diagrams` by lineage, the troubled ones first.

    `broken` draws the first of the troubled ones together.
    `said` is what the memories that findings name first say, by id.
    `now` is the moment up to which lifespans count, in microseconds since 1970.
    `full` says that a page is to hold everything, however large it gets.
    """

    heads: Mapping[str, HeadDetails]
    diagrams: Mapping[str, "Diagram"]
    said: Mapping[str, str]
    activity: "Activity"
    survival: "Survival"
    places: "Places"
    now: int
    full: bool
    broken: "Diagram | None" = None


@dataclass(frozen=True)
class Report:
    """Everything a renderer needs.

    `counts` is the number of findings of each rule, including those cut from
    `findings`. `truncated` says how many entries each list leaves out. `rules`
    are those that were looked for by code, whether they found anything or not.
    With a baseline, `compared` says what it knew, and findings that it knows
    are neither listed nor counted. `by_hand` counts the links that were added or taken away by hand.
    `skipped` says which rules were not looked for, and why.
    `quality` is that of the corpus, `against` the quality of an earlier report.
    `details` is there for the renderers that show them.
    """

    generated_at: str
    as_of: str | None
    title: str
    inputs: Sequence[Input]
    summary: Summary
    live_heads: Sequence[Head]
    orphans: Sequence[Orphan]
    cycles: Sequence[Cycle]
    lineages: Sequence[LineageRow]
    findings: Sequence[Finding]
    truncated: Mapping[str, Any]
    version: str
    counts: Mapping[str, int] = field(default_factory=dict)
    rules: Mapping[str, AppliedRule] = field(default_factory=dict)
    compared: Compared | None = None
    by_hand: int = 0
    skipped: Sequence[str] = ()
    quality: "Quality | None" = None
    against: Mapping[str, Any] | None = None
    details: Details | None = None
