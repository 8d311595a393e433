"""Sources to tables: which reader takes which record, and what cannot be read."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, cast

from lineage.corpus.builder import Builder
from lineage.corpus.records import (
    BOM,
    NotJson,
    blocks,
    elements,
    has_surrogates,
    looks_like_array,
    looks_like_document,
    mended,
    page_elements,
    value_of,
)
from lineage.errors import InputError
from lineage.readers.base import Item, Memory, Passed, Problem, Quick, Reader, Tombstone
from lineage.readers.fields import json_type, shown
from lineage.sources import Source

Progress = Callable[[int], None]
_HEAD = 1 << 16
_KEYS_SHOWN = 6


@dataclass(frozen=True)
class Range:
    """A part of a file of lines: from byte `start` (the beginning of a line) to `end`."""

    start: int
    end: int


class Intake:
    """Reads sources into a builder with some readers (one, where the format is forced)."""

    def __init__(self, builder: Builder, readers: Mapping[str, Reader], forced: str | None = None) -> None:
        self._builder = builder
        self._readers = [readers[forced]] if forced else list(readers.values())
        self._forced = forced is not None
        self._line = 1

    def read(self, source: Source, *, quick_from: int, progress: Progress) -> None:
        """Read one source. Raises `InputError` where it cannot be opened or trusted at all."""
        with source.opened() as stream:
            head = cast(Any, stream).peek(_HEAD)[:_HEAD]
            carrier = next((r.carrier for r in self._readers if r.carrier and r.carrier.claims(head)), None)
            if carrier:
                with _on_disk(source, stream) as path:
                    for number, item in enumerate(carrier.read(path), 1):
                        self._add(item, number)
                return
            if looks_like_array(head):
                self._read_array(stream)
            elif looks_like_document(head):
                self._read_document(stream)
            else:
                quick = source.is_plain() and source.size() >= quick_from
                self.read_lines(stream, Range(0, 0), quick=quick, progress=progress)

    def takes_lines(self, source: Source) -> bool:
        """Whether the source is a file of lines, not a container or one JSON document."""
        with source.opened() as stream:
            head = cast(Any, stream).peek(_HEAD)[:_HEAD]
        carried = any(reader.carrier and reader.carrier.claims(head) for reader in self._readers)
        return not (carried or looks_like_array(head) or looks_like_document(head))

    def read_lines(self, stream: BinaryIO, part: Range, *, quick: bool, progress: Progress) -> int:
        """Read lines, from byte `part.start` on; returns how many there were.

        With `quick`, a reader's quick look serves the lines it can.
        """
        looks = [reader.quick() for reader in self._readers if reader.quick] if quick else []
        offset, line = part.start, 1
        try:
            for block in blocks(_bounded(stream, part)):
                self._read_block(block, looks, line=line, offset=offset)
                self._builder.counts.bytes += len(block)
                offset += len(block)
                line += block.count(b"\n")
                progress(len(block))
        except InputError as error:
            self._add(Problem("LIN901", str(error).partition(": ")[2]), line)
        return line - 1

    def _read_block(self, block: bytes, looks: list[Quick], *, line: int, offset: int) -> None:
        if offset == 0 and block.startswith(BOM):
            block = block[len(BOM) :]
            looks = []
        if not looks:
            self._read_each(block, line)
            return
        cut = block.rfind(b"\n") + 1
        found = looks[0].decode(block[:cut])
        self._builder.add_quick(found, line=line, offset=offset)
        if len(found.refused):
            lines = block.split(b"\n")
            for position in found.refused.tolist():
                self._read_line(lines[position], line + position)
        self._read_line(block[cut:], line + len(found.starts))
        if 2 * len(found.refused) > len(found.starts):
            looks.clear()

    def _read_each(self, block: bytes, line: int) -> None:
        for position, text in enumerate(block.split(b"\n")):
            self._read_line(text, line + position)

    def _read_line(self, text: bytes, line: int) -> None:
        if not text or text.isspace():
            return
        try:
            value = value_of(text)
        except NotJson as error:
            self._add(Problem("LIN901", str(error)), line)
            return
        self._read_value(value, line)

    def _read_array(self, stream: BinaryIO) -> None:
        self._read_elements(elements(self._rest(stream)))

    def _rest(self, stream: BinaryIO) -> bytes:
        data = stream.read()
        self._builder.counts.bytes += len(data)
        return data

    def _read_elements(self, found: Iterator[Any]) -> None:
        for number, element in enumerate(found, 1):
            try:
                if isinstance(element, NotJson):
                    raise element
                value = value_of(element)
            except NotJson as error:
                self._add(Problem("LIN901", str(error)), number)
                continue
            self._read_value(value, number)

    def _read_document(self, stream: BinaryIO) -> None:
        data = self._rest(stream).removeprefix(BOM)
        try:
            self._read_value(value_of(data), None)
        except NotJson as error:
            if data.lstrip()[1:].lstrip().startswith(b'"records"'):
                self._read_elements(page_elements(data, "records"))
            elif str(error).startswith("not JSON: extra data"):
                self._read_each(data, 1)
            else:
                self._add(Problem("LIN901", str(error)), 1)

    def _read_value(self, value: Any, line: int | None) -> None:
        """One record at `line`; None where it is the whole document, whose parts number themselves."""
        for item in self.items_of(value):
            self._add(item, line)

    def items_of(self, value: Any) -> Iterator[Item]:
        """What the reader that takes this JSON value makes of it."""
        if not isinstance(value, dict):
            yield Problem("LIN901", f"expected an object, found {json_type(value)}")
            return
        broken = has_surrogates(value)
        record = mended(value) if broken else value
        reader = next((reader for reader in self._readers if self._forced or reader.sniff(record)), None)
        if reader is None:
            yield Problem("LIN901", _unknown(record))
            return
        name = None
        for item in reader.read(record):
            name = item.id if isinstance(item, Memory) else name
            yield item
        if broken:
            yield Problem("LIN905", "half of a surrogate pair, read as U+FFFD", name)

    def _add(self, item: Item, line: int | None) -> None:
        own = None if isinstance(item, Passed | Tombstone) else item.line
        self._builder.add(item, line if line is not None else own or 1)


def _unknown(record: Mapping[str, Any]) -> str:
    keys = sorted(record, key=str)
    listed = ", ".join(shown(str(key), 30) for key in keys[:_KEYS_SHOWN])
    more = f" and {len(keys) - _KEYS_SHOWN} more" if len(keys) > _KEYS_SHOWN else ""
    return f"no known format has the keys {listed}{more}" if keys else "an empty object"


class _bounded:
    """The part of a stream up to `part.end`; all of it where the part is empty."""

    def __init__(self, stream: BinaryIO, part: Range) -> None:
        self._stream = stream
        self._left = part.end - part.start if part.end else -1
        if part.start:
            stream.seek(part.start)

    def read(self, size: int) -> bytes:
        if self._left < 0:
            return self._stream.read(size)
        data = self._stream.read(min(size, self._left))
        self._left -= len(data)
        return data


@contextmanager
def _on_disk(source: Source, stream: BinaryIO) -> Iterator[Path]:
    """A path that holds the source's decompressed bytes."""
    if source.path and source.is_plain():
        yield source.path
        return
    with TemporaryDirectory(prefix="lineage-") as folder:
        copy = Path(folder) / "input"
        with copy.open("wb") as out:
            shutil.copyfileobj(stream, out)
        yield copy
