"""The words of every memory as numbers, and what stands beside them: read once for all rules about texts.

A word is what stands between blanks, in lower case, without the punctuation
around it; `C++`, `.NET`, `Node.js` and `near-miss` are one word each. Words
are numbers into one vocabulary, so that whole corpora are compared by arrays.
"""

import contextlib
import gc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from lineage.arrays import as_numpy, joined, letters_of, strings
from lineage.corpus.secrets import suspicious
from lineage.graph.core import Graph

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Bool = NDArray[np.bool_]

_CHUNK = 1 << 16
_READ = ("text", "rationale", "excerpt", "rejected", "module", "files")

_OPENING = "([{<\"'`*_“‘«„"
_CLOSING = ")]}>\"'`*_”’»….,;:!?"
_ENDS_CLAUSE = frozenset(",;:!?….)")


def _kept() -> NDArray[np.uint8]:
    """Every byte as it counts: letters in lower case, control characters and some brackets as blanks."""
    letters = np.arange(256, dtype=np.uint8)
    letters[:33] = 32
    letters[ord("A") : ord("Z") + 1] += 32
    letters[[ord(letter) for letter in '"|=~^\\`*<>{}[]()\x7f']] = 32
    return letters


_LETTERS = _kept()


@dataclass(frozen=True)
class Words:
    """The words of the nodes of a graph, ghosts included (they have none).

    `codes[offsets[i]:offsets[i + 1]]` are the words of node i as indexes of
    `vocabulary`; a word that ends a clause has a code of its own, so several
    codes may stand for one word. `suspicious` are the nodes whose text,
    rationale or excerpt may hold a credential. `vetoes` are the nodes that
    rejected an option, and `options` what each rejected, as it is written.
    `module` numbers the module of each node, -1 where there is none. `folders`
    are the folders of the files that `in_folder` name, numbered.
    """

    offsets: Int64
    codes: Int32
    vocabulary: Sequence[str]
    ends_clause: Bool
    suspicious: Int64
    vetoes: Int64
    options: pa.Array
    module: Int32
    in_folder: Int64
    folders: Int32

    def of(self, node: int) -> list[str]:
        """The words of a node."""
        codes = self.codes[self.offsets[node] : self.offsets[node + 1]]
        return [self.vocabulary[code] for code in codes.tolist()]

    def owners(self, places: Int64) -> Int64:
        """The nodes in whose texts the words at some places stand."""
        return np.searchsorted(self.offsets, places, side="right") - 1


def words(graph: Graph) -> Words:
    """The words of every memory of a graph; read once, and kept with it."""
    return graph.once("words", _words)


