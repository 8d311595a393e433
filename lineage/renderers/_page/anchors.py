"""Addresses within the page, and sentences whose ids lead there."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote

from lineage.analyses.naming import quoted
from lineage.renderers._page.limits import clipped

# What encodeURIComponent leaves as it is: so the script finds the address of an id that somebody typed.
_SAFE = "!'()*"
_LONGEST = 200
_QUOTED = re.compile("'[^']{1,60}'")


def fragment(kind: str, name: str) -> str:
    """The address of a memory or lineage: `memory=` and its id, or a hash of one that is too long for addresses."""
    try:
        told = quote(name, safe=_SAFE)
    except UnicodeEncodeError:
        told = ""
    if not told or len(told) > _LONGEST:
        told = "~" + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{kind}={told}"


class Piece(NamedTuple):
    """A part of a sentence: words, or where `id` is set, an id that the page shows its own way."""

    words: str
    id: str | None = None


def pieces(sentence: str, ids: Sequence[str], limit: int) -> list[Piece]:
    """A sentence, cut to its room, in which these ids stand apart."""
    return list(_pieces(clipped(sentence, limit), {quoted(name): name for name in ids}))


def _pieces(sentence: str, names: dict[str, str]) -> Iterator[Piece]:
    told = at = 0
    while found := _QUOTED.search(sentence, at):
        name = names.get(found[0])
        if name is None:
            # An apostrophe, or another quotation: the next may begin where this one seems to end.
            at = found.end() - 1
            continue
        yield Piece(sentence[told : found.start()])
        yield Piece("", name)
        told = at = found.end()
    yield Piece(sentence[told:])
