"""Settings from `lineage.toml`, or `[tool.lineage]` of `pyproject.toml`.

The nearest of the two, upwards from the working directory, counts; options of
the command line win over it. A key at the top holds for every command that
has the option, except `format`, `output` and `title`, which are the report's;
a table `[report]` or `[check]` sets an option for that command alone. Paths
are relative to the file they stand in.
"""

import datetime
import glob
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from lineage.errors import ConfigError

FILE = "lineage.toml"
_PYPROJECT = "pyproject.toml"
_SEVERITIES = ("error", "warning", "info", "off")
_REPORT_ONLY = frozenset({"format", "output", "title"})
_NOT_OF = {
    "report": frozenset({"baseline", "min-grade"}),
    "check": frozenset({"output", "title", "against"}),
}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(_text, value)) if isinstance(value, list) else (_text(value),)


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _date(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime.date) else _text(value)


def _severities(value: object) -> Mapping[str, str]:
    if not isinstance(value, dict) or not all(severity in _SEVERITIES for severity in value.values()):
        raise TypeError
    return value


def _thresholds(value: object) -> Mapping[str, float]:
    if not isinstance(value, dict):
        raise TypeError
    for number in value.values():
        if not isinstance(number, int | float) or isinstance(number, bool) or not 0 <= number < math.inf:
            raise TypeError
    return value


