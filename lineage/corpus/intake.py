"""Sources to tables: which reader takes which record, and what cannot be read."""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, cast

from lineage.corpus.builder import Builder
from lineage.corpus.gathering import MAPPED, Gathering, Text
from lineage.corpus.records import (
    BOM,
    NotJson,
    begins_like_json,
    begins_with_line,
    blocks,
    is_json,
    looks_binary,
    looks_like_array,
    looks_like_document,
    loose_elements,
    page_elements,
    value_of,
    whole_array,
)
from lineage.errors import InputError, NotMemories
from lineage.readers.base import NEVER, Carrier, Item, Memory, Passed, Problem, Quick, Reader, Rows, Tombstone
from lineage.readers.fields import json_type, shown
from lineage.sources import Source

Progress = Callable[[int], None]
_HEAD = 1 << 16
_NEWLINE = 10
_KEYS_SHOWN = 6
_LARGEST_DOCUMENT = 64 << 20
_JSON_LINES = (".json", ".jsonl", ".ndjson")


@dataclass(frozen=True)
class Range:
    """A part of a file of lines: from byte `start` (the beginning of a line) to `end`."""

    start: int
    end: int


class Intake:
    """Reads sources into a builder with some readers (one, where the format is forced)."""

    def __init__(
        self, builder: Builder, gathering: Gathering, readers: Mapping[str, Reader], forced: str | None = None
    ) -> None:
        self._builder = builder
        self.gathering = gathering
        self._readers = [readers[forced]] if forced else list(readers.values())
        self._forced = forced is not None

    def read(self, source: Source, *, quick_from: int, progress: Progress) -> None:
        """Read one source. Raises `InputError` where it cannot be opened or trusted at all."""
        with source.opened() as stream:
            head = cast(Any, stream).peek(_HEAD)[:_HEAD]
            carried = [reader for reader in self._readers if reader.carrier and reader.carrier.claims(head)]
            if carried:
                self._read_carried(carried, source, stream)
            elif self._may_be_document(source, head):
                self._read_text(source, stream, progress)
            elif looks_like_array(head):
                self._read_array(stream)
            elif looks_like_document(head):
                self._read_document(stream)
            elif looks_binary(head):
                self._add(Problem("LIN901", "neither text in UTF-8 nor a container that is known"), 1)
            else:
                quick = source.is_plain() and source.size() >= quick_from
                self.read_lines(stream, Range(0, 0), quick=quick, progress=progress)

    def _read_carried(self, claiming: Sequence[Reader], source: Source, stream: BinaryIO) -> None:
        """Read a container with the reader that knows what is in it; the first says what is wrong if none does."""
        with _on_disk(source, stream) as path:
            try:
                chosen = _holding(claiming, path)
                self._builder.problem_format = chosen.name
                for number, item in enumerate(cast(Carrier, chosen.carrier).read(path), 1):
                    self._builder.counts.recognised += 1
                    if isinstance(item, Rows):
                        self._builder.add_rows(item)
                    else:
                        self._builder.add(item, getattr(item, "line", None) or number)
            except InputError as error:
                raise type(error)(str(error).replace(str(path), source.name)) from error
            finally:
                self._builder.problem_format = None

    def _may_be_document(self, source: Source, head: bytes) -> bool:
        """Whether a file may be read whole as text, by how it begins; lines of JSON are read one by one."""
        taking = [reader for reader in self._readers if reader.documents]
        if not taking or looks_binary(head) or source.size() > _LARGEST_DOCUMENT or not head.strip():
            return False
        only = self._forced and taking[0].sniff is NEVER
        named_json = source.name.lower().removesuffix(".gz").endswith(_JSON_LINES)
        return only or not (named_json or begins_like_json(head))

    def _read_text(self, source: Source, stream: BinaryIO, progress: Progress) -> None:
        """A file of text: a document of the first reader that takes it, else lines of which some may be records."""
        data = self._rest(stream)
        progress(len(data))
        text = Text.of(source, data)
        for reader in self._readers:
            if reader.documents and (self._forced or reader.documents.claims(text.document)):
                self.gathering.document(reader, text, source)
                return
        if source.path is None or any(is_json(line) for line in data.split(b"\n") if line.lstrip()[:1] == b"{"):
            self._read_each(data.removeprefix(BOM), 1)
        else:
            self.gathering.unclaimed(source)

    def read_lines(self, stream: BinaryIO, part: Range, *, quick: bool, progress: Progress) -> int:
        """Read lines, from byte `part.start` on; returns how many there were.

        With `quick`, a reader's quick look serves the lines it can.
        """
        looks = [reader.quick() for reader in self._readers if reader.quick] if quick else []
        offset, line = part.start, 1
        if part.start:
            stream.seek(part.start)
        try:
            for block in blocks(stream, part.end - part.start if part.end else None):
                line += self._read_block(block, looks, line=line, offset=offset)
                self._builder.counts.bytes += len(block)
                offset += len(block)
                progress(len(block))
        except InputError as error:
            self._add(Problem("LIN901", str(error).partition(": ")[2]), line)
        return line - 1

    def _read_block(self, block: memoryview, looks: list[Quick], *, line: int, offset: int) -> int:
        """Read whole lines; returns how many there were."""
        if offset == 0 and block[:3] == BOM:
            return self._read_each(bytes(block[3:]), line)
        if not looks or block[-1] != _NEWLINE:
            return self._read_each(bytes(block), line)
        found = looks[0].decode(block)
        self._builder.add_quick(found, line=line, offset=offset)
        for position in found.refused.tolist():
            start = int(found.starts[position])
            self._read_line(bytes(block[start : start + int(found.lengths[position])]), line + position)
        if 2 * len(found.refused) > len(found.starts):
            looks.clear()
        return len(found.starts)

    def _read_each(self, block: bytes, line: int) -> int:
        lines = block.split(b"\n")
        for position, text in enumerate(lines):
            self._read_line(text, line + position)
        return len(lines) - 1

    def _read_line(self, text: bytes, line: int) -> None:
        if not text or text.isspace():
            return
        try:
            value, broken = value_of(text)
        except NotJson as error:
            self._add(Problem("LIN901", str(error)), line)
            return
        several = isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)
        for record in value if several else [value]:
            self._read_value(record, line, broken=broken)

    def _read_array(self, stream: BinaryIO) -> None:
        data = self._rest(stream).removeprefix(BOM).strip()
        whole = whole_array(data)
        if whole is not None:
            self._read_elements(iter(whole))
        elif begins_with_line(data):
            self._read_each(data, 1)
        else:
            self._read_elements(loose_elements(data))

    def _rest(self, stream: BinaryIO) -> bytes:
        data = stream.read()
        self._builder.counts.bytes += len(data)
        return data

    def _read_elements(self, found: Iterator[Any], *, numbered: bool = True) -> None:
        """Read records by their number, or, where they are documents, let their parts number themselves."""
        for number, element in enumerate(found, 1):
            try:
                if isinstance(element, NotJson):
                    raise element
                value, broken = value_of(element)
            except NotJson as error:
                self._add(Problem("LIN901", str(error)), number)
                continue
            self._read_value(value, number if numbered else None, broken=broken)

    def _read_document(self, stream: BinaryIO) -> None:
        data = self._rest(stream).removeprefix(BOM)
        try:
            value, broken = value_of(data)
        except NotJson as error:
            several = str(error).startswith("not JSON: extra data")
            lines = data.split(b"\n")[1:]
            if not several and data.lstrip()[1:].lstrip().startswith(b'"records"'):
                self._read_elements(page_elements(data, "records"))
            elif any(line.lstrip().startswith(b"{") and is_json(line) for line in lines):
                self._read_each(data, 1)
            elif several:
                self._read_elements(loose_elements(data), numbered=False)
            else:
                self._add(Problem("LIN901", str(error)), 1)
            return
        self._read_value(value, None, broken=broken)

    def _read_value(self, value: Any, line: int | None, *, broken: bool) -> None:
        """One record at `line`; None where it is the whole document, whose parts number themselves."""
        for item in self._items_of(value, line, broken=broken):
            self._add(item, line)
        self._builder.problem_format = None

    def _items_of(self, value: Any, line: int | None, *, broken: bool) -> Iterator[Item]:
        """What the reader that takes this JSON value makes of it; `broken` if half a surrogate pair was mended."""
        if not isinstance(value, dict):
            yield Problem("LIN901", f"expected an object, found {json_type(value)}")
            return
        reader = next((reader for reader in self._readers if self._forced or reader.sniff(value)), None)
        if reader is None:
            yield Problem("LIN901", _unknown(value))
            return
        self._builder.counts.recognised += 1
        self._builder.problem_format = reader.name
        if reader.together:
            self.gathering.record(reader, value, line or 1)
        name = None
        for item in reader.read(value):
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
    return (
        f"no known format has the keys {listed}{more} (see `lineage formats`); {MAPPED}" if keys else "an empty object"
    )


def _holding(claiming: Sequence[Reader], path: Path) -> Reader:
    """The reader that knows what is in a container that several claim; `NotMemories` says what each of them misses."""
    if len(claiming) == 1:
        return claiming[0]
    for reader in claiming:
        if reader.carrier and reader.carrier.holds and reader.carrier.holds(path):
            return reader
    missing = []
    for reader in claiming:
        try:
            next(cast(Carrier, reader.carrier).read(path), None)
        except NotMemories as error:
            missing.append(str(error))
        else:
            return reader
    raise NotMemories("; ".join([missing[0], *(cause.removeprefix(f"{path}: ") for cause in missing[1:])]))


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
