"""`lineage list`: memories with their status."""

from typing import Any

import click

from lineage.cli.options import Run, shared
from lineage.cli.table import CREATED, FORMATS, ID, KIND, STATUS, show, show_ids
from lineage.cli.types import Words, flat
from lineage.model import Status

_COLUMNS = (STATUS, CREATED, KIND, ID)
_KEYS = (
    "id",
    "status",
    "role",
    "kind",
    "text",
    "scope",
    "created_at",
    "lineage",
    "generation",
    "superseded_by",
    "supersedes",
    "reversed_by",
    "resolved_by",
    "source",
    "line",
)
_ORDERS = ("created", "-created", "id", "status", "lineage", "generation")


@click.command("list")
@click.option(
    "--status",
    type=Words("status", lambda: list(Status)),
    multiple=True,
    callback=flat,
    help=f"Only memories of these statuses: {', '.join(Status)}.",
)
@click.option("--scope", help="Only memories of this scope.")
@click.option("--module", help="Only memories of this module.")
@click.option("--touching", metavar="PATH", help="Only memories that name this file, or a file in this folder.")
@click.option("--since", metavar="DATE", help="Only memories created at or after this instant.")
@click.option("--until", metavar="DATE", help="Only memories created at or before this instant.")
@click.option("--all-roles", is_flag=True, help="Markers, logs and missing memories too.")
@click.option(
    "--sort", type=click.Choice(_ORDERS), default="-created", show_default=True, help="Order; -created: newest first."
)
@click.option("-f", "--format", type=click.Choice(FORMATS), default="table", show_default=True, help="Format.")
@shared()
def command(run: Run, *, status: tuple[str, ...], sort: str, format: str, **filters: Any) -> None:
    """List memories with their status."""
    with run.waiting() as waiting:
        graph = run.graph(waiting)
        waiting.stage("Sorting")
        nodes = graph.sorted(graph.matching(statuses=status, kinds=run.kind, **filters), sort)
    if format == "csv":
        from lineage.face.worth import COLUMNS as WORTH
        from lineage.face.worth import quality_rows
        from lineage.reporting.trend import scale

        worth = quality_rows(graph.core, nodes, scale(run.weights, run.half_life))
        rows = (row | more for row, more in zip(graph.listing(nodes), worth, strict=True))
        show(rows, format, _COLUMNS, (*_KEYS, *WORTH))
    elif format == "ids":
        show_ids(graph, nodes)
    else:
        show(graph.listing(nodes), format, _COLUMNS, _KEYS)