def _words(graph: Graph) -> Words:
    found = _Gathered()
    rows = len(graph.rows)
    with _no_collection():
        for begin in range(0, rows, _CHUNK):
            found.add(graph.corpus.stored_texts(graph.rows[begin : begin + _CHUNK], _READ), begin)
    return found.together(rows, graph.size)


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Without the collector of circles: decoding makes many small lists and no circle, and it looks at them all."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class _Gathered:
    """What chunks of texts come to, as they are read."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._codes: list[Int32] = []
        self._counts: list[Int64] = []
        self._suspicious: list[Int64] = []
        self._vetoes: list[Int64] = []
        self._options: list[pa.Array] = []
        self._modules: list[Int32] = []
        self._module_numbers: dict[str, int] = {}
        self._in_folder: list[Int64] = []
        self._folders: list[Int32] = []
        self._folder_numbers: dict[str, int] = {}

    def add(self, table: pa.Table, begin: int) -> None:
        """Take in the texts of the nodes from `begin` on."""
        text, *others = (joined(table[name]) for name in ("text", "rationale", "excerpt"))
        split = pc.ascii_split_whitespace(_plain(text))
        self._counts.append(as_numpy(pc.fill_null(pc.list_value_length(split), 0)).astype(np.int64))
        self._codes.append(self._coded(split.flatten()))
        doubtful = np.logical_or.reduce([suspicious(column) for column in (text, *others)])
        self._suspicious.append(begin + np.flatnonzero(doubtful))
        rejected = joined(table["rejected"])
        self._vetoes.append(begin + as_numpy(pc.list_parent_indices(rejected)).astype(np.int64))
        self._options.append(rejected.flatten().field("first"))
        self._modules.append(_numbered(joined(table["module"]), self._module_numbers, str))
        files = joined(table["files"])
        self._in_folder.append(begin + as_numpy(pc.list_parent_indices(files)).astype(np.int64))
        self._folders.append(_numbered(files.flatten(), self._folder_numbers, _folder))

    def _coded(self, split: pa.Array) -> Int32:
        encoded = split.dictionary_encode()
        known = self._numbers
        places = [known.setdefault(word, len(known)) for word in encoded.dictionary.to_pylist()]
        codes: Int32 = np.array(places, np.int32)[as_numpy(encoded.indices)]
        return codes

    def together(self, rows: int, size: int) -> Words:
        """All that was taken in, for so many nodes."""
        offsets = np.zeros(size + 1, np.int64)
        np.cumsum(np.concatenate([np.zeros(0, np.int64), *self._counts]), out=offsets[1 : rows + 1])
        offsets[rows + 1 :] = offsets[rows]
        raw = list(self._numbers)
        return Words(
            offsets=offsets,
            codes=np.concatenate([np.zeros(0, np.int32), *self._codes]),
            vocabulary=[_stripped(word) for word in raw],
            ends_clause=np.array([word[-1:] in _ENDS_CLAUSE for word in raw], np.bool_),
            suspicious=np.concatenate([np.zeros(0, np.int64), *self._suspicious]),
            vetoes=np.concatenate([np.zeros(0, np.int64), *self._vetoes]),
            options=joined(pa.chunked_array(self._options, pa.string())),
            module=np.concatenate([*self._modules, np.full(size - rows, -1, np.int32)]),
            in_folder=np.concatenate([np.zeros(0, np.int64), *self._in_folder]),
            folders=np.concatenate([np.zeros(0, np.int32), *self._folders]),
        )


def _numbered(names: pa.Array, known: dict[str, int], told: Callable[[str], str]) -> Int32:
    """The number of what each name tells, -1 for an unknown name; `known` holds those that were seen."""
    if names.null_count == len(names):
        return np.full(len(names), -1, np.int32)
    encoded = names.dictionary_encode()
    places = [known.setdefault(told(name), len(known)) for name in encoded.dictionary.to_pylist()]
    codes: Int32 = np.array([*places, -1], np.int32)[as_numpy(pc.fill_null(encoded.indices, len(places)))]
    return codes


def _folder(file: str) -> str:
    """The folder of a file; of one at the top, the file itself."""
    path = file.replace("\\", "/").removeprefix("./").strip("/")
    return path.rpartition("/")[0] or path


def _plain(texts: pa.Array) -> pa.Array:
    """Texts with only what counts as parts of words left; unknown ones are empty."""
    texts = pc.fill_null(texts, "")
    if not texts.type.equals(pa.string()):
        texts = texts.cast(pa.string())
    bounds, letters = letters_of(texts)
    data = _LETTERS[letters[bounds[0] : bounds[-1]]] if len(bounds) else letters[:0]
    return pa.Array.from_buffers(
        pa.string(), len(texts), [None, pa.py_buffer((bounds - bounds[:1]).astype(np.int32)), pa.py_buffer(data)]
    )


def _stripped(word: str) -> str:
    """A word without the punctuation around it, in lower case beyond ASCII too."""
    bare = word.lstrip(_OPENING).rstrip(_CLOSING)
    for ending in ("'s", "’s"):
        bare = bare.removesuffix(ending)
    return bare.casefold().replace("’", "'")


def split(text: str) -> list[str]:
    """The words of one text, as those of the corpus are told."""
    (found,) = pc.ascii_split_whitespace(_plain(strings([text]))).to_pylist()
    return [word for word in map(_stripped, found) if word]


def expanded(begins: Int64, counts: Int64) -> Int64:
    """The numbers of so many consecutive places from each beginning on, one after the other."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(begins - ends + counts, counts) + np.arange(total)


def among(values: Int64, wanted: Int64) -> Bool:
    """Which values are among some others, by sorting: `numpy.isin` of large arrays takes five times as long."""
    if not len(wanted):
        return np.zeros(len(values), np.bool_)
    ordered = np.sort(wanted)
    found: Bool = ordered[np.minimum(np.searchsorted(ordered, values), len(ordered) - 1)] == values
    return found


def texts(graph: Graph, nodes: Sequence[int]) -> Iterator[str]:
    """The texts of some nodes as they may be shown."""
    held = graph.corpus.texts_of(graph.rows[np.asarray(nodes, np.int64)], ["text"])["text"].to_pylist()
    return (text or "" for text in held)
