"""One memory an id: streams applied, duplicates merged, conflicts decided."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lineage.arrays import NO_TIME, as_numpy, numbers
from lineage.corpus.columns import problem_batch
from lineage.corpus.keys import Keys
from lineage.discovery import id_space
from lineage.model import COLUMNS, Declared, code, member

Rows = NDArray[np.int64]
Content = dict[str, Any]

_COMPARED = [column.name for column in COLUMNS if column.name not in {"source", "line", "extra", "declared"}]
_OWN_TIMES = ("created_at", "updated_at", "reviewed_at", "invalidated_at", "deleted_at")
_CHUNK = 4096


@dataclass
class Settled:
    """Which rows stay, and what changes about them."""

    keep: NDArray[np.bool_]
    declared: NDArray[np.int8]
    deleted_at: NDArray[np.int64]
    problems: list[pa.RecordBatch]
    unseen_deletions: int = 0


def settle(
    index: pa.Table, tombstones: pa.Table, tombstone_keys: NDArray[np.int64], keys: Keys, contents: "Contents"
) -> Settled:
    """Decide which row stands for each id.

    Versions that a stream gave replace each other and what was read at rest;
    equal rows are one (LIN903); of different ones the latest wins (LIN904).
    `contents` gives the rows of one or more ids as plain values, links included.
    """
    settled = Settled(
        np.ones(len(index), np.bool_),
        as_numpy(index["declared"]).copy(),
        as_numpy(index["deleted_at"]).copy(),
        [],
    )
    keyed = keys.of_rows
    if int((keys.row >= 0).sum()) < len(keyed):
        _settle_groups(index, keyed, np.bincount(keyed, minlength=len(keys.row)), contents, settled)
    if len(tombstones):
        _apply_deletions(index, tombstones, tombstone_keys, keyed, settled)
    return settled


Contents = Callable[[Rows], list[Content]]


def _settle_groups(
    index: pa.Table, keyed: NDArray[np.int32], counts: NDArray[np.int64], contents: Contents, settled: Settled
) -> None:
    rows = np.flatnonzero(counts[keyed] > 1)
    rows = rows[np.argsort(keyed[rows], kind="stable")]
    streamed = as_numpy(index["streamed"])
    places = _Places(index)
    for chunk in _whole_groups(rows, keyed):
        groups = np.split(chunk, np.flatnonzero(np.diff(keyed[chunk])) + 1)
        values = iter(contents(chunk))
        for group in groups:
            _settle_group(group, [next(values) for _ in group], streamed[group] != 0, places, settled)
        places.flush(settled)


def _whole_groups(rows: Rows, keyed: NDArray[np.int32]) -> Iterator[Rows]:
    """The rows in chunks that split no group."""
    starts = np.concatenate([[0], np.flatnonzero(np.diff(keyed[rows])) + 1, [len(rows)]])
    begin = 0
    for end in starts[1:].tolist():
        if end - begin >= _CHUNK or end == len(rows):
            yield rows[begin:end]
            begin = end


def _settle_group(
    group: Rows, values: list[Content], streamed: NDArray[np.bool_], places: "_Places", settled: Settled
) -> None:
    settled.keep[group] = False
    candidates = list(range(len(group)))
    if streamed.any():
        winner = int(np.flatnonzero(streamed)[-1])
        at_rest = np.flatnonzero(~streamed).tolist()
        candidates = [*(place for place in at_rest if _alike(values[place], values[winner])), winner]
    else:
        winner = max(candidates, key=lambda place: (*_rank(values[place]), -place))
    declared = {values[place]["declared"] for place in candidates} - {None}
    alike = all(_alike(values[place], values[winner]) for place in candidates)
    if not streamed.any() and len(declared) == 1 and alike:
        winner = candidates[0]
        settled.declared[group[winner]] = code(Declared(next(iter(declared))))
    settled.keep[group[winner]] = True
    for place in candidates:
        if place == winner:
            continue
        same = _alike(values[place], values[winner]) and (
            values[place]["declared"] in {None, values[winner]["declared"]} or len(declared) == 1
        )
        places.note("LIN903" if same else "LIN904", values[winner], group[winner], group[place])


def _alike(one: Content, two: Content) -> bool:
    return all(one[name] == two[name] for name in (*_COMPARED, "links"))


def _rank(value: Content) -> tuple[int, str]:
    times = [value[name] for name in _OWN_TIMES if value[name] is not None]
    body = {name: value[name] for name in (*_COMPARED, "declared", "links")}
    return max(times, default=NO_TIME), json.dumps(body, sort_keys=True, ensure_ascii=False)


class _Places:
    """Collects LIN903 and LIN904 with both places."""

    def __init__(self, index: pa.Table) -> None:
        self._source, self._line = as_numpy(index["source"]), as_numpy(index["line"])
        self._found: list[tuple[Any, ...]] = []

    def note(self, rule: str, value: Content, kept: int, other: int) -> None:
        cause = "equal" if rule == "LIN903" else "different"
        self._found.append((rule, cause, value["id"], value["recorded"], *self._place(kept), *self._place(other)))

    def _place(self, row: int) -> tuple[int, int]:
        return int(self._source[row]), int(self._line[row])

    def flush(self, settled: Settled) -> None:
        if self._found:
            settled.problems.append(problem_batch(*zip(*self._found, strict=True)))
            self._found = []


def _apply_deletions(
    index: pa.Table, tombstones: pa.Table, keys: NDArray[np.int64], keyed: NDArray[np.int32], settled: Settled
) -> None:
    """A deletion holds unless the stream gave the memory again after it."""
    kept = {int(keyed[row]): int(row) for row in np.flatnonzero(settled.keep & np.isin(keyed, keys))}
    streamed, created = as_numpy(index["streamed"]), as_numpy(index["created_at"])
    after, times = as_numpy(tombstones["after"]), as_numpy(tombstones["deleted_at"])
    for number, key in enumerate(keys.tolist()):
        row = kept.get(key)
        if row is None:
            settled.unseen_deletions += 1
        elif not streamed[row] or row < after[number]:
            known = times[number] if times[number] != NO_TIME else created[row]
            settled.deleted_at[row] = known if known != NO_TIME else 0


def contents_of(index: pa.Table, links: pa.Table, texts: Callable[[Rows], pa.Table], words: dict[str, Any]) -> Contents:
    """Rows as plain values for comparison."""
    fixed = [name for name in index.schema.names if name not in {"text_row", "offset", "length", "streamed"}]
    order = np.argsort(as_numpy(links["row"]), kind="stable") if len(links) else np.zeros(0, np.int64)
    link_rows = as_numpy(links["row"])[order] if len(links) else order
    spoken = ["kind", "other", "via", "by", "implied", "loose", "void"]

    def contents(rows: Rows) -> list[Content]:
        values: list[Content] = index.select(fixed).take(numbers(rows)).to_pylist()
        begins, ends = np.searchsorted(link_rows, rows), np.searchsorted(link_rows, rows, side="right")
        for value, text, begin, end in zip(values, texts(rows).to_pylist(), begins, ends, strict=True):
            value.update(text)
            value["declared"] = member(Declared, value["declared"])
            for name in _OWN_TIMES:
                value[name] = None if value[name] == NO_TIME else value[name]
            found = links.select(spoken).take(numbers(order[begin:end])).to_pylist() if end > begin else []
            value["links"] = sorted(
                ([words["vias"][link["via"]] if key == "via" else link[key] for key in spoken] for link in found),
                key=repr,
            )
            value["recorded"] = words["formats"][value["format"]]
            value["format"] = id_space(value["recorded"])
            value["kind"] = words["kinds"][value["kind"]]
        return values

    return contents
