"""The report as JSON, schema `lineage-report/v1`."""

from lineage.renderers.base import Renderer
from lineage.reporting.document import to_bytes, to_dict
from lineage.reporting.model import Report


def render(report: Report) -> bytes:
    """The whole JSON file: a key a line, and an entry a line in the lists, so that it greps and diffs well."""
    return to_bytes(to_dict(report))


RENDERER = Renderer(
    name="json",
    about="everything, for programs (schema lineage-report/v1)",
    suffix=".json",
    render=render,
)
