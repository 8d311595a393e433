"""What words come to when two texts are compared: fillers gone, endings cut, numbers and negations held fast.

Two texts say nearly the same if the same words carry them. A number, a
negation or a limit ("only", "unless") turns a sentence round however much else
is alike, and so does an exchange of what it is about; a filler, an ending or a
word more in a long sentence does not.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lineage.analyses.words import Words

_FILLERS = frozenset(
    "a an the is are be was were been being am we our ours us i my you your they their it its this that these those "
    "there here must should shall will would always please use uses using used usage utilise utilize adopt adopts "
    "adopted adopting choose chose chosen choosing pick picked select selected go do does did have has had having "
    "of for in on at to and as so then also just now decision decided decide decides agreed agree team let lets "
    "let's we'll we're all every each everywhere".split()
)
NEGATIONS = frozenset(
    "not no never none nor neither nothing nobody without cannot can't cant don't dont doesn't doesnt didn't isn't "
    "aren't won't wouldn't shouldn't mustn't non avoid avoids avoiding stop stops stopped stopping ban bans banned "
    "forbid forbids forbidden prohibit prohibited refuse refuses reject rejects rejected drop drops dropped dropping "
    "remove removes removed removing disable disabled deprecate deprecates deprecated abandon abandoned instead "
    "rather unlike against retire retires retired replace replaces replaced replacing revert reverts reverted "
    "reverting undo undoes undone rollback rolled cancel cancels cancelled".split()
)
_LIMITS = frozenset(
    "except unless until only but than before after if when whenever while during may might can could optional "
    "optionally maybe sometimes rarely often any both either or half double twice once one two three "
    "four five six seven eight nine ten first second third last least most more less fewer max min maximum minimum "
    "daily weekly monthly hourly per".split()
)
_DIRECTIONS = frozenset(
    "from into onto over under with by via through against than before after instead rather prefer prefers preferred "
    "replace replaces replaced between above below behind ahead per depends calls".split()
)
_SAME = {
    "db": "database",
    "postgresql": "postgres",
    "js": "javascript",
    "ts": "typescript",
    "k8s": "kubernetes",
    "config": "configuration",
    "configs": "configuration",
    "repo": "repository",
    "repos": "repository",
    "env": "environment",
    "prod": "production",
    "docs": "documentation",
    "shown": "show",
    "written": "write",
    "kept": "keep",
    "built": "build",
    "sent": "send",
    "ran": "run",
    "held": "hold",
    "made": "make",
    "taken": "take",
    "given": "give",
}
_APART = re.compile(r"[-/_+–—]+(?=.)")
_SPELLING = re.compile(r"is(e|es|ed|ing|ation|ations)$")


@dataclass(frozen=True)
class Meaning:
    """What each code of a vocabulary comes to.

    `stems` are what carries a text of each word: none of a filler, several of
    one with hyphens; `hashes` is the sum of theirs. `fixed` words may not be what two texts differ
    in; with a word of `turns`, the order of the others matters. `whole` tells
    apart words as they are.
    """

    stems: Sequence[tuple[str, ...]]
    hashes: NDArray[np.uint64]
    whole: NDArray[np.uint64]
    fixed: NDArray[np.bool_]
    turns: NDArray[np.bool_]


def meaning(words: Words) -> Meaning:
    """What the vocabulary of some words comes to."""
    hashes, whole = np.zeros((2, len(words.vocabulary)), np.uint64)
    fixed, turns = np.zeros((2, len(words.vocabulary)), np.bool_)
    stems: list[tuple[str, ...]] = []
    known = frozenset(words.vocabulary)
    for code, word in enumerate(words.vocabulary):
        parts = _parts(word)
        if len(parts) > 1 and "".join(parts) in known:
            # `back-off` where another text has `backoff`.
            parts = ["".join(parts)]
        kept = tuple(stem(part) for part in parts if part not in _FILLERS)
        stems.append(kept)
        hashes[code] = sum(map(hashed, kept)) % (1 << 64)
        whole[code] = hashed(word) if word else 0
        fixed[code] = any(part in NEGATIONS or part in _LIMITS or not part.isalpha() for part in parts)
        turns[code] = any(part in _DIRECTIONS or part in NEGATIONS for part in parts)
    return Meaning(stems, hashes, whole, fixed, turns)


def carrying(words: list[str]) -> list[str]:
    """The words of a text that carry it, as they are compared."""
    return [stem(part) for word in words for part in _parts(word) if part not in _FILLERS]


def _parts(word: str) -> list[str]:
    """The parts of a word with hyphens or slashes; `C++` is whole."""
    if word.isalpha():
        return [word]
    return [part for part in (part.strip(".'") for part in _APART.split(word)) if part]


def hashed(word: str) -> int:
    """A number for a word: 64 bits, the same in every run."""
    return int.from_bytes(hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest(), "little")


@lru_cache(1 << 16)
def stem(word: str) -> str:
    """A word without the ending of its number or tense; `caches`, `cached` and `caching` are one."""
    word = _SAME.get(word, word)
    if len(word) < 4 or not (word.isascii() and word.isalpha()) or word in NEGATIONS or word in _LIMITS:
        return word
    if len(word) > 6:
        word = _SPELLING.sub(r"iz\1", word)
    for ending in ("ings", "ing", "ies", "ied", "ed", "es", "s"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and not rest.endswith("s" if ending == "s" else "\0"):
            if not any(vowel in rest for vowel in "aeiouy") or (ending == "s" and rest.endswith(("u", "i"))):
                break
            word = rest + "y" if ending.startswith("ie") else rest
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word.endswith("e") else word
