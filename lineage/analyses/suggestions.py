"""Pairs of live decisions of which the newer most likely replaces the older: for a person to look at, never to act on.

Two decisions are compared where they name a file in common, stand in one
module, or say nearly the same. What speaks for a pair is added up; only pairs
that more than one thing speaks for are suggested.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lineage.analyses.alike import duplicates
from lineage.analyses.meaning import carrying
from lineage.analyses.mentions import phrase
from lineage.analyses.words import Words, words
from lineage.arrays import NO_TIME
from lineage.corpus.masking import masked_text
from lineage.graph.core import Graph
from lineage.model import LinkKind, Role, Status, code

if TYPE_CHECKING:
    import pandas as pd

Int64 = NDArray[np.int64]

COLUMNS = ("source", "kind", "target", "note", "score", "reasons")
LEAST = 0.5
"""The score from which on a pair is suggested, unless it is asked for otherwise."""

_NEAREST = 8
"""Of the older decisions that share a file or module, so many of the latest are compared with each."""
_CHUNK = 1 << 14
_BROAD = 200
"""A file or module that more live decisions are about than this does not tell that two belong together."""
_CUES = frozenset(
    "instead replace replaces replaced replacing switch switched switching migrate migrated migrating move moved "
    "moving longer anymore supersede supersedes drop drops dropped deprecate deprecated retire retired back".split()
)


@dataclass(frozen=True)
class _Told:
    """What one decision says, as far as pairs are compared by it."""

    words: frozenset[str]
    said: frozenset[str]
    files: frozenset[str]
    rejected: tuple[tuple[str, ...], ...]
    sequence: tuple[str, ...]


def suggestions(graph: Graph, least: float = LEAST) -> "pd.DataFrame":
    """Pairs in which the newer live decision (`source`) most likely supersedes the older one (`target`).

    Columns as of a file of links by hand: `source` and `target` (ids), `kind`
    (always `supersedes`), `note` (None, for a person to fill), `score` (0 to
    1, the highest first, then by ids) and `reasons` (a sentence). The score adds
    up to 0.55 for the words that carry both (their number in common to that of
    both, Jaccard), 0.25 for the files (likewise), 0.1 for the same module, 0.2
    for an option the newer one rejects and the older one names, and 0.1 for
    words such as "instead" in the newer one; it ends at 1. Pairs of one lineage,
    of different trust boundaries, or whose order in time is not known, are left
    out.
    """
    import pandas as pd

    told = words(graph)
    newer, older = _pairs(graph, told)
    rows = []
    for begin in range(0, len(newer), _CHUNK):
        part = slice(begin, begin + _CHUNK)
        said = _told(graph, told, np.unique(np.concatenate([newer[part], older[part]])))
        for new, old in zip(newer[part].tolist(), older[part].tolist(), strict=True):
            score, reasons = _judged(said[new], said[old], same_module=_same_module(told, new, old))
            if score >= least:
                shown = masked_text(reasons, addresses=graph.corpus.redacted)
                rows.append((graph.id(new), str(LinkKind.SUPERSEDES), graph.id(old), None, score, shown))
    rows.sort(key=lambda row: (-row[4], row[0], row[2]))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _same_module(told: Words, new: int, old: int) -> bool:
    return bool(told.module[new] >= 0 and told.module[new] == told.module[old])


def _pairs(graph: Graph, told: Words) -> tuple[Int64, Int64]:
    """The pairs to compare: newer and older live decisions that share a file's folder or a module, or say the same."""
    created = graph.times("created_at")
    live = (graph.status == code(Status.LIVE)) & (graph.role == code(Role.MEMORY)) & (created != NO_TIME)
    live &= graph.is_kind("decision") | graph.is_kind("convention")
    alike = duplicates(graph)
    newer, older = [alike.acting], [alike.other]
    modules = np.flatnonzero(told.module >= 0)
    for nodes, keys in ((told.in_folder, told.folders), (modules, told.module[modules])):
        for pair in _neighbours(graph, nodes[live[nodes]], keys[live[nodes]].astype(np.int64)):
            newer.append(pair[0])
            older.append(pair[1])
    pairs = np.unique(np.stack([np.concatenate(newer), np.concatenate(older)]), axis=1)
    new, old = pairs[0], pairs[1]
    zones = graph.column("format") * 0
    if graph.corpus.index["boundary"].null_count < len(graph.corpus):
        encoded = graph.corpus.index["boundary"].combine_chunks().dictionary_encode().indices.fill_null(-1)
        zones = np.zeros(graph.size, np.int64)
        zones[: len(graph.rows)] = encoded.to_numpy(zero_copy_only=False)[graph.rows]
    kept = live[new] & live[old] & (created[new] > created[old]) & (graph.lineage[new] != graph.lineage[old])
    kept &= zones[new] == zones[old]
    return new[kept], old[kept]


def _neighbours(graph: Graph, nodes: Int64, keys: Int64) -> Iterable[tuple[Int64, Int64]]:
    """Pairs of nodes of one key, each with the latest before it; keys of very many nodes are left out."""
    once = np.unique(np.stack([keys, nodes]), axis=1)
    keys, nodes = once[0], once[1]
    counts = np.bincount(keys, minlength=1)
    kept = counts[keys] <= _BROAD
    keys, nodes = keys[kept], nodes[kept]
    order = np.lexsort([nodes, graph.times("created_at")[nodes], keys])
    keys, nodes = keys[order], nodes[order]
    for step in range(1, _NEAREST + 1):
        same = keys[step:] == keys[:-step]
        yield nodes[step:][same], nodes[:-step][same]


def _told(graph: Graph, told: Words, nodes: Int64) -> dict[int, _Told]:
    table = graph.corpus.stored_texts(graph.rows[nodes], ["files", "rejected"])
    columns = (table["files"].to_pylist(), table["rejected"].to_pylist())
    made = {}
    for node, files, rejected in zip(nodes.tolist(), *columns, strict=True):
        sequence = tuple(told.of(node))
        options = (tuple(phrase(pair["first"] or "")) for pair in rejected or ())
        made[node] = _Told(
            frozenset(carrying(list(sequence))),
            frozenset(sequence),
            frozenset(files or ()),
            tuple(option for option in options if option),
            sequence,
        )
    return made


def _judged(new: _Told, old: _Told, *, same_module: bool) -> tuple[float, str]:
    """How much speaks for one replacing the other, and what."""
    shared = new.words & old.words
    likeness = len(shared) / max(len(new.words | old.words), 1)
    score, reasons = 0.55 * likeness, []
    if likeness >= 0.2:
        reasons.append(f"{likeness:.0%} of their words are the same")
    files = new.files & old.files
    if files:
        score += 0.25 * len(files) / len(new.files | old.files)
        reasons.append(f"both name {min(files)}" + (f" and {len(files) - 1} more" if len(files) > 1 else ""))
    if same_module:
        score += 0.1
        reasons.append("both are about one module")
    given_up = [option for option in new.rejected if _names(old.sequence, option)]
    if given_up:
        score += 0.2
        reasons.append(f"the newer one rejects {' '.join(given_up[0])!r}, which the older one names")
    if new.said & _CUES:
        score += 0.1
        reasons.append(f"the newer one says {min(new.said & _CUES)!r}")
    return round(min(score, 1.0), 2) if len(reasons) > 1 or likeness > 0.8 else 0.0, "; ".join(reasons)


def _names(sequence: tuple[str, ...], option: tuple[str, ...]) -> bool:
    length = len(option)
    return any(sequence[at : at + length] == option for at in range(len(sequence) - length + 1))
