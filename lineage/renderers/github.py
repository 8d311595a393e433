"""The gravest findings as workflow commands, which GitHub shows beside the lines they are about.

GitHub shows ten annotations of each level and step and drops the rest without
a word: so ten errors, ten warnings and ten notices are written, and where
there is more, the last notice says how much.
"""

from collections.abc import Iterator, Mapping
from pathlib import PurePath

from lineage.model import Severity
from lineage.renderers.base import Renderer
from lineage.reporting.digest import findings_line
from lineage.reporting.model import Finding, Report
from lineage.text import one_line, printable

_MOST = 10
_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def _data(text: str) -> str:
    """The text so that a command ends where its line ends."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """The text so that neither another property nor the message begins in it."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _command(level: Severity, properties: Mapping[str, str], message: str) -> str:
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[level]} {listed}::{_data(message)}"


def _annotation(level: Severity, item: Finding) -> str:
    properties = {}
    place = next((place for place in item.locations if place.source != "-"), None)
    if place is not None:
        properties["file"] = printable(PurePath(place.source).as_posix())
        if place.line is not None:
            properties["line"] = str(place.line)
    properties["title"] = one_line(f"{item.rule} {item.name}")
    return _command(level, properties, "\n".join(filter(None, map(one_line, (item.message, item.mend)))))


def _commands(report: Report) -> Iterator[str]:
    counts = report.summary.findings
    crowded = any(count > _MOST for count in counts.values())
    left: dict[str, int] = {}
    for level in Severity:
        # The sentence on what is left out is a notice like the others.
        most = _MOST - 1 if crowded and level is Severity.INFO else _MOST
        shown = [item for item in report.findings if item.severity == level][:most]
        left[level] = counts.get(level, 0) - len(shown)
        yield from (_annotation(level, item) for item in shown)
    if crowded:
        said = f"{findings_line(left)} more; `lineage check` lists them."
        yield _command(Severity.INFO, {"title": "lineage"}, said)


def render(report: Report) -> bytes:
    """The commands, one a line, the gravest first."""
    return "".join(f"{command}\n" for command in _commands(report)).encode()


RENDERER = Renderer(
    name="github",
    about="for the log of a GitHub workflow, which shows it beside the lines",
    suffix="",
    render=render,
)
