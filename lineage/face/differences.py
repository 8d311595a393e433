"""What changed between two graphs as its readers in Python get it."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lineage.discovery import differences
from lineage.errors import UsageError
from lineage.face.tables import frame, html_table
from lineage.reporting import changelog
from lineage.reporting.diff import Diff as DiffModel
from lineage.reporting.diff import to_dict

if TYPE_CHECKING:
    import pandas as pd

_MEMORY = ["id", "before", "after", "by", "replaces", "text", "kind", "scope", "created_at", "source", "line"]
_FINDING = ["rule", "name", "severity", "message", "memories", "lineage", "mend", "fingerprint"]


class Diff:
    """What changed from one graph to another, and the ways to show it.

    Frames of memories are sorted by time, newest first, and have the columns
    `id`, `before` and `after` (statuses; None in a graph without it), `by`
    (ids of those that brought it to the status it has now), `replaces` (ids of
    those it supersedes), `text`, `kind`, `scope`, `created_at` (ISO 8601 in
    UTC), `source` and `line`. A frame ends at the limit that was asked for;
    `to_dict()["truncated"]` says what is left out.
    """

    def __init__(self, model: DiffModel) -> None:
        self.model = model
        """The plain values that every way to show it goes by."""

    @property
    def heads_gained(self) -> "pd.DataFrame":
        """The memories that are live now and were not: new ones (`before` is None), and restored ones."""
        return frame(self.model.heads_gained.entries, _MEMORY)

    @property
    def heads_lost(self) -> "pd.DataFrame":
        """The memories that were live and are no more; `after` is None for one that the new graph has no more."""
        return frame(self.model.heads_lost.entries, _MEMORY)

    @property
    def changed(self) -> "pd.DataFrame":
        """The memories of both graphs whose status is another: `id`, `before`, `after`, `by`."""
        return frame(self.model.changed.entries, ["id", "before", "after", "by"])

    @property
    def added(self) -> "pd.DataFrame":
        """The memories that only the new graph has, live or not."""
        return frame(self.model.added.entries, _MEMORY)

    @property
    def removed(self) -> "pd.DataFrame":
        """The memories that only the old graph has, live or not."""
        return frame(self.model.removed.entries, _MEMORY)

    @property
    def reworded(self) -> "pd.DataFrame":
        """The memories whose text is another: `id`, `before` and `after` (texts), `status`, `source`, `line`."""
        return frame(self.model.reworded.entries, ["id", "before", "after", "status", "source", "line"])

    @property
    def findings_new(self) -> "pd.DataFrame":
        """The findings that only the new graph has, matched by fingerprint.

        Columns `rule`, `name`, `severity`, `message`, `memories` (ids, the
        acting one first), `lineage`, `mend`, `fingerprint`.
        """
        return frame(self.model.findings_new.entries, _FINDING)

    @property
    def findings_fixed(self) -> "pd.DataFrame":
        """The findings that only the old graph has; the columns of `findings_new`."""
        return frame(self.model.findings_fixed.entries, _FINDING)

    def to_dict(self) -> dict[str, Any]:
        """The JSON of it (`lineage-diff/v1`) as plain values."""
        return to_dict(self.model)

    def render(self, name: str) -> bytes:
        """What changed as a whole file: text, json, markdown or html; UsageError for another name."""
        if name not in differences():
            raise UsageError(f"unknown format of a comparison {name!r}: {', '.join(differences())}")
        return differences()[name].render(self.model)

    def save(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Write it; the format is told by the ending unless it is given."""
        target = Path(path)
        endings = {one.suffix: name for name, one in differences().items()}
        name = format or endings.get(target.suffix)
        if name is None:
            raise UsageError(f"{target}: no comparison's format ends like this; {', '.join(sorted(endings))} do")
        content = self.render(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)

    def __repr__(self) -> str:
        return f"<Diff: {changelog.verdict(self.model)}>"

    def _repr_html_(self) -> str:
        counts = {name.replace("_", " "): listed.total for name, listed in self.model.lists.items()}
        return html_table(repr(self)[1:-1], counts)
