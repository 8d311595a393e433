"""The options commands share, and what they come to: a run, and its graph."""

import functools
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import click

import lineage
from lineage import config, discovery
from lineage.cli.progress import Waiting
from lineage.cli.streams import note
from lineage.cli.types import Moment, Name, Pair, Words, flat, nearest
from lineage.cli.version import version_option
from lineage.errors import ConfigError, StrictError
from lineage.model import HALF_LIFE

Function = TypeVar("Function", bound=Callable[..., Any])
Decorator = Callable[[Function], Function]

_SETTINGS = "lineage.settings"


@dataclass(frozen=True)
class Run:
    """The shared options of one run, and its inputs."""

    inputs: tuple[str, ...]
    from_: str | None
    mapping: Mapping[str, Any] | None
    rest: bool
    as_of: str | None
    redact: bool
    strict: bool
    quiet: bool
    verbose: bool
    progress: bool
    kind: tuple[str, ...] = ()
    severity: Mapping[str, str] = field(default_factory=dict)
    thresholds: Mapping[str, float] = field(default_factory=dict)
    per_kind: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    half_life: float = HALF_LIFE
    links: tuple[str, ...] = ()
    allow_empty: bool = False

    def waiting(self) -> Waiting:
        """A progress display for this run."""
        return Waiting(shown=self.progress and not self.quiet)

    def graph(self, waiting: Waiting, *, mention: bool = True) -> "lineage.Graph":
        """Read the inputs and build their graph; StrictError where `--strict` asks for it.

        What could not be read is mentioned on standard error, unless the
        command itself tells of it.
        """
        waiting.stage("Reading")
        corpus = lineage.read(
            *self.inputs,
            from_=self.from_,
            mapping=self.mapping,
            rest=self.rest,
            links=self.links,
            redact=self.redact,
            allow_empty=self.allow_empty,
            progress=waiting.bytes,
        )
        if self.verbose:
            for sentence in corpus.passed_over:
                note(sentence)
        if self.strict and corpus.first_error:
            raise StrictError(corpus.first_error)
        if mention and corpus.first_error and not self.quiet:
            count = sum(read.unreadable for read in corpus.inputs)
            records = "1 record" if count == 1 else f"{count:,} records, the first"
            note(f"could not read {records} at {corpus.first_error}; `lineage check` tells more")
        waiting.stage("Linking")
        return lineage.build(corpus, as_of=self.as_of)


def _load_settings(ctx: click.Context, _param: click.Parameter, value: str | None) -> None:
    if ctx.resilient_parsing:
        return
    settings = config.load(Path(value) if value else None, ctx.info_name or "")
    ctx.meta[_SETTINGS] = settings
    ctx.default_map = {
        param.name: _given(settings, param) for param in ctx.command.params if param.name in settings.options()
    }


def _given(settings: config.Settings, param: click.Parameter) -> Any:
    """What the configuration sets an option to; one that takes one value may stand there as a list of one."""
    value = settings.options()[str(param.name)]
    if not isinstance(value, tuple) or getattr(param, "multiple", False):
        return value
    if len(value) != 1:
        raise ConfigError(f"{settings.path}: {param.name!r} takes one value here, not {len(value)}")
    return value[0]


