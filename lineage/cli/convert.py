"""`lineage convert`: the memories in another format."""

import sys
from pathlib import Path

import click

import lineage
from lineage.cli.files import refuse_to_overwrite, write_file
from lineage.cli.options import Run, shared
from lineage.cli.streams import emit, note
from lineage.cli.types import Name
from lineage.errors import StrictError

_BINARY = ("parquet",)
_COLUMNS = " of "


def _writable() -> tuple[str, ...]:
    """The names of the formats that can be written."""
    return lineage.writable()


@click.command("convert")
@click.option("--to", required=True, type=Name("format that can be written", _writable), help="Format to write.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(),
    default="-",
    show_default=True,
    help="File, or - for standard output.",
)
@shared(kind=False)
def command(run: Run, *, to: str, output: str) -> None:
    """Rewrite memories into another format.

    Nothing that a record of that format came with is lost. What the format cannot say of records of other formats is
    counted on standard error; with --strict it ends the run before anything is written.
    """
    if output != "-":
        refuse_to_overwrite(Path(output), run.inputs)
    elif to in _BINARY and sys.stdout.isatty():
        raise click.UsageError(f"{to} is nothing for a terminal: give -o a file")
    with run.waiting() as waiting:
        graph = run.graph(waiting)
        lost = _told(lineage.losses(graph, to)) if run.strict or not run.quiet else ""
        if lost and run.strict:
            raise StrictError(f"{to} cannot say it all: {lost}")
        waiting.stage("Writing")
        if output != "-":
            refuse_to_overwrite(Path(output), (read.path for read in graph.corpus.inputs))
            write_file(Path(output), lineage.convert(graph, to))
    if output == "-":
        emit(lineage.convert(graph, to))
    if run.quiet:
        return
    if output != "-":
        note(f"wrote {output}")
    if lost:
        note(f"{to} cannot say it all: {lost}; --to lineage keeps everything")


def _told(lost: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {_plural(what, count)}" for what, count in lost.items())


def _plural(what: str, count: int) -> str:
    if count == 1:
        return what
    first, of, rest = what.partition(_COLUMNS)
    for one, many in (("memory", "memories"), ("log", "logs"), ("marker", "markers"), ("link", "links")):
        first = first.replace(one, many)
    return first.replace("value", "values") + of + rest
