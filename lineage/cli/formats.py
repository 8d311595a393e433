"""`lineage formats`: what can be read and written."""

from collections.abc import Iterator

import click

import lineage
from lineage import discovery
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
def command() -> None:
    """Name the formats that can be read and written."""
    emit_lines(_lines())
