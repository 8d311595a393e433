"""Making untrusted text safe to show: terminals, CSV, Markdown, XML, addresses, and shortening.

HTML is escaped by Jinja's autoescape and JSON by its encoder; everything
else that shows memory text passes through here. Joiners and emoji variation
selectors stay as they are: scripts and emoji need them.
"""

import re
import unicodedata
from collections.abc import Callable
from html import escape
from pathlib import PurePath
from urllib.parse import quote

Measure = Callable[[str], float]

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters, terminal escapes among them
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # direction marks
    "\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u3164\ufe00-\ufe0d\ufeff\uffa0"  # invisibles
    "\u2028\u2029\ufff9-\ufffb\ufffe\uffff"  # separators, annotation marks, what XML cannot hold
    "\U000e0000-\U000e0fff\ud800-\udfff]"  # tag characters, further selectors, stray surrogates
)
_SLIM = frozenset(" !'(),-./:;I[\\]`fijlrt{|}")
_BROAD = frozenset("%@MWmw")
_SPACES = re.compile(r"\s+")
_LOG_COMMAND = re.compile(r"\A:(?=:)|#(?=#\w*\[)")
_OBEYED = re.compile(r"^\s*:(?=:)|#(?=#\w*\[)", re.MULTILINE)
_LINKS_ITSELF = re.compile(r"@|:(?=//)|\bwww(?=\.)|[#!](?=\d)|\bGH-(?=\d)", re.IGNORECASE)
_OPENS_BLOCK = re.compile(r"\A(\d{0,9})([-+=.)])")
_MARKDOWN = str.maketrans(
    {character: "\\" + character for character in "\\`*_[]|~#"}
    | {"<": "&lt;", ">": "&gt;", "&": "&amp;", "$": "&#36;", "\u200b": "&#8203;"}
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def _as_code(found: re.Match[str]) -> str:
    return f"\\u{{{ord(found[0]):x}}}"


def printable(value: str) -> str:
    """The text with every control, bidirectional and invisible character shown as its code."""
    return _UNSAFE.sub(_as_code, value)


def one_line(value: str) -> str:
    """The text on one line, safe for a terminal.

    What a CI runner would obey in a log (`::error::` at the start of a line,
    `##[error]` anywhere) is broken by a code, too.
    """
    line = value.strip()
    if _is_harmless(line):
        return line
    return _LOG_COMMAND.sub(_as_code, printable(_SPACES.sub(" ", value)).strip())


def may_be_logged(text: str) -> bool:
    """Whether no line of a text can be one that a CI runner would obey; quickly told, no for some that could."""
    return "::" not in text and "##" not in text


def for_logs(markup: str) -> str:
    """Escaped text of HTML or XML, in which a character of what a CI runner would obey in a log is an entity."""
    return markup if may_be_logged(markup) else _OBEYED.sub(_as_entity, markup)


def _as_entity(found: re.Match[str]) -> str:
    return f"{found[0][:-1]}&#{ord(found[0][-1])};"


def _is_harmless(line: str) -> bool:
    """Whether `one_line` would leave a line as it is, told without its three searches; no for some that it would."""
    return line.isascii() and line.isprintable() and "  " not in line and "##" not in line and line[:2] != "::"


def _width(character: str) -> int:
    if character.isascii():
        return 1
    if unicodedata.category(character) in {"Mn", "Me", "Cf"} and character != "\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cells(value: str) -> int:
    """How many terminal cells a line takes; never fewer than a terminal uses."""
    return len(value) if value.isascii() else sum(map(_width, value))


def ems(character: str) -> float:
    """About the width of a character in ems, in a proportional font that runs wide (DejaVu Sans)."""
    if character in _SLIM:
        return 0.37
    if character in _BROAD:
        return 1.0
    if not character.isascii():
        return 1.05 if _width(character) == 2 else 0.7 * _width(character)
    return 0.68 if character.isupper() else 0.59


def _fitting(line: str, width: float, measure: Measure | None = None) -> int:
    """How many characters of the line fit into the width: in cells, or as they are measured."""
    if measure is None and line.isascii():
        return min(len(line), max(int(width), 0))
    measure = measure or _width
    taken = 0.0
    for position, character in enumerate(line):
        taken += measure(character)
        if taken > width:
            return position
    return len(line)


def _cut(line: str, width: float, measure: Measure | None = None) -> str:
    if _fitting(line, width, measure) == len(line):
        return line
    end = _fitting(line, width - (measure or _width)("…"), measure)
    space = line.rfind(" ", 0, end + 1)
    end = space if space > end * 2 // 3 else end
    return line[:end].rstrip(" \u200d") + "…" if width > 0 else ""


def shortened(value: str, width: int) -> str:
    """`one_line`, cut at a word so that it takes at most `width` terminal cells."""
    return _cut(one_line(value), width)


def wrapped(value: str, width: float, most: int, measure: Measure | None = None) -> list[str]:
    """`one_line` in at most `most` lines of at most `width` terminal cells; the last one is cut.

    With another `measure` of a character, such as `ems`, the width is in its unit.
    """
    lines: list[str] = []
    rest = one_line(value)
    while len(lines) < most - 1 and (fitting := _fitting(rest, width, measure)) < len(rest):
        fitting = fitting or 1
        space = rest.rfind(" ", 0, fitting + 1)
        end = space if space > 0 else fitting
        lines.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return [*lines, _cut(rest, width, measure)]


def markdown(value: str) -> str:
    """The text on one line with Markdown's and HTML's own characters escaped.

    Forges also link addresses, mentions and issue numbers in plain text, and
    a backslash does not stop them: a zero-width space does.
    """
    line = _LINKS_ITSELF.sub("\\g<0>\u200b", one_line(value)).translate(_MARKDOWN)
    return _OPENS_BLOCK.sub(r"\1\\\2", line)


def markdown_code(value: str) -> str:
    """The text on one line as a Markdown code span, in which nothing else has a meaning."""
    line = one_line(value)
    fence = "`" * (max(map(len, re.findall("`+", line)), default=0) + 1)
    space = " " if not line or line[0] == "`" or line[-1] == "`" else ""
    return fence + space + line + space + fence


def csv_cell(value: str) -> str:
    """The text so that a spreadsheet does not take it for a formula."""
    return "'" + value if value.startswith(_FORMULA) else value


def xml(value: str) -> str:
    """The text for XML 1.0, as character data or in a quoted attribute; what XML cannot hold is shown as its code."""
    return escape(printable(value))


def uri(path: str) -> str:
    """A path as a URI reference (RFC 3986): a relative one stays relative, an absolute one becomes `file://`."""
    pure = PurePath(path)
    quoted = quote(_encoded(pure.as_posix()))
    return f"file://{quoted}" if pure.is_absolute() else quoted


def _encoded(name: str) -> bytes:
    """The bytes of a file name: those that are no UTF-8 reach Python as surrogates, and go back as they came."""
    try:
        return name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return name.encode("utf-8", "surrogatepass")
