"""What people see in the terminal."""

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from lineage.renderers.terminal import findings, summary
from lineage.reporting.model import Finding, Input, Location, Report
from lineage.text import cells

from . import reports

ALL = [reports.interesting, reports.empty, reports.healthy, reports.hostile]
FILES = ["reports/payments.html"]
SUMMARY = """\
✗ 50 of 63 decisions hold; 3 errors need a hand
  2 inputs · robrain 61 · mindr 4 · 1 record unreadable

What holds
  50 live      44 standalone, 6 heading a longer lineage
  13 not live  3 cyclic, 7 superseded, 1 reversed, 2 retracted
    2026-05-30  Retry card captures with an idempotency key, five times…    L412
    2026-05-21  Keep ledger amounts as integers of the smallest unit;…      L409
    2026-05-18  Run the API on plain EC2 with systemd                       L401

What is broken
  ✗  1 error     LIN101 supersession-cycle  exports/payments.jsonl:20
  ✗  2 errors    LIN201 stale-live          exports/payments.jsonl:3
  ▲  1 warning   LIN103 orphan              exports/payments.jsonl:19
  ▲  1 warning   LIN106 competing-heads     exports/payments.jsonl:60
  ▲  1 warning   LIN203 time-inversion      exports/payments.jsonl:19
  · 52 notes     LIN301 46, LIN302 6

What to do next
  │ LIN101: Remove the link from 'L231' to 'L220': 'L220' would then be live
  │ again.
    $ lineage trace L220 exports/payments.jsonl exports/legacy.sqlite
    $ lineage rules LIN101
  Report: reports/payments.html"""


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_the_summary_is_one_screen() -> None:
    assert summary(reports.interesting(), report_files=FILES, width=80, colour=False) == SUMMARY


@pytest.mark.parametrize("make", ALL)
def test_colour_adds_nothing_but_colour(make: Callable[[], Report]) -> None:
    report = make()
    coloured = summary(report, report_files=FILES, width=80, colour=True)
    assert "\x1b[" in coloured
    assert plain(coloured) == summary(report, report_files=FILES, width=80, colour=False)
    coloured = findings(report, width=80, colour=True)
    assert plain(coloured) == findings(report, width=80, colour=False)


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("make", ALL)
def test_the_summary_keeps_to_its_width(make: Callable[[], Report], width: int) -> None:
    lines = summary(make(), report_files=FILES, width=width, colour=False).split("\n")
    assert len(lines) <= 40
    for line in lines[1:]:
        assert cells(line) <= width or line.lstrip().startswith(("$ ", "→ ", "Report: ")), line


def test_many_rules_still_fit() -> None:
    report = reports.interesting()
    many = [
        msgspec.structs.replace(report.findings[0], rule=f"LIN{number}", locations=[Location("a/" * 60, 1)])
        for number in range(100, 150)
    ]
    shown = summary(replace(report, findings=many, counts={}), report_files=FILES * 3, width=80, colour=False)
    assert len(shown.split("\n")) <= 40
    assert "and 42 findings of 42 more rules" in shown


@pytest.mark.parametrize("colour", [False, True])
def test_hostile_text_stays_text(colour: bool) -> None:
    report = reports.hostile()
    shown = summary(report, report_files=["::error::x"], width=80, colour=colour)
    shown += "\n" + findings(report, width=80, colour=colour)
    assert not set(map(chr, [*range(9), *range(11, 32), *range(127, 160), 0x202E, 0x200B])) & set(plain(shown))
    assert "[bold]not bold[/bold] [link=https://evil.example]x[/link] :smile:" in shown
    for line in plain(shown).split("\n"):
        assert not line.lstrip().startswith("::")
        assert not re.search(r"##\w*\[", line)


def test_findings_are_a_line_each() -> None:
    report = reports.interesting()
    lines = findings(report, width=80, colour=False).split("\n")
    first = report.findings[0]
    assert lines[0] == f"exports/payments.jsonl:20: error LIN101 supersession-cycle: {first.message}"
    assert lines[1] == f"    mend: {first.mend}"
    assert "… 40 more findings of LIN301 not listed (--limit)" in lines
    assert lines[-2:] == ["", "✗ 3 errors, 3 warnings, 52 notes in 63 decisions"]


def test_no_findings_are_said_so() -> None:
    assert findings(reports.healthy(), width=80, colour=False) == "✓ No findings in 63 decisions"
    assert "Nothing is broken" in summary(reports.healthy(), report_files=FILES, width=80, colour=False)


