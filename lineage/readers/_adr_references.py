"""Which record of the input a reference names."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from lineage.readers._adr_statements import Reference

_NUMBERED = re.compile(r"(?:adr|rfc|dec|d)?[-_ #]{0,2}0*(\d{1,8})(?![\d])", re.IGNORECASE)
_DATED = re.compile(r"(?:adr[-_ ])?\d{8}(?!\d)", re.IGNORECASE)
_SUFFIX = re.compile(r"\.(?:md|markdown|mdx)$", re.IGNORECASE)


def number_of(name: str) -> int | None:
    """The number that a file's name or a reference begins with; a date is none."""
    found = _NUMBERED.match(name.strip())
    return int(found[1]) if found and not _DATED.match(name.strip()) else None


@dataclass(frozen=True)
class Known:
    """What a record may be called by: its id, the folder and name of its file, its number, and labels of its own."""

    id: str
    folder: str
    stem: str
    number: int | None
    labels: Sequence[str] = ()


@dataclass(frozen=True)
class Found:
    """What a reference comes to: the id of a record, or what was written; several records may be meant.

    `differs` says that the words of the link name another record than its target.
    """

    id: str
    ambiguous: bool = False
    differs: bool = False


class References:
    """Looks references up: first by the target of the link, then by number, label or slug within the same folder."""

    def __init__(self, records: Iterable[Known]) -> None:
        self._by_id: dict[str, Known] = {}
        self._by_number: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
        self._by_name: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for record in records:
            self._by_id[record.id] = record
            if record.number is not None:
                self._by_number[record.folder, record.number].append(record.id)
            for name in {_folded(record.stem), _slug(record.stem), *map(_folded, record.labels)}:
                self._by_name[record.folder, name].append(record.id)

    def __call__(self, reference: Reference, source: Known) -> Found | None:
        """The record that a reference in another one names; None where it leads out of the input."""
        if reference.target is not None:
            path = self._path(reference.target, source)
            if path in self._by_id:
                said = number_of(reference.text)
                actual = self._by_id[path].number
                return Found(path, differs=None not in (said, actual) and said != actual)
            if path is None or not _SUFFIX.search(path):
                # An address elsewhere, or a place in the document itself.
                return self._named(reference.text, source) if number_of(reference.text) is not None else None
            return self._named(posixpath.basename(path), source, written=path)
        return self._named(reference.text, source)

    def _path(self, target: str, source: Known) -> str | None:
        if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|//|#", target):
            return None
        path = unquote(re.split(r"[?#]", target, maxsplit=1)[0])
        path = posixpath.normpath(posixpath.join(source.folder, path.lstrip("/")))
        return path if path in self._by_id or _SUFFIX.search(path) or f"{path}.md" not in self._by_id else f"{path}.md"

    def _named(self, name: str, source: Known, *, written: str | None = None) -> Found:
        """By a name or slug in the same folder, or anywhere if by its whole path; then by number."""
        path = posixpath.normpath(posixpath.join(source.folder, name))
        for candidate in (path, f"{path}.md", name, f"{name}.md"):
            if candidate in self._by_id:
                return Found(candidate)
        alike = self._by_name.get((source.folder, _folded(name))) or self._by_name.get((source.folder, _slug(name)), [])
        number = number_of(name)
        if not alike and number is not None:
            alike = self._by_number.get((source.folder, number), [])
        if len(alike) == 1:
            return Found(alike[0])
        return Found(written or name, ambiguous=len(alike) > 1)


def _folded(name: str) -> str:
    """A name as others may write it: without its ending, its case and the signs between its words."""
    return re.sub(r"[\W_]+", "-", _SUFFIX.sub("", name).lower()).strip("-")


def _slug(name: str) -> str:
    """The words of a name, without the number before them."""
    words = _folded(name)
    return re.sub(r"^(?:adr-)?\d{1,8}-(?=\D)", "", words)
