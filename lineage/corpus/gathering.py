"""Records and documents that only make sense beside each other, held until all of their input is known."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lineage.corpus.builder import Builder, Counts
from lineage.readers.base import Document, Item, Memory, Passed, Problem, Reader, Tombstone
from lineage.sources import Source

MAPPED = "if they are memories, say what is what: --map id=… --map text=…"
"""What to do about data of a format that is not known."""
_EXPECTED = f"no document of a known format (see `lineage formats`), nor JSON; {MAPPED}"


@dataclass(frozen=True)
class _Held:
    """A record or document and where it stands; `damage` says at which byte a document is not UTF-8."""

    value: Any
    source: int
    counts: Counts
    line: int
    path: str = ""
    damage: int | None = None


@dataclass(frozen=True)
class Text:
    """A file of text as it was read; `damage` is the place of its first byte that is not UTF-8, which became U+FFFD."""

    document: Document
    damage: int | None

    @classmethod
    def of(cls, source: Source, data: bytes) -> "Text":
        """The text of a file that holds these bytes."""
        damage = None
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            damage = error.start + 1
            text = data.decode("utf-8-sig", errors="replace")
        return cls(Document(source.below, text.replace("\r\n", "\n").replace("\r", "\n")), damage)


class Gathering:
    """What is read together, by reader and by input.

    Files of text that were named one by one belong together where they lie in
    one folder, as those do that a shell's pattern stands for.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._held: defaultdict[tuple[int, str, bool], list[_Held]] = defaultdict(list)
        self._unclaimed: list[tuple[Source, int, Counts]] = []
        self._folders: dict[str, int] = {}

    def record(self, reader: Reader, record: Any, line: int) -> None:
        """Hold a record of the current source."""
        counts = self._builder.counts
        self._held[counts.group, reader.name, False].append(_Held(record, self._builder.source, counts, line))

    def records(self) -> list[tuple[str, int, Any]]:
        """The records held: reader, line, record."""
        return [(name, held.line, held.value) for (_, name, _), all_ in self._held.items() for held in all_]

    def document(self, reader: Reader, text: Text, source: Source) -> None:
        """Hold a document, which is the current source."""
        counts = self._builder.counts
        counts.recognised += 1
        counts.group, counts.within = self._group(source, counts), source.folder
        held = _Held(text.document, self._builder.source, counts, 1, text.document.path, text.damage)
        self._held[counts.group, reader.name, True].append(held)

    def unclaimed(self, source: Source) -> None:
        """Note that the current source is a text that no reader takes."""
        self._unclaimed.append((source, self._builder.source, self._builder.counts))

    def _group(self, source: Source, counts: Counts) -> int:
        return counts.group if source.found or not source.path else self._folders.setdefault(source.base, counts.group)

    def finish(self, readers: Mapping[str, Reader]) -> None:
        """Read all that is held."""
        groups = {group for group, _, documents in self._held if documents}
        for (_, name, documents), held in sorted(self._held.items(), key=lambda item: item[0]):
            if documents:
                held.sort(key=lambda one: one.path)
            self._read(readers[name], held, documents=documents)
        for source, number, counts in self._unclaimed:
            self._builder.source, self._builder.counts = number, counts
            if self._group(source, counts) in groups:
                self._builder.add(Passed("document"), None)
            elif not source.found:
                self._builder.add(Problem("LIN901", _EXPECTED), 1)

    def _read(self, reader: Reader, held: list[_Held], *, documents: bool) -> None:
        values = [one.value for one in held]
        if documents and reader.documents:
            items = _mended(held, reader.documents.read(values))
        else:
            items = reader.together(values) if reader.together else iter(())
        for number, item in items:
            place = held[number]
            self._builder.source, self._builder.counts = place.source, place.counts
            self._builder.problem_format = reader.name
            own = None if isinstance(item, Passed | Tombstone) else item.line
            self._builder.add(item, own or place.line)
        self._builder.problem_format = None


def _mended(held: list[_Held], items: Iterator[tuple[int, Item]]) -> Iterator[tuple[int, Item]]:
    """A document that is not UTF-8 throughout is no readable record; of one that holds several, the others stand."""
    damaged = {number: one.damage for number, one in enumerate(held) if one.damage is not None}
    if not damaged:
        yield from items
        return
    read = list(items)
    several = {number for number in damaged if sum(at == number and isinstance(item, Memory) for at, item in read) > 1}
    yield from ((number, item) for number, item in read if number not in damaged or number in several)
    for number, place in damaged.items():
        cause = f"not UTF-8 (byte {place})"
        if number in several:
            yield number, Problem("LIN905", f"{cause}, read as U+FFFD")
        else:
            yield number, Problem("LIN901", cause)
