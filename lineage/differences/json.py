"""What changed as JSON, schema `lineage-diff/v1`."""

from lineage.differences.base import Difference
from lineage.reporting.diff import Diff, to_dict
from lineage.reporting.document import to_bytes


def render(diff: Diff) -> bytes:
    """The whole JSON file: a key a line, and an entry a line in the lists, so that it greps and diffs well."""
    return to_bytes(to_dict(diff))


DIFFERENCE = Difference(
    name="json",
    about="everything, for programs (schema lineage-diff/v1)",
    suffix=".json",
    render=render,
)
