"""Putting marks into matplotlib axes.

matplotlib is asked for neither mathematics nor glyphs that its fonts lack: a
dollar sign is a dollar sign, and a character without a glyph becomes �.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from lineage.layout.language import LIGHT, Point, Stroke
from lineage.text import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.font_manager import FontProperties
    from matplotlib.path import Path
    from matplotlib.patheffects import AbstractPathEffect

PANELS, LINES, SIGNS, WORDS = 1.0, 2.0, 3.0, 4.0
"""What lies above what."""

_HALO = 3.0
# Smaller letters nobody could read, and matplotlib might refuse to draw.
_LEAST_POINTS = 0.6
_DASHES = {Stroke.SOLID: "solid", Stroke.DASHED: (0, (4, 2.5)), Stroke.DOTTED: (0, (1, 1.7))}
_WIDER_FONTS = (
    "Noto Sans", "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans SC", "Noto Sans Arabic", "Noto Sans Hebrew",
    "Noto Sans Devanagari", "Noto Sans Thai", "Noto Sans Symbols", "Noto Sans Symbols 2", "Noto Emoji",
    "Droid Sans Fallback", "WenQuanYi Micro Hei", "PingFang SC", "Hiragino Sans GB", "Apple SD Gothic Neo",
    "Microsoft YaHei", "Yu Gothic", "Malgun Gothic", "Segoe UI Symbol", "Arial Unicode MS",
)  # fmt: skip


@cache
def _families() -> tuple[str, ...]:
    """The fonts there are; the first is the one that text is measured for, and comes with matplotlib."""
    from matplotlib.font_manager import fontManager

    present = set(fontManager.get_font_names())
    return ("DejaVu Sans", *(name for name in _WIDER_FONTS if name in present))


@cache
def _drawable() -> frozenset[int]:
    """The code points that one of these fonts has a glyph for."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    files = [findfont(FontProperties(family=[name])) for name in _families()]
    return frozenset(code for file in files for code in get_font(file).get_charmap())


def _font(size: float, *, bold: bool) -> "FontProperties":
    from matplotlib.font_manager import FontProperties

    return FontProperties(family=list(_families()), size=size, weight="bold" if bold else "normal")


def _shown(words: str) -> str:
    line = one_line(words)
    return line if line.isascii() else "".join(sign if ord(sign) in _drawable() else "�" for sign in line)


def breadth(words: str, size: float, *, bold: bool = False) -> float:
    """How broad words are as they are drawn, in the unit of the size."""
    from matplotlib.textpath import text_to_path

    font = _font(size, bold=bold)
    return float(text_to_path.get_text_width_height_descent(_shown(words), font, ismath=False)[0])


@dataclass(frozen=True)
class Brush:
    """Puts marks into axes, in the px of a diagram, each of which is so many points in these axes."""

    ax: "Axes"
    points: float

    def words(self, at: Point, words: str, size: float, tone: str, *, bold: bool = False, halo: bool = False) -> None:
        """Words from a point on their baseline on; a `halo` keeps the lines behind them away."""
        if size * self.points < _LEAST_POINTS:
            return
        if halo:
            from matplotlib.patheffects import Stroke as Outline

            # What has effects is drawn as an outline; the words that are to be read stay text.
            self._text(at, words, size, tone, bold, Outline(linewidth=_HALO * self.points, foreground=LIGHT["paper"]))
        self._text(at, words, size, tone, bold)

    def _text(self, at: Point, words: str, size: float, tone: str, bold: bool, *effects: "AbstractPathEffect") -> None:
        self.ax.text(
            *at,
            _shown(words),
            color=LIGHT[tone],
            zorder=WORDS,
            fontproperties=_font(size * self.points, bold=bold),
            path_effects=effects,
            parse_math=False,
            usetex=False,
        )

    def paths(
        self,
        paths: Iterable["Path"],
        order: float,
        *,
        edge: str = "none",
        fill: str = "none",
        width: float = 0.0,
        stroke: Stroke = Stroke.SOLID,
    ) -> None:
        """Paths of one kind; `edge` and `fill` are tones, or none."""
        from matplotlib.collections import PathCollection

        made = PathCollection(
            list(paths),
            edgecolors=LIGHT.get(edge, edge),
            facecolors=LIGHT.get(fill, fill),
            linewidths=width * self.points,
            linestyles=[_DASHES[stroke]],
            zorder=order,
        )
        self.ax.add_collection(made, autolim=False)
