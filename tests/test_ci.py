"""The examples for continuous integration: each is run as far as a machine without a forge can."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from lineage.cli import main
from tests.records import chain, robrain, write_jsonl

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
GITLAB = yaml.safe_load((ROOT / "docs/ci/gitlab-ci.yml").read_text(encoding="utf-8"))
COMMANDS = re.findall(r"^lineage (.+)$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("line", COMMANDS)
def test_the_commands_of_the_page_run(line: str, tmp_path: Path) -> None:
    write_jsonl(tmp_path / "memories.jsonl", chain("a", "b"))
    baseline = {"schema": "lineage-baseline/v1", "findings": []}
    if "--write-baseline" not in line:
        (tmp_path / "lineage-baseline.json").write_text(json.dumps(baseline))
    command, _, target = line.partition(" >> ")
    result = CliRunner().invoke(main, command.split())
    assert result.exit_code == 0, result.output
    assert not target or result.stdout.startswith("## ✓")


def _run(step: dict[str, Any], environment: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def runner(tmp_path: Path) -> dict[str, str]:
    """The environment of a runner in which the tool is installed already."""
    bin_folder = tmp_path / "temp/lineage/bin"
    bin_folder.mkdir(parents=True)
    script = bin_folder / "lineage"
    script.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m lineage "$@"\n')
    script.chmod(0o755)
    files = {name: str(tmp_path / name.lower()) for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    return {"RUNNER_TEMP": str(tmp_path / "temp"), **files}


def _steps() -> dict[str, dict[str, Any]]:
    return {step["name"]: step for step in ACTION["runs"]["steps"] if "run" in step}


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_the_action_reports_checks_and_fails(runner: dict[str, str], tmp_path: Path) -> None:
    write_jsonl(tmp_path / "my memories.jsonl", [*chain("a", "b"), robrain("x", "y"), robrain("y", "x")])
    asked = {**runner, "INPUTS": "my memories.jsonl\n\n", "FAIL_ON": "error", "BASELINE": ""}
    made = _run(_steps()["Report"], asked, tmp_path)
    assert made.returncode == 0, made.stderr
    assert "1 error needs a hand" in Path(runner["GITHUB_STEP_SUMMARY"]).read_text()
    report = Path(runner["GITHUB_OUTPUT"]).read_text().removeprefix("report=").strip()
    assert Path(report).read_text().startswith("<!doctype html>")
    assert {file.suffix for file in Path(report).parent.iterdir()} >= {".html", ".json", ".md", ".sarif", ".xml"}
    checked = _run(_steps()["Check"], asked, tmp_path)
    assert checked.returncode == 1
    assert checked.stdout.startswith("::error file=my memories.jsonl,line=")
    assert _run(_steps()["Check"], {**asked, "FAIL_ON": "never"}, tmp_path).returncode == 0


def test_what_the_action_is_given_is_never_part_of_a_script() -> None:
    for step in _steps().values():
        assert "${{" not in step["run"]


def test_every_input_of_the_action_is_used_and_the_page_uses_none_but_these() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    for name in ACTION["inputs"]:
        assert f"inputs.{name} " in text.replace("}}", " ")
    (example,) = (block for block in re.findall(r"```yaml\n(.+?)```", PAGE, re.DOTALL) if "checkout" in block)
    used = yaml.safe_load(example)["jobs"]["decisions"]["steps"][1]["with"]
    assert set(used) <= set(ACTION["inputs"])


def test_the_hook_names_a_command_and_the_files_it_reads() -> None:
    (hook,) = HOOKS
    assert hook["entry"].split()[0] == "lineage"
    assert hook["entry"].split()[1] in main.list_commands(None)  # type: ignore[arg-type]
    for name in ("memories.jsonl", "docs/decisions-2026.json", ".mindr/memories.sqlite"):
        assert re.search(hook["files"], name)
    assert not re.search(hook["files"], "src/memories.py")
    assert hook["id"] in PAGE


def test_the_gitlab_job_runs(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "memories.jsonl", chain("a", "b"))
    install, *lines = GITLAB["decision-lineage"]["script"]
    assert install.startswith("pip install")
    for line in lines:
        command, _, target = line.partition(" > ")
        result = CliRunner().invoke(main, command.split()[1:])
        assert result.exit_code == 0, result.output
        if target:
            Path(target).write_text(result.stdout)
    assert Path(GITLAB["decision-lineage"]["artifacts"]["reports"]["junit"]).read_text().startswith("<?xml")