def _inputs(ctx: click.Context, _param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    if value or ctx.resilient_parsing:
        return value
    if inputs := settings_of(ctx).inputs:
        return inputs
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError("no INPUT: give a file, a directory, a glob, or - for standard input")
    return ("-",)


def settings_of(context: click.Context) -> config.Settings:
    """The settings of the command that runs."""
    settings: config.Settings = context.meta[_SETTINGS]
    return settings


_INPUTS = click.argument("inputs", metavar="[INPUT]...", nargs=-1, callback=_inputs, type=click.Path())
_KIND = click.option("--kind", type=Words("kind"), multiple=True, callback=flat, help="Only memories of these kinds.")
_SHARED = (
    click.option(
        "--from", "from_", type=Name("format", discovery.readers), help="Take every record for one of this format."
    ),
    click.option(
        "--links",
        metavar="FILE",
        multiple=True,
        type=click.Path(),
        help="Links by hand, to add or (kind none) take away: CSV or JSON lines of source, kind, target, note.",
    ),
    click.option(
        "--map",
        "map_",
        metavar="COLUMN=PATH",
        type=Pair(),
        multiple=True,
        help="Read data of any other format: COLUMN (or a kind of link) is what stands at PATH.",
    ),
    click.option("--as-of", type=Moment(), help="Answer what was in effect at this instant."),
    click.option(
        "--redact/--no-redact",
        help="Mask e-mail addresses in everything that is shown or written, as credentials always are.",
    ),
    click.option("--strict/--no-strict", help="End with exit code 2 at the first record that cannot be read."),
    click.option(
        "--config",
        metavar="FILE",
        type=click.Path(),
        is_eager=True,
        expose_value=False,
        callback=_load_settings,
        help="Settings, in place of the nearest lineage.toml or pyproject.toml.",
    ),
    click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors and what was asked for."),
    click.option("-v", "--verbose", is_flag=True, help="Name what was passed over in the inputs."),
    click.option("--no-progress", is_flag=True, help="Show no progress bar."),
    version_option,
)


def apply(decorators: tuple[Decorator[Any], ...], function: Function) -> Function:
    """The function with these options, in the order in which help shows them."""
    for decorator in reversed(decorators):
        function = decorator(function)
    return function


def shared(*, kind: bool = True, named: tuple[str, ...] = ()) -> Decorator[Any]:
    """Give a command INPUT and the shared options; it gets them as one `Run`.

    A command that needs a certain number of inputs has an argument `named` for each in place of INPUT.
    """
    arguments = tuple(click.argument(name, type=click.Path()) for name in named) or (_INPUTS,)

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def command(**given: Any) -> Any:
            settings = settings_of(click.get_current_context())
            run = Run(
                inputs=tuple(given.pop(name) for name in named) or given.pop("inputs"),
                from_=given.pop("from_"),
                rest=not given["map_"],
                mapping=dict(given.pop("map_")) or settings.map,
                as_of=given.pop("as_of"),
                redact=given.pop("redact"),
                strict=given.pop("strict"),
                quiet=given.pop("quiet"),
                verbose=given.pop("verbose"),
                progress=not given.pop("no_progress"),
                kind=given.pop("kind", ()),
                links=given.pop("links"),
                severity=_of_rules(settings, "severity", discovery.rules),
                thresholds=_of_rules(settings, "thresholds", _with_threshold),
                per_kind=_per_kind(settings),
                weights=settings.weights or {},
                half_life=settings.half_life or HALF_LIFE,
            )
            return function(run, **given)

        # Click shows options in the reverse order of this list: the command's own come first.
        shown: list[click.Parameter] = []
        vars(command)["__click_params__"] = shown
        apply((*arguments, *((_KIND,) if kind else ()), *_SHARED), command)
        shown += vars(function).get("__click_params__", [])
        return command

    return decorate


def _of_rules(settings: config.Settings, key: str, known: Callable[[], Collection[str]]) -> Mapping[str, Any]:
    """What a table of the settings gives for each rule; ConfigError where one of them has no such thing."""
    given: Mapping[str, Any] = getattr(settings, key) or {}
    for rule in given:
        if rule not in known():
            what = f"no rule {rule!r}" if rule not in discovery.rules() else f"{rule} has none"
            raise ConfigError(f"{settings.path}: {key}: {what}; {nearest(rule, known())}")
    return given


def _per_kind(settings: config.Settings) -> Mapping[str, tuple[str, ...]]:
    """The codes that do not count for each kind; ConfigError where no rule begins like one of them."""
    given = settings.per_kind or {}
    for begin in chain.from_iterable(given.values()):
        if not any(code.startswith(begin) for code in discovery.rules()):
            raise ConfigError(f"{settings.path}: per-kind: no rule {begin!r}; {nearest(begin, discovery.rules())}")
    return given


def _with_threshold() -> list[str]:
    return [code for code, rule in discovery.rules().items() if rule.threshold]
