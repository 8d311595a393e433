"""SARIF against its published schema, what code scanning makes of it, and attacks on its readers."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec
import pytest
from jsonschema import Draft4Validator

import lineage
from lineage.discovery import rules
from lineage.renderers.sarif import RENDERER
from lineage.reporting.model import Location, Report
from lineage.text import printable
from tests.cli.conftest import Run
from tests.graphs import graph_of
from tests.records import chain, robrain, write_jsonl

from . import reports

SCHEMA = json.loads((Path(__file__).parent / "schemas/sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
VALIDATOR = Draft4Validator(SCHEMA)
URI = re.compile(r"(file://)?[A-Za-z0-9/._~%-]+")
LINK = re.compile(r"\[[^\]]*\]\(")

Json = dict[str, Any]


def mistakes(document: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(document)]


def run_of(report: Report) -> Json:
    """The one run of a report's SARIF, which is valid."""
    document = json.loads(RENDERER.render(report))
    assert mistakes(document) == []
    assert document["$schema"] == SCHEMA["id"]
    (run,) = document["runs"]
    assert isinstance(run, dict)
    return run


def made(*records: Any, **options: Any) -> Json:
    """The run of the report on some records."""
    return run_of(lineage.report(graph_of(*records), **options).model)


def strings(value: Any, *keys: str) -> Iterator[str]:
    """Every string that stands under one of these keys, however deep."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from [item] if key in keys and isinstance(item, str) else strings(item, *keys)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item, *keys)


@pytest.mark.parametrize("make", [reports.interesting, reports.empty, reports.healthy, reports.hostile])
def test_every_report_is_valid(make: Callable[[], Report]) -> None:
    run = run_of(make())
    assert len(run["results"]) == len(make().findings)
    assert run["invocations"][0]["executionSuccessful"] is True


def test_the_validator_would_see_a_mistake() -> None:
    document = json.loads(RENDERER.render(reports.interesting()))
    document["runs"][0]["results"][0]["level"] = "info"
    document["runs"][0]["tool"]["driver"]["code"] = 1
    assert len(mistakes(document)) == 2


def test_the_command_writes_it(run: Run, tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "memories.jsonl", [robrain("a", "a"), "{"])
    assert run("report", "-f", "sarif", path).exit_code == 0
    document = json.loads((tmp_path / "reports/memories.sarif").read_bytes())
    assert mistakes(document) == []
    checked = json.loads(run("check", "-f", "sarif", path).stdout)
    assert mistakes(checked) == []
    assert checked["runs"][0]["results"] == document["runs"][0]["results"]


def test_a_result_says_what_is_wrong_and_where() -> None:
    results = run_of(reports.interesting())["results"]
    assert [result["level"] for result in results[:7]] == ["error"] * 3 + ["warning"] * 3 + ["note"]
    stale = next(result for result in results if result["ruleId"] == "LIN201")
    assert stale["message"]["text"] == (
        "'L103' calls itself live, but 'L401' has superseded it Set `invalidated_at` of 'L103' to the time of 'L401'."
    )
    (first,) = stale["locations"]
    assert first["physicalLocation"] == {
        "artifactLocation": {"uri": "exports/payments.jsonl", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 3},
    }
    assert [place["fullyQualifiedName"] for place in first["logicalLocations"]] == ["L103", "L401"]
    assert [place["physicalLocation"]["region"]["startLine"] for place in stale["relatedLocations"]] == [4]


def test_a_place_without_a_line_has_no_region() -> None:
    finding = msgspec.structs.replace(reports.interesting().findings[0], locations=[Location("a.sqlite", None)])
    (result,) = run_of(replace(reports.interesting(), findings=[finding]))["results"]
    assert "region" not in result["locations"][0]["physicalLocation"]
    nowhere = msgspec.structs.replace(finding, locations=[], memories=[])
    assert run_of(replace(reports.interesting(), findings=[nowhere]))["results"][0]["locations"] == []


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("exports/a.jsonl", "exports/a.jsonl"),
        ("./exports//a.jsonl", "exports/a.jsonl"),
        ("../a.jsonl", "../a.jsonl"),
        ("we ird/a#1?%.jsonl", "we%20ird/a%231%3F%25.jsonl"),
        ("c:/a:b.jsonl", "c%3A/a%3Ab.jsonl"),
        ("日本.jsonl", "%E6%97%A5%E6%9C%AC.jsonl"),
        ("caf\udce9.jsonl", "caf%E9.jsonl"),
        ("/work/a b.jsonl", "file:///work/a%20b.jsonl"),
        ("-", "-"),
    ],
)
def test_a_path_is_a_uri(path: str, uri: str) -> None:
    finding = msgspec.structs.replace(reports.interesting().findings[0], locations=[Location(path, 1)])
    (result,) = run_of(replace(reports.interesting(), findings=[finding]))["results"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place["uri"] == uri
    assert ("uriBaseId" in place) is not path.startswith("/")


def test_rules_tell_what_they_are_about() -> None:
    run = made(*chain("a", "b"), severity={"LIN103": "error", "LIN301": "off"})
    described = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert list(described) == [code for code in rules() if code != "LIN301"]
    orphan = described["LIN103"]
    assert orphan["name"] == "orphan"
    assert orphan["defaultConfiguration"] == {"level": "warning"}
    assert orphan["shortDescription"]["text"] == rules()["LIN103"].about.partition("\n")[0]
    assert orphan["fullDescription"]["text"].startswith("A memory that says it supersedes another")
    assert "What it finds: a memory that says it supersedes another, or is" in orphan["help"]["text"]
    assert "**How to mend it:** read the input" in orphan["help"]["markdown"]


def test_a_result_points_at_its_rule_and_bears_the_severity_that_was_set() -> None:
    run = made(robrain("a", "gone"), severity={"LIN103": "error"})
    codes = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    levels = {result["ruleId"]: result["level"] for result in run["results"]}
    assert levels["LIN103"] == "error"
    assert all(codes[result["ruleIndex"]] == result["ruleId"] for result in run["results"])


def test_fingerprints_outlive_moved_lines(tmp_path: Path) -> None:
    records = [robrain("a", "a"), robrain("b", "gone"), "{"]

    def known(name: str, *lines: Any) -> set[tuple[str, str]]:
        report = lineage.report(lineage.build(lineage.read(write_jsonl(tmp_path / name, lines))))
        return {tuple(result["partialFingerprints"].values()) for result in run_of(report.model)["results"]}

    before = known("a.jsonl", *records)
    assert len(before) > 3
    assert known("b.jsonl", "", *reversed(records)) == before
    assert known("c.jsonl", robrain("new", rationale=None), *records) > before


def test_equal_findings_are_numbered() -> None:
    results = made("{", "{", robrain("a"), select=["LIN901"])["results"]
    prints = [result["partialFingerprints"] for result in results]
    assert prints[0]["lineage/v1"] == prints[1]["lineage/v1"]
    assert [known["primaryLocationLineHash"][-2:] for known in prints] == [":1", ":2"]


def test_nothing_in_a_text_becomes_a_link_a_placeholder_or_a_command() -> None:
    run = run_of(reports.hostile())
    for text in strings(run, "text", "markdown", "fullyQualifiedName"):
        assert printable(text) == text
    for text in strings(run, "text", "markdown"):
        assert not LINK.search(text)
        assert not {"{", "}"} & set(text.replace("{{", "").replace("}}", ""))
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert URI.fullmatch(place)
        assert not place.startswith("//")
        assert re.fullmatch("[0-9a-f]{16}:[0-9]+", result["partialFingerprints"]["primaryLocationLineHash"])
    uris = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]]
    assert "日本語" in "".join(map(unquote, uris))


def test_more_than_code_scanning_takes_is_left_out_and_said() -> None:
    (run,) = json.loads(RENDERER.render(reports.large(9_000)))["runs"]
    assert len(run["results"]) == 25_000
    assert {result["level"] for result in run["results"][:9_000]} == {"error"}
    (said,) = run["invocations"][0]["toolExecutionNotifications"]
    assert said["message"]["text"].startswith("29,000 of 54,000 findings are left out")
    assert "toolExecutionNotifications" not in run_of(reports.healthy())["invocations"][0]


def test_places_and_memories_of_one_result_are_limited() -> None:
    many = msgspec.structs.replace(
        reports.interesting().findings[0],
        locations=[Location("a.jsonl", line + 1) for line in range(5_000)],
        memories=[f"m{number}" for number in range(5_000)],
    )
    (result,) = run_of(replace(reports.interesting(), findings=[many]))["results"]
    assert len(result["relatedLocations"]) == 99
    assert len(result["locations"][0]["logicalLocations"]) == 100


def test_two_runs_are_equal_but_for_the_time() -> None:
    records = [robrain("b", "gone"), robrain("a", "a")]
    first, second = (
        lineage.report(graph_of(*records), generated_at="2026-01-01T00:00:00Z").render("sarif") for _ in range(2)
    )
    assert first == second
    # A result a line: it greps and diffs.
    assert all(line.lstrip().startswith(b'{"ruleId"') for line in first.splitlines() if b'"ruleId"' in line)
