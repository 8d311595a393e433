"""`lineage check`: the gate for continuous integration."""

from dataclasses import replace

import click
from click.core import ParameterSource

from lineage.cli.judging import Judging, judging
from lineage.cli.options import Run, shared
from lineage.cli.streams import emit, emit_lines, wants_colour, width
from lineage.cli.types import Name

_TEXT = "text"
_SHOWN = 1_000
"""Findings of a rule that are shown as text, unless `--limit` says otherwise: more are no help in a log."""
_FORMATS = (_TEXT, "json", "sarif", "junit", "github")


def _limit_is_usual() -> bool:
    return click.get_current_context().get_parameter_source("limit") is ParameterSource.DEFAULT


@click.command("check")
@click.option("-f", "--format", type=Name("format", lambda: _FORMATS), default=_TEXT, help="Format of the findings.")
@shared()
@judging(fail_on="error")
def command(run: Run, judged: Judging, *, format: str) -> int:
    """Show what is wrong with the memories, and fail on errors.

    The exit code is 1 where there are findings at or above --fail-on. `lineage rules` explains each rule.
    """
    with run.waiting() as waiting:
        graph = run.graph(waiting, mention=False)
        waiting.stage("Checking")
        if format == _TEXT and _limit_is_usual():
            judged = replace(judged, limit=_SHOWN)
        made = judged.report(graph, run, lists=format != _TEXT)
    if format != _TEXT:
        emit([made.render(format)])
    elif not run.quiet:
        from lineage.renderers import terminal

        text = terminal.findings(made.model, width=width(), colour=wants_colour())
        emit_lines(text.rstrip("\n").split("\n"))
    return judged.exit_code(made)
