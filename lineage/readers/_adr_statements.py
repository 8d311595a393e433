"""What a status line, a list item or a front-matter key says of other decision records.

Active and passive words are opposite directions, so each is a word of its
own: nothing here looks for the stem. A statement counts only where the
record it is about follows at once.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from lineage.model import DeclaredBy, LinkKind
from lineage.readers._adr_text import plain, unstruck

_ACTIVE = {
    "supersedes": LinkKind.SUPERSEDES,
    "supercedes": LinkKind.SUPERSEDES,
    "replaces": LinkKind.SUPERSEDES,
    "obsoletes": LinkKind.SUPERSEDES,
    "reverts": LinkKind.SUPERSEDES,
    "reverses": LinkKind.SUPERSEDES,
    "amends": LinkKind.AMENDS,
    "clarifies": LinkKind.AMENDS,
    "extends": LinkKind.EXTENDS,
    "conflicts with": LinkKind.CONFLICTS,
    "contradicts": LinkKind.CONFLICTS,
    "relates to": LinkKind.RELATES,
    "related to": LinkKind.RELATES,
    "depends on": LinkKind.RELATES,
    "informed by": LinkKind.RELATES,
}
_PASSIVE = {
    "superseded by": LinkKind.SUPERSEDES,
    "superceded by": LinkKind.SUPERSEDES,
    "replaced by": LinkKind.SUPERSEDES,
    "obsoleted by": LinkKind.SUPERSEDES,
    "reverted by": LinkKind.SUPERSEDES,
    "reversed by": LinkKind.SUPERSEDES,
    "amended by": LinkKind.AMENDS,
    "clarified by": LinkKind.AMENDS,
    "extended by": LinkKind.EXTENDS,
}
_VERBS = _ACTIVE | _PASSIVE
_KEYS = {re.sub(r"\W", "", verb): verb for verb in _VERBS} | {"related": "relates to", "relatesto": "relates to"}

LIVE = frozenset({"accepted", "approved", "implemented", "done", "active", "final"})
ENDED = frozenset(
    {"superseded", "superceded", "deprecated", "rejected", "withdrawn", "obsolete", "obsoleted", "retired", "replaced"}
)
OPEN = frozenset({"proposed", "draft"})
UNACCEPTED = OPEN | {"rejected"}
_WORDS = LIVE | ENDED | OPEN

_PART = r"(?:in\s+part|partially|partly)"
_VERB = "|".join(verb.replace(" ", r"(?:\s+" + _PART + r")?\s+") for verb in sorted(_VERBS, key=len, reverse=True))
_STATEMENT = re.compile(
    rf"(?P<before>\b(?:not|never|no\s+longer)\s+|n['’]t\s+)?\b(?P<verb>(?P<part>{_PART}\s+)?(?:{_VERB}))\b"
    rf"(?P<after>\s+{_PART})?[\s:*_]*",
    re.IGNORECASE,
)
_MARKDOWN = r"\[(?P<text>[^\[\]]*)\]\((?P<target>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+[\"'][^\"'\n]*[\"'])?\)"
_WIKI = r"\[\[(?P<wiki>[^\[\]|#]+)(?:[|#][^\[\]]*)?\]\]"
_LABEL = r"(?P<label>(?:ADR|RFC|DEC|D)[-_ #]{0,2}\d{1,8}(?:-\d{1,8})?)(?![\w])"
_NUMBER = r"\#?(?P<number>\d{1,8})(?=\s*(?:\Z|[,;)&\n(]|\.(?!\d)|and\b|[-–—:]))"
_SLUG = r"(?P<slug>\d{1,8}(?:-\w+)+(?:\.md)?|[\w-]+\.md)"
_STRICT = re.compile(rf"(?:{_MARKDOWN}|{_WIKI}|{_LABEL})", re.IGNORECASE)
_ANY = re.compile(rf"(?:{_MARKDOWN}|{_WIKI}|{_LABEL}|`?{_SLUG}`?|{_NUMBER})", re.IGNORECASE)
_BETWEEN = re.compile(r"(?:\s*(?:,|;|&|\band\b|\bthe\b|\badrs?\b(?=\s+[\d#\[])|\s))*[*_]*", re.IGNORECASE)
_ALTERNATIVES = re.compile(r"\w\s*(?:\||…)\s*\w")
_WORD = re.compile(r"\W*([A-Za-z]+)(?![-\w])")
_LEADING_DATE = re.compile(r"\W*\d{4}-\d\d-\d\d\W*")
NOTHING = frozenset({"", "n/a", "na", "none", "-", "–", "—", "null", "nil", "~", "[null]", "[]", "tbd", "todo"})


@dataclass(frozen=True)
class Reference:
    """Another record as it is named: by the words of a link and its target, or by a number, label or slug."""

    text: str
    target: str | None = None


@dataclass(frozen=True)
class Statement:
    """What one record says of another: the kind of link, which of the two acts, and where it is said."""

    kind: LinkKind
    by: DeclaredBy
    other: Reference
    via: str
    line: int


@lru_cache(512)
def of_key(key: str) -> str | None:
    """The verb that a front-matter key, a label in the header or the kind of a link stands for."""
    return _KEYS.get(re.sub(r"[\W_]", "", key.lower()))


def made(verb: str, other: Reference, via: str, line: int, *, partial: bool = False) -> Statement:
    """The statement that a verb makes; one of a part masks nothing."""
    kind = _VERBS[verb]
    if partial and kind is LinkKind.SUPERSEDES:
        kind = LinkKind.AMENDS
    return Statement(kind, DeclaredBy.SUCCESSOR if verb in _ACTIVE else DeclaredBy.PREDECESSOR, other, via, line)


def statements(text: str, via: str, line: int, *, strict: bool, anchored: bool) -> Iterator[Statement]:
    """The statements in a piece of text.

    `strict` wants a link or a label such as ADR-3 after the verb, `anchored`
    the verb at the beginning: both hold where prose may say the same words.
    """
    text = unstruck(text)
    place = 0
    while found := (_STATEMENT.match if anchored and not place else _STATEMENT.search)(text, place):
        place = found.end()
        verb = " ".join(re.sub(_PART, " ", found["verb"], flags=re.IGNORECASE).lower().split())
        partial = bool(found["part"] or found["after"] or re.search(_PART, found["verb"], re.IGNORECASE))
        for other, end in references(text, place, strict=strict):
            place = end
            if not found["before"]:
                at = line + text.count("\n", 0, found.start())
                yield made(verb, other, via, at, partial=partial)


def references(text: str, place: int, *, strict: bool) -> Iterator[tuple[Reference, int]]:
    """The records named one after the other from a place on, each with where it ends."""
    pattern = _STRICT if strict else _ANY
    while True:
        between = _BETWEEN.match(text, place)
        found = pattern.match(text, between.end() if between else place)
        if not found:
            return
        place = found.end()
        named = found.groupdict()
        words = named["wiki"] or named["label"] or named.get("slug") or named.get("number")
        yield Reference(plain(named["text"] or "") if words is None else words.strip(), named["target"]), place


def status_of(text: str) -> str | None:
    """The status that a line begins with, in lower case; None where it begins with none, or offers several."""
    line = plain(unstruck(text))
    if _ALTERNATIVES.search(line) and len(set(re.findall(r"[a-z]+", line.lower())) & _WORDS) > 1:
        return None
    dated = _LEADING_DATE.match(line)
    word = _WORD.match(line, dated.end() if dated else 0)
    found = word[1].lower() if word else ""
    return found if found in _WORDS else None


def offers(text: str) -> bool:
    """Whether a value is a template's, which lists what could stand there."""
    return bool(_ALTERNATIVES.search(text)) and len(set(re.findall(r"[a-z]+", text.lower())) & _WORDS) > 1


def is_nothing(value: str) -> bool:
    """Whether a value is a placeholder for none."""
    return value.strip().strip("\"'").lower() in NOTHING
