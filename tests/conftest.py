"""Fixtures every test may use; the builders of records are in `tests.records`."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from tests.records import Record, write_jsonl

# How long something takes is measured in `benchmarks/`, not here.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

os.environ["MPLBACKEND"] = "agg"
os.environ["TERM"] = "dumb"
for _name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
    os.environ.pop(_name, None)


@pytest.fixture
def jsonl(tmp_path: Path) -> Callable[..., Path]:
    """`jsonl(record, …, name="memories.jsonl")` writes JSON lines into the test's folder."""

    def write(*records: Record | str, name: str = "memories.jsonl") -> Path:
        return write_jsonl(tmp_path / name, records)

    return write


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test runs in its own folder, so that no configuration or report of the checkout plays along."""
    monkeypatch.chdir(tmp_path)
