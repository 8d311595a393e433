"""`lineage formats`: what can be read and written."""

from collections.abc import Iterator

import click

from lineage import discovery
from lineage.cli.streams import emit_lines
from lineage.text import one_line


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(cells) for cell, cells in zip(row, widths, strict=True)).rstrip()


def _lines() -> Iterator[str]:
    yield "Formats of memories (--from; --to where they can be written):"
    yield from _table(
        [
            (reader.name, "read, write" if reader.writable else "read", one_line(reader.about.partition("\n")[0]))
            for reader in discovery.readers().values()
        ]
    )
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
