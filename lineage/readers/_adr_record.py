"""One decision record: what its front matter, header, status and sections say."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lineage.model import DeclaredBy, LinkKind
from lineage.readers._adr_statements import (
    ENDED,
    LIVE,
    Reference,
    Statement,
    is_nothing,
    made,
    of_key,
    offers,
    references,
    statements,
    status_of,
)
from lineage.readers._adr_text import Block, Section, cells, plain, sections, unstruck
from lineage.readers._front_matter import FrontMatter

_KEY = re.compile(r"[*_]*([A-Za-z][A-Za-z _-]{1,24}?)[*_]*\s*:[*_]*[ \t]*(.*)$", re.DOTALL)
_TITLE_NUMBER = re.compile(r"(?:\[?adr\]?[-_ #]*)?\d{1,8}(?:[.:)]|\s*[-–—:]|\b(?=\s))\s*(?=\S)", re.IGNORECASE)
_LABEL = re.compile(r"(?:adr|d|dec)[-_ #]{0,2}\d{1,8}\b", re.IGNORECASE)
_CHOSEN = re.compile(
    r"chosen options?\s*:?\s*[*_\"“”'‘’`]*(.+?)[*_\"”'’`]*\s*(?:,\s*because|because|[.\n]|$)", re.IGNORECASE
)
_RELATED = frozenset({"links", "related", "related decisions", "more information", "references", "related adrs"})
_DECISION = frozenset({"decision", "decision outcome", "outcome", "the decision", "decisions", "solution"})
_OPTIONS = re.compile(r"considered (?:options|alternatives)|alternatives?(?: considered)?|options(?: considered)?$")
_MOST = 4_000


@dataclass
class Parsed:
    """What a record says; `status` is the last status word of its own, `said` that as it is written."""

    title: str | None = None
    label: str | None = None
    status: str | None = None
    said: str | None = None
    date: str | None = None
    statements: list[Statement] = field(default_factory=list)
    header: dict[str, str] = field(default_factory=dict)
    rationale: str | None = None
    options: list[str] = field(default_factory=list)
    chosen: str | None = None
    headings: set[str] = field(default_factory=set)
    line: int = 1

    @property
    def ended(self) -> bool:
        """Whether its status says that it is no longer in effect."""
        return self.status in ENDED

    @property
    def live(self) -> bool:
        """Whether its status says that it is in effect."""
        return self.status in LIVE

    @property
    def rejected(self) -> list[str]:
        """The options that were not chosen; none where it does not say which one was."""
        if self.chosen is None:
            return []
        chosen = _words(self.chosen)
        left = [option for option in self.options if _words(option) != chosen]
        if len(left) == len(self.options):
            left = [option for option in self.options if not (chosen in _words(option) or _words(option) in chosen)]
        return left if len(left) < len(self.options) else []


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def parse(matter: FrontMatter) -> Parsed:
    """What a whole document says."""
    parts = sections(matter.body, matter.line)
    found = Parsed(headings={part.name for part in parts})
    _read_title(found, parts, matter.fields)
    for key, value in matter.fields.items():
        _read_pair(found, key.lower(), value, key, 2)
    for number, part in enumerate(parts):
        header = part.level == 0 or (part.level == 1 and number <= 1)
        _read_section(found, part, header=header)
    return found


def _read_title(found: Parsed, parts: Sequence[Section], fields: Mapping[str, Any]) -> None:
    heading = next((part for part in parts if part.level == 1 and part.title), None)
    title = fields.get("title")
    words = title if isinstance(title, str) and not is_nothing(title) else heading.title if heading else ""
    found.line = heading.line if heading else 1
    label = next((fields[key] for key in ("id", "deg_id", "adr", "number") if isinstance(fields.get(key), str)), None)
    named = _LABEL.match(heading.title) if heading else None
    found.label = label or (named[0] if named else None)
    found.title = _TITLE_NUMBER.sub("", plain(words), count=1) if _TITLE_NUMBER.match(plain(words)) else plain(words)
    found.title = found.title or None


def _read_section(found: Parsed, part: Section, *, header: bool) -> None:
    name = part.name
    if name == "status":
        _read_status(found, part)
    elif header:
        _read_header(found, part.blocks)
    else:
        for block in part.blocks:
            if block.kind == "item":
                strict = name not in _RELATED
                found.statements += statements(
                    block.text, f"section {part.title or 'header'}", block.line, strict=strict, anchored=True
                )
    if name in _DECISION and found.rationale is None:
        texts = [block.text for block in part.blocks if block.kind != "row"]
        found.rationale = " ".join(texts[0].split())[:_MOST] if texts else None
    if name in _DECISION or name == "decision outcome":
        _read_choice(found, part.blocks)
    if _OPTIONS.fullmatch(name):
        found.options += [plain(block.text) for block in part.blocks if block.kind == "item"]


def _read_choice(found: Parsed, blocks: Sequence[Block]) -> None:
    for block in blocks:
        chosen = _CHOSEN.match(plain(block.text))
        if chosen and found.chosen is None and not is_nothing(chosen[1]) and chosen[1] not in "……":
            found.chosen = chosen[1].strip(" *_\"“”'‘’`")


def _read_status(found: Parsed, part: Section) -> None:
    """The status section: each line may begin with a status, and may say what replaced what."""
    for block in part.blocks:
        pairs = _row_pairs(block) if block.kind == "row" else []
        if pairs:
            for key, value in pairs:
                _read_pair(found, key, value, f"table {key}", block.line)
            continue
        if offers(block.text):
            continue
        for line in block.text.split("\n"):
            _take_status(found, re.sub(r"^\W*status\W*:", "", line, flags=re.IGNORECASE))
        _take(found, list(statements(block.text, "section Status", block.line, strict=False, anchored=False)))


def _read_header(found: Parsed, blocks: Sequence[Block]) -> None:
    """The key lines, items and tables between the title and the first section."""
    columns: list[str] = []
    for block in blocks:
        if block.kind == "row":
            columns = _read_row(found, block, columns)
            continue
        pair = _KEY.match(block.text)
        if pair:
            _read_pair(found, pair[1].strip().lower(), pair[2], f"header {pair[1].strip()}", block.line)
        elif block.kind == "item":
            found.statements += statements(block.text, "header", block.line, strict=False, anchored=True)


def _read_row(found: Parsed, block: Block, columns: list[str]) -> list[str]:
    """A table of key and value a row, or with the keys in its first row; returns those."""
    row = [plain(unstruck(cell)) for cell in cells(block.text)]
    if set("".join(row)) <= set(":- "):
        return columns
    keys = [cell.lower() for cell in row]
    if not columns and len(row) > 1 and sum(_is_key(key) for key in keys) > 1:
        return keys
    pairs = zip(columns, cells(block.text), strict=False) if columns else _row_pairs(block)
    for key, value in pairs:
        _read_pair(found, key, value, f"table {key}", block.line)
    return columns


def _row_pairs(block: Block) -> list[tuple[str, str]]:
    row = cells(block.text)
    key = plain(row[0]).lower().rstrip(":") if row else ""
    return [(key, " ".join(row[1:]))] if len(row) > 1 and _is_key(key) else []


def _is_key(key: str) -> bool:
    return key in {"status", "date", "deciders", "decision-makers", "tags", "author", "authors"} or bool(of_key(key))


def _read_pair(found: Parsed, key: str, value: Any, via: str, line: int) -> None:
    """A key and its value, wherever they stand."""
    verb = of_key(key)
    if verb:
        found.statements += _statements_of(verb, value, via, line)
    elif key == "status" and isinstance(value, str):
        if not offers(value):
            _take_status(found, value)
            _take(found, list(statements(value, via, line, strict=False, anchored=False)))
    elif key in {"date", "created", "created_at"} and isinstance(value, str):
        found.date = found.date or plain(value)
    elif key == "links" and isinstance(value, list):
        found.statements += _typed(value, via, line)
    elif isinstance(value, str) and not is_nothing(value):
        found.header.setdefault(key, plain(value))


def _statements_of(verb: str, value: Any, via: str, line: int) -> Iterator[Statement]:
    """The records that the value of a key names: one, several between commas, or a list of them."""
    for item in value if isinstance(value, list) else [value]:
        name = _first(item, "target", "id", "ref", "path") if isinstance(item, Mapping) else item
        if not isinstance(name, str) or is_nothing(name) or offers(name):
            continue
        named = [other for other, _ in references(unstruck(name), 0, strict=False)]
        if not named:
            parts = (part.strip() for part in name.split(","))
            named = [Reference(part) for part in parts if not is_nothing(part) and " " not in part]
        for other in named:
            yield made(verb, other, via, line)


def _first(found: Mapping[str, Any], *keys: str) -> str | None:
    return next((found[key] for key in keys if isinstance(found.get(key), str)), None)


def _typed(links: Sequence[Any], via: str, line: int) -> Iterator[Statement]:
    for number, link in enumerate(links):
        kind = _first(link, "kind", "type", "rel") if isinstance(link, Mapping) else None
        verb = of_key(kind) if kind else None
        if verb:
            yield from _statements_of(verb, link, f"{via}[{number}]", line)


def _take_status(found: Parsed, line: str) -> None:
    status = status_of(line)
    if status and not (found.status in ENDED and status in LIVE):
        found.status = status
        found.said = plain(line)
    elif found.said is None and not is_nothing(line):
        found.said = plain(line)


def _take(found: Parsed, said: Sequence[Statement]) -> None:
    """Statements of a status: one that says what replaced the record is a status itself."""
    found.statements += said
    if any(one.kind is LinkKind.SUPERSEDES and one.by is DeclaredBy.PREDECESSOR for one in said):
        found.status = "superseded"
