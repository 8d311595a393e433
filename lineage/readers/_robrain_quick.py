"""A quick look at many RoBrain lines: what the graph needs, and nothing else.

Serves only lines about which `lineage.readers.robrain.read` would have nothing
to say; every other line is left to it. The two are held to the same rows by a
property test.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
from msgspec import Meta
from numpy.typing import NDArray

from lineage.arrays import NO_TIME, as_numpy, strings
from lineage.model import LinkKind
from lineage.readers.base import Memory, QuickRows, Says
from lineage.readers.fields import microseconds

_Count = Annotated[int, Meta(ge=0, le=2**63 - 1)]
_NEWLINE = 10
_TIME_LENGTH = 24
_MARKS = ((4, ord("-")), (7, ord("-")), (10, ord("T")), (13, ord(":")), (16, ord(":")), (19, ord(".")), (23, ord("Z")))
_YEAR_ONE = -62_135_596_800_000_000


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


class _Excerpt(msgspec.Struct, gc=False):
    """The provenance of a line whose excerpt alone is wanted."""

    source_excerpt: str | None


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


class _Place(NamedTuple):
    """Where a text column stands in a line."""

    field: str
    type: Any
    value: Callable[[Any], Any]


_PLACES = {
    "text": _Place("decision", str, attrgetter("decision")),
    "rationale": _Place("rationale", str | None, attrgetter("rationale")),
    "rejected": _Place(
        "rejected",
        list[_Option],
        lambda row: [(item.option, item.reason) for item in row.rejected] if row.rejected else (),
    ),
    "files": _Place("files_affected", list[str], attrgetter("files_affected")),
    "scope": _Place("scope", str, attrgetter("scope")),
    "session": _Place("provenance", _Provenance, attrgetter("provenance.session_id")),
    "turn": _Place("provenance", _Provenance, attrgetter("provenance.source_turn_sequence")),
    "excerpt": _Place("provenance", _Provenance, attrgetter("provenance.source_excerpt")),
    "relevance": _Place("quality", _Quality, attrgetter("quality.historical_relevance")),
    "injected": _Place("quality", _Quality, attrgetter("quality.injected_count")),
    "used": _Place("quality", _Quality, attrgetter("quality.used_count")),
}


class Lines:
    """Decodes blocks of whole lines."""

    def __init__(self) -> None:
        self._decoder = msgspec.json.Decoder(_Line)

    def decode(self, block: memoryview) -> QuickRows:
        """The lines of a block (the last one ends with a newline) that are served here, and the rest."""
        letters = np.frombuffer(block, np.uint8)
        ends = np.flatnonzero(letters == _NEWLINE)
        starts = np.zeros(len(ends), np.int64)
        starts[1:] = ends[:-1] + 1
        served = np.ones(len(ends), np.bool_)
        rows = self._whole(block) if _one_object_a_line(letters, starts, ends) else None
        if rows is None or len(rows) != len(ends):
            rows = self._line_by_line(block, served)
        return _rows(rows, starts, ends - starts, served)

    def columns(self, lines: Iterable[bytes], names: Sequence[str]) -> Mapping[str, Sequence[Any]]:
        """Some text columns of lines that were served, `extra` not among them; nothing else is decoded."""
        places = {name: _PLACES[name] for name in names if name in _PLACES}
        fields = {place.field: place.type for place in places.values()}
        if not {"session", "turn"} & set(names) and "provenance" in fields:
            fields["provenance"] = _Excerpt
        slim = msgspec.defstruct("Slim", list(fields.items()), gc=False)
        rows = list(map(msgspec.json.Decoder(slim).decode, lines))
        nothing = Memory(id="", format="robrain")
        return {
            name: list(map(places[name].value, rows)) if name in places else [getattr(nothing, name)] * len(rows)
            for name in names
        }

    def _whole(self, block: memoryview) -> list[_Line] | None:
        try:
            return self._decoder.decode_lines(block)
        except (ValueError, RecursionError):
            return None

    def _line_by_line(self, block: memoryview, served: NDArray[np.bool_]) -> list[_Line]:
        rows = []
        for position, line in enumerate(bytes(block).split(b"\n")[:-1]):
            try:
                rows.append(self._decoder.decode(line))
            except (ValueError, RecursionError):
                served[position] = False
        return rows


def _one_object_a_line(letters: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> bool:
    """Whether every newline stands between a closing and an opening brace, which no value can have inside it.

    The decoder would else take two objects on one line, or one on two.
    """
    return bool((letters[starts] == ord("{")).all() and (letters[ends - 1] == ord("}")).all())


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
    linked = [position for position, target in enumerate(targets) if target is not None]
    signals = [row.quality for row in rows]
    says = np.array([bool(row.rejected) for row in rows], np.int8) * Says.ALTERNATIVES
    says += np.array([bool(row.files_affected) for row in rows], np.int8) * Says.FILES
    return QuickRows(
        format="robrain",
        kind="decision",
        ids=strings([row.id for row in rows]),
        times={"created_at": created, "reviewed_at": reviewed, "invalidated_at": invalidated},
        declared=(invalidated != NO_TIME).astype(np.int8),
        has_rationale=_said([row.rationale for row in rows]),
        has_provenance=_said([row.provenance.session_id for row in rows]),
        relevance=np.array([signal.historical_relevance for signal in signals], np.float64),
        injected=np.array([signal.injected_count for signal in signals], np.int64),
        used=np.array([signal.used_count for signal in signals], np.int64),
        says=says.astype(np.int8),
        link_rows=np.array(linked, np.int64),
        link_others=strings([target for target in targets if target is not None]),
        link_kind=LinkKind.SUPERSEDES,
        link_via="lifecycle.supersedes_id",
        served=np.flatnonzero(served),
        refused=np.flatnonzero(~served),
        starts=starts,
        lengths=lengths,
    )


def _said(values: Sequence[str | None]) -> NDArray[np.bool_]:
    said = [value for value in values if value]
    if len(said) == len(values) and all(map(str.strip, said)):
        return np.ones(len(values), np.bool_)
    return np.array([value is not None and value.strip() != "" for value in values], np.bool_)


def _times(values: Sequence[str | None]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Times in microseconds (NO_TIME for null), and a mask of the values that are times (or null)."""
    times = np.full(len(values), NO_TIME, np.int64)
    good = np.ones(len(values), np.bool_)
    texts = [value for value in values if value is not None]
    if not texts:
        return times, good
    present = good.copy()
    if len(texts) < len(values):
        present[:] = [value is not None for value in values]
    parsed = _javascript_times(texts)
    if parsed is None:
        moments = [microseconds(text) for text in texts]
        good[present] = [moment is not None for moment in moments]
        parsed = np.array([NO_TIME if moment is None else moment for moment in moments], np.int64)
    times[present] = parsed
    return times, good


def _javascript_times(texts: Sequence[str]) -> NDArray[np.int64] | None:
    """The times where all are written as `toISOString` writes them, else None."""
    joined = "".join(texts)
    if len(joined) != _TIME_LENGTH * len(texts) or not joined.isascii() or set(map(len, texts)) != {_TIME_LENGTH}:
        return None
    data = joined.encode()
    letters = np.frombuffer(data, np.uint8).reshape(-1, _TIME_LENGTH)
    if not all((letters[:, place] == mark).all() for place, mark in _MARKS):
        return None
    offsets = np.arange(0, len(data) + 1, _TIME_LENGTH, dtype=np.int32)
    column = pa.Array.from_buffers(pa.string(), len(texts), [None, pa.py_buffer(offsets), pa.py_buffer(data)])
    try:
        parsed = as_numpy(column.cast(pa.timestamp("us", "UTC")).view(pa.int64()))
    except pa.ArrowInvalid:
        return None
    return parsed if parsed.min() >= _YEAR_ONE else None