def _days(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < math.inf:
        raise TypeError
    return float(value)


def _texts_by_name(value: object) -> Mapping[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise TypeError
    return {name: _texts(texts) for name, texts in value.items()}


def _mapping(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise TypeError
    return {key: list(_texts(item)) if isinstance(item, list) else _text(item) for key, item in value.items()}


def _option(read: Callable[[object], Any], wanted: str, *, of_command: bool = True) -> Any:
    return field(default=None, metadata={"read": read, "wanted": wanted, "of_command": of_command})


_STRING = "a string"
_STRINGS = "a string or a list of strings"
_FLAG = "true or false"


@dataclass(frozen=True)
class Settings:
    """The options one command gets from its configuration; None where that is silent.

    A field is named as its key, with `_` for `-` (and `from_` for `from`).
    `inputs` are read where the command line names none; `path` is the file they
    all stand in.
    """

    inputs: tuple[str, ...] | None = _option(_texts, _STRINGS, of_command=False)
    format: tuple[str, ...] | None = _option(_texts, _STRINGS)
    output: str | None = _option(_text, _STRING)
    title: str | None = _option(_text, _STRING)
    fail_on: tuple[str, ...] | None = _option(_texts, _STRINGS)
    select: tuple[str, ...] | None = _option(_texts, _STRINGS)
    ignore: tuple[str, ...] | None = _option(_texts, _STRINGS)
    baseline: str | None = _option(_text, _STRING)
    limit: int | None = _option(_count, "a whole number, 0 or more")
    from_: str | None = _option(_text, _STRING)
    as_of: str | None = _option(_date, "a date")
    kind: tuple[str, ...] | None = _option(_texts, _STRINGS)
    links: tuple[str, ...] | None = _option(_texts, _STRINGS)
    redact: bool | None = _option(_flag, _FLAG)
    strict: bool | None = _option(_flag, _FLAG)
    allow_empty: bool | None = _option(_flag, _FLAG)
    quiet: bool | None = _option(_flag, _FLAG)
    verbose: bool | None = _option(_flag, _FLAG)
    no_progress: bool | None = _option(_flag, _FLAG)
    severity: Mapping[str, str] | None = _option(
        _severities, f"a table of rule = {' | '.join(_SEVERITIES)}", of_command=False
    )
    thresholds: Mapping[str, float] | None = _option(
        _thresholds, "a table of rule = number, 0 or more", of_command=False
    )
    per_kind: Mapping[str, tuple[str, ...]] | None = _option(
        _texts_by_name, "a table of kind = rule codes", of_command=False
    )
    map: Mapping[str, Any] | None = _option(_mapping, "a table of column = expression", of_command=False)
    weights: Mapping[str, float] | None = _option(_thresholds, "a table of part = number, 0 or more", of_command=False)
    half_life: float | None = _option(_days, "a number of days above 0", of_command=False)
    min_grade: str | None = _option(_text, _STRING)
    against: str | None = _option(_text, _STRING)
    path: Path | None = None

    def options(self) -> dict[str, Any]:
        """What is set of the options that commands have, by field name."""
        names = [known.name for known in _KEYS.values() if known.metadata["of_command"]]
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}


_KEYS = {known.name.rstrip("_").replace("_", "-"): known for known in fields(Settings) if known.metadata}
_TABLES = {command: frozenset(_KEYS) - foreign for command, foreign in _NOT_OF.items()}


def _unknown(path: Path, key: str, known: list[str], prefix: str) -> ConfigError:
    import difflib

    nearest = difflib.get_close_matches(key, known, n=1, cutoff=0.0)[0]
    return ConfigError(f"{path}: unknown key {prefix + key!r}; the nearest known one is {prefix + nearest!r}")


def _values(path: Path, table: Mapping[str, Any], allowed: frozenset[str], prefix: str = "") -> dict[str, Any]:
    """The table's values by field name, each checked for its type."""
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in allowed:
            known = sorted(allowed if prefix else allowed | set(_TABLES))
            raise _unknown(path, key, known, prefix)
        option = _KEYS[key]
        try:
            values[option.name] = option.metadata["read"](value)
        except TypeError:
            raise ConfigError(f"{path}: {prefix + key!r} must be {option.metadata['wanted']}, not {value!r}") from None
    return values


def _settings(path: Path, table: Mapping[str, Any], command: str) -> Settings:
    tops = {key: value for key, value in table.items() if key not in _TABLES}
    own: dict[str, dict[str, Any]] = {}
    for name, allowed in _TABLES.items():
        section = table.get(name, {})
        if not isinstance(section, dict):
            raise ConfigError(f"{path}: {name!r} must be a table of options, not {section!r}")
        own[name] = _values(path, section, allowed, f"{name}.")
    values = _values(path, tops, frozenset(_KEYS))
    if command != "report":
        values = {key: value for key, value in values.items() if key not in _REPORT_ONLY}
    settings = replace(Settings(path=path), **{**values, **own.get(command, {})})
    # A path in a configuration means the same wherever below it the command is run.
    return replace(
        settings,
        inputs=settings.inputs and tuple(_below(path, name) for name in settings.inputs),
        links=settings.links and tuple(_below(path, name) for name in settings.links),
        output=settings.output and _below(path, settings.output),
        baseline=settings.baseline and _below(path, settings.baseline),
        against=settings.against and _below(path, settings.against),
    )


def _below(path: Path, name: str) -> str:
    """A path or glob as it is meant where the file stands."""
    if name == "-" or Path(name).is_absolute() or path.parent.absolute() == Path.cwd():
        return name
    folder = glob.escape(str(path.parent)) if glob.has_magic(name) else str(path.parent)
    # Joined as text: a slash at the end says that a directory is meant.
    return f"{folder}/{name}"


def _table(path: Path) -> Mapping[str, Any] | None:
    """The settings in one file; None for a `pyproject.toml` that has none."""
    import tomllib

    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from None
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    if path.name != _PYPROJECT:
        return document
    tool = document.get("tool", {})
    table = tool.get("lineage") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{path}: 'tool.lineage' must be a table of options, not {table!r}")
    return table


def load(path: Path | None, command: str, *, start: Path | None = None) -> Settings:
    """The settings of one command from `path`, or from the nearest file upwards from `start`.

    `start` is the working directory unless given. Raises ConfigError for a
    file that cannot be read, an unknown key and a value of the wrong type.
    """
    if path is not None:
        table = _table(path)
        if table is None:
            raise ConfigError(f"{path}: it has no table [tool.lineage]")
        return _settings(path, table, command)
    folder = (start or Path.cwd()).absolute()
    for place in (folder, *folder.parents):
        for name in (FILE, _PYPROJECT):
            found = place / name
            table = _table(found) if found.is_file() else None
            if table is not None:
                return _settings(found, table, command)
    return Settings()
