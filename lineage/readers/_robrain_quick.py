"""A quick look at many RoBrain lines: what the graph needs, and nothing else.

Serves only lines about which `lineage.readers.robrain.read` would have nothing
to say; every other line is left to it. The two are held to the same rows by a
property test.
"""

from typing import Annotated, Any, Literal

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Meta
from numpy.typing import NDArray

from lineage.arrays import NO_TIME, as_numpy, strings
from lineage.model import LinkKind
from lineage.readers.base import QuickRows

_Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]
_NEWLINE = 10
_TIME_LENGTH = 24
_TIME_MARKS = ((4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":"), (19, "."), (23, "Z"))


class _Option(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    option: str
    reason: str


class _Lifecycle(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    created_at: str
    invalidated_at: str | None
    reviewed_at: str | None
    supersedes_id: str | None


class _Provenance(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    session_id: str
    source_turn_sequence: _Count | None
    source_excerpt: Annotated[str, Meta(max_length=300)] | None


class _Quality(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    historical_relevance: Annotated[float, Meta(ge=0, le=1)] | None
    injected_count: _Count
    used_count: _Count


class _Line(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    format: Literal["robrain-memory/v1"]
    id: str
    decision: str
    rationale: str | None
    rejected: list[_Option]
    files_affected: list[str]
    scope: str
    lifecycle: _Lifecycle
    provenance: _Provenance
    quality: _Quality


class Lines:
    """Decodes blocks of whole lines."""

    def __init__(self) -> None:
        self._decoder = msgspec.json.Decoder(_Line)

    def decode(self, block: bytes) -> QuickRows:
        """The lines of a block (the last one ends with a newline) that are served here, and the rest."""
        ends = np.flatnonzero(np.frombuffer(block, np.uint8) == _NEWLINE)
        starts = np.zeros(len(ends), np.int64)
        starts[1:] = ends[:-1] + 1
        lines = block.split(b"\n")
        lines.pop()
        refused: list[int] = []
        try:
            rows = list(map(self._decoder.decode, lines))
        except (ValueError, RecursionError):
            rows = []
            for position, line in enumerate(lines):
                try:
                    rows.append(self._decoder.decode(line))
                except (ValueError, RecursionError):
                    refused.append(position)
        served = np.ones(len(lines), np.bool_)
        served[refused] = False
        return _rows(rows, starts, ends - starts, served)


def _rows(
    rows: list[_Line], starts: NDArray[np.int64], lengths: NDArray[np.int64], served: NDArray[np.bool_]
) -> QuickRows:
    lives = [row.lifecycle for row in rows]
    created, good = _times([life.created_at for life in lives])
    reviewed, fine = _times([life.reviewed_at for life in lives])
    invalidated, sound = _times([life.invalidated_at for life in lives])
    good &= fine & sound
    if not good.all():
        served[np.flatnonzero(served)[~good]] = False
        rows = [row for row, kept in zip(rows, good.tolist(), strict=True) if kept]
        lives = [row.lifecycle for row in rows]
        created, reviewed, invalidated = created[good], reviewed[good], invalidated[good]
    targets = [life.supersedes_id for life in lives]
    linked = np.fromiter((target is not None for target in targets), np.bool_, len(rows))
    return QuickRows(
        format="robrain",
        kind="decision",
        ids=strings([row.id for row in rows]),
        times={"created_at": created, "reviewed_at": reviewed, "invalidated_at": invalidated},
        declared=np.where(invalidated == NO_TIME, 0, 1).astype(np.int8),
        has_rationale=np.fromiter((_said(row.rationale) for row in rows), np.bool_, len(rows)),
        has_provenance=np.fromiter((_said(row.provenance.session_id) for row in rows), np.bool_, len(rows)),
        link_rows=np.flatnonzero(linked),
        link_others=strings([target for target in targets if target is not None]),
        link_kind=LinkKind.SUPERSEDES,
        link_via="lifecycle.supersedes_id",
        served=np.flatnonzero(served),
        refused=np.flatnonzero(~served),
        starts=starts,
        lengths=lengths,
    )


def _said(value: str | None) -> bool:
    return value is not None and value.strip() != ""


def _times(values: list[str | None]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Times as written by `toISOString`, and a mask of the values that are so written (or null)."""
    count = len(values)
    times = np.full(count, NO_TIME, np.int64)
    present = np.fromiter((value is not None for value in values), np.bool_, count)
    texts: list[Any] = [value for value in values if value is not None]
    good = np.ones(count, np.bool_)
    shaped = np.fromiter((len(text) == _TIME_LENGTH and text.isascii() for text in texts), np.bool_, len(texts))
    if not shaped.all():
        good[np.flatnonzero(present)[~shaped]] = False
        texts = [text for text, kept in zip(texts, shaped.tolist(), strict=True) if kept]
    if not texts:
        return times, good
    letters = np.frombuffer("".join(texts).encode(), np.uint8).reshape(-1, _TIME_LENGTH)
    marked = np.logical_and.reduce([letters[:, place] == ord(mark) for place, mark in _TIME_MARKS])
    marked &= (letters[:, :4] != ord("0")).any(axis=1)
    if not marked.all():
        good[np.flatnonzero(present & good)[~marked]] = False
        texts = [text for text, kept in zip(texts, marked.tolist(), strict=True) if kept]
    try:
        parsed = as_numpy(pc.cast(strings(texts), pa.timestamp("us", "UTC")).cast(pa.int64()))
        times[present & good] = parsed
    except pa.ArrowInvalid:
        good &= ~present
    return times, good
