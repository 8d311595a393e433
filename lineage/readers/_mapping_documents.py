"""Documents by a mapping: the records they hold, one by one, or beside each other where one voids what another says."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from lineage.model import MASKING, DeclaredBy, Void
from lineage.readers._mapping_plan import Plan, Unfit, expected, getter
from lineage.readers._mapping_records import Mapped
from lineage.readers.base import Item, Link, Memory, Problem, Record


def records_of(plan: Plan, document: Record) -> Iterator[tuple[int | None, Any]]:
    """The records that a document holds, numbered, or the document itself where the plan names no place."""
    if plan.records is None:
        yield None, document
        return
    try:
        found = getter(plan.records)(document)
    except Unfit:
        found = None
    if isinstance(found, list):
        yield from enumerate(found, 1)
    else:
        yield None, found if isinstance(found, Mapping) else document


def read(mapped: Mapped, document: Record) -> Iterator[Item]:
    """The memories of a document."""
    for line, record in records_of(mapped.plan, document):
        yield from _read(mapped, record, line)


def _read(mapped: Mapped, record: Any, line: int | None) -> Iterable[Item]:
    if isinstance(record, Mapping):
        return mapped.items(record, line)
    return [Problem("LIN901", expected("an object", record), line=line)]


def together(mapped: Mapped, documents: Sequence[Record]) -> Iterator[tuple[int, Item]]:
    """The memories of all documents of an input; a claim is void that a source makes which is not accepted.

    The other side may state it, which does not know.
    """
    records = (
        (number, line, record)
        for number, document in enumerate(documents)
        for line, record in records_of(mapped.plan, document)
    )
    yield from beside(mapped, records)


def beside(mapped: Mapped, records: Iterable[tuple[int, int | None, Any]]) -> Iterator[tuple[int, Item]]:
    """The memories of records that are known to each other, each a number, a line and the record."""
    found = [(number, record, item) for number, line, record in records for item in _read(mapped, record, line)]
    waiting = {item.id for _, record, item in found if isinstance(item, Memory) and mapped.unaccepted(record)}
    for number, _, item in found:
        if isinstance(item, Memory):
            item.links = [_held_back(link) if _waits(link, waiting) else link for link in item.links]
        yield number, item


def _waits(link: Link, waiting: set[str]) -> bool:
    return link.by is DeclaredBy.PREDECESSOR and link.kind in MASKING and link.other in waiting


def _held_back(link: Link) -> Link:
    return replace(link, void=Void.UNACCEPTED_SOURCE)
