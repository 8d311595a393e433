"""Badges: what they say, how they look, and that nothing in a memory shows on them."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

import lineage
from lineage.reporting.model import Report
from tests.cli.conftest import Run
from tests.graphs import graph_of
from tests.records import chain, robrain, write_jsonl

from . import reports

SVG = "{http://www.w3.org/2000/svg}"
COLOURS = {"#cb2431": "red", "#9a6700": "yellow", "#2c7a2c": "brightgreen", "#6a737d": "lightgrey"}
"""What the two badges use for the same."""


def rendered(report: Report, name: str) -> bytes:
    return lineage.Report(report).render(name)


def counting(memories: int, live: int, findings: Mapping[str, int], kind: str = "decision") -> Report:
    found = {"error": 0, "warning": 0, "info": 0, **findings}
    summary = replace(
        reports.NOTHING,
        memories=memories,
        live_heads=live,
        by_kind={kind: memories} if memories else {},
        findings=found,
    )
    return replace(reports.empty(), summary=summary)


def texts(report: Report) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(rendered(report, "badge")).iter(f"{SVG}text")]


CASES = [
    (counting(50, 42, {"error": 2, "warning": 9}), ["decisions", "42 live · 2 errors"], "red"),
    (counting(50, 42, {"error": 1}), ["decisions", "42 live · 1 error"], "red"),
    (counting(50, 42, {"warning": 1_204, "info": 3}), ["decisions", "42 live · 1,204 warnings"], "yellow"),
    (counting(9_000, 8_000, {"info": 7}, "fact"), ["memories", "8,000 live"], "brightgreen"),
    (counting(1, 0, {}), ["decisions", "0 live"], "brightgreen"),
    (counting(0, 0, {}), ["memories", "0 live"], "lightgrey"),
    (counting(0, 0, {"error": 3}), ["memories", "0 live · 3 errors"], "red"),
]


@pytest.mark.parametrize(("report", "said", "colour"), CASES)
def test_what_they_say_and_in_which_colour(report: Report, said: list[str], colour: str) -> None:
    assert texts(report) == said
    document = json.loads(rendered(report, "shields"))
    assert list(document.items()) == [
        ("schemaVersion", 1), ("label", said[0]), ("message", said[1]), ("color", colour)
    ]  # fmt: skip
    svg = ElementTree.fromstring(rendered(report, "badge"))
    assert COLOURS[list(svg.iter(f"{SVG}rect"))[-1].attrib["fill"]] == colour
    assert svg.attrib["aria-label"] == svg.findtext(f"{SVG}title") == ": ".join(said)


def spans(svg: Element) -> list[tuple[float, float]]:
    """Where each text begins and ends."""
    middles = [(float(text.attrib["x"]), float(text.attrib["textLength"])) for text in svg.iter(f"{SVG}text")]
    return [(middle - length / 2, middle + length / 2) for middle, length in middles]


@pytest.mark.parametrize("report", [report for report, _, _ in CASES])
def test_each_text_stands_in_its_own_field(report: Report) -> None:
    svg = ElementTree.fromstring(rendered(report, "badge"))
    _, left, right = svg.iter(f"{SVG}rect")
    edge, width = float(left.attrib["width"]), float(svg.attrib["width"])
    assert float(right.attrib["x"]) == edge
    assert edge + float(right.attrib["width"]) == width
    (begin, end), (start, stop) = spans(svg)
    assert begin == end - (end - begin) == 6
    assert edge - end == start - edge == width - stop == 6
    assert all(
        4.5 <= (last - first) / len(text) <= 9 for (first, last), text in zip(spans(svg), texts(report), strict=True)
    )


@pytest.mark.parametrize("make", [reports.interesting, reports.empty, reports.healthy, reports.hostile])
def test_nothing_of_a_memory_is_in_them(make: Callable[[], Report]) -> None:
    svg = rendered(make(), "badge").decode()
    ElementTree.fromstring(svg)
    assert re.fullmatch(r"[\w\s<>/=\"\'#:.,()·-]+", svg)
    assert len(svg) < 1_200
    assert len(rendered(make(), "shields")) < 200


def test_white_on_each_colour_can_be_read() -> None:
    def light(colour: str) -> float:
        long = colour if len(colour) == 7 else "#" + "".join(2 * digit for digit in colour[1:])
        parts = [int(long[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    used = {
        rect.attrib["fill"]
        for report, _, _ in CASES
        for rect in ElementTree.fromstring(rendered(report, "badge")).iter(f"{SVG}rect")
        if "fill" in rect.attrib
    }
    assert used == {*COLOURS, "#555"}
    assert all(1.05 / (light(colour) + 0.05) >= 4.5 for colour in used)


def test_the_command_writes_both(run: Run, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "memories.jsonl", [*chain("a", "b"), robrain("c", "c")])
    assert run("report", "-f", "badge", "-f", "shields", "-f", "json", path).exit_code == 0
    assert {file.name for file in (tmp_path / "reports").iterdir()} == {
        "memories.badge.svg",
        "memories.shields.json",
        "memories.json",
    }
    run("report", "-o", "lineage.shields.json", path)
    assert json.loads(Path("lineage.shields.json").read_bytes())["message"] == "2 live · 1 error"
    run("report", "-o", "plain.json", path)
    assert json.loads(Path("plain.json").read_bytes())["schema"] == "lineage-report/v1"
    assert run("report", "-f", "badge", "-o", "-", path).stdout.startswith("<svg ")


def test_in_python(tmp_path: Path) -> None:
    report = lineage.report(graph_of(*chain("a", "b")))
    report.save(tmp_path / "decisions.badge.svg")
    report.save(tmp_path / "x.shields.json")
    report.save(tmp_path / "x.json")
    assert json.loads((tmp_path / "x.shields.json").read_bytes())["message"] == "1 live"
    assert json.loads((tmp_path / "x.json").read_bytes()) == report.to_dict()
    assert b">1 live<" in (tmp_path / "decisions.badge.svg").read_bytes()
    assert report.render("badge") == report.render("badge")
