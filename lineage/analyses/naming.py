"""How a sentence names a memory: its id quoted, on one line, the middle of a long one left out."""

from collections.abc import Sequence

from lineage.text import one_line

_LONGEST = 48
_TAIL = 26


def quoted(identifier: str) -> str:
    """The id in quotes. A long one keeps both ends, as a record URI differs at its end."""
    line = identifier if identifier.isascii() and identifier.isprintable() else one_line(identifier)
    if len(line) > _LONGEST:
        line = f"{line[: _LONGEST - _TAIL - 1]}…{line[-_TAIL:]}"
    return f"'{line}'"


def walked(identifiers: Sequence[str], *, most: int = 8) -> str:
    """The ids of a walk with arrows between them; beyond `most` its middle is left out."""
    if len(identifiers) <= most:
        return " → ".join(map(quoted, identifiers))
    first, last = identifiers[: most - 2], identifiers[-1:]
    left_out = f"({len(identifiers) - most + 1:,} more)"
    return " → ".join([*map(quoted, first), left_out, *map(quoted, last)])


def listed(identifiers: Sequence[str], *, most: int = 5) -> str:
    """The ids as part of a sentence: `'a', 'b' and 'c'`; beyond `most` the rest is counted."""
    names = [quoted(identifier) for identifier in identifiers[:most]]
    if len(identifiers) > most:
        names.append(f"{len(identifiers) - most:,} more")
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
