"""Files are written whole or not at all; devices are not replaced; inputs are not overwritten."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from lineage.cli.files import refuse_to_overwrite, write_file
from lineage.cli.streams import width


def _breaks() -> Iterator[bytes]:
    yield b"half"
    raise KeyboardInterrupt


def test_a_file_and_its_folders_are_made(tmp_path: Path) -> None:
    write_file(tmp_path / "a/b/c.txt", [b"one", b"two"])
    assert (tmp_path / "a/b/c.txt").read_bytes() == b"onetwo"
    assert [path.name for path in (tmp_path / "a/b").iterdir()] == ["c.txt"]


def test_an_interrupted_write_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_bytes(b"earlier")
    with pytest.raises(KeyboardInterrupt):
        write_file(path, _breaks())
    assert path.read_bytes() == b"earlier"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_are_kept_or_as_usual(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    mask = os.umask(0o027)
    try:
        write_file(path, [b"x"])
    finally:
        os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o600)
    write_file(path, [b"y"])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_file(tmp_path / "link", [b"x"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"x"


def test_a_device_is_written_to_and_stays(tmp_path: Path) -> None:
    (tmp_path / "null").symlink_to(os.devnull)
    write_file(tmp_path / "null", [b"x"])
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_a_long_name_is_no_trouble(tmp_path: Path) -> None:
    write_file(tmp_path / ("x" * 250), [b"x"])
    assert (tmp_path / ("x" * 250)).read_bytes() == b"x"


def test_an_input_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "memories.jsonl"
    path.write_bytes(b"{}")
    (tmp_path / "other").symlink_to(path)
    with pytest.raises(click.UsageError, match="is an input"):
        refuse_to_overwrite(tmp_path / "other", ["-", "missing", str(path)])
    refuse_to_overwrite(tmp_path / "new", [str(path)])


def test_the_width_can_be_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    assert width() == 72
    monkeypatch.setenv("COLUMNS", "wide")
    assert width() == 100
