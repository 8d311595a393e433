"""Where bytes come from: paths, directories, globs, standard input; opened read-only.

A source is a name and a way to open it. Compressed ones are told by their
first bytes, not by their ending, and decompressed as they are read.
"""

import bz2
import glob
import gzip
import io
import itertools
import lzma
import os
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, cast

from lineage.errors import InputError

Given = str | os.PathLike[str] | BinaryIO

COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
_SKIPPED = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv"})
_GZIP, _BZIP2, _XZ, _ZSTD = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"
_DAMAGE = (EOFError, OSError, lzma.LZMAError, zlib.error, ValueError)


@dataclass(frozen=True)
class Source:
    """One file or stream to read.

    `found` is true where a directory led to it, not a name of its own or a
    glob. `given` is the input as given, `base` the directory below which it was
    found (its own, where it was named), `number` the place of the input among
    those given.
    """

    name: str
    path: Path | None
    found: bool
    open_raw: Callable[[], BinaryIO]
    given: str = ""
    base: str = ""
    number: int = 0

    @property
    def folder(self) -> str:
        """Its base with a slash, empty for the working directory."""
        return f"{self.base.rstrip('/')}/" if self.base else ""

    @property
    def within(self) -> str:
        """What tells an id of this input from that of another: the folder that was given, or the file and a colon."""
        return f"{self.name}:" if self.given == self.name else self.folder

    @property
    def below(self) -> str:
        """Where it lies below its base, with `/` between the parts."""
        if self.path is None:
            return self.name
        return Path(os.path.relpath(self.name, self.base or os.curdir)).as_posix()

    def size(self) -> int:
        """Bytes on disk, or 0 where that is unknown."""
        try:
            return self.path.stat().st_size if self.path else 0
        except OSError as error:
            raise InputError(f"{self.name}: {reason(error)}") from error

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """The decompressed bytes, with `peek`. A damaged stream raises `InputError` while it is read."""
        try:
            raw = self.open_raw()
        except OSError as error:
            raise InputError(f"{self.name}: {reason(error)}") from error
        try:
            yield _decompressed(self.name, raw)
        finally:
            if self.path:
                raw.close()

    def is_plain(self) -> bool:
        """Whether it is a regular file that is not compressed."""
        if self.path is None or not self.path.is_file():
            return False
        with self.open_raw() as raw:
            head = raw.read(6)
        return not head.startswith(tuple(_DECOMPRESSORS))


def reason(error: OSError) -> str:
    """What the operating system says, as the end of a sentence."""
    return (error.strerror or str(error)).lower()


def sources(
    inputs: Sequence[Given], suffixes: Callable[[], Sequence[str]], *, allow_empty: bool = False
) -> list[Source]:
    """The sources that some inputs stand for, in the order given and each once.

    `suffixes` gives the endings of the files that a directory offers. Raises
    `InputError` for a path that does not exist and, unless `allow_empty`, for a
    glob or directory in which there is nothing to read.
    """
    found: dict[str, Source] = {}
    for position, given in enumerate(inputs):
        for source in _expanded(given, position, suffixes, allow_empty):
            found.setdefault(source.name, replace(source, number=position))
    return list(found.values())


def _expanded(given: Given, position: int, suffixes: Callable[[], Sequence[str]], allow_empty: bool) -> list[Source]:
    if not isinstance(given, str | os.PathLike):
        handle = given
        name = getattr(handle, "name", None)
        shown = name if isinstance(name, str) else f"<stream {position + 1}>"
        return [Source(shown, None, False, lambda: handle, shown)]
    name = os.fspath(given)
    if name == "-":
        return [Source("-", None, False, lambda: sys.stdin.buffer, "-")]
    if "://" in name:
        raise InputError(f"{name}: addresses are not read; give a file")
    path = Path(name)
    if path.is_dir():
        return _files_below(name, name, suffixes, empty=allow_empty)
    if path.exists():
        return [_file(name, found=False, given=name, base=os.path.dirname(name))]
    if glob.has_magic(name):
        return _matching(name, suffixes, empty=allow_empty)
    raise InputError(f"{name}: no such file or directory")


