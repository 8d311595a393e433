"""`lineage suggest`: links that are missing, most likely."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from lineage.cli.files import refuse_to_overwrite, write_file
from lineage.cli.options import Run, shared
from lineage.cli.streams import emit, note
from lineage.cli.table import Column, short_id, show
from lineage.text import csv_cell

_FORMATS = ("table", "jsonl", "csv")
_ENDINGS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
_KEYS = ("source", "kind", "target", "note", "score", "reasons")
_COLUMNS = (
    Column("SCORE", "score", lambda value, _: f"{value:.2f}"),
    Column("NEWER", "source", short_id),
    Column("OLDER", "target", short_id),
)
_LEAST = 0.5


def _json_lines(rows: Sequence[Mapping[str, Any]]) -> Iterator[bytes]:
    for row in rows:
        yield (json.dumps(row) + "\n").encode()


def _csv(rows: Sequence[Mapping[str, Any]]) -> Iterator[bytes]:
    """The rows as CSV; ids stand as they are, so that they are found again."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, _KEYS, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
    writer.writeheader()
    writer.writerows({**row, "note": row["note"] or "", "reasons": csv_cell(row["reasons"])} for row in rows)
    yield buffer.getvalue().encode("utf-8", "replace")


def _written(rows: Sequence[Mapping[str, Any]], format: str) -> Iterator[bytes]:
    return _csv(rows) if format == "csv" else _json_lines(rows)


@click.command("suggest")
@click.option(
    "-f",
    "--format",
    type=click.Choice(_FORMATS),
    help="Format; csv and jsonl are what --links takes.  [default: told by the ending of -o, or table]",
)
@click.option("-o", "--output", metavar="FILE", type=click.Path(), help="File of links to review, for --links.")
@click.option(
    "--least",
    type=click.FloatRange(0, 1),
    default=_LEAST,
    show_default=True,
    metavar="SCORE",
    help="Leave out what has a lower score.",
)
@shared(kind=False)
def command(run: Run, *, format: str | None, output: str | None, least: float) -> None:
    """Suggest links that are missing, for review.

    Each is a newer decision that most likely supersedes an older one, both in effect, with what speaks for it.
    Nothing is linked by this: take out of the file what is not so, and give it back with --links.
    """
    chosen = format or _ENDINGS.get(Path(output).suffix if output else "", "jsonl" if output else "table")
    if output is not None and chosen == "table":
        raise click.UsageError("a table is for reading: give -f csv or -f jsonl with -o")
    if output is not None and output != "-":
        refuse_to_overwrite(Path(output), run.inputs)
    with run.waiting() as waiting:
        graph = run.graph(waiting)
        waiting.stage("Comparing")
        found = graph.suggest(least)
        rows = [dict(zip(_KEYS, row, strict=True)) for row in found[list(_KEYS)].itertuples(index=False)]
    if chosen == "table":
        show(({**row, "text": row["reasons"]} for row in rows), "table", _COLUMNS, ())
    elif output is None or output == "-":
        emit(_written(rows, chosen))
    else:
        write_file(Path(output), _written(rows, chosen))
        if not run.quiet:
            counted = "1 suggestion" if len(rows) == 1 else f"{len(rows):,} suggestions"
            note(f"wrote {counted} to {output}; review them, then give it back with --links")
