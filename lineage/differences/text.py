"""What `lineage diff` prints for people.

Colour is optional and only repeats what signs and words say. The escape codes
are written here, so that memory text is never read as markup; no line begins
with memory text, so that no CI runner takes it for a command.
"""

from collections.abc import Iterator, Sequence

from lineage.differences.base import Difference
from lineage.model import Severity
from lineage.renderers.terminal import short
from lineage.reporting import changelog, digest
from lineage.reporting.changelog import Section
from lineage.reporting.diff import Diff, Memory, Reworded
from lineage.reporting.model import Finding
from lineage.text import cells, one_line, shortened, wrapped

_GLYPHS = {Severity.ERROR: "✗", Severity.WARNING: "▲", Severity.INFO: "·", None: "✓"}
_STYLES = {Severity.ERROR: "1;31", Severity.WARNING: "33", Severity.INFO: "2", None: "32"}
_SIGNS = {"+": "32", "−": "31", "±": "33", "~": "36", "✓": "32"}
_BOLD, _DIM = "1", "2"
_NARROWEST, _WIDEST, _PLAIN = 40, 110, 100
_MOST_IDS = 3


class _Page:
    """Lines of one width, with colour or without."""

    def __init__(self, *, width: int, colour: bool) -> None:
        self.width = min(max(width, _NARROWEST), _WIDEST)
        self._colour = colour

    def paint(self, text: str, style: str) -> str:
        """The text in a style, if there is colour."""
        return f"\x1b[{style}m{text}\x1b[0m" if self._colour and text else text

    def section(self, section: Section) -> Iterator[str]:
        """A heading and its entries, and how many are left out."""
        title = f"{section.title}: {section.part.total:,}"
        beside = len(title) + len(section.detail) + 3 <= self.width
        yield from ("", self.paint(f"{title} ({section.detail})" if beside and section.detail else title, _BOLD))
        if not beside:
            yield from (f"  {line}" for line in wrapped(section.detail, self.width - 2, 3))
        for item in section.part.shown:
            match item:
                case Finding():
                    yield from self._finding(item, section.sign)
                case Memory():
                    yield from self._memory(item, section.sign)
                case Reworded():
                    yield from self._reworded(item, section.sign)
        if section.part.omitted:
            yield self.paint(f"  … {section.part.omitted:,} more (--limit)", _DIM)

    def _finding(self, item: Finding, sign: str) -> Iterator[str]:
        severity = Severity(item.severity)
        glyph = sign if sign == "✓" else _GLYPHS[severity]
        style = _SIGNS.get(glyph) or _STYLES[severity]
        if severity is Severity.INFO:
            room = self.width - len(item.rule) - 6
            yield f"  {self.paint(f'{glyph} {item.rule}', style)} {shortened(item.message, room)}"
            return
        where = one_line(digest.first_place(item) or "")
        head = self.paint(f"{glyph} {digest.NOUNS[severity]} {item.rule}", style)
        yield f"  {head} {one_line(item.name)}" + (f"  {self.paint(where, _DIM)}" if where else "")
        yield from (f"    │ {line}" for line in wrapped(item.message, self.width - 6, 3))
        if item.mend and sign != "✓":
            yield from (f"    │ {line}" for line in wrapped(f"Mend: {item.mend}", self.width - 6, 2))

    def _memory(self, item: Memory, sign: str) -> Iterator[str]:
        identity = short(item.id)
        room = self.width - 6 - cells(identity)
        words = shortened(item.text or "", room) or "(no text)"
        gap = " " * max(room - cells(words), 0)
        yield f"  {self.paint(sign, _SIGNS[sign])} {words}{gap}  {self.paint(identity, _DIM)}"
        told = changelog.flattened(changelog.story(item), _named)
        yield f"      {self.paint(shortened(told, self.width - 6), _DIM)}"

    def _reworded(self, item: Reworded, sign: str) -> Iterator[str]:
        yield f"  {self.paint(sign, _SIGNS[sign])} {short(item.id)}  {self.paint(item.status, _DIM)}"
        texts = changelog.reworded(item)
        if texts is None:
            yield "      only spaces differ"
            return
        for side, name, text in zip("−+", ("old", "new"), texts, strict=True):
            yield f"      {self.paint(name, _SIGNS[side])}  {shortened(text, self.width - 11) or '(no text)'}"


def _named(ids: Sequence[str]) -> str:
    more = len(ids) - _MOST_IDS
    return ", ".join(map(short, ids[:_MOST_IDS])) + (f" and {more:,} more" if more > 0 else "")


def lines(diff: Diff, *, width: int, colour: bool) -> Iterator[str]:
    """The whole text, line by line; everything but places keeps to `width` (40 to 110 columns)."""
    page = _Page(width=width, colour=colour)
    if diff.empty:
        yield f"{page.paint(_GLYPHS[None], _STYLES[None])} {page.paint('Nothing changed.', _BOLD)}"
        return
    worst = changelog.worst(diff)
    first, *more = wrapped(changelog.verdict(diff), page.width - 2, 3)
    yield f"{page.paint(_GLYPHS[worst], _STYLES[worst])} {page.paint(first, _BOLD)}"
    yield from (f"  {page.paint(line, _BOLD)}" for line in more)
    for name, (path, counts) in zip(("old", "new"), changelog.sides(diff), strict=True):
        yield page.paint(f"  {name}  {shortened(path, page.width - cells(counts) - 9)}: {counts}", _DIM)
    if diff.as_of:
        yield page.paint(f"  as of {diff.as_of}", _DIM)
    for section in changelog.sections(diff):
        yield from page.section(section)


def render(diff: Diff) -> bytes:
    """The whole text without colour."""
    text = "".join(line.rstrip() + "\n" for line in lines(diff, width=_PLAIN, colour=False))
    return text.encode("utf-8", "backslashreplace")


DIFFERENCE = Difference(name="text", about="for people, in a terminal", suffix=".txt", render=render)
