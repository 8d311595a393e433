"""Running commands: in this process, or in one of their own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lineage.cli import main

ROOT = Path(__file__).parent.parent.parent

Run = Callable[..., Result]
Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def run() -> Run:
    """`run("check", path, input=b"…")` runs a command here."""

    def invoke(*args: object, input: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(main, list(map(str, args)), input=input)
        assert "Traceback" not in result.output
        return result

    return invoke


@pytest.fixture
def start() -> Start:
    """`start("check", path)` starts `python -m lineage` in a process of its own."""

    def popen(*args: object, env: dict[str, str] | None = None, **extra: Any) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "lineage", *map(str, args)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, env=environment, **{**pipes, **extra})

    return popen
