"""What a user would only notice late: slow help, options without help, an interface that is not what it says."""

import inspect
import subprocess
import sys
from pathlib import Path

import click
import pytest

import lineage
from lineage.cli import app, main

ROOT = Path(__file__).parent.parent
HEAVY = ("jinja2", "matplotlib", "msgspec", "networkx", "numpy", "pandas", "pyarrow", "regex", "rich", "scipy")


def _modules_after(code: str) -> set[str]:
    script = f"import sys\ntry:\n    {code}\nexcept SystemExit:\n    pass\nprint('\\n' + ' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    "code",
    [
        "import lineage",
        "from lineage.cli import main; main(['--help'])",
        "from lineage.cli import main; main(['list', '-x'])",
    ],
)
def test_nothing_heavy_is_imported_before_there_is_work(code: str) -> None:
    assert not _modules_after(code) & set(HEAVY)


COMMANDS = {name: main.get_command(click.Context(main), name) or pytest.fail(name) for name in app.COMMANDS}
OPTIONS = {
    f"{name} {option.opts[-1]}": option
    for name, command in COMMANDS.items()
    for option in command.params
    if isinstance(option, click.Option)
}


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_has_help(name: str) -> None:
    said = (OPTIONS[name].help or "").partition("  [default")[0]
    assert said.endswith(".")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_of_itself_what_is_said_of_it(name: str) -> None:
    assert (COMMANDS[name].help or "").partition("\n")[0] == app.COMMANDS[name]
    assert COMMANDS[name].name == name


def test_all_is_what_is_exported() -> None:
    assert list(lineage.__all__) == sorted(lineage.__all__)
    for name in lineage.__all__:
        assert inspect.getdoc(getattr(lineage, name)) or name == "__version__", f"{name} is not documented"
    public = {name for name in dir(lineage) if not name.startswith("_")}
    assert {name for name in public if not inspect.ismodule(getattr(lineage, name))} <= set(lineage.__all__)
