"""What a format cannot carry of a corpus, counted by trying it."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from lineage.graph.conversion import foreign_nodes, memories_for, writer
from lineage.graph.core import Graph
from lineage.model import COLUMNS, DeclaredBy, Role, Status, code
from lineage.readers.base import Link, Memory, Reader

_APART = frozenset({"format", "source", "line", "role"})
_COLUMNS = tuple(column.name for column in COLUMNS if column.name not in _APART)
NO_FORM = "memory without a form there"


def losses(graph: Graph, to: str) -> dict[str, int]:
    """What a format cannot carry of a corpus, counted by what it is; empty where nothing is lost.

    Of records of other formats: markers and logs, memories whose status it may
    not tell, links, and the values of columns. The last two are found by
    reading again what would be written.
    """
    reader = writer(to)
    if reader.everything:
        return {}
    foreign = foreign_nodes(graph, reader.ids)
    masks = {
        "marker": foreign & (graph.role == code(Role.MARKER)),
        "log": foreign & (graph.role == code(Role.LOG)),
        "memory no longer in effect that may read as live": foreign & (graph.status > code(Status.LIVE)),
    }
    found = {name: int(mask.sum()) for name, mask in masks.items() if mask.any()}
    lost: Counter[str] = Counter()
    for memory in memories_for(graph, reader.ids, only_foreign=True):
        lost.update(_lost(memory, reader))
    return found | _ordered(lost)


def _lost(memory: Memory, reader: Reader) -> list[str]:
    """What reading a memory back from this format does not give."""
    record = reader.write(memory) if reader.write else None
    again = next((item for item in reader.read(record) if isinstance(item, Memory)), None) if record else None
    if again is None:
        return [NO_FORM]
    lost = [f"value of {name}" for name in _COLUMNS if _differ(getattr(memory, name), getattr(again, name))]
    rest = Counter(map(_said, memory.links)) - Counter(map(_said, again.links))
    return lost + [f"{kind} link" for kind, _, _ in rest.elements()]


def _differ(before: Any, after: Any) -> bool:
    """Whether a value is there no more; what was unknown cannot be lost."""
    if before is None or (not isinstance(before, str | int | float) and not len(before)):
        return False
    if isinstance(before, list | tuple):
        return list(map(_plain, before)) != list(map(_plain, after or ()))
    return bool(before != after)


def _plain(item: Any) -> Any:
    return tuple(item) if isinstance(item, list | tuple) else item


def _said(link: Link) -> tuple[str, str, bool]:
    return str(link.kind), link.other, link.by is DeclaredBy.PREDECESSOR


def _ordered(lost: Mapping[str, int]) -> dict[str, int]:
    """Memories, then links, then columns in their order."""
    places = {f"value of {name}": place for place, name in enumerate(_COLUMNS)}
    names = sorted(lost, key=lambda name: (name != NO_FORM, places.get(name, -1), name))
    return {name: lost[name] for name in names}
