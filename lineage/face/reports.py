"""A report as its readers in Python get it."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lineage.discovery import format_of, renderer, renderers
from lineage.errors import UsageError
from lineage.face.tables import frame, html_table
from lineage.graph.core import Graph
from lineage.reporting.baseline import Baseline
from lineage.reporting.document import to_dict
from lineage.reporting.model import Report as ReportModel

if TYPE_CHECKING:
    import pandas as pd


class Report:
    """A report, and its ways out; without the graph it was made of, pages show its lists alone."""

    def __init__(self, model: ReportModel, graph: Graph | None = None) -> None:
        self.model = model
        """The plain values that every renderer shows."""
        self._graph = graph

    @property
    def findings(self) -> "pd.DataFrame":
        """One row a finding, in order of severity, rule and id.

        Columns `rule`, `name`, `severity`, `message`, `memories` (ids, the
        acting one first), `lineage`, `locations` (pairs of source and line),
        `mend` and `fingerprint` (16 hex digits by which it is known from run to
        run: lines and paths are not part of it).
        """
        names = ["rule", "name", "severity", "message", "memories", "lineage", "locations", "mend", "fingerprint"]
        found = frame(self.model.findings, names)
        found["locations"] = found["locations"].map(lambda places: [(place.source, place.line) for place in places])
        return found

    @property
    def baseline(self) -> Baseline | None:
        """All that was found, to be known the next time; None for a report that was made without a baseline."""
        return Baseline(self.model.compared.found) if self.model.compared else None

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
        return form.render(self._detailed(full=full) if form.detailed else self.model)

    def _detailed(self, *, full: bool) -> ReportModel:
        """The model with its details, worked out when a page first asks for them."""
        held = self.model.details
        if self._graph is not None and (held is None or held.full != full):
            from lineage.reporting.details import details

            self.model = replace(self.model, details=details(self._graph, self.model, full=full))
        return self.model

    def save(self, path: str | os.PathLike[str], format: str | None = None, *, full: bool = False) -> None:
        """Write the report; the format is told by the ending unless it is given."""
        target = Path(path)
        name = format or format_of(target.name)
        if name is None:
            endings = sorted(one.suffix for one in renderers().values() if one.suffix)
            raise UsageError(f"{target}: no report format ends like this; {', '.join(endings)} do")
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
