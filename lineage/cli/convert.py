"""`lineage convert`: the memories in another format."""

from pathlib import Path

import click

import lineage
from lineage import discovery
from lineage.cli.files import refuse_to_overwrite, write_file
from lineage.cli.options import Run, shared
from lineage.cli.streams import emit, note
from lineage.cli.types import Name


def writable() -> tuple[str, ...]:
    """The names of the formats that can be written."""
    return tuple(name for name, reader in discovery.readers().items() if reader.writable)


@click.command("convert")
@click.option("--to", required=True, type=Name("format that can be written", writable), help="Format to write.")
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

    One JSON record a line. Nothing that a record of that format came with is lost. What the format cannot say of
    records of other formats is counted on standard error.
    """
    if output != "-":
        refuse_to_overwrite(Path(output), run.inputs)
    with run.waiting() as waiting:
        graph = run.graph(waiting)
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
    lost = [f"{count:,} {_plural(what, count)}" for what, count in lineage.losses(graph, to).items()]
    if lost:
        note(f"{to} cannot say it all: {', '.join(lost)}; --to lineage keeps everything")


def _plural(what: str, count: int) -> str:
    if count == 1:
        return what
    return what.replace("memory", "memories").replace("log", "logs").replace("marker", "markers")
