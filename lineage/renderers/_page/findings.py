"""The findings as the page shows them, and which memories and lineages they trouble."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from lineage.model import Severity
from lineage.renderers._page.anchors import Piece, pieces
from lineage.renderers._page.limits import Limits
from lineage.reporting import digest
from lineage.reporting.details import QUOTED
from lineage.reporting.digest import Part, RuleGroup
from lineage.reporting.model import Details, Finding, Report

_MOST_OPEN = 20
_MESSAGE = 600
GRAVE = frozenset({Severity.ERROR, Severity.WARNING})
"""What is worth a picture, and a mark at what it is about."""


@dataclass(frozen=True)
class Told:
    """A finding: `said` are the memories it names first with what they say, `others` the rest of them.

    `mend` is empty where the group says it for all.
    """

    anchor: str
    message: Sequence[Piece]
    mend: Sequence[Piece]
    said: Sequence[tuple[str, str | None]]
    others: Sequence[str]
    finding: Finding


@dataclass(frozen=True)
class Group(Part):
    """The findings of one rule; `mend` is set where one way to mend serves all of them."""

    rule: str = ""
    name: str = ""
    severity: Severity = Severity.INFO
    mend: str = ""
    opened: bool = False


@dataclass(frozen=True)
class Trouble:
    """That an error or warning is about something; `anchor` leads to the finding, where the page shows it."""

    rule: str
    name: str
    severity: str
    anchor: str | None


Troubles = dict[str, list[Trouble]]


def groups(report: Report, details: Details, limits: Limits) -> list[Group]:
    """The findings by rule, the gravest first."""
    return [_group(group, details, limits) for group in digest.rule_groups(report)]


def _group(group: RuleGroup, details: Details, limits: Limits) -> Group:
    shown = group.listed[: limits.findings]
    mends = {finding.mend for finding in group.listed[:1000]}
    alike = len(mends) == 1 and len(group.listed) > 1
    return Group(
        shown=[_told(finding, number, details, alike=alike) for number, finding in enumerate(shown)],
        total=group.count,
        noun=(f"finding of {group.rule}", f"findings of {group.rule}"),
        rule=group.rule,
        name=group.name,
        severity=group.severity,
        mend=mends.pop() if alike else "",
        opened=group.severity in GRAVE and group.count <= _MOST_OPEN,
    )


def _told(finding: Finding, number: int, details: Details, *, alike: bool) -> Told:
    first, others = finding.memories[:QUOTED], finding.memories[QUOTED:]
    return Told(
        anchor=anchor(finding.rule, number),
        message=pieces(finding.message, finding.memories, _MESSAGE),
        mend=[] if alike or not finding.mend else pieces(finding.mend, finding.memories, _MESSAGE),
        said=[(name, details.said.get(name)) for name in first],
        others=others,
        finding=finding,
    )


def anchor(rule: str, number: int) -> str:
    """The address of a finding: its rule, and its place among the rule's."""
    return f"finding={rule}-{number + 1}"


def troubles(
    report: Report, limits: Limits, heads: Collection[str], lineages: Collection[str]
) -> tuple[Troubles, Troubles]:
    """The errors and warnings about some memories and some lineages, each rule named once."""
    of_heads: Troubles = {}
    of_lineages: Troubles = {}
    for group in digest.rule_groups(report):
        if group.severity not in GRAVE:
            continue
        for number, finding in enumerate(group.listed):
            at = anchor(group.rule, number) if number < limits.findings else None
            trouble = Trouble(group.rule, group.name, str(group.severity), at)
            for name in finding.memories:
                if name in heads:
                    _add(of_heads, name, trouble)
            if finding.lineage in lineages:
                _add(of_lineages, finding.lineage or "", trouble)
    return of_heads, of_lineages


def _add(found: Troubles, name: str, trouble: Trouble) -> None:
    held = found.setdefault(name, [])
    if not held or held[-1].rule != trouble.rule:
        held.append(trouble)
