"""Finding plug-ins: the readers, rules, renderers, drawings and differences there are.

A module of a package is a plug-in if it holds an object of the right name
(`READER`, `RULE`, `RENDERER`, `DRAWING`, `DIFFERENCE`, or a tuple of several by its plural); nothing registers
itself anywhere. Readers are also found in other distributions, by the entry-point group `lineage.readers`.
The packages are named as strings and imported only when they are asked for,
since everything in them lies above this module.
"""

import pkgutil
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, cast

from lineage.errors import UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from lineage.differences.base import Difference
    from lineage.drawings.base import Export, Picture
    from lineage.readers.base import Reader
    from lineage.renderers.base import Renderer
    from lineage.rules.base import Rule

READERS = "lineage.readers"

# What importing somebody else's module may well raise.
_BROKEN = (ImportError, SyntaxError, NameError, AttributeError, TypeError, ValueError, LookupError, OSError)


class PluginWarning(UserWarning):
    """A plug-in of another distribution that cannot be used, and is left out."""


def _modules(package: str) -> Iterator[ModuleType]:
    """The modules of a package in the order of their names, helpers and `base` left out."""
    found = pkgutil.iter_modules(import_module(package).__path__)
    for name in sorted(module.name for module in found):
        if not name.startswith("_") and name != "base":
            yield import_module(f"{package}.{name}")


def _plugins(package: str, attribute: str, key: str) -> dict[str, Any]:
    found = [
        (module, plugin)
        for module in _modules(package)
        for plugin in (*filter(None, [getattr(module, attribute, None)]), *getattr(module, f"{attribute}S", ()))
    ]
    named = {getattr(plugin, key): _described(plugin, module) for module, plugin in found}
    return dict(sorted(named.items()))


def _described(plugin: Any, module: ModuleType) -> Any:
    """The plug-in, with its module's docstring as its `about` where it gives none."""
    import dataclasses

    return plugin if plugin.about else dataclasses.replace(plugin, about=(module.__doc__ or "").strip())


def _load(entry: "EntryPoint") -> "Reader | None":
    """The reader of another distribution; a warning of one sentence where it is broken."""
    base = import_module(f"{READERS}.base")
    try:
        loaded = entry.load()
        found: Reader = getattr(loaded, "READER", loaded)
        if type(found) is base.Reader:
            return found
        cause = "it is not a Reader"
    except _BROKEN as error:
        cause = f"{type(error).__name__}: {error}"
    owner = entry.dist.name if entry.dist else "an unknown distribution"
    warnings.warn(f"the reader {entry.name!r} of {owner} is left out: {cause}", PluginWarning, stacklevel=4)
    return None


@cache
def readers() -> Mapping[str, "Reader"]:
    """The readers by name, those of other distributions after the built-in ones.

    A name that a built-in reader has cannot be taken over.
    """
    from importlib.metadata import entry_points

    named: dict[str, Reader] = _plugins(READERS, "READER", "name")
    for entry in sorted(entry_points(group=READERS), key=lambda entry: entry.name):
        reader = _load(entry)
        if reader is not None:
            named.setdefault(reader.name, reader)
    return MappingProxyType(named)


def suffixes() -> tuple[str, ...]:
    """The endings of the files that a directory offers, those of every reader."""
    return tuple(sorted({suffix for reader in readers().values() for suffix in reader.suffixes}))


def id_space(form: str) -> str:
    """The id space of a format: its reader's, or its own where no reader is known."""
    reader = readers().get(form)
    return reader.ids if reader else form


def is_local(form: str) -> bool:
    """Whether the ids of a format mean something within one input only."""
    reader = readers().get(form)
    return reader is not None and reader.local


@cache
def rules() -> Mapping[str, "Rule"]:
    """The rules by code, in the order of their codes."""
    return MappingProxyType(_plugins("lineage.rules", "RULE", "code"))


@cache
def drawings() -> Mapping[str, "Picture | Export"]:
    """The formats of diagrams by name, in the order of their names."""
    return MappingProxyType(_plugins("lineage.drawings", "DRAWING", "name"))


@cache
def differences() -> Mapping[str, "Difference"]:
    """The ways to show a comparison by name, in the order of their names."""
    return MappingProxyType(_plugins("lineage.differences", "DIFFERENCE", "name"))


@cache
def renderers() -> Mapping[str, "Renderer"]:
    """The renderers by name, in the order of their names."""
    return MappingProxyType(_plugins("lineage.renderers", "RENDERER", "name"))


def renderer(name: str) -> "Renderer":
    """One renderer, without importing the others; `UsageError` names those there are."""
    found = _single_renderer(name)
    if found is None:
        raise UsageError(f"unknown report format {name!r}: {', '.join(renderers())}")
    return found


def makes_files(name: str) -> bool:
    """Whether there is a renderer of this name that files are made with; told without importing the others."""
    found = _single_renderer(name)
    return found is not None and bool(found.suffix)


def format_of(file: str) -> str | None:
    """The name of the renderer whose files end like this one; the longest ending counts."""
    alike = [one for one in renderers().values() if one.suffix and file.endswith(one.suffix)]
    return max(alike, key=lambda one: len(one.suffix)).name if alike else None


def _single_renderer(name: str) -> "Renderer | None":
    if not name.isidentifier() or find_spec(f"lineage.renderers.{name}") is None:
        return None
    found = getattr(import_module(f"lineage.renderers.{name}"), "RENDERER", None)
    return cast("Renderer", found) if found is not None and found.name == name else None
