"""The public functions and objects, under the names that `lineage` exports.

Nothing inside the package imports from here.
"""

from lineage.face.graphs import Graph, Lineage
from lineage.face.reports import Report
from lineage.face.verbs import build, check, convert, draw, losses, report
from lineage.opening import read

__all__ = ["Graph", "Lineage", "Report", "build", "check", "convert", "draw", "losses", "read", "report"]
