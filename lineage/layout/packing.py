"""The parts of a diagram side by side: large ones first, small ones below each other."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

Size = tuple[float, float]

GAP = 40.0
_LEAST_WIDTH = 900.0
_RATIO = 1.5


@dataclass
class _Column:
    x: float
    width: float
    height: float


def packed(sizes: Sequence[Size]) -> tuple[list[tuple[float, float]], Size]:
    """Where the upper left corner of each box goes, all in their order, and the size of the whole.

    Boxes stand in rows; in a row they stand beside each other, and below one
    another where there is room for it.
    """
    most = _row_width(sizes)
    places: list[tuple[float, float]] = []
    columns: list[_Column] = []
    top, tall, wide = 0.0, 0.0, 0.0
    for width, height in sizes:
        below = next((column for column in columns if _fits_below(column, width, height, tall)), None)
        if below is None:
            right = columns[-1].x + columns[-1].width + GAP if columns else 0.0
            if columns and right + width > most:
                top, columns, right, tall = top + tall + GAP, [], 0.0, 0.0
            below = _Column(right, width, -GAP)
            columns.append(below)
        places.append((below.x, top + below.height + GAP))
        below.height += GAP + height
        tall, wide = max(tall, below.height), max(wide, below.x + below.width)
    return places, (wide, top + tall)


def _fits_below(column: _Column, width: float, height: float, tall: float) -> bool:
    return width <= column.width and column.height + GAP + height <= tall


def _row_width(sizes: Sequence[Size]) -> float:
    """How wide a row may be, so that the whole is a little wider than high."""
    area = sum((width + GAP) * (height + GAP) for width, height in sizes)
    widest = max((width for width, _ in sizes), default=0.0)
    return max(widest, _LEAST_WIDTH, math.sqrt(area * _RATIO))
