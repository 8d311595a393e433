"""What a drawing is: one module that turns a diagram into one kind of file.

A module in this package that holds a `DRAWING` is found by itself. Pictures
know the diagram and nothing else; exports get the nodes and links themselves,
whole and unfolded. Both escape every piece of memory text.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lineage.layout.diagram import Diagram

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True)
class Picture:
    """A format that shows a diagram: `draw` gives the whole file.

    `fits` tells whether the format can hold what was drawn; a diagram that
    does not fit is folded further.
    """

    name: str
    suffix: str
    draw: Callable[[Diagram], bytes]
    about: str = ""
    fits: Callable[[Diagram, bytes], bool] = lambda _diagram, _drawn: True


@dataclass(frozen=True)
class Export:
    """A format that carries nodes and links with all their columns: `write` gives the whole file.

    `format` is its name among those that memories can be converted to.
    """

    name: str
    suffix: str
    write: Callable[["nx.MultiDiGraph"], bytes]
    about: str = ""
    format: str = ""
