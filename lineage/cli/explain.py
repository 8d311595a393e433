"""`lineage explain`: why a file is as it is."""

import dataclasses
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from lineage.cli.options import Run, shared
from lineage.cli.streams import emit_lines, wants_colour, width
from lineage.cli.table import COLOURS, day
from lineage.layout.labels import short_id
from lineage.text import one_line, shortened

if TYPE_CHECKING:
    from lineage.analyses.explaining import Explanation, Reason

_LEAST = 30
_MOST_BEFORE = 12


@click.command("explain")
@click.argument("path")
@click.option("-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to say it.")
@shared(kind=False)
def command(run: Run, *, path: str, form: str) -> None:
    """Say why a file is as it is: what holds of it, what that replaced, and what was turned down.

    PATH is a whole path, the end of one, or a folder.
    """
    from lineage.analyses.explaining import explain

    with run.waiting() as waiting:
        graph = run.graph(waiting)
        waiting.stage("Looking")
        found = explain(graph.core, path)
    if form == "json":
        emit_lines([json.dumps(dataclasses.asdict(found), indent=2)])
    else:
        emit_lines(_told(found))


def _told(found: "Explanation") -> Iterator[str]:
    count = len(found.in_effect)
    holds = "nothing in effect touches" if not count else f"{count:,} in effect touch{'es' if count == 1 else ''}"
    yield f"{holds} {one_line(found.path)}"
    for reason in found.in_effect:
        yield ""
        yield from _reason(reason)
    if found.past:
        yield ""
        yield "No longer in effect, and not replaced by any of these:"
        for reason in found.past:
            yield _line(reason, 2)


def _reason(reason: "Reason") -> Iterator[str]:
    yield _line(reason, 0)
    room = max(width() - 14, _LEAST)
    if reason.rationale and reason.rationale.strip():
        yield f"    because   {shortened(reason.rationale, room)}"
    for option, why in reason.rejected:
        yield f"    not       {shortened(f'{option}: {why}' if why else str(option), room)}"
    for before in reason.replaced[:_MOST_BEFORE]:
        yield f"    replaced  {_line(before, 0)}"
        for option, why in before.rejected:
            yield f"              not {shortened(f'{option}: {why}' if why else str(option), max(room - 4, _LEAST))}"
    more = len(reason.replaced) - _MOST_BEFORE
    if more > 0:
        yield f"    and {more:,} before: lineage trace {one_line(reason.id)}"


def _line(reason: "Reason", indent: int) -> str:
    status = reason.status
    if wants_colour():
        status = click.style(status, fg=COLOURS.get(status))
    start = f"{' ' * indent}{status}  {day(reason.created_at) or '—':10}  {short_id(reason.id)}  "
    return start + shortened(reason.text or "no text", max(width() - len(start) - 14, _LEAST))
