"""Reports made by hand: an interesting one, an empty one, a hostile one and a large one."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from lineage.reporting.model import (
    AppliedRule,
    Cycle,
    Finding,
    Head,
    Input,
    LineageRow,
    Location,
    Orphan,
    Report,
    Summary,
)

if TYPE_CHECKING:
    import lineage

FILE = "exports/payments.jsonl"

STATUSES = ("live", "superseded", "reversed", "resolved", "retracted", "deleted", "cyclic")

NOTHING = Summary(
    memories=0,
    markers=0,
    logs=0,
    ghosts=0,
    by_status=dict.fromkeys(STATUSES, 0),
    by_kind={},
    by_format={},
    links={"supersedes": 0, "reverses": 0, "resolves": 0, "void": 0},
    lineages=0,
    standalone=0,
    longest_depth=0,
    forks=0,
    merges=0,
    live_heads=0,
    orphans=0,
    cycles=0,
    findings={"error": 0, "warning": 0, "info": 0},
)


ABOUT = """A fault that was made up for a test.

What it finds: nothing
anywhere.

Why it matters: it does not.

How to mend it: `lineage rules` knows.
"""

RULES = {
    code: AppliedRule(code, name, severity, severity, ABOUT.strip())
    for code, name, severity in (
        ("LIN101", "supersession-cycle", "error"),
        ("LIN102", "self-supersession", "error"),
        ("LIN103", "orphan", "warning"),
        ("LIN106", "competing-heads", "warning"),
        ("LIN201", "stale-live", "error"),
        ("LIN203", "time-inversion", "warning"),
        ("LIN301", "unreviewed", "info"),
        ("LIN302", "no-rationale", "info"),
        ("LIN504", "secret", "error"),
    )
}
"""What every report here looked for; nothing is ever found of the last one."""


def head(
    number: int,
    text: str | None,
    *,
    day: str | None,
    why: str | None = None,
    files: tuple[str, ...] = (),
    replaces: tuple[str, ...] = (),
    depth: int = 0,
) -> Head:
    """A live head of the payments file."""
    return Head(
        id=f"L{number}",
        text=text,
        kind="decision",
        scope="team",
        created_at=day and f"{day}T10:00:00Z",
        files=files,
        lineage=replaces[-1] if replaces else f"L{number}",
        depth=depth,
        replaces=replaces,
        source=FILE,
        line=number % 100,
        rationale=why,
    )


def finding(
    rule: str, name: str, severity: str, message: str, *memories: str, line: int | None = 1, mend: str = ""
) -> Finding:
    """A finding in the payments file, in the lineage of its first memory."""
    places = [] if line is None else [Location(FILE, line + step) for step in range(max(len(memories), 1))]
    return Finding(rule, name, severity, message, memories, memories[0] if memories else None, places, mend)


def _heads() -> list[Head]:
    return [
        head(
            412,
            "Retry card captures with an idempotency key, five times at most",
            day="2026-05-30",
            why="Two captures were charged twice during the May incident; the key makes a retry harmless.",
            files=("services/capture/retry.py", "services/capture/keys.py"),
            replaces=("L311", "L308"),
            depth=4,
        ),
        head(
            409,
            "Keep ledger amounts as integers of the smallest unit; never as floats",
            day="2026-05-21",
            why="Rounding drifted by 3 cents over 40,000 entries.",
            files=("services/ledger/amount.py",),
            replaces=("L207",),
            depth=1,
        ),
        head(
            401,
            "Run the API on plain EC2 with systemd",
            day="2026-05-18",
            files=("infra/ec2.tf", "infra/units/api.service", "infra/units/worker.service", "infra/README.md"),
            replaces=("L103",),
            depth=1,
        ),
        head(388, "Webhooks are signed with Ed25519 and rejected after five minutes", day="2026-04-02"),
        head(375, "One pull request carries one migration", day="2026-03-11", why="Two in one could not be undone."),
        head(101, "Cache session lookups in Redis", day="2026-01-15", files=("packages/api/src/cache.ts",)),
        head(88, "日本語のエラーメッセージも必ず翻訳する 🌏", day="2025-12-24"),
        head(12, None, day=None),
    ]


def _errors() -> list[Finding]:
    return [
        finding(
            "LIN101",
            "supersession-cycle",
            "error",
            "3 memories supersede each other in a circle: 'L220' -> 'L214' -> 'L231' -> 'L220'",
            "L220",
            "L214",
            "L231",
            line=20,
            mend="Remove the link from 'L231' to 'L220': 'L220' would then be live again.",
        ),
        finding(
            "LIN201",
            "stale-live",
            "error",
            "'L103' calls itself live, but 'L401' has superseded it",
            "L103",
            "L401",
            line=3,
            mend="Set `invalidated_at` of 'L103' to the time of 'L401'.",
        ),
        finding(
            "LIN201",
            "stale-live",
            "error",
            "'L207' calls itself live, but 'L409' has superseded it",
            "L207",
            "L409",
            line=7,
            mend="Set `invalidated_at` of 'L207' to the time of 'L409'.",
        ),
    ]


def _warnings() -> list[Finding]:
    return [
        finding(
            "LIN103",
            "orphan",
            "warning",
            "'L119' supersedes '7f31', which is not in the corpus",
            "L119",
            "7f31",
            line=19,
            mend="Export the whole project, or take out the link.",
        ),
        finding(
            "LIN106",
            "competing-heads",
            "warning",
            "2 live heads of one lineage compete: 'L260' and 'L261' both descend from 'L250'",
            "L260",
            "L261",
            line=60,
            mend="Decide which of 'L260' and 'L261' holds and let it supersede the other.",
        ),
        finding(
            "LIN203",
            "time-inversion",
            "warning",
            "'L119' acts on 'L120', which is 3 days younger",
            "L119",
            "L120",
            line=19,
            mend="Correct the time of either.",
        ),
    ]


def _infos() -> list[Finding]:
    return [
        finding("LIN301", "unreviewed", "info", f"'L{number}' was never reviewed", f"L{number}", line=number % 100)
        for number in (101, 375, 388, 401, 409, 412)
    ] + [
        finding("LIN302", "no-rationale", "info", f"'L{number}' gives no reason", f"L{number}", line=number % 100)
        for number in (88, 101, 388, 401)
    ]


def _summary() -> Summary:
    return Summary(
        memories=63,
        markers=2,
        logs=0,
        ghosts=1,
        by_status=dict(zip(STATUSES, (50, 7, 1, 0, 2, 0, 3), strict=True)),
        by_kind={"decision": 63},
        by_format={"robrain": 61, "mindr": 4},
        links={"supersedes": 13, "reverses": 1, "resolves": 0, "void": 2},
        lineages=55,
        standalone=44,
        longest_depth=4,
        forks=1,
        merges=1,
        live_heads=50,
        orphans=1,
        cycles=1,
        findings={"error": 3, "warning": 3, "info": 52},
    )


def interesting() -> Report:
    """A project with history: most of it holds, some of it is broken, some lists are cut."""
    return Report(
        generated_at="2026-06-01T12:00:00Z",
        as_of=None,
        title="Payments: decisions of the team",
        inputs=[
            Input(FILE, {"robrain": 61}, 48_213, 62, 1, {"blank line": 1}),
            Input("exports/legacy.sqlite", {"mindr": 4}, 20_480, 4, 0),
        ],
        summary=_summary(),
        live_heads=_heads(),
        orphans=[Orphan("L119", "7f31", "supersedes", "lifecycle.supersedes_id", FILE, 19)],
        cycles=[Cycle(["L220", "L214", "L231", "L220"], "L214", [("L231", "L220")], ["L220"])],
        lineages=[
            LineageRow("L207", 6, 4, 0, 1, ["L412"], "2025-11-02T09:00:00Z", "2026-05-30T10:00:00Z"),
            LineageRow("L250", 3, 1, 1, 0, ["L260", "L261"], "2026-01-02T09:00:00Z", "2026-02-01T10:00:00Z"),
            LineageRow("L214", 3, 2, 0, 0, [], None, None),
        ],
        findings=[*_errors(), *_warnings(), *_infos()],
        truncated={"live_heads": 42, "findings": {"LIN301": 40, "LIN302": 2}},
        version="0.1.0",
        counts={"LIN101": 1, "LIN201": 2, "LIN103": 1, "LIN106": 1, "LIN203": 1, "LIN301": 46, "LIN302": 6},
        rules=RULES,
    )


def empty() -> Report:
    """What a run over an empty export gives."""
    return Report(
        generated_at="2026-06-01T12:00:00Z",
        as_of=None,
        title="empty.jsonl",
        inputs=[Input("empty.jsonl", {}, 0, 0, 0)],
        summary=NOTHING,
        live_heads=[],
        orphans=[],
        cycles=[],
        lineages=[],
        findings=[],
        truncated={},
        version="0.1.0",
        rules=RULES,
    )


def healthy() -> Report:
    """The interesting project after everything was mended."""
    report = interesting()
    return replace(
        report,
        summary=replace(
            report.summary,
            by_status=dict(zip(STATUSES, (50, 10, 1, 0, 2, 0, 0), strict=True)),
            findings={"error": 0, "warning": 0, "info": 0},
            orphans=0,
            cycles=0,
            ghosts=0,
        ),
        orphans=[],
        cycles=[],
        findings=[],
        truncated={"live_heads": 42},
        counts={},
    )


HOSTILE_TEXTS = (
    "</title><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)> \' " ` {{7*7}} {% raw %} ${x}',
    "]]> <!-- --> <![CDATA[ x",
    "\x1b[31mred\x1b]0;title\x07\x1b[2J\x9b1m bell\x07 back\x08\x08 NUL\x00 CR\rover",
    "abc \u202egnp.exe \u2066iso\u2069 \u200fmark zero\u200bwidth tag\U000e0041",
    "👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301 日本語 ﷽ क्षि",
    "long " * 2000,
    "a" * 10_000,
    "[bold]not bold[/bold] [link=https://evil.example]x[/link] :smile:",
    "| a | b |\n|---|---|\n| `code` ``two`` | ~~~ |",
    "@everyone @octocat ping #1 GH-2 www.evil.example https://evil.example a@evil.example",
    "![x](http://evil.example/x.png) [y](javascript:alert(1)) <https://evil.example> [^1]: z [r]: http://evil.example",
    "::error::from a log",
    "fine\n::error file=a,line=1::from a log ##[error]x ##vso[task.complete]y",
    "1. item\n# heading\n---\n=====\n- [ ] task",
    "=cmd|' /C calc'!A0",
    "\ud800 stray \udfff",
    "first\u2028second\u2029third\x85fourth",
    "$`x`$ $$y$$",
    "",
    " ",
)


def hostile() -> Report:
    """Every text, id, path and key is an attack on some output."""
    summary = replace(
        NOTHING,
        memories=len(HOSTILE_TEXTS),
        by_status={**NOTHING.by_status, "live": len(HOSTILE_TEXTS)},
        by_kind=dict.fromkeys(HOSTILE_TEXTS, 1),
        by_format=dict.fromkeys(HOSTILE_TEXTS, 1),
        lineages=len(HOSTILE_TEXTS),
        live_heads=len(HOSTILE_TEXTS),
        orphans=len(HOSTILE_TEXTS),
        cycles=len(HOSTILE_TEXTS),
        findings={"error": len(HOSTILE_TEXTS), "warning": len(HOSTILE_TEXTS), "info": 0},
    )
    return Report(
        generated_at="2026-06-01T12:00:00Z",
        as_of="2026-03-01T00:00:00Z",
        title="".join(HOSTILE_TEXTS[:6]),
        inputs=[Input(text, {text: 1}, 1, 1, 0, {text: 1}) for text in HOSTILE_TEXTS],
        summary=summary,
        live_heads=[
            Head(text, text, text, text, None, [text], text, 1, [text], text, 1, text) for text in HOSTILE_TEXTS
        ],
        orphans=[Orphan(text, text, "supersedes", text, text, None) for text in HOSTILE_TEXTS],
        cycles=[Cycle([text, "b", text], text, [("b", text)], [text]) for text in HOSTILE_TEXTS],
        lineages=[LineageRow(text, 2, 1, 0, 0, [text, text], None, None) for text in HOSTILE_TEXTS],
        findings=[
            Finding(rule, "self-supersession", severity, text or "-", [text], text, [Location(text, 1)], text)
            for rule, severity in (("LIN102", "error"), ("LIN103", "warning"))
            for text in HOSTILE_TEXTS
        ],
        truncated={},
        version="0.1.0",
        counts={"LIN102": len(HOSTILE_TEXTS), "LIN103": len(HOSTILE_TEXTS)},
        rules=RULES,
    )


def large(
    entries: int, *, text: str = "Keep ledger amounts as integers of the smallest unit; never as floats"
) -> Report:
    """Every list holds this many entries, each with this text, and everything is still larger."""
    rules = [("LIN101", "error"), ("LIN103", "warning"), ("LIN301", "info")]
    heads = [
        msgspec.structs.replace(head(number, text, day="2026-05-18", why=text, files=("a/b.py",)), replaces=("x",))
        for number in range(entries)
    ]
    summary = replace(
        interesting().summary, live_heads=entries * 2, orphans=entries, cycles=entries, memories=entries * 3
    )
    return replace(
        interesting(),
        summary=summary,
        live_heads=heads,
        orphans=[
            Orphan(f"L{n}", f"x{n}", "supersedes", "lifecycle.supersedes_id", FILE, n + 1) for n in range(entries)
        ],
        cycles=[Cycle([f"a{n}", f"b{n}", f"a{n}"], f"a{n}", [(f"b{n}", f"a{n}")], [f"a{n}"]) for n in range(entries)],
        lineages=[LineageRow(f"L{n}", 2, 1, 0, 0, [f"L{n}"], None, None) for n in range(entries)],
        findings=[
            finding(rule, "a-rule", severity, text, f"L{n}", f"M{n}", line=n + 1, mend=text)
            for rule, severity in rules
            for n in range(entries)
        ],
        counts={rule: entries * 2 for rule, _ in rules},
        truncated={"live_heads": entries, "findings": {rule: entries for rule, _ in rules}},
    )


@cache
def sample() -> Report:
    """The report on the sample that ships with the project, with its details."""
    import lineage

    return detailed(lineage.build(lineage.read(Path(__file__).parents[2] / "examples"), now="2026-12-01"))


@cache
def hostile_sample() -> Report:
    """A report with details in which every text tries to be something else."""
    from tests.drawings import diagrams
    from tests.graphs import graph_of

    return detailed(graph_of(*diagrams.hostile_records(), now="2026-12-01"))


def detailed(graph: "lineage.Graph", *, full: bool = False) -> Report:
    """The report on a graph with its details."""
    import lineage
    from lineage.reporting.details import details

    model = lineage.report(graph, generated_at="2026-12-01T00:00:00Z").model
    return replace(model, details=details(graph.core, model, full=full))
