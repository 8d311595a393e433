"""What a renderer is: one module that turns a report into one kind of file.

A module in this package that holds a `RENDERER` is found by itself. It knows
the report model and nothing else, and it escapes every piece of memory text.
"""

from collections.abc import Callable
from dataclasses import dataclass

from lineage.reporting.model import Report


@dataclass(frozen=True)
class Renderer:
    """One output format: `render` gives the whole file as UTF-8 bytes.

    `suffix` is how the names of its files end; empty for what is written to a
    log alone. A `detailed` one gets a report with its details.
    """

    name: str
    about: str
    suffix: str
    render: Callable[[Report], bytes]
    detailed: bool = False
