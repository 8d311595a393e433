"""`lineage check`: the gate for continuous integration."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click
from click.core import ParameterSource

import lineage
from lineage.cli.files import refuse_to_overwrite, write_file
from lineage.cli.judging import Judging, judging
from lineage.cli.options import Run, shared
from lineage.cli.streams import emit, emit_lines, note, wants_colour, width
from lineage.cli.types import Name
from lineage.model import GRADES

_TEXT = "text"
_SHOWN = 1_000
"""Findings of a rule that are shown as text, unless `--limit` says otherwise: more are no help in a log."""
_FORMATS = (_TEXT, "json", "sarif", "junit", "github")


def _limit_is_usual() -> bool:
    return click.get_current_context().get_parameter_source("limit") is ParameterSource.DEFAULT


def _known(baseline: str | None, written: str | None) -> "lineage.Baseline | None":
    """What is known already; None where nothing is held against a baseline and none is written."""
    if baseline is None or (baseline == written and not Path(baseline).exists()):
        # A baseline that is about to be written for the first time need not be there yet.
        return lineage.Baseline() if written else None
    return lineage.Baseline.load(baseline)


def _compared(made: "lineage.Report", baseline: str, *, named: bool) -> Iterator[str]:
    """What is said of a baseline: how much of it is known, and what was not found any more."""
    from lineage.analyses.naming import listed
    from lineage.reporting.digest import counted

    compared = made.model.compared
    if compared is None:
        return
    stale = counted(len(compared.stale), "entry", "entries")
    hint = " (-v names them)" if compared.stale and not named else ""
    yield f"{baseline}: {counted(compared.known, 'finding')} known, {stale} not found any more{hint}"
    for entry in compared.stale if named else ():
        about = f" about {listed(entry.memories)}" if entry.memories else ""
        yield f"{baseline}: {entry.rule} {entry.fingerprint}{about} was not found any more"


@click.command("check")
@click.option("-f", "--format", type=Name("format", lambda: _FORMATS), default=_TEXT, help="Format of the findings.")
@click.option(
    "--baseline", metavar="FILE", type=click.Path(), help="Neither show nor count the findings that this file knows."
)
@click.option(
    "--write-baseline", metavar="FILE", type=click.Path(), help="Write all findings there, to be known the next time."
)
@click.option(
    "--min-grade",
    type=click.Choice([grade for grade, _ in GRADES]),
    help="Fail, too, where the quality of the memories does not reach this grade.",
)
@shared()
@judging(fail_on="error")
def command(
    run: Run,
    judged: Judging,
    *,
    format: str,
    baseline: str | None,
    write_baseline: str | None,
    min_grade: str | None,
) -> int:
    """Show what is wrong with the memories, and fail on errors.

    The exit code is 1 where there are findings at or above --fail-on. `lineage rules` explains each rule.
    """
    known = _known(baseline, write_baseline)
    with run.waiting() as waiting:
        graph = run.graph(waiting, mention=False)
        waiting.stage("Checking")
        if format == _TEXT and _limit_is_usual():
            judged = replace(judged, limit=_SHOWN)
        made = judged.report(graph, run, lists=format != _TEXT, baseline=known, graded=min_grade is not None)
        if write_baseline is not None and made.baseline is not None:
            read = (*run.inputs, *(source.path for source in made.model.inputs))
            refuse_to_overwrite(Path(write_baseline), read, "--write-baseline")
            write_file(Path(write_baseline), [made.baseline.to_bytes()])
    if format != _TEXT:
        emit([made.render(format)])
    elif not run.quiet:
        from lineage.renderers import terminal

        text = terminal.findings(made.model, width=width(), colour=wants_colour())
        emit_lines(text.rstrip("\n").split("\n"))
    if baseline is not None and not run.quiet:
        for sentence in _compared(made, baseline, named=run.verbose):
            note(sentence)
    return max(judged.exit_code(made), _graded(made, min_grade, quiet=run.quiet) if min_grade else 0)


def _graded(made: "lineage.Report", least: str, *, quiet: bool) -> int:
    """1 where the quality does not reach a grade, which is said; else 0."""
    from lineage.reporting.trend import below, told

    found = made.model.quality
    if found is None or not below(found, least):
        return 0
    if not quiet:
        note(f"{told(found, None)} is below {least}: `lineage report` tells why")
    return 1
