"""A PDF page as large as the diagram, in lines and text."""

import io

from lineage.drawings._paint import figure, inches
from lineage.drawings.base import Picture
from lineage.layout.diagram import Diagram
from lineage.text import one_line

# What readers of PDF take a page to be at most.
_MOST_INCHES = 200


def draw(diagram: Diagram) -> bytes:
    """The whole file; a diagram larger than a page can be is made smaller."""
    import matplotlib

    content = io.BytesIO()
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        # As Type 3 fonts, the default, text beyond Latin could not be searched for.
        matplotlib.rcParams["pdf.fonttype"] = 42
        said = {"Title": one_line(diagram.title), "Creator": None, "Producer": None, "CreationDate": None}
        scale = min(1, _MOST_INCHES / max(inches(diagram)))
        figure(diagram, scale).savefig(content, format="pdf", metadata=said)
    return content.getvalue()


DRAWING = Picture(name="pdf", suffix=".pdf", draw=draw, about="a page to print")
