"""What changed as Markdown for the comment on a pull request: the most important first, at most 60 KB.

Memory text is escaped so that it cannot link, mention or format, and ids and
places are code spans, in which forges look for nothing.
"""

from collections.abc import Sequence
from dataclasses import replace

from lineage.differences.base import Difference
from lineage.model import Severity
from lineage.renderers.markdown import fitting
from lineage.reporting import changelog, digest
from lineage.reporting.changelog import Section
from lineage.reporting.diff import Diff, Memory, Reworded
from lineage.reporting.model import Finding
from lineage.text import markdown, markdown_code, shortened

_MOST_BYTES = 60_000
_FOR_SENTENCE = 250
_MOST = 50
_OPEN = 12
_MOST_IDS = 4
_GLYPHS = {Severity.ERROR: "✗", Severity.WARNING: "▲", Severity.INFO: "·", None: "✓"}
_FOLDED = frozenset({"notes", "settled", "fixed", "added", "removed"})
_BREAK = "\\\n  "


def _text(value: str | None, cells: int = 300) -> str:
    return markdown(shortened(value or "", cells)) or "_no text_"


def _code(value: str) -> str:
    return markdown_code(shortened(value, 160))


def _codes(values: Sequence[str]) -> str:
    more = len(values) - _MOST_IDS
    return ", ".join(map(_code, values[:_MOST_IDS])) + (f" and {more:,} more" if more > 0 else "")


def _finding(item: Finding, sign: str) -> str:
    severity = Severity(item.severity)
    if severity is Severity.INFO:
        return f"- {item.rule}: {_text(item.message, 400)}"
    lines = [f"- {sign if sign == '✓' else _GLYPHS[severity]} {digest.NOUNS[severity]} {item.rule}: "]
    lines[0] += _text(item.message, 400)
    if item.mend and sign != "✓":
        lines.append(f"**Mend:** {_text(item.mend, 400)}")
    where = digest.first_place(item)
    return _BREAK.join([*lines, _code(where)] if where else lines)


def _memory(item: Memory) -> str:
    return f"- {_text(item.text)}{_BREAK}{_code(item.id)}: {changelog.flattened(changelog.story(item), _codes)}"


def _reworded(item: Reworded) -> str:
    texts = changelog.reworded(item)
    head = f"- {_code(item.id)} ({item.status})"
    if texts is None:
        return f"{head}: only spaces differ"
    before, after = texts
    return f"{head}{_BREAK}old: {_text(before)}{_BREAK}new: {_text(after)}"


def _entry(item: Finding | Memory | Reworded, sign: str) -> str:
    match item:
        case Finding():
            return _finding(item, sign)
        case Memory():
            return _memory(item)
        case Reworded():
            return _reworded(item)


def _opening(diff: Diff) -> str:
    glyph = _GLYPHS[changelog.worst(diff)]
    blocks = [f"## {glyph} {changelog.verdict(diff)}"]
    if not diff.empty:
        names = zip(("Old", "New"), changelog.sides(diff), strict=True)
        rows = [f"- {name}: {_code(path)}, {counts}" for name, (path, counts) in names]
        rows += [f"- as of {diff.as_of}"] if diff.as_of else []
        blocks.append("\n".join(rows))
    return "\n\n".join(blocks)


def _heading(section: Section) -> str:
    detail = f" ({section.detail})" if section.detail else ""
    return f"{section.title}: {section.part.total:,}{detail}"


def _block(section: Section, entries: Sequence[str]) -> str:
    """A section; one that is long, or less than urgent, is folded."""
    part = replace(section.part, shown=entries)
    words = ["\n".join(entries)] if entries else []
    words += [f"_{part.sentence}_"] if part.omitted else []
    body = "\n\n".join(words)
    if len(entries) > _OPEN or section.anchor in _FOLDED:
        return f"<details><summary><b>{_heading(section)}</b></summary>\n\n{body}\n\n</details>"
    return f"### {_heading(section)}\n\n{body}"


def render(diff: Diff) -> bytes:
    """The whole Markdown file."""
    blocks = [_opening(diff)]
    sections = changelog.sections(diff)
    frame = sum(len(_heading(section).encode()) + _FOR_SENTENCE for section in sections)
    room = _MOST_BYTES - len(blocks[0].encode()) - frame - _FOR_SENTENCE
    omitted = False
    for section in sections:
        entries = fitting([_entry(item, section.sign) for item in section.part.shown[:_MOST]], room)
        room -= sum(len(entry.encode()) + 1 for entry in entries)
        omitted |= len(entries) < section.part.total
        blocks.append(_block(section, entries))
    if omitted:
        blocks.append("The JSON has every entry: `lineage diff -f json --limit 0`.")
    return ("\n\n".join(blocks) + "\n").encode("utf-8", "backslashreplace")


DIFFERENCE = Difference(
    name="markdown",
    about="for the comment on a pull request, the most important first",
    suffix=".md",
    render=render,
)
