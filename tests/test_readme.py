"""What the README promises is what continuous integration does and what the commands have."""

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from lineage.cli import main
from lineage.discovery import drawings, readers, renderers
from lineage.model import Status

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CI = (ROOT / ".ci/run").read_text(encoding="utf-8")


def _fresh_machine() -> list[list[str]]:
    """The steps of each command for a fresh machine, the environment's folder cut off."""
    section = README.partition("## On a fresh machine")[2].partition("\n## ")[0]
    commands = re.findall(r"```\n(.+)\n```", section)
    return [command.replace(".venv/bin/", "").split(" && ") for command in commands]


def test_ci_takes_the_same_steps() -> None:
    steps = [re.sub(r'"\$venv/bin/([\w.-]+)"', r"\1", line) for line in CI.splitlines()]
    (make, install, report), (make_too, install_dev, test) = _fresh_machine()
    assert make == make_too == "python3 -m venv .venv"
    assert (install, install_dev) == ("pip install -q .", "pip install -q '.[dev]'")
    assert any('python3 -m venv "$venv"' in step for step in steps)
    for wanted in (install_dev, report, test):
        assert any(wanted in step for step in steps), wanted


def test_the_sample_is_there() -> None:
    assert (ROOT / "examples/README.md").is_file()


@pytest.mark.parametrize("line", re.findall(r"^lineage (.+)$", README, re.MULTILINE))
def test_the_commands_and_options_exist(line: str) -> None:
    words = line.partition("#")[0].split()
    command = main.get_command(click.Context(main), words[0])
    assert command
    known = {name for option in command.params for name in option.opts}
    assert {word for word in words if word.startswith("-") and word != "-"} <= known


def test_every_format_and_status_is_told_of() -> None:
    for name in (*readers(), *renderers(), *Status):
        assert f"`{name}`" in README


def test_every_drawing_is_told_of() -> None:
    for drawing in drawings().values():
        assert drawing.suffix in README


def test_the_picture_is_what_its_command_draws(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (line,) = re.findall(r"^lineage (draw examples .+)$", README, re.MULTILINE)
    *words, picture = line.split()
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(main, [*words, str(tmp_path / "drawn.svg")])
    assert result.exit_code == 0
    assert (tmp_path / "drawn.svg").read_bytes() == (ROOT / picture).read_bytes()
