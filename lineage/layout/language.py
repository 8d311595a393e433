"""The visual language of every drawing: one glyph, one word and one tone for each thing.

Shape and stroke carry the meaning, colour repeats it: a drawing can be read in
print, in the dark and by somebody who tells no colours apart. Text outputs
show the glyph's character, pictures its shape.
"""

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from lineage.model import LinkKind

Point = tuple[float, float]


class Look(StrEnum):
    """What a node of a drawing is: a status, or one of the things that have none."""

    LIVE = "live"
    SUPERSEDED = "superseded"
    REVERSED = "reversed"
    RESOLVED = "resolved"
    RETRACTED = "retracted"
    DELETED = "deleted"
    CYCLIC = "cyclic"
    MARKER = "marker"
    LOG = "log"
    GHOST = "ghost"
    STUB = "stub"
    FOLD = "fold"


class Stroke(StrEnum):
    """How a line is drawn."""

    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"


@dataclass(frozen=True)
class Glyph:
    """The sign of a look.

    `character` stands for it where only text is possible, `word` names it in
    legends, `means` says what it is. The shape is made of a circle (`circle`
    is its radius, 0 for none), a closed `polygon` and open `lines`, in units of
    the glyph's radius around its centre, y downwards. `size` is that radius
    against a live head's.
    """

    character: str
    word: str
    means: str
    circle: float = 0.0
    filled: bool = False
    stroke: Stroke = Stroke.SOLID
    polygon: tuple[Point, ...] = ()
    lines: tuple[tuple[Point, ...], ...] = ()
    size: float = 1.0


@dataclass(frozen=True)
class LinkStyle:
    """How a link is drawn: `tone` is a name in `LIGHT` and `DARK`, `width` in px."""

    word: str
    tone: str
    stroke: Stroke = Stroke.SOLID
    width: float = 1.6


_CROSS = (((-0.5, -0.5), (0.5, 0.5)), ((-0.5, 0.5), (0.5, -0.5)))

GLYPHS = MappingProxyType(
    {
        Look.LIVE: Glyph("●", "live", "in effect", circle=1.0, filled=True),
        Look.SUPERSEDED: Glyph("○", "superseded", "replaced by another", circle=0.8),
        Look.REVERSED: Glyph("⊗", "reversed", "taken back by a marker", circle=0.95, lines=_CROSS),
        Look.RESOLVED: Glyph(
            "✓", "resolved", "a debt that was paid", circle=0.95, lines=(((-0.45, 0.05), (-0.1, 0.4), (0.5, -0.35)),)
        ),
        Look.RETRACTED: Glyph(
            "⊖", "retracted", "thrown out, and not replaced", circle=0.95, lines=(((-0.5, 0.0), (0.5, 0.0)),)
        ),
        Look.DELETED: Glyph(
            "✕", "deleted", "no longer there", lines=(((-0.7, -0.7), (0.7, 0.7)), ((-0.7, 0.7), (0.7, -0.7)))
        ),
        Look.CYCLIC: Glyph(
            "▲", "cyclic", "in a circle: which one holds cannot be known", filled=True,
            polygon=((0.0, -1.1), (1.05, 0.8), (-1.05, 0.8)),
        ),
        Look.MARKER: Glyph(
            "◆", "marker", "a record that only acts on another", filled=True, size=0.7,
            polygon=((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)),
        ),
        Look.LOG: Glyph("▪", "log", "a record of activity, never in effect", size=0.6,
                        polygon=((-0.7, -0.7), (0.7, -0.7), (0.7, 0.7), (-0.7, 0.7))),
        Look.GHOST: Glyph("◌", "missing", "not in the corpus", circle=1.0, stroke=Stroke.DOTTED, size=0.7),
        Look.STUB: Glyph("⊘", "elsewhere", "where a link leads that joins nothing here", size=0.65,
                         circle=1.0, lines=(((-0.6, 0.6), (0.6, -0.6)),)),
        Look.FOLD: Glyph("⋯", "folded", "several memories, drawn as one", size=0.9,
                         lines=(((-1.0, -0.5), (1.0, -0.5)), ((-1.0, 0.0), (1.0, 0.0)), ((-1.0, 0.5), (1.0, 0.5)))),
    }
)  # fmt: skip

LINKS = MappingProxyType(
    {
        LinkKind.SUPERSEDES: LinkStyle("supersedes", "line"),
        LinkKind.REVERSES: LinkStyle("reverses", "reversed"),
        LinkKind.RESOLVES: LinkStyle("resolves", "resolved"),
        LinkKind.AMENDS: LinkStyle("amends", "soft", Stroke.DOTTED, 1.3),
        LinkKind.EXTENDS: LinkStyle("extends", "soft", Stroke.DOTTED, 1.3),
        LinkKind.CONFLICTS: LinkStyle("conflicts", "cyclic", Stroke.DOTTED, 1.3),
        LinkKind.RELATES: LinkStyle("relates", "soft", Stroke.DOTTED, 1.3),
    }
)
VOID = LinkStyle("without effect", "void", Stroke.DASHED, 1.3)
CIRCLE = LinkStyle("in a circle", "cyclic", Stroke.SOLID, 2.6)

LIGHT = MappingProxyType(
    {
        "paper": "#ffffff",
        "ink": "#1b1f23",
        "soft": "#5b626a",
        "line": "#6d757d",
        "void": "#8a5a00",
        "wash": "#e6f3eb",
        "live": "#17693f",
        "superseded": "#5f676f",
        "reversed": "#7a4aa5",
        "resolved": "#1f6f78",
        "retracted": "#8a5a00",
        "deleted": "#7a8087",
        "cyclic": "#b3261e",
        "marker": "#7a4aa5",
        "log": "#7a8087",
        "ghost": "#8a5a00",
        "stub": "#8a5a00",
        "fold": "#5f676f",
    }
)
"""Colours by tone (every look is a tone) on white paper."""

DARK = MappingProxyType(
    {
        "paper": "#14171a",
        "ink": "#e4e7ea",
        "soft": "#9aa2aa",
        "line": "#8b939b",
        "void": "#efb65c",
        "wash": "#14301f",
        "live": "#6ad19c",
        "superseded": "#9aa2aa",
        "reversed": "#c3a0e6",
        "resolved": "#6cc3cd",
        "retracted": "#efb65c",
        "deleted": "#8b939b",
        "cyclic": "#ff8f87",
        "marker": "#c3a0e6",
        "log": "#8b939b",
        "ghost": "#efb65c",
        "stub": "#efb65c",
        "fold": "#9aa2aa",
    }
)
"""The same tones in the dark."""
