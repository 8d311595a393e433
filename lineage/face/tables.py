"""Small tables: entries of a report as a frame, counts as HTML."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def frame(entries: Sequence[Any], columns: list[str]) -> "pd.DataFrame":
    """One row an entry, one column an attribute of it."""
    import pandas as pd

    return pd.DataFrame([{name: getattr(entry, name) for name in columns} for entry in entries], columns=columns)


def html_table(title: str, cells: Mapping[str, int]) -> str:
    """Counts in one row below their names."""
    from html import escape

    head = "".join(f"<th>{escape(name)}</th>" for name in cells)
    body = "".join(f"<td>{count:,}</td>" for count in cells.values())
    return f"<table><caption>{escape(title)}</caption><tr>{head}</tr><tr>{body}</tr></table>"
