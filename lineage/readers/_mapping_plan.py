"""A mapping: which property of foreign data fills which column, and what its words mean.

The keys of a mapping are columns, kinds of links (`supersedes`, and
`superseded_by` for the opposite direction), `tags.NAME`, and a few that say how
to read: `records` (where a document holds its records), `times` (the unit of
times that are numbers), and lists of words of `declared`: `live`, `ended`,
`reversed`, and `unaccepted` for those of a source whose claims do not count yet.
"""

import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from lineage.errors import UsageError
from lineage.model import COLUMNS, Declared, DeclaredBy, LinkKind
from lineage.readers.fields import MISSING, json_type

Getter = Callable[[Any], Any]

LINKS: Mapping[str, tuple[LinkKind, DeclaredBy]] = {
    **{str(kind): (kind, DeclaredBy.SUCCESSOR) for kind in LinkKind},
    "superseded_by": (LinkKind.SUPERSEDES, DeclaredBy.PREDECESSOR),
    "reversed_by": (LinkKind.REVERSES, DeclaredBy.PREDECESSOR),
    "resolved_by": (LinkKind.RESOLVES, DeclaredBy.PREDECESSOR),
    "amended_by": (LinkKind.AMENDS, DeclaredBy.PREDECESSOR),
    "extended_by": (LinkKind.EXTENDS, DeclaredBy.PREDECESSOR),
}
TYPES = {column.name: column.type for column in COLUMNS if column.name not in {"format", "source", "line", "extra"}}
_WORDS = (*map(str, Declared), "unaccepted")
_UNITS = {"seconds": 1_000_000, "milliseconds": 1_000, "microseconds": 1}
_USUAL = {
    **dict.fromkeys(("accepted", "approved", "implemented", "done", "active", "final", "live"), Declared.LIVE),
    **dict.fromkeys(("superseded", "deprecated", "rejected", "withdrawn", "obsolete", "retired"), Declared.ENDED),
    **dict.fromkeys(("ended", "replaced"), Declared.ENDED),
    "reversed": Declared.REVERSED,
}
_PLAIN = re.compile(r"""[A-Za-z_]\w*(?:\.(?:[A-Za-z_]\w*|"[^"\\]+"))*""", re.ASCII)
_PART = re.compile(r'"([^"]+)"|([^."]+)')
_CONSTANT = re.compile(r"'([^'\\]*)'")
_SEPARATOR = re.compile(r"[;,]")


class Unfit(Exception):
    """An expression cannot be applied to a record; `str()` says why."""


@dataclass(frozen=True)
class Plan:
    """A mapping that has been checked: `paths` are expressions by column, link or `tags.NAME`."""

    name: str
    paths: Mapping[str, str]
    words: Mapping[str, Declared]
    unaccepted: frozenset[str]
    unit: int | None = None
    records: str | None = None

    def via(self, key: str) -> str:
        """What says a link: the property, or the key of the mapping where that is an expression."""
        path = self.paths[key]
        return path if len(path) <= 40 and not set(path) & set("[]|&@(){}`") else key


def plan(given: Mapping[str, Any], name: str) -> Plan:
    """Check a mapping. `UsageError` names an unknown key, a missing `id`, or a value that is no text."""
    paths: dict[str, str] = {}
    words: dict[str, list[str]] = {}
    settings: dict[str, str] = {}
    for key, value in given.items():
        if key in _WORDS:
            words[key] = _listed(key, value)
        elif not isinstance(value, str) or not value:
            raise UsageError(f"map: {key!r} must be an expression or the name of a column, not {value!r}")
        elif key in TYPES or key in LINKS or (key.startswith("tags.") and len(key) > 5):
            paths[key] = value
        elif key in {"records", "times"}:
            settings[key] = value
        else:
            known = [*TYPES, *LINKS, *_WORDS, "records", "times", "tags.NAME"]
            nearest = difflib.get_close_matches(key, known, n=1, cutoff=0.0)[0]
            raise UsageError(f"map: nothing is called {key!r}; the nearest that can be mapped is {nearest!r}")
    if "id" not in paths:
        raise UsageError("map: what `id` is must be said, such as id=uid")
    if settings.get("times", "seconds") not in _UNITS:
        raise UsageError(f"map: times: {settings['times']!r} is none of {', '.join(_UNITS)}")
    unaccepted = frozenset(word.casefold() for word in words.pop("unaccepted", []))
    declared = {word.casefold(): Declared(key) for key, listed in words.items() for word in listed}
    unit = _UNITS[settings["times"]] if "times" in settings else None
    return Plan(name, paths, declared or _USUAL, unaccepted, unit, settings.get("records"))


def _listed(key: str, value: Any) -> list[str]:
    found = _SEPARATOR.split(value) if isinstance(value, str) else value
    if not isinstance(found, list) or not all(isinstance(word, str) for word in found):
        raise UsageError(f"map: {key!r} must be a word or several, not {value!r}")
    return [word.strip() for word in found if word.strip()]


def plain_path(expression: str) -> tuple[str, ...] | None:
    """The keys of a path that steps from object to object; None for any other expression."""
    if not _PLAIN.fullmatch(expression) and not _is_name(expression):
        return None
    return (expression,) if _is_name(expression) else tuple(a or b for a, b in _PART.findall(expression))


@cache
def _is_name(expression: str) -> bool:
    """Whether this is no JMESPath expression, and so the name of a property as it stands."""
    import jmespath
    from jmespath.exceptions import JMESPathError

    try:
        jmespath.compile(expression)
    except (JMESPathError, RecursionError):
        return True
    return False


def getter(expression: str) -> Getter:
    """What finds a value in a JSON record by a JMESPath expression, or the name of a property; raises `Unfit`."""
    path = plain_path(expression)
    if path is not None and len(path) == 1:
        (key,) = path
        return lambda record: record.get(key)
    if path is not None:
        return lambda record: _along(record, path)
    import jmespath
    from jmespath.exceptions import JMESPathError

    search = jmespath.compile(expression).search

    def find(record: Any) -> Any:
        try:
            return search(record)
        except (JMESPathError, ArithmeticError, AttributeError, RecursionError, TypeError, ValueError) as error:
            raise Unfit(str(error).partition("\n")[0]) from error

    return find


def _along(record: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        if not isinstance(record, Mapping):
            return None
        record = record.get(key)
    return record


def cell_getter(expression: str, columns: frozenset[str]) -> Getter:
    """What finds a value in the row of a table: a column by its name, or a constant in single quotes."""
    if expression in columns:
        return lambda row: row.get(expression)
    constant = constant_of(expression)
    return lambda _: constant


def constant_of(expression: str) -> str | None:
    """The text in single quotes; None where the expression is no constant."""
    found = _CONSTANT.fullmatch(expression)
    return found[1] if found else None


def without(record: Mapping[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """A copy of the record that lacks what lies at the path, and the objects that are empty without it."""
    first, *rest = path
    kept = dict(record)
    inner = kept.get(first, MISSING)
    if not rest:
        kept.pop(first, None)
    elif isinstance(inner, Mapping):
        kept[first] = without(inner, tuple(rest))
        if not kept[first]:
            del kept[first]
    return kept


def expected(what: str, found: object) -> str:
    """What was expected, and what was found instead."""
    return f"expected {what}, found {json_type(found)}"