def _file(name: str, *, found: bool, given: str, base: str) -> Source:
    path = Path(name)
    return Source(name, path, found, lambda: cast(BinaryIO, path.open("rb")), given, base)


def _matching(pattern: str, suffixes: Callable[[], Sequence[str]], *, empty: bool) -> list[Source]:
    names = sorted(glob.glob(pattern, recursive=True))
    if not names and not empty:
        raise InputError(f"{pattern}: no file matches")
    plain = itertools.takewhile(lambda part: not glob.has_magic(part), Path(pattern).parts)
    base = os.path.join(*plain) if not glob.has_magic(Path(pattern).parts[0]) else ""
    return [
        source
        for name in names
        for source in (
            [replace(one, base=base) for one in _files_below(name, pattern, suffixes, empty=True)]
            if Path(name).is_dir()
            else [_file(name, found=False, given=pattern, base=base)]
        )
    ]


def _files_below(
    directory: str, given: str, suffixes: Callable[[], Sequence[str]], *, empty: bool = False
) -> list[Source]:
    wanted = tuple(suffixes())
    names = []
    for root, folders, files in os.walk(directory, onerror=_refused):
        folders[:] = sorted(folder for folder in folders if folder not in _SKIPPED)
        paths = [os.path.join(root, name) for name in files if _readable(name, wanted)]
        names += [path for path in paths if os.path.isfile(path)]
    if not names and not empty:
        raise InputError(f"{directory}: no file in it ends like a memory file ({', '.join(wanted)})")
    return [_file(name, found=True, given=given, base=directory) for name in sorted(names)]


def _refused(error: OSError) -> None:
    raise InputError(f"{error.filename}: {reason(error)}") from error


def _readable(name: str, suffixes: Sequence[str]) -> bool:
    stem, ending = os.path.splitext(name.lower())
    if ending in COMPRESSED:
        ending = os.path.splitext(stem)[1]
    return ending in suffixes


def _decompressed(name: str, raw: BinaryIO) -> BinaryIO:
    buffered: BinaryIO = raw if hasattr(raw, "peek") else io.BufferedReader(_Raw(raw))
    head = cast(io.BufferedReader, buffered).peek(6)[:6]
    magic = next((magic for magic in _DECOMPRESSORS if head.startswith(magic)), None)
    if magic is None:
        return buffered
    damage = (*_DAMAGE, _zstd().ZstdError) if magic == _ZSTD else _DAMAGE
    return io.BufferedReader(_Guarded(name, _DECOMPRESSORS[magic](buffered), damage), 1 << 20)


def _zstd() -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


_DECOMPRESSORS: Mapping[bytes, Callable[[BinaryIO], Any]] = {
    _GZIP: lambda raw: gzip.GzipFile(fileobj=raw),
    _BZIP2: bz2.BZ2File,
    _XZ: lzma.LZMAFile,
    _ZSTD: lambda raw: _zstd().ZstdFile(raw),
}


class _Raw(io.RawIOBase):
    """Any object with `read` as a raw stream."""

    def __init__(self, inner: BinaryIO) -> None:
        self._inner = inner

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast(bytearray, buffer)).cast("B")
        # One step of a decompressor at a time, so that damage further on costs nothing that came before it.
        read = getattr(self._inner, "read1", self._inner.read)
        data = read(len(view))
        view[: len(data)] = data
        return len(data)


class _Guarded(_Raw):
    """A decompressor whose damage is an `InputError` naming the input.

    What came before the damage is given out first, so that good records are kept.
    """

    def __init__(self, name: str, inner: BinaryIO, damage: tuple[type[Exception], ...]) -> None:
        super().__init__(inner)
        self._name = name
        self._damage = damage

    def readinto(self, buffer: object) -> int:
        try:
            return super().readinto(buffer)
        except self._damage as error:
            raise InputError(f"{self._name}: the compressed data is damaged ({error})") from error
