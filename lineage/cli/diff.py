"""`lineage diff`: what changed between two exports."""

from dataclasses import replace
from pathlib import Path

import click
from click.core import ParameterSource

import lineage
from lineage import discovery
from lineage.cli.files import refuse_to_overwrite, write_file
from lineage.cli.judging import Judging, judging
from lineage.cli.options import Run, shared
from lineage.cli.progress import Waiting
from lineage.cli.streams import emit, emit_lines, note, wants_colour, width
from lineage.cli.types import Name

_TEXT = "text"
_SHOWN = 20
"""Entries of a list that are shown as text, unless `--limit` says otherwise: more are no help on a screen."""


def _graphs(run: Run, waiting: Waiting) -> list["lineage.Graph"]:
    return [replace(run, inputs=(name,)).graph(waiting) for name in run.inputs]


def _limited(judged: Judging, format: str, output: str) -> Judging:
    usual = click.get_current_context().get_parameter_source("limit") is ParameterSource.DEFAULT
    return replace(judged, limit=_SHOWN) if usual and format == _TEXT and output == "-" else judged


@click.command("diff")
@click.option(
    "-f",
    "--format",
    type=Name("format", discovery.differences),
    default=None,
    help="Format of the comparison.  [default: by the ending of -o, or text]",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(),
    default="-",
    show_default=True,
    help="File, or - for standard output.",
)
@shared(named=("old", "new"))
@judging(fail_on=None, new=True)
def command(run: Run, judged: Judging, *, format: str | None, output: str) -> int:
    """Show what changed between two exports.

    OLD and NEW are each a file, a directory or a glob; one of them may be - for standard input. Memories are matched
    by id, findings by fingerprint. The exit code is 0 whatever changed, unless --fail-on is given: new-findings are
    new errors and warnings.
    """
    if run.inputs == ("-", "-"):
        raise click.UsageError("only one of OLD and NEW can be standard input")
    name = format or _by_ending(output)
    if output != "-":
        refuse_to_overwrite(Path(output), run.inputs)
    with run.waiting() as waiting:
        old, new = _graphs(run, waiting)
        waiting.stage("Comparing")
        judged = _limited(judged, name, output)
        made = judged.diff(old, new, run)
        if output != "-":
            refuse_to_overwrite(Path(output), (read.path for graph in (old, new) for read in graph.corpus.inputs))
            write_file(Path(output), [made.render(name)])
    if output == "-":
        _show(made, name)
    elif not run.quiet:
        note(f"wrote {output}")
    return judged.code(made.model.findings_new.counts, made.model.new_by_rule)


def _by_ending(output: str) -> str:
    endings = {one.suffix: name for name, one in discovery.differences().items()}
    return endings.get(Path(output).suffix, _TEXT)


def _show(made: "lineage.Diff", format: str) -> None:
    if format != _TEXT:
        emit([made.render(format)])
        return
    from lineage.differences import text

    emit_lines(line.rstrip() for line in text.lines(made.model, width=width(), colour=wants_colour()))
