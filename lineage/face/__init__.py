"""The public functions and objects, under the names that `lineage` exports.

Nothing inside the package imports from here.
"""

from lineage.face.converting import convert, losses, writable
from lineage.face.differences import Diff
from lineage.face.graphs import Graph, Lineage
from lineage.face.reports import Report
from lineage.face.verbs import build, check, diff, draw, report
from lineage.opening import read

__all__ = [
    "Diff",
    "Graph",
    "Lineage",
    "Report",
    "build",
    "check",
    "convert",
    "diff",
    "draw",
    "losses",
    "read",
    "report",
    "writable",
]
