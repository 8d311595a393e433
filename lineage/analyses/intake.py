"""Problems met while reading: those of one rule, and how a sentence names their record and places."""

from typing import Any

import numpy as np
import pyarrow as pa

from lineage.analyses.naming import quoted
from lineage.arrays import as_numpy, joined
from lineage.graph.core import Graph, Int64
from lineage.text import one_line


class Problems:
    """The problems of one rule, in the order they were met.

    `rows` are their rows in `graph.corpus.problems`; the methods word the
    problem at one position of it.
    """

    def __init__(self, graph: Graph, rule: str) -> None:
        self._corpus = graph.corpus
        self.rows = _rows(graph.corpus.problems, rule)

    def record(self, number: int) -> str:
        """The record, by its id where that is known."""
        identifier = self._value(number, "id")
        return "A record" if identifier is None else f"The record {quoted(identifier)}"

    def place(self, number: int) -> str:
        """Where the record stands."""
        return self._where(number, "source", "line")

    def other_place(self, number: int) -> str:
        """Where the record stands that it was held against."""
        return self._where(number, "other_source", "other_line")

    def _where(self, number: int, source: str, line: str) -> str:
        path, at = self._value(number, source), self._value(number, line)
        name = "an unknown place" if path is None else one_line(self._corpus.paths[path])
        return name if at is None else f"{name}:{at}"

    def _value(self, number: int, column: str) -> Any:
        return self._corpus.problems[column][int(self.rows[number])].as_py()


def _rows(problems: pa.Table, rule: str) -> Int64:
    if not len(problems):
        return np.zeros(0, np.int64)
    rules = joined(problems["rule"]).dictionary_encode()
    codes = rules.dictionary.to_pylist()
    return np.flatnonzero(as_numpy(rules.indices) == (codes.index(rule) if rule in codes else -1))
