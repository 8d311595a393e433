"""JUnit XML as a CI reads it, and attacks on the XML."""

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

import lineage
from lineage.discovery import rules
from lineage.renderers.junit import RENDERER
from lineage.reporting.model import Report
from tests.cli.conftest import Run
from tests.graphs import graph_of
from tests.records import chain, robrain, write_jsonl

from . import reports

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def suite_of(rendered: bytes) -> Element:
    """The one suite, whose numbers are those of its cases."""
    top = ElementTree.fromstring(rendered)
    (suite,) = top
    cases = suite.findall("testcase")
    for element in (top, suite):
        assert int(element.attrib["tests"]) == len(cases)
        assert int(element.attrib["failures"]) == len(suite.findall("testcase/failure"))
        assert element.attrib["errors"] == element.attrib["skipped"] == "0"
    assert len({case.attrib["name"] for case in cases}) == len(cases)
    return suite


def cases(rendered: bytes) -> dict[str, Element]:
    return {case.attrib["name"]: case for case in suite_of(rendered).findall("testcase")}


def inside(case: Element) -> list[str]:
    return [child.tag for child in case]


@pytest.mark.parametrize("make", [reports.interesting, reports.empty, reports.healthy, reports.hostile])
def test_every_report_is_well_formed(make: Callable[[], Report]) -> None:
    rendered = RENDERER.render(make())
    assert list(cases(rendered)) == [f"{rule.code} {rule.name}" for rule in reports.RULES.values()]
    assert not NOT_XML.search(rendered.decode())


def test_errors_and_warnings_fail_and_notes_do_not() -> None:
    found = cases(RENDERER.render(reports.interesting()))
    assert inside(found["LIN201 stale-live"]) == inside(found["LIN103 orphan"]) == ["failure"]
    assert inside(found["LIN301 unreviewed"]) == ["system-out"]
    assert inside(found["LIN504 secret"]) == []
    failure = found["LIN201 stale-live"][0]
    assert failure.attrib == {"type": "error", "message": "2 errors: A fault that was made up for a test."}
    assert (failure.text or "").splitlines() == [
        "exports/payments.jsonl:3: 'L103' calls itself live, but 'L401' has superseded it",
        "    mend: Set `invalidated_at` of 'L103' to the time of 'L401'.",
        "exports/payments.jsonl:7: 'L207' calls itself live, but 'L409' has superseded it",
        "    mend: Set `invalidated_at` of 'L207' to the time of 'L409'.",
    ]


def test_what_the_limit_cut_is_counted() -> None:
    text = cases(RENDERER.render(reports.interesting()))["LIN301 unreviewed"][0].text or ""
    assert text.endswith("… 40 more findings of LIN301 not listed (--limit)")


def test_every_rule_that_was_looked_for_has_a_case(run: Run, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "memories.jsonl", chain("a", "b"))
    found = cases(run("check", "-f", "junit", "--ignore", "LIN3", path).stdout_bytes)
    assert list(found) == [f"{rule.code} {rule.name}" for rule in rules().values() if rule.code[:4] != "LIN3"]
    assert not any(inside(case) for case in found.values())
    only = cases(run("check", "-f", "junit", "--select", "LIN103", path).stdout_bytes)
    assert list(only) == ["LIN103 orphan"]


def test_a_severity_that_was_set_decides(run: Run, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "memories.jsonl", [robrain("a", "gone", reviewed_at=None)])
    (tmp_path / "lineage.toml").write_text('severity = {LIN103 = "info", LIN301 = "error", LIN302 = "off"}')
    found = cases(run("check", "-f", "junit", path).stdout_bytes)
    assert inside(found["LIN103 orphan"]) == ["system-out"]
    assert inside(found["LIN301 unreviewed"]) == ["failure"]
    assert "LIN302 no-rationale" not in found


def test_the_report_command_writes_a_file(run: Run, tmp_path: Path) -> None:
    run("report", "-f", "junit", write_jsonl(tmp_path / "memories.jsonl", [robrain("a", "a")]))
    assert inside(cases((tmp_path / "reports/memories.xml").read_bytes())["LIN102 self-supersession"]) == ["failure"]


def test_nothing_in_a_text_is_markup() -> None:
    suite = suite_of(RENDERER.render(reports.hostile()))
    assert {element.tag for element in suite.iter()} == {
        "testsuite", "properties", "property", "testcase", "failure"
    }  # fmt: skip
    text = "".join(suite.itertext())
    assert "</title><script>alert(1)</script>" in text
    assert "\\u{1b}[31mred" in text
    assert "\\u{d800} stray" in text
    assert not re.search(r"^(::|##)", text, re.MULTILINE)


def test_one_finding_takes_no_more_lines_than_it_has() -> None:
    failure = cases(RENDERER.render(reports.hostile()))["LIN103 orphan"][0]
    wanted = sum(1 + bool(text) for text in reports.HOSTILE_TEXTS)
    assert len((failure.text or "").split("\n")) == wanted


def test_two_runs_are_equal_but_for_the_time() -> None:
    records = [robrain("b", "gone"), robrain("a", "a")]
    first, second = (
        lineage.report(graph_of(*records), generated_at="2026-01-01T00:00:00Z").render("junit") for _ in range(2)
    )
    assert first == second
    assert suite_of(first).attrib["timestamp"] == "2026-01-01T00:00:00"
