"""The JSON report against its schema and against the model."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from lineage.renderers.json import RENDERER
from lineage.reporting.document import SCHEMA_FILE, to_dict
from lineage.reporting.model import Input, Report

from . import reports

SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER)
TOP = [
    "schema", "tool", "generated_at", "as_of", "inputs", "summary", "live_heads", "orphans", "cycles", "lineages",
    "findings", "quality", "truncated",
]  # fmt: skip


def mistakes(document: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(document)]


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("make", [reports.interesting, reports.empty, reports.healthy, reports.hostile])
def test_every_report_is_valid(make: Callable[[], Report]) -> None:
    document = json.loads(RENDERER.render(make()))
    assert mistakes(document) == []
    assert list(document) == TOP


def test_the_file_is_the_document() -> None:
    report = reports.interesting()
    rendered = RENDERER.render(report)
    assert json.loads(rendered) == to_dict(report)
    assert rendered.startswith(b'{\n  "schema": "lineage-report/v1",\n')
    assert rendered.endswith(b"\n}\n")
    assert rendered == RENDERER.render(report)


def test_keys_are_those_of_the_interface_in_its_order() -> None:
    document = to_dict(reports.interesting())
    assert list(document["summary"]) == list(SCHEMA["$defs"]["summary"]["properties"])
    for name, kind in (
        ("inputs", "input"),
        ("live_heads", "head"),
        ("orphans", "orphan"),
        ("cycles", "cycle"),
        ("lineages", "lineage"),
        ("findings", "finding"),
    ):
        assert list(document[name][0]) == list(SCHEMA["$defs"][kind]["properties"]), name


def test_text_survives_as_it_is() -> None:
    shown = [head["text"] for head in json.loads(RENDERER.render(reports.hostile()))["live_heads"]]
    expected = [text if text.isprintable() or "\ud800" not in text else None for text in reports.HOSTILE_TEXTS]
    assert [text for text, same in zip(shown, expected, strict=True) if same is not None] == [
        text for text in expected if text is not None
    ]
    assert "\\ud800 stray \\udfff" in shown


def test_a_path_that_is_not_utf8_is_written_out() -> None:
    report = replace(reports.empty(), inputs=[Input("caf\udce9.jsonl", {}, 0, 0, 0)])
    assert json.loads(RENDERER.render(report))["inputs"][0]["path"] == "caf\\udce9.jsonl"


def altered(path: list[Any], value: Any) -> Any:
    """The document of the interesting report with one value replaced."""
    document = to_dict(reports.interesting())
    holder = document
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    return document


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["extra"], 1),
        (["schema"], "lineage-report/v2"),
        (["generated_at"], "yesterday"),
        (["as_of"], "2026-01-01T00:00:00+01:00"),
        (["summary", "by_status", "gone"], 1),
        (["summary", "links", "likes"], 1),
        (["summary", "memories"], -1),
        (["live_heads", 0, "rationale"], "why"),
        (["live_heads", 0, "line"], 0),
        (["orphans", 0, "kind"], "amends"),
        (["cycles", 0, "cut"], []),
        (["lineages", 0, "size"], 1),
        (["findings", 0, "rule"], "E501"),
        (["findings", 0, "severity"], "fatal"),
        (["findings", 0, "mend"], "so"),
        (["findings", 0, "locations", 0, "column"], 1),
        (["quality", "rank"], 1),
        (["quality", "score"], 101),
        (["quality", "grade"], "G"),
        (["truncated", "live_heads"], 0),
        (["truncated", "heads"], 1),
        (["truncated", "findings"], {"E501": 1}),
    ],
)
def test_the_schema_is_strict(path: list[Any], value: Any) -> None:
    assert mistakes(altered(path, value))


@pytest.mark.parametrize("key", TOP)
def test_every_key_is_required(key: str) -> None:
    document = to_dict(reports.empty())
    del document[key]
    assert mistakes(document)
