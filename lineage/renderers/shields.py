"""A badge for a README, as the JSON from which shields.io draws one (its endpoint badge)."""

import msgspec

from lineage.renderers.base import Renderer
from lineage.reporting import digest
from lineage.reporting.model import Report

_COLOURS = {"error": "red", "warning": "yellow", "fine": "brightgreen", "empty": "lightgrey"}


def render(report: Report) -> bytes:
    """The whole JSON file."""
    badge = digest.badge(report)
    document = {
        "schemaVersion": 1,
        "label": badge.label,
        "message": badge.message,
        "color": _COLOURS[badge.mood],
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


RENDERER = Renderer(
    name="shields",
    about="for a README: what shields.io draws a badge from (JSON)",
    suffix=".shields.json",
    render=render,
)
