"""The links as arrays."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.arrays import as_numpy, flags, joined, numbers
from lineage.corpus.tables import Corpus
from lineage.model import DeclaredBy, LinkKind, Void, code

Int8 = NDArray[np.int8]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Bool = NDArray[np.bool_]


@dataclass(frozen=True)
class Links:
    """The links as arrays of one length, sorted by source, kind and target.

    `source` acts on `target`, both node numbers; an ambiguous link has target
    -1 and keeps what was written: `references[reference]`. `void` is a code of
    `Void`, -1 for a link that has its effect. `declarer` is the node whose
    record states the link. `via` is an index into `vias`. `joins` says whether
    the link makes its two ends one lineage. `number` is the row of
    `corpus.links`, -1 for an implied link and for one `by_hand`.
    """

    source: Int32
    target: Int32
    kind: Int8
    void: Int8
    declared_by: Int8
    declarer: Int32
    via: Int32
    implied: Bool
    joins: Bool
    number: Int64
    vias: Sequence[str]
    reference: Int32
    references: Sequence[str]
    by_hand: Bool

    def __len__(self) -> int:
        return len(self.source)

    def effective(self, kind: LinkKind) -> Bool:
        """Mask of the links of this kind that are not void."""
        mask: Bool = (self.kind == code(kind)) & (self.void < 0)
        return mask

    def voided(self, reason: Void) -> Bool:
        """Mask of the links that are void for this reason."""
        mask: Bool = self.void == code(reason)
        return mask


@dataclass
class LinkColumns:
    """What is known of links before their ends are nodes.

    `number` is the row of `corpus.links`, -1 for an implied link.
    """

    number: Int64
    kind: Int8
    via: Int32
    by: Int8
    implied: Bool
    void: Int8

    @classmethod
    def of(cls, corpus: Corpus) -> "LinkColumns":
        """The columns of every stated link."""
        table = corpus.links
        return cls(
            np.arange(len(table), dtype=np.int64),
            as_numpy(table["kind"]).astype(np.int8),
            as_numpy(table["via"]).astype(np.int32),
            as_numpy(table["by"]).astype(np.int8),
            as_numpy(table["implied"]) != 0,
            as_numpy(table["void"]).astype(np.int8),
        )

    @classmethod
    def new(cls, corpus: Corpus, kind: LinkKind, vias: Sequence[str]) -> "LinkColumns":
        """The columns of implied links."""
        known = list(corpus.vias)
        count = len(vias)
        return cls(
            np.full(count, -1, np.int64),
            np.full(count, code(kind), np.int8),
            np.array([known.index(via) for via in vias], np.int32),
            np.full(count, code(DeclaredBy.SUCCESSOR), np.int8),
            np.ones(count, np.bool_),
            np.full(count, -1, np.int8),
        )

    def take(self, positions: NDArray[Any]) -> "LinkColumns":
        """The columns at some positions."""
        return LinkColumns(*(getattr(self, field.name)[positions] for field in fields(self)))

    @staticmethod
    def concatenated(parts: Sequence["LinkColumns"]) -> "LinkColumns":
        """Several, one after the other."""
        names = [field.name for field in fields(LinkColumns)]
        return LinkColumns(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def strays(corpus: Corpus, columns: LinkColumns) -> Bool:
    """Mask of the links whose far end would lie in another trust boundary than the record that states them."""
    table = corpus.links
    found = np.zeros(len(columns.number), np.bool_)
    if table["boundary"].null_count == len(table):
        return found
    own = joined(corpus.index["boundary"].take(numbers(as_numpy(table["row"]))))
    differ = pc.not_equal(own, joined(table["boundary"]))
    stated = columns.number >= 0
    found[stated] = flags(differ)[columns.number[stated]]
    return found


def merged_links(
    corpus: Corpus, source: Int64, target: Int64, declarer: Int64, columns: LinkColumns, nodes: int
) -> tuple[Links, Bool]:
    """Links sorted, and several of one kind between the same two nodes made one; with the mask of the strays."""
    place = (source * 8 + columns.kind) * (nodes + 2) + target + 1
    in_order = bool((place[1:] > place[:-1]).all())
    order = np.arange(len(place)) if in_order else np.argsort(place, kind="stable")
    ordered = place[order]
    ambiguous = target[order] < 0
    first = np.ones(len(order), np.bool_)
    first[1:] = (ordered[1:] != ordered[:-1]) | ambiguous[1:]
    by, via, implied, void = columns.by, columns.via, columns.implied, columns.void
    if not first.all():
        order, by, via, implied = _merged_columns(corpus, columns, order, first)
        void = void.copy()
        void[order] = np.maximum.reduceat(void[order], np.flatnonzero(first))[np.cumsum(first) - 1]
    chosen = order[first]
    outside = strays(corpus, columns.take(chosen))
    unnamed = np.flatnonzero(target[chosen] < 0)
    reference = np.full(len(chosen), -1, np.int32)
    reference[unnamed] = np.arange(len(unnamed))
    written = corpus.links["other"].take(numbers(columns.number[chosen[unnamed]])).to_pylist() if len(unnamed) else []
    links = Links(
        source=source[chosen].astype(np.int32),
        target=target[chosen].astype(np.int32),
        kind=columns.kind[chosen],
        void=void[chosen].copy(),
        declared_by=by[chosen],
        declarer=np.where(by[chosen] == code(DeclaredBy.BOTH), source[chosen], declarer[chosen]).astype(np.int32),
        via=via[chosen],
        implied=implied[chosen],
        joins=np.zeros(0, np.bool_),
        number=columns.number[chosen],
        vias=corpus.vias,
        reference=reference,
        references=written,
        by_hand=np.zeros(len(chosen), np.bool_),
    )
    return links, outside


def _merged_columns(corpus: Corpus, columns: LinkColumns, order: Int64, first: Bool) -> tuple[Int64, Int8, Int32, Bool]:
    """Each group of equal links told by its first: stated before implied, then by the name of its via."""
    group = np.cumsum(first) - 1
    rank = np.argsort(np.argsort(np.array(corpus.vias)))
    tie = columns.implied[order].astype(np.int64) * (len(rank) + 1) + rank[columns.via[order]]
    order = order[np.lexsort([columns.number[order], tie, group])]
    by = columns.by.copy()
    said = by[order]
    ends = np.stack(
        [np.bincount(group, (said == code(end)) | (said == code(DeclaredBy.BOTH))) > 0 for end in _ENDS]
    ).all(axis=0)
    by[order[first]] = np.where(ends, code(DeclaredBy.BOTH), said[first])
    return order, by, columns.via, columns.implied


_ENDS = (DeclaredBy.SUCCESSOR, DeclaredBy.PREDECESSOR)
