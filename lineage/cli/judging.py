"""The options that choose among findings, and what findings do to the exit code."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import click

import lineage
from lineage.cli.options import Decorator, Run, apply
from lineage.cli.types import Codes, FailOn, Ignored, flat
from lineage.model import Severity

FOUND = 1
"""The exit code where there are findings that matter."""


@dataclass(frozen=True)
class Judging:
    """Which findings are wanted, and which of them end a run with exit code 1."""

    fail_on: tuple[str, ...]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    limit: int

    def report(
        self,
        graph: "lineage.Graph",
        run: Run,
        *,
        title: str | None = None,
        lists: bool = True,
        baseline: "lineage.Baseline | None" = None,
        graded: bool = False,
        against: str | None = None,
    ) -> "lineage.Report":
        """The report on a graph, with the findings that are wanted; without `lists`, with nothing else listed."""
        return lineage.report(
            graph,
            title=title,
            select=self.select,
            ignore=self.ignore,
            severity=run.severity,
            thresholds=run.thresholds,
            per_kind=run.per_kind,
            limit=self.limit,
            kinds=run.kind,
            lists=lists,
            baseline=baseline,
            graded=graded,
            weights=run.weights,
            half_life=run.half_life,
            against=against,
        )

    def diff(self, old: "lineage.Graph", new: "lineage.Graph", run: Run) -> "lineage.Diff":
        """What changed between two graphs, with the findings that are wanted."""
        return lineage.diff(
            old,
            new,
            select=self.select,
            ignore=self.ignore,
            severity=run.severity,
            thresholds=run.thresholds,
            per_kind=run.per_kind,
            limit=self.limit,
            kinds=run.kind,
        )

    def exit_code(self, report: "lineage.Report") -> int:
        """1 where there is a finding at or above one of the severities, or of one of the codes; else 0."""
        return self.code(report.model.summary.findings, report.model.counts)

    def code(self, by_severity: Mapping[str, int], by_rule: Mapping[str, int]) -> int:
        """The exit code that so many findings of each severity and rule lead to."""
        order = list(Severity)
        for word in (_NEW.get(word, word) for word in self.fail_on):
            if word in order:
                grave = order[: order.index(Severity(word)) + 1]
                found = any(by_severity.get(severity, 0) for severity in grave)
            else:
                found = any(count for code, count in by_rule.items() if code.startswith(word))
            if found:
                return FOUND
        return 0


_NEW = {"new-findings": Severity.WARNING}
"""Words of `--fail-on` where only new findings count."""


def _options(fail_on: str | None, *, new: bool) -> tuple[Decorator[Any], ...]:
    usual = f"  [default: {fail_on}]" if fail_on else ""
    return (
        click.option(
            "--fail-on",
            type=FailOn(tuple(_NEW) if new else ()),
            multiple=True,
            default=(fail_on,) if fail_on else (),
            callback=flat,
            help=f"End with exit code 1 where there are such {'new ' if new else ''}findings.{usual}",
        ),
        click.option(
            "--select", type=Codes(), multiple=True, callback=flat, help="Only these rules; LIN1: all LIN1xx."
        ),
        click.option(
            "--ignore",
            type=Ignored(),
            multiple=True,
            callback=flat,
            help="All rules but these; LIN103:GLOB: all findings but those of LIN103 on ids like this.",
        ),
        click.option(
            "--limit",
            type=click.IntRange(min=0),
            default=10_000,
            show_default=True,
            metavar="N",
            help="Entries in each list, and findings of each rule; 0 for all.",
        ),
        click.option(
            "--allow-empty/--no-allow-empty", help="Take inputs that hold no memory for empty ones, not for an error."
        ),
    )


def judging(*, fail_on: str | None, new: bool = False) -> Decorator[Any]:
    """Give a command the options above as one `Judging`.

    `fail_on` is the default of `--fail-on`; with `new`, that is about new findings only.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def command(run: Run, **given: Any) -> Any:
            names = ("fail_on", "select", "ignore", "limit")
            judged = Judging(**{name: given.pop(name) for name in names})
            return function(replace(run, allow_empty=given.pop("allow_empty")), judged, **given)

        return apply(_options(fail_on, new=new), command)

    return decorate
