"""`lineage report`: the main job."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

import lineage
from lineage import discovery
from lineage.cli.files import refuse_to_overwrite, write_file
from lineage.cli.judging import Judging, judging
from lineage.cli.options import Run, shared
from lineage.cli.streams import emit, emit_lines, wants_colour, width
from lineage.cli.types import Name

if TYPE_CHECKING:
    from lineage.renderers.base import Renderer

_FOLDER = "reports"
_DEFAULT = "html"
_COMPRESSIONS = frozenset({".gz", ".bz2", ".xz", ".zst"})


def _renderers(formats: tuple[str, ...], output: str | None) -> list["Renderer"]:
    """The renderers asked for; without `-f`, what the ending of the output file says, or else HTML."""
    if formats:
        return [discovery.renderer(name) for name in dict.fromkeys(formats)]
    return [discovery.renderer((output and discovery.format_of(output)) or _DEFAULT)]


def _formats() -> list[str]:
    return [name for name, renderer in discovery.renderers().items() if renderer.suffix]


def stem(name: str) -> str:
    """The name a report on this input gets: no folder, no ending, no compression."""
    if name == "-":
        return "stdin"
    path = Path(name)
    if path.is_dir():
        return path.resolve().name.lstrip(".") or "report"
    if path.suffix in _COMPRESSIONS:
        path = path.with_suffix("")
    return path.stem.lstrip(".") or "report"


def _targets(renderers: list["Renderer"], output: str | None, first: str) -> list[Path]:
    if output is not None and not output.endswith(("/", os.sep)) and not Path(output).is_dir():
        return [Path(output)]
    folder = Path(_FOLDER if output is None else output)
    return [folder / (stem(first) + renderer.suffix) for renderer in renderers]


def _check_output(renderers: list["Renderer"], output: str | None, inputs: tuple[str, ...]) -> None:
    """Complain about the output before anything is read."""
    if output is None:
        return
    if len(renderers) > 1 and (output == "-" or len(_targets(renderers, output, "-")) == 1):
        where = "standard output" if output == "-" else "one file"
        raise click.UsageError(f"several formats do not go into {where}: give -o a directory, with a slash at its end")
    if output != "-":
        refuse_to_overwrite(Path(output), inputs)


def _first(run: Run, made: "lineage.Report") -> str:
    """The first input, as it was read where it was given as a glob."""
    given, read = run.inputs[0], made.model.inputs
    if given == "-" or Path(given).exists():
        return given
    return read[0].path if read else "report"


def _show_summary(made: "lineage.Report", files: list[Path], *, err: bool) -> None:
    from lineage.renderers import terminal

    names = [str(file) for file in files]
    text = terminal.summary(made.model, report_files=names, width=width(err=err), colour=wants_colour(err=err))
    emit_lines(text.rstrip("\n").split("\n"), err=err)


@click.command("report")
@click.option(
    "-f",
    "--format",
    type=Name("format", _formats, discovery.makes_files),
    multiple=True,
    help="Format of the report, as often as there are to be formats.  [default: html]",
)
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    type=click.Path(),
    help="File or directory, or - for standard output.  [default: reports/<first input>.<format>]",
)
@click.option("--title", help="Title of the report.")
@click.option("--full", is_flag=True, help="Let pages hold every entry and every diagram, however large they get.")
@click.option(
    "--against", metavar="FILE", type=click.Path(), help="An earlier JSON report, to tell how the quality changed."
)
@shared()
@judging(fail_on=None)
def command(
    run: Run,
    judged: Judging,
    *,
    format: tuple[str, ...],
    output: str | None,
    title: str | None,
    full: bool,
    against: str | None,
) -> int:
    """Write a report on the memories, and show its summary.

    The exit code is 0 whatever is found, unless --fail-on is given.
    """
    renderers = _renderers(format, output)
    _check_output(renderers, output, run.inputs)
    with run.waiting() as waiting:
        graph = run.graph(waiting, mention=False)
        waiting.stage("Checking")
        made = judged.report(graph, run, title=title, against=against)
        waiting.stage("Writing")
        rendered = [made.render(renderer.name, full=full) for renderer in renderers]
        files = [] if output == "-" else _targets(renderers, output, _first(run, made))
        for file, content in zip(files, rendered, strict=False):
            refuse_to_overwrite(file, (read.path for read in made.model.inputs))
            write_file(file, [content])
    if output == "-":
        emit(rendered)
    if not run.quiet:
        _show_summary(made, files, err=output == "-")
    return judged.exit_code(made)
