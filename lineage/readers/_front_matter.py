"""The YAML block between two lines of `---` at the beginning of a document."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

_BLOCK = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_PAIR = re.compile(r"^([\w\"'][^:\n]{0,60}):[ \t]*([^\n#]*)", re.MULTILINE)
_ALIAS = re.compile(r"(?:^|[\s\[{,:-])\*\w")


@dataclass(frozen=True)
class FrontMatter:
    """What stands before the body of a document.

    Every scalar in `fields` is a string as it was written: `0303` is no octal
    number, `no` no boolean, and nothing is an empty string. `line` is the number
    of the body's first line, `problem` why the block could not be read.
    """

    fields: Mapping[str, Any]
    body: str
    line: int = 1
    problem: str | None = None


def split(text: str) -> FrontMatter:
    """A document in its front matter and its body; one without a block, or with one that is no mapping, is all body."""
    found = _BLOCK.match(text)
    if not found:
        return FrontMatter({}, text)
    body, line = text[found.end() :], found[0].count("\n") + 1
    try:
        fields = parsed(found[1])
    except ValueError as error:
        return FrontMatter({}, body, line, f"front matter: {error}")
    if not isinstance(fields, dict):
        return FrontMatter({}, text)
    return FrontMatter({str(key): value for key, value in fields.items()}, body, line)


def glimpse(text: str) -> Mapping[str, str] | None:
    """The keys of a document's front matter in lower case, each with what follows it on its line; None without one.

    Told without reading the YAML, to see quickly what a document is.
    """
    found = _BLOCK.match(text)
    if not found:
        return None
    return {key.lower().strip("\"'"): value.strip().strip("\"'") for key, value in _PAIR.findall(found[1])}


def parsed(block: str) -> Any:
    """A YAML text in which every scalar stays a string; ValueError says in a few words what is wrong with it."""
    import yaml

    try:
        return yaml.load(block, Loader=_loaders()[bool(_ALIAS.search(block))])  # noqa: S506 - it makes strings only
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f" (line {mark.line + 1})" if mark else ""
        raise ValueError(f"not YAML: {getattr(error, 'problem', None) or 'unreadable'}{place}") from None
    except (RecursionError, ValueError):
        raise ValueError("not YAML: nested too deeply, or a character that it cannot hold") from None


@cache
def _loaders() -> tuple[type[Any], type[Any]]:
    """The loader of plain blocks, and that of blocks that may hold aliases: these can grow without bound."""
    import yaml

    class WithoutAliases(yaml.BaseLoader):
        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError("aliases are not followed")
            return super().compose_node(parent, index)

    return getattr(yaml, "CBaseLoader", yaml.BaseLoader), WithoutAliases
