"""Diagrams with one of everything, long ones, and hostile ones."""

from collections.abc import Callable
from functools import cache

from lineage.layout.diagram import Diagram
from tests.graphs import graph_of, memory
from tests.records import Record, mindr, resolution, reversal

HOSTILE = [
    "\"quoted\" 'twice' `thrice` \\ back",
    "[brackets] {braces} (parens) <angles> | pipes",
    "--> -.-> ==> <!-- --> ]]> %% ; # end subgraph",
    "</svg><script>window.hit = 1; alert(1)</script><img src=x onerror=alert(1)>",
    "</title></style></text><style>*{display:none}</style>",
    "first line\nsecond line\r\nthird\tline\u2028fourth",
    "right \u202eto left\u202c, zero\u200bwidth, bell \x07, nul \x00, escape \x1b[31mred",
    "emoji 👩‍👩‍👧‍👦 😀, 日本語の決定, עברית, العربية, n\u0303",
    "&lt;b&gt; &amp; &#60; $x^2$ \\N \\G \\l ${env} {{jinja}} {% raw %}",
    '=HYPERLINK("http://example.org") @mention #12 ::error::',
    "W" * 10_000,
    "word " * 2_000,
]


def chain(size: int) -> Diagram:
    """Memories that replace each other, the newest first."""
    records = [memory(f"m{n:04d}", [f"m{n - 1:04d}"] if n else (), at=1 + n % 28) for n in range(size)]
    return graph_of(*records).diagram(max_nodes=0)


def _link(kind: str, target: str, **more: str) -> Record:
    return {"kind": kind, "target": target, **more}


@cache
def everything() -> Diagram:
    """Every look, every kind of link, every way to have no effect, a loop and a fold."""
    run = [memory(f"run{n}", [f"run{n - 1}"] if n else (), at=1 + n) for n in range(6)]
    records: list[Record] = [
        *run,
        memory("fork a", ["root"], at=3),
        memory("fork b", ["root"], at=4),
        memory("root", ["gone"], at=2),
        memory("ring 1", ["ring 2"]),
        memory("ring 2", ["ring 1"]),
        memory("self", ["self"]),
        memory("mine", ["theirs"], at=2, boundary="one"),
        memory("theirs", boundary="two"),
        memory("deleted", ["kept"], at=2, deleted_at="2026-02-01T00:00:00Z"),
        memory("kept"),
        memory("retracted", ["kept too"], at=2, declared="ended"),
        memory("kept too"),
        memory("proposed", at=3, links=[_link("supersedes", "old", void="unaccepted-source")]),
        memory("old"),
        memory("log", role="log", links=[_link("relates", "old")]),
        memory("unclear", at=2, links=[_link("supersedes", "01234567", void="ambiguous")]),
        *(memory(f"{kind} it", at=2, links=[_link(kind, "old")]) for kind in ("amends", "extends", "conflicts")),
        mindr("decision"),
        reversal("back", "decision"),
        mindr("debt", type="debt"),
        resolution("paid", "debt"),
        mindr("fact", type="note"),
        reversal("wrong", "fact"),
    ]
    graph = graph_of(*records)
    # A little less than there is: the run is folded, and nothing else.
    return graph.diagram(max_nodes=len(graph.diagram(max_nodes=0).nodes) - 3)


@cache
def hostile() -> Diagram:
    """Texts and ids that try to be something else, in a chain and as markers."""
    records = [
        memory(f"{n} at://did:plc:x/y {text[:300]}", [], of="mindr", text=text, kind=text[:40])
        for n, text in enumerate(HOSTILE)
    ]
    for newer, older in zip(records[1:], records, strict=False):
        newer["links"] = [_link("supersedes", older["id"]), _link("relates", f"missing {older['text'][:80]}")]
    return graph_of(*records).diagram(max_nodes=0)


def nothing() -> Diagram:
    """What meets no selection."""
    return graph_of(memory("a")).diagram(cycles=True)


ALL: list[Callable[[], Diagram]] = [everything, hostile, nothing, lambda: chain(12)]
