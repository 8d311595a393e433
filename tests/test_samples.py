"""The reports that are kept beside the code are what the code makes of the sample."""

import os
from pathlib import Path

import pytest

import lineage
from lineage.discovery import renderer

ROOT = Path(__file__).parent.parent
NOW = "2026-12-01T00:00:00Z"


@pytest.mark.parametrize("name", ["html", "json", "markdown", "sarif"])
def test_the_sample_reports_are_up_to_date(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`LINEAGE_GOLDEN=write` writes them anew, to be looked at before they are committed."""
    monkeypatch.chdir(ROOT)
    graph = lineage.build(lineage.read("examples"), now=NOW)
    made = lineage.report(graph, title="A small team's memories", generated_at=NOW).render(name)
    path = ROOT / "reports" / f"sample{renderer(name).suffix}"
    if os.environ.get("LINEAGE_GOLDEN") == "write":
        path.write_bytes(made)
    assert made == path.read_bytes()
