"""`lineage heads`: what is in effect."""

import click

from lineage.cli.options import Run, shared
from lineage.cli.table import CREATED, DEPTH, FORMATS, ID, KIND, show, show_ids
from lineage.model import Status

_COLUMNS = (CREATED, KIND, DEPTH, ID)
_KEYS = (
    "id",
    "text",
    "kind",
    "scope",
    "created_at",
    "files",
    "lineage",
    "depth",
    "replaces",
    "source",
    "line",
)


@click.command("heads")
@click.option("-f", "--format", type=click.Choice(FORMATS), default="table", show_default=True, help="Format.")
@shared()
def command(run: Run, *, format: str) -> None:
    """List the live heads: the memories in effect, newest first."""
    with run.waiting() as waiting:
        graph = run.graph(waiting)
        waiting.stage("Sorting")
        nodes = graph.sorted(graph.matching(statuses=(Status.LIVE,), kinds=run.kind), "-created")
    if format == "ids":
        show_ids(graph, nodes)
    else:
        show(graph.head_rows(nodes), format, _COLUMNS, _KEYS)
