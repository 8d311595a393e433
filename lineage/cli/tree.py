"""One lineage as a tree of lines, oldest first, without recursion.

A column reads downwards: each memory was acted on by the next one in its
column. What hangs indented below a memory acts on it too. The largest part of
a tree goes on in its own column, so that neither a chain of 20,000 nor a comb
of as many forks runs off to the right. A node with several predecessors
stands below the first of them, and the others refer to it. Marked edges are
drawn with heavy lines.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

Word = Callable[[int, str, int], str]
"""Words a node, given its number, what its edge says and the cells that are taken."""


@dataclass(frozen=True)
class Edge:
    """A link from the node `source` onto the node `target`; `about` is said of it, if anything."""

    source: int
    target: int
    about: str = ""
    marked: bool = False


@dataclass
class Forest:
    """Which node stands below which: `below` in the order of time, `again` what is shown elsewhere."""

    roots: list[int]
    below: list[list[Edge]]
    again: list[list[Edge]]
    order: list[int] = field(default_factory=list)


def forest(count: int, edges: Sequence[Edge]) -> Forest:
    """The nodes 0 to `count` - 1, numbered from the oldest to the newest, as trees.

    A tree starts at a node that acts on nothing; a circle that hangs on no
    such node starts at one of its own.
    """
    newer: list[list[Edge]] = [[] for _ in range(count)]
    older: list[list[int]] = [[] for _ in range(count)]
    for edge in sorted(edges, key=lambda edge: (edge.source, edge.target)):
        newer[edge.target].append(edge)
        older[edge.source].append(edge.target)
    made = Forest([], [[] for _ in range(count)], [[] for _ in range(count)])
    seen = [False] * count
    for start in (*(node for node in range(count) if not older[node]), *range(count)):
        if not seen[start]:
            root = _first_of_circle(start, older)
            made.roots.append(root)
            _grow(root, newer, seen, made)
    return made


def _first_of_circle(node: int, older: list[list[int]]) -> int:
    passed: set[int] = set()
    while older[node] and node not in passed:
        passed.add(node)
        node = older[node][0]
    return node


def _grow(root: int, newer: list[list[Edge]], seen: list[bool], made: Forest) -> None:
    seen[root] = True
    made.order.append(root)
    stack = [(root, iter(newer[root]))]
    while stack:
        node, rest = stack[-1]
        edge = next(rest, None)
        if edge is None:
            stack.pop()
        elif seen[edge.source]:
            made.again[node].append(edge)
        else:
            seen[edge.source] = True
            made.order.append(edge.source)
            made.below[node].append(edge)
            stack.append((edge.source, iter(newer[edge.source])))


def _sizes(made: Forest) -> list[int]:
    """How many lines each node and what hangs on it take."""
    sizes = [1 + len(again) for again in made.again]
    for node in reversed(made.order):
        sizes[node] += sum(sizes[edge.source] for edge in made.below[node])
    return sizes


@dataclass(frozen=True)
class _Step:
    """A node to be drawn in the column whose lines begin with `column`.

    `place` is the node's in that column: `root`, `next`, `aside` (a column of
    its own begins), or, where it is only referred to, `ref` and `last ref`.
    `marked` says that the edge that leads to it is, `along` that the one is
    along which its column goes on.
    """

    place: str
    node: int
    column: str
    about: str = ""
    marked: bool = False
    along: bool = False


_JOINTS = {
    ("root", True): "┌ ",
    ("root", False): "─ ",
    ("next", True): "├ ",
    ("next", False): "└ ",
    ("aside", True): "├─┬ ",
    ("aside", False): "├── ",
    ("ref", False): "├╌╌ ",
    ("last ref", False): "└╌╌ ",
}

# By whether the edge to the node is marked, and whether the one onward in its column is.
_HEAVY = {
    ("root", True): {(False, True): "┏ "},
    ("next", True): {(True, True): "┣ ", (True, False): "┡ ", (False, True): "┢ "},
    ("next", False): {(True, False): "┗ "},
    ("aside", True): {(True, True): "┣━┳ ", (True, False): "┝━┯ ", (False, True): "┠─┬ "},
    ("aside", False): {(True, True): "┣━━ ", (True, False): "┝━━ ", (False, True): "┠── "},
    ("ref", False): {(True, True): "┣╍╍ ", (True, False): "┝╍╍ ", (False, True): "┠╌╌ "},
    ("last ref", False): {(True, False): "┗╍╍ "},
}


def _joint(step: _Step, onward: bool, goes_on: bool) -> str:
    """The lines before a node; `onward` says that more stands in its column, `goes_on` that this is marked.

    For what stands aside the column that goes on is the one it hangs on.
    """
    along = step.along if step.place in {"aside", "ref"} else goes_on
    plain = _JOINTS[step.place, onward]
    return _HEAVY.get((step.place, onward), {}).get((step.marked, along), plain)


def lines(made: Forest, show: Word, refer: Word) -> Iterator[str]:
    """The lines of a forest: `show` words a node, `refer` one that is shown elsewhere."""
    sizes = _sizes(made)
    stack = [_Step("root", root, "") for root in reversed(made.roots)]
    while stack:
        step = stack.pop()
        refers = step.place.endswith("ref")
        below, again = ([], []) if refers else (made.below[step.node], made.again[step.node])
        following = _following(step, below, again, sizes)
        joint = step.column + _joint(step, bool(following), bool(following) and following[-1].marked)
        yield joint + (refer if refers else show)(step.node, step.about, len(joint))
        stack.extend(reversed(following))


def _following(step: _Step, below: list[Edge], again: list[Edge], sizes: list[int]) -> list[_Step]:
    """What stands below a node: references, the smaller parts aside, and the largest in its own column."""
    # Of parts of one size the newest goes on: the column then reads in order of time.
    main = max(below, key=lambda edge: (edge.marked, sizes[edge.source], edge.source), default=None)
    along = main is not None and main.marked
    column = step.column + (("┃ " if step.along else "│ ") if step.place == "aside" else "")
    steps = [_Step("ref", edge.source, column, edge.about, edge.marked, along) for edge in again]
    if main is None:
        return [*steps[:-1], *(replace(last, place="last ref") for last in steps[-1:])]
    steps += [_Step("aside", edge.source, column, edge.about, edge.marked, along) for edge in below if edge is not main]
    return [*steps, _Step("next", main.source, column, main.about, main.marked)]
