"""`lineage draw`: lineages as diagrams."""

import sys
from pathlib import Path
from typing import Any

import click

import lineage
from lineage import discovery
from lineage.cli.files import refuse_to_overwrite, write_file
from lineage.cli.options import Run, shared
from lineage.cli.report import stem
from lineage.cli.streams import emit, note
from lineage.cli.types import Name, Words, flat
from lineage.model import Status

_DEFAULT = "svg"
_BINARY = frozenset({"png", "pdf"})


def _format(given: str | None, output: str | None) -> str:
    """The format asked for, or the one that the ending of the file says."""
    if given or output in (None, "-"):
        return given or _DEFAULT
    endings = {drawing.suffix: name for name, drawing in discovery.drawings().items()}
    ending = Path(str(output)).suffix.lower()
    if ending not in endings:
        known = ", ".join(sorted(endings))
        raise click.UsageError(f"{output}: no drawing ends like this: {known} do, or choose one with -f")
    return endings[ending]


def _target(run: Run, graph: "lineage.Graph", format: str, output: str | None) -> Path:
    if output is not None:
        return Path(output)
    given = run.inputs[0]
    first = given if given == "-" or Path(given).exists() else graph.corpus.inputs[0].path
    return Path("reports") / (stem(first) + discovery.drawings()[format].suffix)


@click.command("draw")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(),
    help="File, whose ending chooses the format, or - for standard output.  [default: reports/<first input>.svg]",
)
@click.option(
    "-f", "--format", type=Name("format", discovery.drawings), help="Format, whatever the file's ending says."
)
@click.option("--lineage", metavar="ID", help="Only the lineage of this memory.")
@click.option("--around", metavar="ID", help="Only what lies around this memory.")
@click.option(
    "--depth", type=click.IntRange(min=0), metavar="N", help="With --around: so many links away.  [default: 3]"
)
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Only the N largest lineages.")
@click.option(
    "--status",
    type=Words("status", lambda: list(Status)),
    multiple=True,
    callback=flat,
    help="Only lineages that hold a memory of these statuses.",
)
@click.option("--cycles", is_flag=True, help="Only lineages with a circle.")
@click.option(
    "--max-nodes",
    type=click.IntRange(min=0),
    default=300,
    show_default=True,
    metavar="N",
    help="Beyond so many, plain superseded memories are folded into one; 0 draws all.",
)
@shared()
def command(
    run: Run, *, output: str | None, format: str | None, depth: int | None, status: tuple[str, ...], **selection: Any
) -> None:
    """Draw lineages: what holds, what it replaced, and where it is broken.

    The file's ending chooses among .svg, .html (to move about in), .png, .pdf, .dot (Graphviz) and .mmd (Mermaid);
    .graphml and .json carry every node and link with all their columns. Options that narrow the drawing add up.
    """
    form = _format(format, output)
    if depth is not None:
        if selection["around"] is None:
            raise click.UsageError("--depth says how far to look --around a memory: give both")
        selection["depth"] = depth
    _check_output(form, output, run.inputs)
    with run.waiting() as waiting:
        graph = run.graph(waiting)
        waiting.stage("Drawing")
        drawing = lineage.draw(graph, form, statuses=status, kinds=run.kind, **selection)
        target = _target(run, graph, form, output)
        if output != "-":
            refuse_to_overwrite(target, (read.path for read in graph.corpus.inputs))
            write_file(target, [drawing.content])
    if output == "-":
        emit([drawing.content])
    if not run.quiet:
        nothing = [] if drawing.nodes else ["nothing in the inputs meets this selection: the drawing is empty"]
        for sentence in (*nothing, *drawing.folded, *([] if output == "-" else [f"wrote {target}"])):
            note(sentence)


def _check_output(format: str, output: str | None, inputs: tuple[str, ...]) -> None:
    """Complain about the output before anything is read."""
    if output == "-":
        if format in _BINARY and sys.stdout.isatty():
            raise click.UsageError(f"{format} is nothing for a terminal: give -o a file")
    elif output is not None:
        refuse_to_overwrite(Path(output), inputs)
