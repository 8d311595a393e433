"""A badge for a README, as the JSON from which shields.io draws one (its endpoint badge)."""

import msgspec

from lineage.model import Severity
from lineage.renderers.base import Renderer
from lineage.reporting import digest
from lineage.reporting.model import Report

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", None: "brightgreen"}
_EMPTY = "lightgrey"


def render(report: Report) -> bytes:
    """The whole JSON file."""
    label, message = digest.badge(report)
    level = digest.worst(report)
    colour = _COLOURS[level] if level or report.summary.memories else _EMPTY
    document = {"schemaVersion": 1, "label": label, "message": message, "color": colour}
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


RENDERER = Renderer(
    name="shields",
    about="for a README: what shields.io draws a badge from (JSON)",
    suffix=".shields.json",
    render=render,
)
