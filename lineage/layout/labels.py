"""What the nodes and edges of a diagram say, cut to their room."""

from collections.abc import Mapping, Sequence

from lineage.layout.diagram import FONT, SMALL_FONT
from lineage.layout.language import LINKS, Look
from lineage.model import LinkKind
from lineage.text import ems, one_line, wrapped

ROOM = 236.0
"""The most px that the text of a node may take across."""

_LONGEST_ID = 16
_KEPT = 13


def short_id(identifier: str) -> str:
    """The beginning of an id; of a URI, whose beginnings are alike, that of its last part."""
    line = one_line(identifier)
    name = (line.rstrip("/").rsplit("/", 1)[-1] or line) if "://" in line else line
    return name if len(name) <= _LONGEST_ID else f"{name[:_KEPT]}…"


def text_lines(text: str, *, small: bool) -> list[str]:
    """A text in the two lines that a memory has, or the one of a smaller node."""
    return wrapped(text, ROOM / (SMALL_FONT if small else FONT), 1 if small else 2, ems)


def caption(day: str, identifier: str) -> str:
    """The line below the text: when, and which."""
    return " · ".join(part for part in (day, short_id(identifier)) if part)


def px(line: str, size: float) -> float:
    """About how many px a line takes in a font of this size."""
    return sum(map(ems, line)) * size


def tally(counts: Mapping[Look, int]) -> str:
    """How many there are of each look, the most numerous first."""
    from lineage.layout.language import GLYPHS

    order = sorted(counts, key=lambda look: (-counts[look], list(Look).index(look)))
    return ", ".join(f"{counts[look]:,} {GLYPHS[look].word}" for look in order if counts[look])


def edge_label(kind: LinkKind, void: str | None, count: int, *, by_hand: bool = False) -> str:
    """What is said at an edge: nothing where it simply supersedes."""
    said = [] if kind is LinkKind.SUPERSEDES and not void else [LINKS[kind].word]
    if by_hand:
        said.append("by hand")
    if void:
        said = [*said, f"({void})"]
    if count > 1:
        said.append(f"×{count:,}")
    return " ".join(said)


def dates(first: str, last: str) -> str:
    """A span of days."""
    return first if first == last else " to ".join(day for day in (first, last) if day)


def joined(words: Sequence[str]) -> str:
    """Words as a list in a sentence."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
