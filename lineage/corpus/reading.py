"""Inputs to a corpus."""

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lineage.arrays import as_numpy, flags, joined, numbers
from lineage.corpus.builder import Builder, Counts
from lineage.corpus.gathering import Gathering
from lineage.corpus.helper import Helper
from lineage.corpus.intake import Intake, Range
from lineage.corpus.keys import Keys, Space, keys_of, spaces_of
from lineage.corpus.parallel import collect
from lineage.corpus.rereading import Rereader
from lineage.corpus.settle import Settled, contents_of, settle
from lineage.corpus.tables import INDEX_SCHEMA, SCHEMAS, Corpus, InputCount
from lineage.discovery import id_space, is_local, readers
from lineage.errors import NothingReadable, NotMemories, UsageError
from lineage.readers.base import Reader
from lineage.sources import Source

Progress = Callable[[int, int | None], None]

QUICK_FROM = 4 << 20
"""Size in bytes from which files of lines are looked at quickly first."""


def read(
    listed: Sequence[Source],
    helpers: Mapping[str, Helper],
    *,
    forced: str | Reader | None = None,
    last: Reader | None = None,
    allow_empty: bool = False,
    progress: Progress | None = None,
) -> Corpus:
    """Read sources into a corpus; `helpers` are reading the second part of some of them.

    `forced` is the name of the format of every record, or a reader of its own;
    `last` reads what no other reader takes. Raises `UsageError` for an unknown format, `InputError` for an input that
    cannot be opened or trusted and, unless `allow_empty`, `NothingReadable`
    where no input holds a readable memory. A bad record is a row of `problems`.
    """
    known = dict(readers())
    if isinstance(forced, Reader):
        known, forced = {forced.name: forced}, forced.name
    if last is not None:
        known.pop(last.name, None)
        known[last.name] = last
    if forced is not None and forced not in known:
        raise UsageError(f"unknown format {forced!r}: {', '.join(known)} can be read")
    builder = Builder()
    gathering = Gathering(builder)
    intake = Intake(builder, gathering, known, forced)
    counts: list[Counts] = []
    with _collector_off():
        for number, source in enumerate(listed):
            builder.source, builder.counts = number, Counts(group=source.number, within=source.within)
            counts.append(builder.counts)
            _read_source(source, builder, intake, helpers.get(source.name), progress)
        gathering.finish(known)
        builder.flush()
    return _corpus(builder, listed, counts, allow_empty=allow_empty)


