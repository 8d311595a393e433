"""Findings that are known from an earlier run, so that only new ones count.

A baseline is a file of JSON, schema `lineage-baseline/v1`: `findings`, a
sorted list with an entry a line, each with the `rule`, the `memories` it names
and the `fingerprint` by which it is known. What was found twice stands there
twice. Lines and paths are not part of it, so that it outlives moved records.
"""

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from lineage.errors import InputError
from lineage.reporting.document import entry_a_line
from lineage.reporting.model import Compared, KnownFinding, fingerprint

SCHEMA = "lineage-baseline/v1"


class _File(msgspec.Struct):
    schema: Literal["lineage-baseline/v1"]
    findings: list[KnownFinding]


@dataclass(frozen=True)
class Baseline:
    """Findings that are known already; none unless they are given."""

    findings: Sequence[KnownFinding] = ()

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Baseline":
        """The baseline in a file; InputError where it cannot be read or is none."""
        try:
            return cls(msgspec.json.decode(Path(path).read_bytes(), type=_File).findings)
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}") from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: this is no baseline ({SCHEMA}): {error}") from error

    def to_bytes(self) -> bytes:
        """The whole file; the same findings give the same bytes, in whatever order they were found."""
        listed = entry_a_line(sorted(self.findings), 4)
        return b'{\n  "schema": "%b",\n  "findings": %b\n}\n' % (SCHEMA.encode(), listed)


class Comparison:
    """What one run finds, held against a baseline rule by rule."""

    def __init__(self, baseline: Baseline) -> None:
        self._baseline = baseline
        self._left = Counter(known.fingerprint for known in baseline.findings)
        self._rules: set[str] = set()
        self._found: list[KnownFinding] = []
        self._known = 0

    def new(
        self, rule: str, identities: Iterable[tuple[Sequence[str], str]], chosen: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Those of the chosen facts that are not known.

        `identities` are the ids and the detail of all facts of the rule, so that
        an entry is not taken for stale whose fact was merely not chosen.
        """
        self._rules.add(rule)
        found = [KnownFinding(rule, tuple(sorted(ids)), fingerprint(rule, ids, detail)) for ids, detail in identities]
        new = np.fromiter((not self._is_known(one.fingerprint) for one in found), np.bool_, len(found))
        kept = chosen[new[chosen]]
        self._known += len(chosen) - len(kept)
        self._found += [found[number] for number in chosen.tolist()]
        return kept

    def _is_known(self, digits: str) -> bool:
        if not self._left[digits]:
            return False
        self._left[digits] -= 1
        return True

    def result(self) -> Compared:
        """How the two compare, once every rule was held against the baseline."""
        return Compared(self._known, self._stale(), self._found)

    def _stale(self) -> list[KnownFinding]:
        return [
            known
            for known in self._baseline.findings
            if known.rule in self._rules and self._is_known(known.fingerprint)
        ]
