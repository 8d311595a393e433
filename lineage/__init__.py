"""Analyse the decision lineage of memories: what holds, what is broken, and why.

import lineage

graph = lineage.build(lineage.read("memories.jsonl"))
graph.live_heads()
lineage.report(graph).save("report.html")
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from lineage.errors import (
    ConfigError,
    InputError,
    LineageError,
    MissingExtra,
    NothingReadable,
    StrictError,
    UnknownMemory,
    UsageError,
)
from lineage.model import Declared, DeclaredBy, LinkKind, Role, Severity, Status, Void

if TYPE_CHECKING:
    from lineage.corpus.tables import Corpus
    from lineage.drawings.making import Drawing
    from lineage.face import (
        Diff,
        Graph,
        Lineage,
        Report,
        build,
        check,
        convert,
        diff,
        draw,
        losses,
        read,
        report,
        writable,
    )
    from lineage.reporting.baseline import Baseline
    from lineage.reporting.model import Finding

__version__ = "0.1.0"

__all__ = [
    "Baseline",
    "ConfigError",
    "Corpus",
    "Declared",
    "DeclaredBy",
    "Diff",
    "Drawing",
    "Finding",
    "Graph",
    "InputError",
    "Lineage",
    "LineageError",
    "LinkKind",
    "MissingExtra",
    "NothingReadable",
    "Report",
    "Role",
    "Severity",
    "Status",
    "StrictError",
    "UnknownMemory",
    "UsageError",
    "Void",
    "__version__",
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

_ELSEWHERE = {
    "Baseline": "lineage.reporting.baseline",
    "Corpus": "lineage.corpus.tables",
    "Drawing": "lineage.drawings.making",
    "Finding": "lineage.reporting.model",
    "read": "lineage.opening",
}


def __getattr__(name: str) -> Any:
    """The heavy names, imported when they are first asked for."""
    if name in __all__:
        found = getattr(import_module(_ELSEWHERE.get(name, "lineage.face")), name)
        globals()[name] = found
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
