"""A corpus to a graph."""

import time
from collections import Counter
from datetime import date, datetime

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.arrays import NO_TIME, as_numpy, joined, known_numbers, numbers, strings
from lineage.corpus.tables import Corpus
from lineage.discovery import readers
from lineage.errors import UsageError
from lineage.graph.core import Graph
from lineage.graph.nodes import Nodes, Scalar, resolved, spread
from lineage.graph.overlaid import overlaid
from lineage.graph.shape import generations, lineages
from lineage.graph.status import Facts, circles, statuses, voided
from lineage.model import Declared, DeclaredBy, LinkKind, Role, code
from lineage.readers.base import Traits
from lineage.readers.fields import microseconds

Bool = NDArray[np.bool_]
Moment = str | datetime | date | int | None


def build(corpus: Corpus, *, as_of: Moment = None, now: Moment = None) -> Graph:
    """Resolve the links of a corpus and decide the status of every memory.

    `as_of` asks what was in effect at an instant: an ISO 8601 string, a
    datetime (a naive one is UTC) or a date (its midnight UTC). `now` is the
    time with which LIN205 compares; the clock's if it is not given.
    """
    instant, present = instant_of(as_of, "as_of"), instant_of(now, "now")
    nodes, links, strays = resolved(corpus, instant)
    nodes, names, links, strays = overlaid(corpus, nodes, _names(corpus, nodes), links, strays)
    facts = _facts(corpus, nodes, instant)
    links = voided(links, facts, strays)
    size = len(nodes)
    labels, in_circle, paths = circles(links, size)
    as_declared = _reversed_as_declared(corpus, nodes, facts, instant)
    status = statuses(links, facts, labels, in_circle, as_declared)
    generation = generations(links, labels, size, paths)
    created = _spread(as_numpy(corpus.index["created_at"]), nodes, NO_TIME)
    lineage, table = lineages(links, facts.role, status, generation, created, names, paths)
    return Graph(
        corpus=corpus,
        as_of=instant,
        now=present if present is not None else time.time_ns() // 1000,
        rows=nodes.rows,
        names=names,
        role=facts.role,
        status=status,
        declared=facts.declared,
        generation=generation,
        links=links,
        lineage=lineage,
        lineages=table,
        sccs=_circles(labels, in_circle, names),
        traits=[_traits(name) for name in corpus.formats],
    )


def instant_of(moment: Moment, name: str) -> int | None:
    """Microseconds since 1970 in UTC; `UsageError` where a string is no date or time."""
    if moment is None or isinstance(moment, int):
        return moment
    text = moment if isinstance(moment, str) else moment.isoformat()
    found = microseconds(text)
    if found is None:
        raise UsageError(f"{name}: {text!r} is no date or time; write 2026-05-01 or 2026-05-01T10:00:00Z")
    return found


def _spread(values: NDArray[Scalar], nodes: Nodes, ghost: int) -> NDArray[Scalar]:
    return spread(values, nodes.rows, len(nodes.ghost_keys), ghost)


def _facts(corpus: Corpus, nodes: Nodes, as_of: int | None) -> Facts:
    index = corpus.index
    kinds = _spread(as_numpy(index["kind"]), nodes, -1)
    declared = _spread(as_numpy(index["declared"]), nodes, -1).copy()
    deleted = _spread(as_numpy(index["deleted_at"]), nodes, NO_TIME)
    if as_of is not None:
        ended = _spread(as_numpy(index["invalidated_at"]), nodes, NO_TIME)
        declared[(declared == code(Declared.ENDED)) & (ended != NO_TIME) & (ended > as_of)] = -1
        deleted = np.where(deleted > as_of, NO_TIME, deleted)
    names = list(corpus.kinds)
    boundary = index["boundary"]
    if boundary.null_count == len(boundary):
        zones = np.full(len(boundary), -1, np.int32)
    else:
        encoded = joined(boundary).dictionary_encode()
        zones = known_numbers(encoded.indices).astype(np.int32)
    return Facts(
        role=_spread(as_numpy(index["role"]), nodes, code(Role.GHOST)),
        declared=declared,
        deleted_at=deleted,
        boundary=_spread(zones, nodes, -1),
        decision=kinds == (names.index("decision") if "decision" in names else -2),
        debt=kinds == (names.index("debt") if "debt" in names else -2),
        retracts=_retracts(corpus, nodes),
    )


