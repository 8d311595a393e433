"""What a way to show a comparison is: one module that turns it into one kind of file.

A module in this package that holds a `DIFFERENCE` is found by itself. It knows
the model of a comparison and nothing else, and it escapes every piece of
memory text.
"""

from collections.abc import Callable
from dataclasses import dataclass

from lineage.reporting.diff import Diff


@dataclass(frozen=True)
class Difference:
    """One output format: `render` gives the whole file as UTF-8 bytes; `suffix` is how the names of its files end."""

    name: str
    about: str
    suffix: str
    render: Callable[[Diff], bytes]
