"""A PNG image, two dots to the px; a large diagram is made smaller until an image can hold it."""

import io
from math import sqrt

from lineage.drawings._paint import figure, inches
from lineage.drawings.base import Picture
from lineage.layout.diagram import Diagram

_DPI = 192
_MOST_DOTS = 60_000_000
_MOST_A_SIDE = 65_000


def draw(diagram: Diagram) -> bytes:
    """The whole file."""
    import matplotlib

    content = io.BytesIO()
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        width, height = (side * _DPI for side in inches(diagram))
        made = figure(diagram, min(1, _MOST_A_SIDE / max(width, height), sqrt(_MOST_DOTS / (width * height))))
        made.savefig(content, format="png", dpi=_DPI, metadata={"Software": None})
    return content.getvalue()


DRAWING = Picture(name="png", suffix=".png", draw=draw, about="an image")
