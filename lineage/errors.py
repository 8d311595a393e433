"""The exceptions of `lineage`; each carries the exit code its command ends with.

LineageError
├── UsageError            wrong options or arguments
├── ConfigError           a configuration file that cannot be used
├── InputError            an input that cannot be opened or read at all
│   ├── NotMemories       a container that is sound and holds something else
│   └── NothingReadable   no input held a single readable memory
├── StrictError           `--strict`: an input held an unreadable record
├── UnknownMemory         an id that no memory has, or that several share
└── MissingExtra          an optional dependency is needed and not installed
"""


class LineageError(Exception):
    """Base of every error this package raises on purpose; `str()` is one sentence."""

    exit_code = 2


class UsageError(LineageError):
    """Options or arguments that do not fit together."""


class ConfigError(LineageError):
    """A configuration file or key that cannot be used."""


class InputError(LineageError):
    """An input that cannot be opened or read at all."""


class NotMemories(InputError):
    """A container that is sound and holds something else than memories."""


class NothingReadable(InputError):
    """No input held a single readable memory."""


class StrictError(InputError):
    """An unreadable record was met while `strict` was asked for."""


class UnknownMemory(LineageError):
    """An id, or the beginning of one, that names no memory or several."""


class MissingExtra(LineageError):
    """An optional dependency is needed for this input and is not installed."""