@pytest.mark.parametrize(
    ("identity", "shown"),
    [
        ("twelve-chars", "twelve-chars"),
        ("273545ca-9f1c-57d4-91c0-8c569f6667c4", "273545ca…"),
        ("at://did:plc:aaaa/dev.example.record/3mgagy7szcx27", "…gagy7szcx27"),
        ("日本語の識別子です", "日本語の…"),
    ],
)
def test_an_id_is_shortened_to_what_tells_it_apart(identity: str, shown: str) -> None:
    report = replace(
        reports.interesting(), live_heads=[msgspec.structs.replace(reports.interesting().live_heads[0], id=identity)]
    )
    line = next(
        line for line in summary(report, report_files=[], width=80, colour=False).split("\n") if "05-30" in line
    )
    assert line.endswith(f" {shown}")
    assert cells(line) == 80


def with_finding(identity: str, *paths: str) -> Report:
    found = Finding("LIN102", "self-supersession", "error", "m", [identity], identity, [], "")
    inputs = [Input(path, {}, 0, 1, 0) for path in paths]
    return replace(reports.interesting(), findings=[found], inputs=inputs)


@pytest.mark.parametrize(
    ("identity", "paths", "command"),
    [
        ("a", ["m.jsonl"], "$ lineage trace a m.jsonl"),
        ("$(rm -rf ~)", ["my file.jsonl"], "$ lineage trace '$(rm -rf ~)' 'my file.jsonl'"),
        ("it's", ["m"], """$ lineage trace 'it'"'"'s' m"""),
        ("-v", ["m"], "$ lineage trace -- -v m"),
        ("at://did:plc:a/b/c", ["m"], "$ lineage trace at://did:plc:a/b/c m"),
        ("a\x1b", ["m"], None),
        ("a\nb", ["m"], None),
        ("a" * 10_000, ["m"], None),
        ("a", ["-"], None),
        ("a", ["d/1", "d/2", "d/3", "d/e/4"], "$ lineage trace a d"),
        ("a", ["1", "2", "3", "4"], None),
    ],
)
def test_commands_can_be_pasted(identity: str, paths: list[str], command: str | None) -> None:
    shown = summary(with_finding(identity, *paths), report_files=[], width=80, colour=False)
    traces = [line.strip() for line in shown.split("\n") if "lineage trace" in line]
    assert traces == ([command] if command else [])
    assert "$ lineage rules LIN102" in shown


def test_a_command_speaks_of_the_same_instant() -> None:
    report = replace(with_finding("a", "m"), as_of="2026-03-01T00:00:00Z")
    shown = summary(report, report_files=[], width=80, colour=False)
    assert shown.startswith("✗ 50 of 63 decisions held on 2026-03-01; 3 errors need a hand")
    assert "$ lineage trace --as-of 2026-03-01T00:00:00Z a m" in shown


@pytest.mark.parametrize(
    ("memories", "live", "found", "said"),
    [
        (1, 1, {}, "The one decision holds; nothing needs mending"),
        (5, 5, {"info": 9}, "All 5 decisions hold; nothing needs mending"),
        (5, 1, {"warning": 1}, "1 of 5 decisions holds; 1 warning is worth a look"),
        (5, 0, {"error": 1, "warning": 2}, "None of 5 decisions holds; 1 error needs a hand"),
        (1200, 1100, {"warning": 2}, "1,100 of 1,200 decisions hold; 2 warnings are worth a look"),
    ],
)
def test_the_verdict_is_a_sentence(memories: int, live: int, found: dict[str, int], said: str) -> None:
    report = reports.interesting()
    counts = replace(report.summary, memories=memories, live_heads=live, standalone=live, findings=found)
    shown = summary(replace(report, summary=counts), report_files=[], width=80, colour=False)
    assert shown.split("\n")[0][2:] == said


def test_rendering_imports_nothing_heavy() -> None:
    program = """
import sys
import lineage
before = set(sys.modules)
from lineage.renderers import json, markdown, terminal
from tests.renderers import reports
report = reports.interesting()
for module in (json, markdown):
    module.RENDERER.render(report)
terminal.summary(report, report_files=[], width=80, colour=True)
heavy = {"pandas", "matplotlib", "networkx", "scipy"}
first = (heavy | {"pyarrow", "numpy"}) & (set(sys.modules) - before)
from lineage.renderers import html
from tests.renderers import pages
html.RENDERER.render(pages.interesting())
sys.exit(", ".join(sorted(first | heavy & (set(sys.modules) - before))) or 0)
"""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
