"""A report as its readers in Python get it."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lineage.discovery import renderer, renderers
from lineage.errors import UsageError
from lineage.face.tables import frame, html_table
from lineage.graph.core import Graph
from lineage.reporting.document import to_dict
from lineage.reporting.model import Report as ReportModel

if TYPE_CHECKING:
    import pandas as pd


class Report:
    """A report, and its ways out."""

    def __init__(self, model: ReportModel, graph: Graph) -> None:
        self.model = model
        """The plain values that every renderer shows."""
        self._graph = graph

    @property
    def findings(self) -> "pd.DataFrame":
        """One row a finding: `rule`, `name`, `severity`, `message`, `memories`, `lineage`, `locations`, `mend`."""
        names = ["rule", "name", "severity", "message", "memories", "lineage", "locations", "mend"]
        found = frame(self.model.findings, names)
        found["locations"] = found["locations"].map(lambda places: [(place.source, place.line) for place in places])
        return found

    @property
    def quality(self) -> dict[str, Any]:
        """The `quality` of the JSON report."""
        return dict(self.to_dict()["quality"])

    def to_dict(self) -> dict[str, Any]:
        """The JSON report (`lineage-report/v1`) as plain values."""
        return to_dict(self.model)

    def render(self, name: str, *, full: bool = False) -> bytes:
        """The report in one of the output formats, as a whole file; `full` pages hold every entry and diagram."""
        form = renderer(name)
        if not form.detailed:
            return form.render(self.model)
        from lineage.reporting.details import details

        return form.render(replace(self.model, details=details(self._graph, self.model, full=full)))

    def save(self, path: str | os.PathLike[str], format: str | None = None, *, full: bool = False) -> None:
        """Write the report; the format is told by the ending unless it is given."""
        target = Path(path)
        endings = {renderer.suffix: renderer.name for renderer in renderers().values()}
        name = format or endings.get(target.suffix)
        if name is None:
            raise UsageError(f"{target}: no report format ends like this; {', '.join(sorted(endings))} do")
        content = self.render(name, full=full)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)

    def __repr__(self) -> str:
        counts = self.model.summary
        total = sum(counts.findings.values())
        return f"<Report on {counts.memories:,} memories: {counts.live_heads:,} live, {total:,} findings>"

    def _repr_html_(self) -> str:
        counts = self.model.summary
        return html_table(repr(self)[1:-1], {**counts.by_status, **counts.findings})
