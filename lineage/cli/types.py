"""The types of option values: names of plug-ins, lists of words, codes of rules.

What is allowed is asked for only when a value is converted, completed or
shown in the help of its command, since plug-ins bring heavy libraries.
"""

import difflib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

from lineage import discovery
from lineage.model import Severity

Names = Callable[[], Iterable[str]]


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint at the known word that is most like this one."""
    folded = {name.lower(): str(name) for name in known}
    found = difflib.get_close_matches(word.lower(), folded, n=1, cutoff=0.0)
    return f"the nearest known one is {folded[found[0]]!r}" if found else "there is none"


class Name(click.ParamType[str]):
    """One name of a set, usually of plug-ins; `sure` says of a name that it is one without importing them all."""

    name = "name"

    def __init__(self, what: str, names: Names, sure: Callable[[str], bool] = lambda _: False) -> None:
        self._what = what
        self._names = names
        self._sure = sure

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return "|".join(self._names())

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not self._sure(value) and value not in self._names():
            self.fail(f"{value!r} is no {self._what}; {nearest(value, self._names())}", param, ctx)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(name) for name in self._names() if name.startswith(incomplete)]


class Words(click.ParamType[tuple[str, ...]]):
    """Words with commas between them, of a set if there is one."""

    name = "words"

    def __init__(self, what: str, names: Names | None = None) -> None:
        self._what = what
        self._names = names

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return f"{self._what.upper()},…"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        words = tuple(word for word in map(str.strip, value.split(",")) if word)
        if not words:
            self.fail(f"{value!r} names no {self._what}", param, ctx)
        return self._checked(words, param, ctx)

    def _checked(
        self, words: tuple[str, ...], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        names = list(self._names()) if self._names else []
        for word in words:
            if names and word not in names:
                self.fail(f"{word!r} is no {self._what}; {nearest(word, names)}", param, ctx)
        return words

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        before, comma, last = incomplete.rpartition(",")
        names = self._names() if self._names else ()
        return [CompletionItem(before + comma + name) for name in names if name.upper().startswith(last.upper())]


class Codes(Words):
    """Codes of rules, or the beginnings of codes, with commas between them; `more` are words that will do too."""

    name = "codes"

    def __init__(self, more: Sequence[str] = ()) -> None:
        super().__init__("code", lambda: (*more, *discovery.rules()))
        self._more = more

    def _checked(
        self, words: tuple[str, ...], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        if all(word in self._more for word in words):
            return words
        return tuple(word if word in self._more else self._code(word, param, ctx) for word in words)

    def _code(self, word: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        codes = list(discovery.rules())
        if not any(code.startswith(word.upper()) for code in codes):
            self.fail(f"{word!r} is no rule; {nearest(word, (*self._more, *codes))}", param, ctx)
        return word.upper()


class Ignored(Codes):
    """Codes of rules, or `CODE:GLOB`: the findings of a rule that name an id like the glob."""

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return "CODE[:GLOB],…"

    def _code(self, word: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        code, colon, glob = word.partition(":")
        if colon and not glob:
            self.fail(f"{word!r} names no id after its colon", param, ctx)
        return super()._code(code, param, ctx) + colon + glob


class Pair(click.ParamType[tuple[str, str]]):
    """A column and where it is found, with `=` between them."""

    name = "pair"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        if isinstance(value, tuple):
            return value
        key, equals, path = (part.strip() for part in value.partition("="))
        if not (key and equals and path):
            self.fail(f"{value!r} is no COLUMN=PATH, such as text=body.title", param, ctx)
        return key, path


class Moment(click.ParamType[str]):
    """A date, or a date and time; said to be none before anything is read."""

    name = "date"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return "DATE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from lineage.readers.fields import microseconds

        if microseconds(value) is None:
            self.fail(f"{value!r} is no date or time; write 2026-05-01 or 2026-05-01T10:00:00Z", param, ctx)
        return str(value)


class FailOn(Codes):
    """What makes a run end with exit code 1: a severity, `never`, codes of rules, or one of `more` words."""

    def __init__(self, more: Sequence[str] = ()) -> None:
        super().__init__((*more, *Severity, "never"))

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return f"{'|'.join(self._more)}|CODE,…"


def flat(_ctx: click.Context, _param: click.Parameter, value: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Callback of a repeatable option of words: all of them, each once, in order."""
    return tuple(dict.fromkeys(word for words in value for word in words))
