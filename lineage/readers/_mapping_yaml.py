"""YAML to records, for mappings: every document of a file, each list in them item by item.

Scalars stay text, so that an id such as `0303` is no number; only an empty one
and `null` are null. Aliases are refused: a small file can stand for a huge one
with them.
"""

import itertools
import re
from collections.abc import Iterator
from typing import Any

from lineage.readers.base import Problem

_BOUNDARY = re.compile(r"^---(?=\s|$)", re.MULTILINE)


def records(text: str) -> Iterator[tuple[int, Any]]:
    """Each record with the line where its document begins, or a `Problem` in its place."""
    begins = [0, *(found.start() for found in _BOUNDARY.finditer(text)), len(text)]
    for begin, end in itertools.pairwise(begins):
        part = text[begin:end]
        if not part.strip():
            continue
        line = text.count("\n", 0, begin) + 1
        value = _loaded(part, line)
        if value is None:
            continue
        for record in value if isinstance(value, list) else [value]:
            yield line, record


def _loaded(text: str, line: int) -> Any:
    import yaml

    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=_base())):
            return Problem("LIN901", "not YAML that is read: it has aliases", line=line)
        return yaml.load(text, Loader=_loader())  # noqa: S506 - a loader that makes text, lists and objects alone
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        cause = getattr(error, "problem", None) or "it cannot be parsed"
        return Problem("LIN901", f"not YAML: {cause}", line=line + (mark.line if mark else 0))
    except (RecursionError, ValueError, TypeError) as error:
        cause = "nested too deep" if isinstance(error, RecursionError) else str(error)
        return Problem("LIN901", f"not YAML: {cause}", line=line)


def _base() -> Any:
    import yaml

    return getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def _loader() -> Any:
    """A loader that knows text, lists and objects, and null."""
    if "null" not in _LOADERS:
        made: Any = type("_Loader", (_base(),), {"yaml_implicit_resolvers": {}})
        made.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"~|null|Null|NULL|"), ["~", "n", "N", ""])
        made.add_constructor("tag:yaml.org,2002:null", lambda *_: None)
        _LOADERS["null"] = made
    return _LOADERS["null"]


_LOADERS: dict[str, Any] = {}
