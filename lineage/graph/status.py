"""Which links are void, and the status of every memory (semantics, sections 2 and 3)."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lineage.arrays import NO_TIME
from lineage.graph.connect import Ends, ends, leave_once, strong_components
from lineage.graph.links import Links
from lineage.model import Declared, LinkKind, Role, Status, Void, code

Bool = NDArray[np.bool_]
Int8 = NDArray[np.int8]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

_SUPERSEDES = code(LinkKind.SUPERSEDES)
_MASKING = code(LinkKind.RESOLVES)


@dataclass(frozen=True)
class Facts:
    """What decides statuses, one value a node; times as of the date asked for."""

    role: Int8
    declared: Int8
    deleted_at: Int64
    boundary: Int32
    decision: Bool
    debt: Bool
    retracts: Bool | bool
    """Whether a memory that was ended, and that nothing replaced, never held."""

    @property
    def ghost(self) -> Bool:
        """Mask of the placeholders."""
        mask: Bool = self.role == code(Role.GHOST)
        return mask


def targets_of(links: Links, mask: Bool, size: int) -> Bool:
    """Mask of the nodes that some links of `mask` act on."""
    hit = np.zeros(size, np.bool_)
    hit[links.target[mask]] = True
    return hit


def voided(links: Links, facts: Facts, strays: Bool) -> Links:
    """The links with their void reasons and whether they join their ends."""
    size = len(facts.role)
    source, target = links.source, links.target
    named = target >= 0
    ghostly = facts.ghost[source] | (named & facts.ghost[target])
    supersedes = links.kind == _SUPERSEDES
    itself = source == target
    superseded = targets_of(links, supersedes & ~itself & named, size)
    retracted = (facts.declared == code(Declared.ENDED)) & ~superseded & facts.retracts
    retracted &= facts.role == code(Role.MEMORY)
    here, there = facts.boundary[source], facts.boundary[target]
    memory = facts.role[target] == code(Role.MEMORY)
    wrong = (links.kind == code(LinkKind.REVERSES)) & ~(facts.decision[target] & memory)
    wrong |= (links.kind == code(LinkKind.RESOLVES)) & ~(facts.debt[target] & memory)
    reasons = {
        Void.SELF: itself,
        Void.AMBIGUOUS: ~named,
        Void.DANGLING: ghostly,
        Void.BOUNDARY: supersedes & ~links.by_hand & (here >= 0) & (there >= 0) & (here != there),
        Void.WRONG_TARGET: wrong,
        Void.DELETED_SOURCE: facts.deleted_at[source] != NO_TIME,
        Void.RETRACTED_SOURCE: retracted[source],
        Void.UNACCEPTED_SOURCE: links.void == code(Void.UNACCEPTED_SOURCE),
    }
    void = np.full(len(links), -1, np.int8)
    for reason, mask in reasons.items():
        void[(void < 0) & mask] = code(reason)
    joins = (links.kind <= _MASKING) & named & (void != code(Void.BOUNDARY)) & ~(ghostly & strays)
    return replace(links, void=void, joins=joins)


def circles(links: Links, size: int) -> tuple[Int32, Bool, Ends | None]:
    """The strong components that effective supersedes links make.

    Their labels, a mask of the nodes in one of two or more, and, where each
    memory supersedes one other at most, where every path of them ends.
    """
    mask = links.effective(LinkKind.SUPERSEDES)
    if leave_once(links.source[mask], size):
        found = ends(links.source[mask], links.target[mask], size)
        return np.where(found.circle, found.end, np.arange(size, dtype=np.int32)), found.circle, found
    inner = np.zeros(size, np.bool_)
    inner[links.source[mask]] = True
    inner &= targets_of(links, mask, size)
    both = mask & inner[links.source] & inner[links.target]
    labels = strong_components(links.source[both], links.target[both], size)
    return labels, np.bincount(labels, minlength=size)[labels] > 1, None


def statuses(links: Links, facts: Facts, labels: Int32, in_circle: Bool, reversed_as_declared: Bool) -> Int8:
    """The status of every memory, -1 for every other node."""
    size = len(facts.role)
    supersedes = links.effective(LinkKind.SUPERSEDES)
    superseded = targets_of(links, supersedes, size)
    settled = np.zeros(size, np.bool_)
    if in_circle.any():
        outside = supersedes & in_circle[links.target] & (labels[links.source] != labels[links.target])
        settled[labels[links.target[outside]]] = True
        settled = settled[labels]
    named = (links.kind == _SUPERSEDES) & (links.target >= 0) & (links.source != links.target)
    ended = facts.declared == code(Declared.ENDED)
    superseded |= ended & targets_of(links, named, size)
    order = (
        (Status.DELETED, facts.deleted_at != NO_TIME),
        (Status.REVERSED, targets_of(links, links.effective(LinkKind.REVERSES), size) | reversed_as_declared),
        (Status.RESOLVED, targets_of(links, links.effective(LinkKind.RESOLVES), size)),
        (Status.CYCLIC, in_circle & ~settled),
        (Status.SUPERSEDED, superseded),
        (Status.RETRACTED, ended),
    )
    status = np.full(size, code(Status.LIVE), np.int8)
    for name, mask in reversed(order):
        status[mask] = code(name)
    status[facts.role != code(Role.MEMORY)] = -1
    return status
