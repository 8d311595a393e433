"""`lineage formats`: what can be read and written, and what an input is taken for."""

import json
from collections.abc import Iterator

import click

import lineage
from lineage import discovery
from lineage.cli.recognised import recognised, told
from lineage.cli.streams import emit_lines
from lineage.text import one_line


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(cells) for cell, cells in zip(row, widths, strict=True)).rstrip()


def _memories() -> Iterator[tuple[str, ...]]:
    readers, writable = discovery.readers(), lineage.writable()
    exports = {getattr(drawing, "format", ""): drawing for drawing in discovery.drawings().values()}
    for name in sorted({*readers, *writable}):
        can = [word for word, names in (("read", readers), ("write", writable)) if name in names]
        about = readers[name].about if name in readers else exports[name].about
        yield name, ", ".join(can), one_line(about.partition("\n")[0])


def _lines() -> Iterator[str]:
    yield "Formats of memories (--from; --to where they can be written):"
    yield from _table(list(_memories()))
    yield ""
    yield "Formats of reports (-f):"
    yield from _table(
        [
            (renderer.name, renderer.suffix, one_line(renderer.about.partition("\n")[0]))
            for renderer in discovery.renderers().values()
        ]
    )


@click.command("formats")
@click.argument("inputs", metavar="[INPUT]...", nargs=-1, type=click.Path())
@click.option("-f", "--format", "form", type=click.Choice(["table", "json"]), default="table", help="How to say it.")
def command(inputs: tuple[str, ...], form: str) -> None:
    """Name the formats that can be read and written.

    Of each INPUT, say what is taken for what in it, and why, and what was expected where something is refused.
    """
    if not inputs:
        emit_lines(_lines())
        return
    found = recognised(lineage.read(*inputs, allow_empty=True))
    emit_lines([json.dumps(found, ensure_ascii=False, indent=2)] if form == "json" else told(found))
