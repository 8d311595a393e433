"""Links by hand laid over those that the records state."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import PurePath
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.arrays import flags, known_numbers, numbers, strings
from lineage.corpus.overlay import Overlay
from lineage.corpus.tables import Corpus
from lineage.errors import UsageError
from lineage.graph.links import Links
from lineage.graph.nodes import Nodes
from lineage.model import DeclaredBy, code

Bool = NDArray[np.bool_]
Int64 = NDArray[np.int64]
_SHORTEST = 8


def overlaid(
    corpus: Corpus, nodes: Nodes, names: pa.Array, links: Links, strays: Bool
) -> tuple[Nodes, pa.Array, Links, Bool]:
    """Nodes, names and links with the overlay of the corpus laid over them.

    A link by hand takes the place of those of its kind between its ends, and no
    trust boundary voids it. Missing memories that no link names any more are
    no nodes. Raises `UsageError` where an id is not in the corpus.
    """
    overlay = corpus.overlay
    if not overlay:
        return nodes, names, links, strays
    references = _references(links, overlay)
    source, target = _ends(corpus, nodes, names, references)
    kinds = np.array([-1 if one.kind is None else code(one.kind) for one in overlay], np.int64)
    stays = ~_taken(links, source, target, kinds, references)
    adds = np.flatnonzero((kinds >= 0) & (source >= 0) & (target >= 0))
    place = (source[adds] * 8 + kinds[adds]) * (len(nodes) + 1) + target[adds]
    # Of two lines that say the same the later holds.
    _, last = np.unique(place[::-1], return_index=True)
    adds = np.sort(adds[::-1][last])
    links, strays = _joined(
        links, strays, stays, source[adds], target[adds], kinds[adds], [overlay[at] for at in adds.tolist()]
    )
    return _without_unnamed(nodes, names, links, strays)


def _ends(corpus: Corpus, nodes: Nodes, names: pa.Array, references: Mapping[str, list[int]]) -> tuple[Int64, Int64]:
    """The nodes that each line names; -1 for one that does not exist at the date asked for, or is a reference."""
    wanted = sorted({name for one in corpus.overlay for name in (one.source, one.target)})
    found = dict(zip(wanted, known_numbers(pc.index_in(strings(wanted), value_set=names)).tolist(), strict=True))
    held = names.slice(0, len(nodes.rows))
    for one in corpus.overlay:
        for name, role in ((one.source, "source"), (one.target, "target")):
            if found[name] < 0 and not (one.kind is None and role == "target" and name in references):
                found[name] = _shortened(names, name, one)
                if found[name] < 0 and not flags(pc.equal(corpus.index["id"], name)).any():
                    raise UsageError(f"{one.place}: {_unknown(held, name)}")
            # What is missing can be taken away, but nothing can be said of it.
            if one.kind is not None and found[name] >= len(held):
                raise UsageError(f"{one.place}: {_unknown(held, name)}")
    ends = ([found[getattr(one, end)] for one in corpus.overlay] for end in ("source", "target"))
    first, second = (np.array(side, np.int64) for side in ends)
    return first, second


def _shortened(names: pa.Array, given: str, one: Overlay) -> int:
    if len(given) < _SHORTEST:
        return -1
    alike = np.flatnonzero(flags(pc.starts_with(names, given)))
    if len(alike) > 1:
        first = ", ".join(names.take(numbers(alike[:3])).to_pylist())
        raise UsageError(f"{one.place}: {given!r} is short for {len(alike)} ids: {first}")
    return int(alike[0]) if len(alike) else -1


def _unknown(names: pa.Array, given: str) -> str:
    begun = flags(pc.starts_with(names, given[:4]))
    candidates = names.take(numbers(np.flatnonzero(begun)[:5_000])) if begun.any() else names.slice(0, 5_000)
    nearest = get_close_matches(given, candidates.to_pylist(), n=1, cutoff=0.0)
    return f"no memory has the id {given!r}" + (f"; the nearest is {nearest[0]!r}" if nearest else "")


def _references(links: Links, overlay: Sequence[Overlay]) -> Mapping[str, list[int]]:
    """Where the references stand that may mean several memories, by what is written."""
    wanted = {one.target for one in overlay if one.kind is None}
    found: dict[str, list[int]] = {}
    for position in np.flatnonzero(links.target < 0).tolist() if wanted else ():
        written = links.references[int(links.reference[position])]
        if written in wanted:
            found.setdefault(written, []).append(position)
    return found


def _taken(links: Links, source: Int64, target: Int64, kinds: Int64, references: Mapping[str, list[int]]) -> Bool:
    """Mask of the links that the overlay takes away, or takes the place of."""
    size = (
        int(max(links.target.max(initial=0), links.source.max(initial=0), source.max(initial=0), target.max(initial=0)))
        + 1
    )
    pair = links.source.astype(np.int64) * size + links.target
    gone = (kinds < 0) & (source >= 0) & (target >= 0)
    taken = np.isin(pair, source[gone] * size + target[gone]) & (links.target >= 0)
    placed = (kinds >= 0) & (source >= 0) & (target >= 0)
    own = pair * 8 + links.kind
    taken |= np.isin(own, (source[placed] * size + target[placed]) * 8 + kinds[placed]) & (links.target >= 0)
    acting = set(source[kinds < 0].tolist())
    for position in (at for places in references.values() for at in places):
        taken[position] |= int(links.source[position]) in acting
    return taken


def _joined(
    links: Links,
    strays: Bool,
    stays: Bool,
    source: Int64,
    target: Int64,
    kinds: Int64,
    said: Sequence[Overlay],
) -> tuple[Links, Bool]:
    """The links that stay and those by hand, sorted."""
    count = len(said)
    own = list(dict.fromkeys(map(_via, said)))
    vias, place = [*links.vias, *own], {via: number for number, via in enumerate(own, len(links.vias))}
    columns: dict[str, NDArray[Any]] = {
        "source": source,
        "target": target,
        "kind": kinds,
        "void": np.full(count, -1),
        "declared_by": np.full(count, code(DeclaredBy.SUCCESSOR)),
        "declarer": source,
        "via": np.array([place[_via(one)] for one in said], np.int64),
        "implied": np.zeros(count, np.bool_),
        "number": np.full(count, -1),
        "reference": np.full(count, -1),
        "by_hand": np.ones(count, np.bool_),
    }
    held = {name: getattr(links, name)[stays] for name in columns}
    merged = {name: np.concatenate([held[name], new.astype(held[name].dtype)]) for name, new in columns.items()}
    order = np.lexsort([merged["target"], merged["kind"], merged["source"]])
    arrays: dict[str, Any] = {name: values[order] for name, values in merged.items()}
    return replace(links, **arrays, vias=vias), np.concatenate([strays[stays], np.zeros(count, np.bool_)])[order]


def _via(one: Overlay) -> str:
    note = f": {one.note}" if one.note else ""
    return f"by hand ({PurePath(one.file).name}:{one.line}{note})"


def _without_unnamed(nodes: Nodes, names: pa.Array, links: Links, strays: Bool) -> tuple[Nodes, pa.Array, Links, Bool]:
    held = len(nodes.rows)
    named = np.zeros(len(nodes) + 1, np.bool_)
    named[links.source] = named[links.target] = True
    keep = np.concatenate([np.ones(held, np.bool_), named[held:-1]])
    if keep.all():
        return nodes, names, links, strays
    moved = np.append(np.cumsum(keep) - 1, -1).astype(np.int32)
    ends: dict[str, Any] = {name: moved[getattr(links, name)] for name in ("source", "target", "declarer")}
    chosen = numbers(np.flatnonzero(keep))
    return replace(nodes, ghost_keys=nodes.ghost_keys[keep[held:]]), names.take(chosen), replace(links, **ends), strays
