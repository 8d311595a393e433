"""The command group, and the one place where an error becomes a sentence and an exit code."""

import contextlib
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NoReturn, TextIO

import click
from click.core import ParameterSource

from lineage.cli.streams import note, silence_stdout
from lineage.cli.version import version_option
from lineage.errors import LineageError

INTERRUPTED = 130

# Said here, not by the modules named so, for the sake of `lineage --help`: importing them all takes longer than click.
COMMANDS = {
    "report": "Write a report on the memories, and show its summary.",
    "check": "Show what is wrong with the memories, and fail on errors.",
    "heads": "List the live heads: the memories in effect, newest first.",
    "list": "List memories with their status.",
    "trace": "Draw the whole lineage of one memory as a tree.",
    "explain": "Say why a file is as it is: what holds of it, what that replaced, and what was turned down.",
    "draw": "Draw lineages: what holds, what it replaced, and where it is broken.",
    "diff": "Show what changed between two exports.",
    "suggest": "Suggest links that are missing, for review.",
    "convert": "Rewrite memories into another format.",
    "formats": "Name the formats that can be read and written.",
    "rules": "List the rules, or explain one.",
}

_EPILOG = """\b
Examples:
  lineage report memories.jsonl            summary here, report in reports/
  lineage check .mindr --fail-on warning   for CI: exit code 1 on a finding
"""


@contextlib.contextmanager
def _closed_pipe_is_no_error() -> Iterator[None]:
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()
        raise click.exceptions.Exit(0) from None


class Commands(click.Group):
    """The commands, each imported when it is wanted; every expected error ends as one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return import_module(f"lineage.cli.{cmd_name}").command if cmd_name in COMMANDS else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not ctx.resilient_parsing:
            from lineage.cli.types import nearest

            raise click.UsageError(f"{args[0]!r} is no command; {nearest(args[0], COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with _closed_pipe_is_no_error():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with _closed_pipe_is_no_error():
            return super().invoke(ctx)

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run a command and exit with its code: 0, 1 findings, 2 an error, 130 interrupted."""
        # However it was started, and by whom, its name is its name and its exit codes are its own.
        extra |= {"prog_name": "lineage", "standalone_mode": False}
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            sys.exit(self._code(args, extra))

    def _code(self, args: Sequence[Any], extra: Mapping[str, Any]) -> int:
        try:
            return super().main(*args, **extra) or 0
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message(), err=True)
            return error.exit_code
        except click.exceptions.Abort:
            code, sentence = INTERRUPTED, "interrupted"
        except click.UsageError as error:
            code, sentence = error.exit_code, _usage(error)
        except LineageError as error:
            code, sentence = error.exit_code, str(error)
        except OSError as error:
            cause = str(error.strerror or error)
            code, sentence = 2, f"{error.filename}: {cause}" if error.filename else cause
        note(sentence)
        return code


def _usage(error: click.UsageError) -> str:
    """The error in one sentence, with the configuration file where that is to blame."""
    context, name = error.ctx, getattr(getattr(error, "param", None), "name", None)
    message = error.format_message().rstrip(".")
    if context is None:
        return message
    from lineage.cli.options import settings_of

    if name and context.get_parameter_source(name) is ParameterSource.DEFAULT_MAP:
        return f"{settings_of(context).path}: {name.rstrip('_').replace('_', '-')}: {error.message}"
    return f"{message} (see {context.command_path} --help)"


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    from lineage.discovery import PluginWarning

    if issubclass(category, PluginWarning):
        note(str(message))
    else:
        (file or sys.stderr).write(warnings.formatwarning(message, category, filename, lineno, line))


@click.group(
    cls=Commands,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@version_option
def main() -> None:
    """Trace the decisions in coding-agent memories: what holds, what it replaced, what is broken.

    INPUT is any number of files, directories, globs, or - for standard input, compressed or not, in any mix of
    the formats that `lineage formats` names.
    """
