"""Writing files: whole or not at all, and never over an input."""

import os
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path

import click

_SIDE_FILES = ("-wal", "-shm", "-journal")


def write_file(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a whole file or none of it: an interrupted run leaves what was there before.

    Directories on the way are made. A device or a pipe is written to directly.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with target.open("wb") as device:
            device.writelines(chunks)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(chunks)
        Path(name).chmod(_mode(target))
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _mode(target: Path) -> int:
    """The permissions of the file that is replaced, or those a new file gets."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def refuse_to_overwrite(target: Path, inputs: Iterable[str], option: str = "-o/--output") -> None:
    """Raise a usage error where the output, which `option` names, is one of the inputs."""
    for name in inputs:
        # A store's log beside it is as much an input as the store.
        for part in (name, *(name + ending for ending in _SIDE_FILES)) if name != "-" else ():
            if target.exists() and Path(part).exists() and target.samefile(part):
                raise click.UsageError(f"{target} is an input: give another {option}")
