"""The package in `docs/example-reader` is found by its entry point once it is installed, and reads."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from shutil import copytree

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "docs/example-reader"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the package as installing it would leave it: its modules, and what it says of itself."""
    site = tmp_path_factory.mktemp("site")
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    copytree(EXAMPLE / "src", site, dirs_exist_ok=True)
    about = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    points = project["entry-points"]["lineage.readers"]
    lines = "\n".join(f"{name} = {target}" for name, target in points.items())
    (about / "entry_points.txt").write_text(f"[lineage.readers]\n{lines}\n")
    return site


def lineage(installed: Path, *arguments: object) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(installed)])}
    command = [sys.executable, "-m", "lineage", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_it_reads(installed: Path) -> None:
    result = lineage(installed, "list", "-f", "jsonl", EXAMPLE / "minutes.txt")
    rows = {row["id"]: row for row in map(json.loads, result.stdout.splitlines())}
    assert {name: row["status"] for name, row in rows.items()} == {"D1": "superseded", "D2": "live", "D3": "live"}
    assert rows["D3"]["supersedes"] == ["D1"]
    assert rows["D3"]["line"] == 5
    check = json.loads(lineage(installed, "check", "-f", "json", EXAMPLE / "minutes.txt").stdout)
    found = {(item["rule"], *item["memories"]) for item in check["findings"]}
    assert found == {("LIN901",), ("LIN302", "D2"), ("LIN303", "D2"), ("LIN303", "D3")}


def test_it_is_named_among_the_formats(installed: Path) -> None:
    assert "stand-up minutes" in lineage(installed, "formats").stdout
    said = lineage(installed, "formats", EXAMPLE / "minutes.txt").stdout
    assert "standup 3 records from line 2: a first line `== YYYY-MM-DD`" in said


def test_without_it_the_file_is_refused(tmp_path: Path) -> None:
    result = lineage(tmp_path, "report", EXAMPLE / "minutes.txt")
    assert result.returncode == 2
    assert "no document of a known format" in result.stderr
