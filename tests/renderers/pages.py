"""Reports with the details that a page shows, made by hand like the reports themselves."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lineage.analyses.activity import Activity
from lineage.analyses.lifespans import Survival
from lineage.analyses.places import Place, Places
from lineage.layout.diagram import Diagram, Edge, Node
from lineage.layout.labels import caption, text_lines
from lineage.layout.language import Look
from lineage.model import LinkKind
from lineage.reporting.details import HEADS
from lineage.reporting.model import Details, Head, HeadDetails, Report

from . import reports

_WEEKS = [0, 3, 1, 4, 1, 5, 9, 2]
NO_ACTIVITY = Activity("week", np.zeros(0, "datetime64[D]"), *[np.zeros(0, np.int64)] * 4, outside=0)
NO_SURVIVAL = Survival(np.zeros(1), np.ones(1), np.zeros(1, np.int64), ended=0, lasting=0, longest=0.0, median=None)


def chain(*told: tuple[str, str | None], folded: int = 0, width: float = 290.0) -> Diagram:
    """A chain of memories (id, text), the newest and live one at the top; a fold of some more at its end."""
    nodes = [
        Node(
            key=f"n{number}",
            id=name,
            look=Look.SUPERSEDED if number else Look.LIVE,
            kind="decision",
            text=text,
            day="2026-05-01",
            lines=text_lines(text or name, small=False),
            caption=caption("2026-05-01", name),
            x=15.0,
            y=20.0 + 70 * number,
            label=(30.0, 12.0 + 70 * number),
        )
        for number, (name, text) in enumerate(told)
    ]
    if folded:
        at = len(nodes)
        words = f"{folded} superseded"
        place = {"x": 15.0, "y": 20.0 + 70 * at, "label": (30.0, 12.0 + 70 * at)}
        nodes.append(Node(f"n{at}", "", Look.FOLD, None, words, "", [words], "2025", count=folded, **place))
    edges = [
        Edge(number, number + 1, LinkKind.SUPERSEDES, points=[(15.0, 20.0 + 70 * number), (15.0, 90.0 + 70 * number)])
        for number in range(len(nodes) - 1)
    ]
    return Diagram(f"Lineage {told[-1][0]}", f"{len(nodes)} nodes.", width, 70.0 * len(nodes) + 10, nodes, edges)


def _about(head: Head) -> HeadDetails:
    return HeadDetails(
        format="robrain",
        module="capture" if head.files else None,
        rejected=[("Retry until it works", "it charged twice"), ("No retries", None)] if head.rationale else [],
        tags=[("area", "payments"), ("urgent", None)],
        provenance={"session": f"s-{head.id}", "turn": "4", "excerpt": "let us do that"},
        signals={"relevance": "0.86", "injected": "27", "used": "25"},
    )


def _hostile(head: Head) -> HeadDetails:
    text = head.text or ""
    return HeadDetails(text, text, [(text, text)], [(text, text)], {"session": text}, {"relevance": text})


def detailed(report: Report, *, full: bool = False) -> Report:
    """The report as a page gets it: its first heads in detail, two lineages drawn, eight weeks of activity."""
    heads: Sequence[Head] = report.live_heads if full else report.live_heads[:HEADS]
    named = {name: f"What {name} says" for finding in report.findings for name in finding.memories}
    details = Details(
        heads={head.id: _about(head) for head in heads},
        diagrams={
            "L207": chain(("L412", "Retry card captures"), ("L311", "Retry at once"), ("L207", None), folded=3),
            "L250": chain(("L260", "Cents"), ("L250", "Floats"), width=1_300.0),
        },
        said=named,
        activity=weeks(),
        survival=lasted(),
        places=Places(
            files=[Place("services/ledger/amount.py", 9, 5, 3), Place("infra/ec2.tf", 2, 2, 0)],
            modules=[Place("capture", 4, 1, 3)],
            looked_at=40,
            memories=63,
        ),
        now=0,
        full=full,
    )
    return replace(report, details=details)


def weeks() -> Activity:
    """Eight weeks of spring."""
    starts = np.datetime64("2026-04-06") + 7 * np.arange(len(_WEEKS))
    made = np.array(_WEEKS)
    return Activity("week", starts, made, made // 2, made // 4, np.cumsum(made - made // 2), outside=2)


def lasted() -> Survival:
    """Five ended within a month, twenty have not."""
    days = np.array([0.0, 1.5, 4.0, 9.0, 16.0, 30.0])
    followed = np.array([25, 25, 24, 20, 15, 12])
    return Survival(days, np.cumprod(1 - np.array([0, 1, 1, 1, 1, 1]) / followed), followed, 5, 20, 60.0, None)


def interesting() -> Report:
    """The project with history."""
    return detailed(reports.interesting())


def healthy() -> Report:
    """The same after everything was mended."""
    return detailed(reports.healthy())


def empty() -> Report:
    """The run over an empty export: no time, no place, nothing to draw."""
    details = Details({}, {}, {}, NO_ACTIVITY, NO_SURVIVAL, Places([], [], 0, 0), now=0, full=False)
    return replace(reports.empty(), details=details)


def hostile(*, full: bool = False) -> Report:
    """Every text, id, path and key is an attack, those of the details too."""
    report = reports.hostile()
    texts = reports.HOSTILE_TEXTS
    places = [Place(text, 3, 1, 1) for text in texts]
    details = Details(
        heads={head.id: _hostile(head) for head in report.live_heads},
        diagrams={text: chain((text, text), (f"older {text}", text)) for text in texts},
        said=dict(zip(texts, texts, strict=True)),
        activity=weeks(),
        survival=lasted(),
        places=Places(places, places, 1, 1),
        now=0,
        full=full,
    )
    return replace(report, details=details)


def large(entries: int, *, text: str = "Keep ledger amounts as integers", full: bool = False) -> Report:
    """Every list is this long, each entry with this text."""
    return detailed(reports.large(entries, text=text), full=full)