@contextmanager
def _collector_off() -> Iterator[None]:
    """No cyclic garbage is made while loading, and looking for it costs a third of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _read_source(
    source: Source, builder: Builder, intake: Intake, helper: Helper | None, progress: Progress | None
) -> None:
    size = source.size()
    done = 0

    def count(read: int) -> None:
        nonlocal done
        done += read
        if progress:
            progress(done, size or None)

    if helper is None:
        try:
            intake.read(source, quick_from=QUICK_FROM, progress=count)
        except NotMemories:
            if not source.found:
                raise
        return
    with source.opened() as stream:
        lines = intake.read_lines(stream, Range(0, helper.start), quick=True, progress=count)
    collect(helper, builder, intake, lines=lines)


def _corpus(builder: Builder, listed: Sequence[Source], counts: Sequence[Counts], *, allow_empty: bool) -> Corpus:
    tables = {name: pa.Table.from_batches(getattr(builder, name), schema) for name, schema in SCHEMAS.items()}
    problems = _without(tables["problems"], [_passed_by(*pair) for pair in zip(listed, counts, strict=True)])
    if not len(tables["index"]) and not allow_empty:
        raise NothingReadable(_nothing(listed, tables["problems"]))
    formats = list(builder.formats)
    groups = np.array([count.group for count in counts] or [0], np.int32)
    spaces = partial(spaces_of, known=[(id_space(form), is_local(form)) for form in formats], inputs=_names(counts))
    index, keys, tombstone_keys = _keyed(tables, groups, spaces)
    corpus = Corpus(
        index=index,
        texts=tables["texts"],
        links=tables["links"],
        problems=problems,
        keys=keys,
        series=_series(index, keys),
        formats=formats,
        kinds=list(builder.kinds),
        vias=list(builder.vias),
        paths=[source.name for source in listed],
        inputs=_inputs(listed, counts),
        passed_over=_passed_over(listed, counts),
        first_error=_first_error(problems, listed),
        reread=Rereader(listed),
    )
    words = {"formats": formats, "kinds": corpus.kinds, "vias": corpus.vias}
    contents = contents_of(index, corpus.links, corpus.stored_texts, words)
    return _settled(corpus, settle(index, tables["tombstones"], tombstone_keys, keys, contents))


def _series(index: pa.Table, keys: Keys) -> dict[tuple[int, str], list[int]]:
    found: dict[tuple[int, str], list[int]] = {}
    if index["series"].null_count == len(index):
        return found
    rows = np.flatnonzero(flags(index["series"].is_valid()))
    held = index.select(["source", "series"]).take(numbers(rows)).to_pylist()
    for key, value in zip(keys.of_rows[rows].tolist(), held, strict=True):
        found.setdefault((value["source"], value["series"]), []).append(key)
    return found


def _without(problems: pa.Table, passed: Sequence[bool]) -> pa.Table:
    """The problems but for those of sources that were passed by."""
    if not any(passed):
        return problems
    return problems.take(numbers(np.flatnonzero(~np.array(passed)[as_numpy(problems["source"])])))


def _names(counts: Sequence[Counts]) -> list[str]:
    """What stands before the ids of each input where they are told apart, by the number of the input."""
    names = [""] * (max((count.group for count in counts), default=0) + 1)
    for count in counts:
        names[count.group] = count.within
    return names


_Spaces = Callable[[NDArray[np.int8], NDArray[np.int32]], tuple[NDArray[np.int32], list[Space]]]


def _keyed(
    tables: Mapping[str, pa.Table], groups: NDArray[np.int32], spaces: _Spaces
) -> tuple[pa.Table, Keys, NDArray[np.int64]]:
    """The index with each column in one piece, and the keys of rows and links and of tombstones.

    Copying the columns takes a thread as long as finding ids takes another.
    """
    index = tables["index"]
    place = index.schema.get_field_index("id")
    index = index.set_column(place, "id", joined(index["id"]))
    with ThreadPoolExecutor(1) as pool:
        columns = pool.submit(lambda: [joined(column) for column in index.columns])
        keys, tombstone_keys = _keys(index, tables["links"], tables["tombstones"], groups, spaces)
        return pa.Table.from_arrays(columns.result(), schema=INDEX_SCHEMA), keys, tombstone_keys


def _keys(
    index: pa.Table, links: pa.Table, tombstones: pa.Table, groups: NDArray[np.int32], spaces: _Spaces
) -> tuple[Keys, NDArray[np.int64]]:
    """The keys of rows and links, and those of the tombstones, whose formats are never local."""
    formats = np.concatenate([as_numpy(index["format"]), as_numpy(tombstones["format"])])
    none = np.zeros(len(tombstones), np.int32)
    space, known = spaces(formats, np.concatenate([groups[as_numpy(index["source"])], none]))
    row_space, others, far = space[: len(index)], links["other"], space[as_numpy(links["row"])]
    if len(tombstones):
        others = pa.chunked_array([*others.chunks, *tombstones["id"].chunks], type=pa.string())
        far = np.concatenate([far, space[len(index) :]])
    keys = keys_of(index["id"], others, row_space, far)
    of_links, of_tombstones = keys.of_links[: len(links)], keys.of_links[len(links) :]
    return replace(keys, of_links=of_links, spaces=known), of_tombstones.astype(np.int64)


def _settled(corpus: Corpus, settled: Settled) -> Corpus:
    """The corpus with only the rows that stand, and the problems that deciding this showed."""
    index, keys, links = corpus.index, corpus.keys, corpus.links
    index = _with(index, "declared", settled.declared)
    index = _with(index, "deleted_at", settled.deleted_at)
    problems = corpus.problems
    if settled.problems:
        problems = pa.concat_tables([problems, pa.Table.from_batches(settled.problems)])
    passed_over = list(corpus.passed_over)
    if settled.unseen_deletions:
        passed_over.append(f"{settled.unseen_deletions} deletions of memories that were not read")
    keep = settled.keep
    if not keep.all():
        new_row = np.cumsum(keep) - 1
        stays = keep[as_numpy(links["row"])]
        index = index.take(numbers(np.flatnonzero(keep)))
        links = links.take(numbers(np.flatnonzero(stays)))
        links = _with(links, "row", new_row[as_numpy(links["row"])])
        row = np.full(len(keys.row), -1, np.int64)
        of_rows = keys.of_rows[keep]
        row[of_rows] = np.arange(len(of_rows))
        keys = replace(keys, of_rows=of_rows, of_links=keys.of_links[stays], row=row)
    return replace(corpus, index=index, links=links, keys=keys, problems=problems, passed_over=passed_over)


def _with(table: pa.Table, name: str, values: NDArray[Any]) -> pa.Table:
    place = table.schema.get_field_index(name)
    return table.set_column(place, table.schema.field(place), numbers(values))


def _passed_by(source: Source, counts: Counts) -> bool:
    """Whether a file that a directory led to holds nothing that was meant as memories.

    Lines that are no JSON in a file of lines were meant as some.
    """
    lines = source.name.lower().partition(".json")[2][:1] == "l" or ".ndjson" in source.name.lower()
    return source.found and not (counts.formats or counts.recognised or (lines and counts.unreadable))


def _inputs(listed: Sequence[Source], counts: Sequence[Counts]) -> list[InputCount]:
    return [
        InputCount(
            path=source.name,
            bytes=source.size() or count.bytes,
            formats=dict(sorted(count.formats.items())),
            unreadable=count.unreadable,
            passed=dict(sorted(count.passed.items())),
        )
        for source, count in zip(listed, counts, strict=True)
        if not _passed_by(source, count)
    ]


def _passed_over(listed: Sequence[Source], counts: Sequence[Counts]) -> list[str]:
    said = []
    for source, count in zip(listed, counts, strict=True):
        if _passed_by(source, count):
            said.append(f"{source.name}: no memories in it")
            continue
        said += [f"{source.name}: {number} × {what}, no memory" for what, number in sorted(count.passed.items())]
    return said


def _first_error(problems: pa.Table, listed: Sequence[Source]) -> str | None:
    for batch in problems.select(["rule", "cause", "source", "line"]).to_batches(1024):
        for problem in batch.to_pylist():
            if problem["rule"] in {"LIN901", "LIN902"}:
                return f"{listed[problem['source']].name}:{problem['line']}: {problem['cause']}"
    return None


def _nothing(listed: Sequence[Source], problems: pa.Table) -> str:
    names = ", ".join(source.name for source in listed[:3]) + (" …" if len(listed) > 3 else "")
    first = _first_error(problems, listed)
    return f"{names}: no readable memory" + (
        f" ({first})" if first else " (the input is empty)" if len(listed) == 1 else ""
    )
