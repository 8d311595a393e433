"""Why a file is as it is: what holds of it, what that replaced, and what was turned down."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lineage.graph import query
from lineage.graph.core import Graph
from lineage.model import LinkKind, Status, code


@dataclass(frozen=True)
class Reason:
    """A memory that touches a file: what it says, what it replaced directly, and which options it turned down.

    `rejected` are pairs of option and reason. `status` and `created_at` are as
    in `lineage list`; `files` are those it names.
    """

    id: str
    status: str
    text: str | None
    rationale: str | None
    created_at: str | None
    files: Sequence[str]
    rejected: Sequence[tuple[str | None, str | None]]
    replaced: Sequence["Reason"] = ()


@dataclass(frozen=True)
class Explanation:
    """What is in effect of a path, the newest first, and what no longer holds and nothing in effect replaced."""

    path: str
    in_effect: Sequence[Reason]
    past: Sequence[Reason]


def explain(graph: Graph, path: str) -> Explanation:
    """The memories that touch a path: a whole one, its end (`auth.py` finds `src/auth.py`), or a folder.

    Each in effect brings what it superseded, back to the beginning, whether
    that names the path or not.
    """
    nodes = query.ordered(graph, query.matching(graph, touching=path))
    live = graph.status[nodes] == code(Status.LIVE)
    older = _older(graph)
    behind: dict[int, list[int]] = {int(node): _history(older, int(node)) for node in nodes[live].tolist()}
    told = {node for history in behind.values() for node in history}
    past = [node for node in nodes[~live].tolist() if node not in told]
    wanted = np.unique(np.array([*behind, *told, *past], np.int64))
    reasons = dict(zip(wanted.tolist(), _reasons(graph, wanted), strict=True))
    return Explanation(
        path,
        [replace(reasons[node], replaced=[reasons[before] for before in history]) for node, history in behind.items()],
        [reasons[node] for node in past],
    )


def _older(graph: Graph) -> Mapping[int, list[int]]:
    """What each memory superseded directly, in order of id."""
    links = graph.links
    at = links.effective(LinkKind.SUPERSEDES)
    found: dict[int, list[int]] = {}
    for source, target in zip(links.source[at].tolist(), links.target[at].tolist(), strict=True):
        found.setdefault(source, []).append(target)
    return found


def _history(older: Mapping[int, list[int]], node: int) -> list[int]:
    """Everything that led to a memory, the nearest first."""
    seen, waiting = {node: None}, [node]
    for current in waiting:
        for before in older.get(current, ()):
            if before not in seen:
                seen[before] = None
                waiting.append(before)
    return list(seen)[1:]


def _reasons(graph: Graph, nodes: NDArray[np.int64]) -> list[Reason]:
    recorded = nodes < len(graph.rows)
    texts = graph.corpus.texts_of(graph.rows[nodes[recorded]], ["text", "rationale", "files", "rejected"]).to_pylist()
    rows = iter(texts)
    created = graph.time_texts(graph.times("created_at")[nodes])
    words = [*map(str, Status), "missing"]
    found = []
    for name, status, moment, here in zip(
        graph.ids(nodes), graph.status[nodes].tolist(), created, recorded.tolist(), strict=True
    ):
        row = next(rows) if here else {}
        pairs = [(pair["first"], pair["second"]) for pair in row.get("rejected") or ()]
        found.append(
            Reason(name, words[status], row.get("text"), row.get("rationale"), moment, row.get("files") or [], pairs)
        )
    return found
