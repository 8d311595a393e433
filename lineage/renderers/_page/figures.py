"""The diagrams of lineages, and what each of their nodes says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from markupsafe import Markup

from lineage.drawings.svg import svg
from lineage.layout.diagram import Diagram, Node
from lineage.layout.labels import short_id
from lineage.layout.language import GLYPHS, LinkStyle, Look
from lineage.renderers._page.limits import Limits, clipped
from lineage.reporting.model import LineageRow, Report

_TITLE = 300
_BROAD = (310, 620, 860, 1160)


@dataclass(frozen=True)
class Figure:
    """A lineage with its diagram; `key` begins the ids within it, `row` is what the report lists of it."""

    key: str
    lineage: str
    diagram: Diagram
    drawing: Markup
    row: LineageRow | None

    @property
    def lanes(self) -> int:
        """About how many nodes stand beside each other: what decides how broad it is on the page."""
        return 1 + sum(self.diagram.width > broad for broad in _BROAD)

    @property
    def memories(self) -> Sequence[Node]:
        """The nodes that stand for one record each, there or missing."""
        return [node for node in self.diagram.nodes if node.look is not Look.FOLD]


def figures(report: Report, diagrams: Mapping[str, Diagram], limits: Limits) -> list[Figure]:
    """The first diagrams."""
    rows = {row.id: row for row in report.lineages}
    return [
        Figure(f"d{number}", lineage, diagram, _drawn(diagram, f"d{number}"), rows.get(lineage))
        for number, (lineage, diagram) in enumerate(islice(diagrams.items(), limits.figures))
    ]


def _drawn(diagram: Diagram, key: str) -> Markup:
    """The diagram as part of a page, by its key to be shown elsewhere again; long texts stand below it."""
    nodes = [replace(node, id=short_id(node.id), text=clipped(node.text or "", _TITLE)) for node in diagram.nodes]
    drawn = svg(replace(diagram, nodes=nodes), prefix=key, standalone=False)
    return Markup(drawn.replace("<svg ", f'<svg id="{key}" ', 1))  # noqa: S704 - svg() escapes every text


def legend(drawn: Sequence[Figure]) -> list[tuple[Look, str, str, str]]:
    """The looks that occur: each with its sign, its word and what it means."""
    present = {look for figure in drawn for look in figure.diagram.looks}
    return [(look, GLYPHS[look].character, GLYPHS[look].word, GLYPHS[look].means) for look in Look if look in present]


def links(drawn: Sequence[Figure]) -> list[LinkStyle]:
    """The styles of links that occur."""
    return list(dict.fromkeys(style for figure in drawn for style in figure.diagram.styles))
