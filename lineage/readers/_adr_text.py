"""Markdown by lines, as far as decision records need it: headings, items, key lines, tables, paragraphs.

Fenced code and comments are left out, for nothing in them is said of the
record. Lines that a writer wrapped are put together again.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

Kind = Literal["heading", "item", "row", "text"]

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(\S.*)$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_MARKERS = frozenset("-*+0123456789")
_KEY_LINE = re.compile(r"[*_]{0,2}[A-Za-z][A-Za-z -]{1,24}[*_]{0,2}:")
_STRUCK = re.compile(r"~~([^~\n]*)~~")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])?")
_LETTERS = re.compile(r"[^\W\d_]+")
_MARKS = re.compile(r"[*_`]+")


@dataclass
class Block:
    """A heading (with its `level`), list item, table row or paragraph; `line` is where it begins in the file."""

    kind: Kind
    line: int
    text: str
    level: int = 0


@dataclass
class Section:
    """A heading and the blocks below it, up to the next heading."""

    title: str
    level: int
    line: int
    blocks: list[Block] = field(default_factory=list)

    @cached_property
    def name(self) -> str:
        """The title in lower case, without numbers, signs and marks around it."""
        return " ".join(_LETTERS.findall(self.title.lower()))


def sections(body: str, first_line: int) -> list[Section]:
    """The sections of a document in order; what stands before the first heading is one without a title."""
    found = [Section("", 0, first_line)]
    for block in _blocks(body, first_line):
        if block.kind == "heading":
            found.append(Section(block.text, block.level, block.line))
        else:
            found[-1].blocks.append(block)
    return found


def _blocks(body: str, first_line: int) -> Iterator[Block]:
    held: Block | None = None
    for number, line in _lines(body, first_line):
        if held and held.kind == "text" and line.strip() and _UNDERLINE.match(line):
            yield Block("heading", held.line, plain(held.text), 1 if "=" in line else 2)
            held = None
            continue
        begun = _begun(line, number)
        if not begun and held and line.strip():
            held.text += "\n" + line.strip()
            continue
        if held:
            yield held
        held = begun or (Block("text", number, line.strip()) if line.strip() else None)
        if held and held.kind in {"heading", "row"}:
            yield held
            held = None
    if held:
        yield held


def _begun(line: str, number: int) -> Block | None:
    """The block that can only begin with this line."""
    heading = _HEADING.match(line) if "#" in line else None
    if heading:
        return Block("heading", number, plain(heading[2] or ""), len(heading[1]))
    text = line.strip()
    item = _ITEM.match(text) if text[:1] in _MARKERS else None
    if item:
        return Block("item", number, item[1].strip())
    if text.startswith("|"):
        return Block("row", number, text)
    return Block("text", number, text) if ":" in text and _KEY_LINE.match(text) else None


def _lines(body: str, first_line: int) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, those of fenced code left out and those of comments empty."""
    if "<!--" in body:
        body = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), body)
    fence = ""
    for number, line in enumerate(body.split("\n"), first_line):
        mark = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip(" `~"):
                fence = ""
        elif mark:
            fence = mark[1]
        else:
            yield number, line


def cells(row: str) -> list[str]:
    """The cells of a table row."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]


def unstruck(text: str) -> str:
    """Text without what is struck through."""
    return _STRUCK.sub("", text) if "~~" in text else text


def plain(text: str) -> str:
    """One line of words: links as their text, struck through and emphasised words without their marks."""
    text = _STRUCK.sub(r"\1", text) if "~~" in text else text
    text = _LINK.sub(r"\1", text) if "[" in text else text
    return " ".join(_MARKS.sub("", text).split())
