"""Plug-ins are found by themselves; a broken one of somebody else's costs a sentence, not the run."""

from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint

import pytest
from click.testing import CliRunner

from lineage import discovery
from lineage.cli import main
from lineage.discovery import PluginWarning
from lineage.readers.base import Reader

Installed = Callable[..., None]
READER = Reader(name="theirs", about="somebody else's", sniff=lambda _record: False, read=lambda _record: ())
TAKEN = Reader(name="robrain", about="an impostor", sniff=lambda _record: True, read=lambda _record: ())
MISNAMED = "this is no reader"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Installed]:
    """`installed("module:attribute")` makes it look as if a distribution offered that reader."""

    def install(*values: str) -> None:
        entries = [EntryPoint(f"plug-{number}", value, discovery.READERS) for number, value in enumerate(values)]
        monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: entries)
        discovery.readers.cache_clear()

    yield install
    discovery.readers.cache_clear()


def test_names_are_in_order_and_helpers_are_none() -> None:
    assert list(discovery.rules()) == sorted(discovery.rules())
    assert {"robrain", "mindr", "atproto", "lineage"} <= set(discovery.readers())
    assert {"html", "json", "markdown"} <= set(discovery.renderers())
    assert not [name for name in discovery.readers() if name.startswith("_") or name in {"base", "fields"}]


def test_every_plug_in_says_what_it_is() -> None:
    for plugins in (discovery.readers(), discovery.rules(), discovery.renderers()):
        for name, plugin in plugins.items():
            assert plugin.about, name


def test_what_is_found_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        discovery.rules()["LIN999"] = None  # type: ignore[index]  # that it is refused is the point


def test_a_reader_of_another_distribution(installed: Installed) -> None:
    installed(f"{__name__}:READER", __name__)
    assert discovery.readers()["theirs"] is READER


def test_a_built_in_name_is_not_taken_over(installed: Installed) -> None:
    installed(f"{__name__}:TAKEN")
    assert discovery.readers()["robrain"] is not TAKEN


@pytest.mark.parametrize(
    ("value", "cause"),
    [
        ("no_such_module_anywhere:READER", "ModuleNotFoundError"),
        (f"{__name__}:NOTHING", "AttributeError"),
        (f"{__name__}:MISNAMED", "it is not a Reader"),
    ],
)
def test_a_broken_one_is_left_out_with_a_sentence(installed: Installed, value: str, cause: str) -> None:
    installed(value)
    with pytest.warns(PluginWarning, match=f"the reader 'plug-0' of an unknown distribution is left out: .*{cause}"):
        assert "robrain" in discovery.readers()


def test_the_command_line_says_so_in_one_line(installed: Installed, monkeypatch: pytest.MonkeyPatch) -> None:
    installed("no_such_module_anywhere:READER")
    monkeypatch.setattr("warnings.filters", [])
    result = CliRunner().invoke(main, ["formats"])
    assert result.exit_code == 0
    assert result.stderr.startswith("lineage: the reader 'plug-0' of")
    assert result.stderr.count("\n") == 1
