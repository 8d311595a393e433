"""Writing to standard output and standard error."""

import os
import sys
from collections.abc import Iterable, Iterator
from typing import TextIO

import click

from lineage.text import printable

_BATCH = 1 << 16
_WIDTH = 100


def note(sentence: str) -> None:
    """One sentence on standard error; what it quotes cannot steer the terminal."""
    click.echo(f"lineage: {printable(sentence)}", err=True)


def _stream(*, err: bool) -> TextIO:
    return sys.stderr if err else sys.stdout


def wants_colour(*, err: bool = False) -> bool:
    """Whether the stream is a terminal that may be coloured (https://no-color.org)."""
    terminal = _stream(err=err).isatty()
    return terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width(*, err: bool = False) -> int:
    """The columns of the terminal, or of `COLUMNS`; 100 where there is neither."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given):
        return int(given)
    try:
        return os.get_terminal_size(_stream(err=err).fileno()).columns or _WIDTH
    except (OSError, ValueError):
        return _WIDTH


def silence_stdout() -> None:
    """Let whatever is still written to a closed pipe go nowhere."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return


def emit(chunks: Iterable[bytes], *, err: bool = False) -> None:
    """Write bytes to standard output (or error) in large pieces; stop without a word when nobody reads on."""
    text = _stream(err=err)
    text.flush()
    stream = text.buffer
    try:
        for piece in _batched(chunks):
            stream.write(piece)
        stream.flush()
    except BrokenPipeError:
        silence_stdout()


def emit_lines(lines: Iterable[str], *, err: bool = False) -> None:
    """Write lines of text that is already safe, in the encoding of the stream."""
    encoding = _stream(err=err).encoding or "utf-8"
    emit(((line + "\n").encode(encoding, "backslashreplace") for line in lines), err=err)


def _batched(chunks: Iterable[bytes]) -> Iterator[bytes]:
    waiting: list[bytes] = []
    size = 0
    for chunk in chunks:
        waiting.append(chunk)
        size += len(chunk)
        if size >= _BATCH:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting)
