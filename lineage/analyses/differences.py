"""In which words two texts differ, said in a few words."""

import difflib
from collections.abc import Sequence

from lineage.analyses.naming import quoted
from lineage.analyses.words import split, texts
from lineage.graph.core import Graph

_MOST = 4


def alike(graph: Graph, first: int, second: int, similarity: float) -> str:
    """How alike two memories are and what they differ in, as the end of a sentence."""
    one, two = texts(graph, [first, second])
    words = split(one), split(two)
    if words[0] == words[1]:
        return "word for word"
    percent = "the same words carry both" if similarity >= 1 else f"{similarity:.0%} alike"
    return f"{percent}, but for {_differing(*words)}"


def _differing(one: Sequence[str], two: Sequence[str]) -> str:
    changes = difflib.SequenceMatcher(None, one, two, autojunk=False).get_opcodes()
    said = [
        f"{_quoted(one[a:b])} against {_quoted(two[c:d])}" if a < b and c < d else _quoted([*one[a:b], *two[c:d]])
        for tag, a, b, c, d in changes
        if tag != "equal"
    ]
    rest = f" and {len(said) - _MOST} more" if len(said) > _MOST else ""
    return ", ".join(said[:_MOST]) + rest


def _quoted(words: Sequence[str]) -> str:
    return quoted(" ".join(words))