def _retracts(corpus: Corpus, nodes: Nodes) -> Bool | bool:
    """Where an ended memory that nothing replaced never held; True where that is so everywhere."""
    of_format = np.array([_traits(form).retracts for form in corpus.formats], np.bool_)
    return bool(of_format.all()) or _spread(of_format[as_numpy(corpus.index["format"])], nodes, 1)


def _traits(form: str) -> Traits:
    reader = readers().get(form)
    return reader.traits if reader else Traits()


def _reversed_as_declared(corpus: Corpus, nodes: Nodes, facts: Facts, as_of: int | None) -> Bool:
    """Where the record says it is reversed, unless every marker that did so is later than `as_of`."""
    declared: Bool = facts.declared == code(Declared.REVERSED)
    if as_of is None or not declared.any():
        return declared
    table = corpus.links
    reverses = np.flatnonzero(as_numpy(table["kind"]) == code(LinkKind.REVERSES))
    stating = as_numpy(table["row"])[reverses]
    other = corpus.keys.row[corpus.keys.of_links[reverses]]
    backwards = as_numpy(table["by"])[reverses] == code(DeclaredBy.PREDECESSOR)
    sources, targets = np.where(backwards, other, stating), np.where(backwards, stating, other)
    created = np.append(as_numpy(corpus.index["created_at"]), NO_TIME)[sources]
    later = (created != NO_TIME) & (created > as_of)
    rows = len(corpus.index)
    known, now = np.zeros(rows + 1, np.bool_), np.zeros(rows + 1, np.bool_)
    known[targets] = True
    now[targets[~later]] = True
    pending = (known & ~now)[:rows]
    return declared & ~_spread(pending, nodes, 0)


def _circles(labels: NDArray[np.int32], in_circle: Bool, names: pa.Array) -> list[NDArray[np.int32]]:
    """The members of each circle by their ids, and the circles by their first."""
    members = np.flatnonzero(in_circle).astype(np.int32)
    if not len(members):
        return []
    members = members[as_numpy(pc.array_sort_indices(names.take(numbers(members)))).astype(np.int64)]
    _, first, circle = np.unique(labels[members], return_index=True, return_inverse=True)
    begun = first[circle]
    order = np.argsort(begun, kind="stable")
    return np.split(members[order], np.flatnonzero(np.diff(begun[order])) + 1)


def _names(corpus: Corpus, nodes: Nodes) -> pa.Array:
    """The id of every node; one that two formats use is shown as `<format>:<id>` in the later of them."""
    keys = corpus.keys
    own = joined(corpus.index["id"])
    if len(nodes.rows) != len(own):
        own = own.take(numbers(nodes.rows))
    ghosts = joined(keys.names.take(numbers(nodes.ghost_keys)).cast(own.type))
    names = pa.concat_arrays([own, ghosts]) if len(ghosts) else own
    if len(np.unique(keys.space)) < 2:
        return names
    return _told_apart(corpus, nodes, names)


def _told_apart(corpus: Corpus, nodes: Nodes, names: pa.Array) -> pa.Array:
    """Names of which no two are one: with the input before those of one family, and the family before a later one's."""
    codes = as_numpy(names.dictionary_encode().indices)
    shared = np.flatnonzero(np.bincount(codes)[codes] > 1)
    if not len(shared):
        return names
    space = corpus.keys.space
    at = np.concatenate([space[corpus.keys.of_rows[nodes.rows]], space[nodes.ghost_keys]])
    known = corpus.keys.spaces
    # What is not in the corpus gives its name up to what is.
    order = shared[np.lexsort([at[shared], shared >= len(nodes.rows), codes[shared]])]
    groups = np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)
    formats = as_numpy(corpus.index["format"])
    texts: list[str] = names.to_pylist()
    for group in groups:
        spaces = [known[space] for space in at[group].tolist()]
        recorded = Counter(known[space].family for space in at[group[group < len(nodes.rows)]].tolist())
        everyone = Counter(space.family for space in spaces)
        for node, own in zip(group.tolist(), spaces, strict=True):
            held = node < len(nodes.rows)
            if everyone[own.family] > 1 and not (held and recorded[own.family] == 1):
                texts[node] = f"{own.within}{texts[node]}"
            if own.family != spaces[0].family:
                form = corpus.formats[formats[nodes.rows[node]]] if held else own.family
                texts[node] = f"{form}:{texts[node]}"
    return strings(texts)
