"""Inputs to sources, and the first step of reading: light, so that a child can start at once."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from lineage.corpus.helper import helpers
from lineage.discovery import rules, suffixes
from lineage.errors import UsageError
from lineage.sources import sources

if TYPE_CHECKING:
    import pandas as pd

    from lineage.corpus.tables import Corpus

_MAPPING = "mapping"
Input = str | os.PathLike[str] | BinaryIO


def read(
    *inputs: "Input | pd.DataFrame",
    from_: str | None = None,
    mapping: Mapping[str, Any] | None = None,
    rest: bool = False,
    links: "Sequence[str | os.PathLike[str] | pd.DataFrame]" = (),
    redact: bool = False,
    allow_empty: bool = False,
    progress: Callable[[int, int | None], None] | None = None,
) -> "Corpus":
    """Read memories from files, directories, globs, `-`, binary file objects or DataFrames.

    The format is told record by record; `from_` forces one. A `mapping` of
    columns, or kinds of links, to JMESPath expressions, or names of columns, reads
    data of any other format (JSON, JSONL, YAML, CSV, TSV, Parquet): every record
    or, with `rest`, those that no known format takes. A DataFrame has
    the columns of `graph.memories` (`id` alone is needed; `supersedes` may hold
    an id or a list of ids). `progress` is called with the bytes read and the
    size of the input, or None. A record that cannot be read costs only itself
    and becomes a finding.

    `links` are links by hand: files (CSV or JSON lines) or DataFrames with the
    columns `source`, `kind`, `target` and `note`, `kind` being a kind of link, or
    `none` to take links away. Credentials are masked in everything that is shown
    of texts; with `redact`, e-mail addresses are too, and both in what is converted.

    Raises `InputError` for an input that cannot be opened or trusted at all
    and, unless `allow_empty`, `NothingReadable` where no input holds a memory.
    """
    if not inputs:
        raise UsageError("no input given")
    forced, last = _chosen(from_, mapping, rest=rest)
    listed = sources([_given(item) for item in inputs], suffixes, allow_empty=allow_empty)
    started = helpers(listed, from_) if mapping is None else {}
    try:
        reading = import_module("lineage.corpus.reading")
        if started:
            # While the child reads its part, this process gets ready for what follows.
            import_module("lineage.graph.build")
            import_module("lineage.reporting.build")
            rules()
        corpus = reading.read(listed, started, forced=forced, last=last, allow_empty=allow_empty, progress=progress)
        overlay = import_module("lineage.corpus.overlay").overlays(links) if links else ()
        if corpus.first_error is not None:
            masked = import_module("lineage.corpus.masking").masked_text(corpus.first_error, addresses=redact)
            corpus = replace(corpus, first_error=masked)
        return cast("Corpus", replace(corpus, overlay=overlay, redacted=redact))
    finally:
        for helper in started.values():
            helper.stop()


def _chosen(from_: str | None, mapping: Mapping[str, Any] | None, *, rest: bool) -> tuple[Any, Any]:
    """The format that is forced, by its name or as a reader, and the reader of what no other one takes."""
    if mapping is None:
        if from_ == _MAPPING:
            raise UsageError("the format 'mapping' needs a mapping, such as --map id=uid --map text=body, or [map]")
        return from_, None
    made = import_module("lineage.readers.mapping").reader(mapping)
    if from_ == _MAPPING or (from_ is None and not rest):
        return made, None
    return from_, made if from_ is None else None


def _given(item: Any) -> Input:
    if type(item).__module__.partition(".")[0] == "pandas":
        return cast(BinaryIO, import_module("lineage.corpus.dataframes").lines_of(item))
    return cast(Input, item)
