"""Write a large corpus for measuring: memories as JSON lines, or an AT Protocol repository as a CAR file.

    python benchmarks/generate.py --memories 1000000 --seed 7 memories.jsonl
    python benchmarks/generate.py --car 100000 --seed 7 repo.car

The same arguments write the same bytes. Memory use does not grow with the number of JSON lines.
"""

import argparse
import hashlib
import json
import math
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO

import orjson
from car import write_car
from layout import MISSING, Layout, mixed, one_chain
from words import FAULTS, SCOPES, TOOLS, path, pick, story

START = datetime(2026, 1, 5, 8, 0, tzinfo=UTC)
SPAN = timedelta(days=300)

BAD = (
    b'{"format":"robrain-memory/v1","id":"cut-short","decision":"the disk was fu',
    b"exported 4000 memories",
    b'["robrain-memory/v1"]',
    b'{"format":"robrain-memory/v1","id":"\xff\xfe","decision":"not UTF-8"}',
    b'{"format":"robrain-memory/v1","id":"not-a-number","decision":"x","quality":{"historical_relevance":NaN}}',
    b'{"format":"robrain-memory/v1","decision":"no id"}',
    b'{"format":"robrain-memory/v2","id":"too-new","decision":"a later version"}',
)


class Teller:
    """Tells the memory of any row, given the seed; rows do not depend on each other."""

    def __init__(self, layout: Layout, seed: int, *, unknown_keys: bool) -> None:
        self._layout = layout
        self._key = seed.to_bytes(8, "little")
        self._step = SPAN / max(layout.count, 1)
        self._unknown_keys = unknown_keys

    def memory(self, row: int) -> dict[str, Any]:
        """The memory of this row, with every key of the format in its order."""
        dice = self._dice(row)
        told = story(dice)
        record: dict[str, Any] = {
            "format": "robrain-memory/v1",
            "id": self._id(row, dice),
            "decision": told.decision,
            "rationale": told.rationale if dice[13] % 32 else None,
            "rejected": self._rejected(dice) if dice[16] % 8 == 0 else [],
            "files_affected": [
                path(int.from_bytes(dice[at : at + 3], "big")) for at in range(20, 20 + dice[14] % 5 // 2)
            ],
            "scope": pick(SCOPES, dice[17]),
            "lifecycle": self._lifecycle(row, dice),
            "provenance": {
                "session_id": f"sess-{row // 8:06x}",
                "source_turn_sequence": 1 + row % 8,
                "source_excerpt": told.excerpt if dice[18] % 4 == 0 else None,
            },
            "quality": {
                "historical_relevance": (20 + dice[26] % 80) / 100,
                "injected_count": dice[27] % 40,
                "used_count": dice[27] % 40 * (128 + dice[28] // 2) // 256,
            },
        }
        if self._unknown_keys:
            record["quality"]["last_injected_at"] = self._time(row)
            record["workspace"] = {"name": told.place, "revision": dice[29]}
        return record

    def _dice(self, row: int) -> bytes:
        return hashlib.blake2b(row.to_bytes(8, "little", signed=True), key=self._key, digest_size=48).digest()

    def _id(self, row: int, dice: bytes | None = None) -> str:
        digits = (dice or self._dice(row))[32:].hex()
        return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"

    def _time(self, row: int) -> str:
        return (START + self._step * row).isoformat(timespec="milliseconds")[:23] + "Z"

    def _rejected(self, dice: bytes) -> list[dict[str, str]]:
        options = [{"option": pick(TOOLS, dice[30], 17), "reason": pick(FAULTS, dice[31])}]
        if dice[31] & 64:
            options.append({"option": pick(TOOLS, dice[30], 40), "reason": pick(FAULTS, dice[19])})
        return options

    def _lifecycle(self, row: int, dice: bytes) -> dict[str, str | None]:
        earlier, later = self._layout.predecessor(row), self._layout.successor(row)
        ended = self._time(max(later, row)) if later is not None else None
        if later is None and earlier is None and dice[29] % 64 == 0:
            ended = self._time(row + 1)  # turned down in review
        target = -row - 1 if earlier == MISSING else earlier  # no row has a negative number
        return {
            "created_at": self._time(row),
            "invalidated_at": ended,
            "reviewed_at": self._time(row + 1) if dice[25] % 5 < 3 else None,
            "supersedes_id": None if target is None else self._id(target),
        }


def rows(count: int, seed: int, *, shuffle: bool) -> Iterator[int]:
    """Every row number once: in order, or scattered without holding them all."""
    if not shuffle or count < 3:
        yield from range(count)
        return
    stride = max(1, int(count * 0.618) + seed % 1009)
    while math.gcd(stride, count) != 1:
        stride += 1
    for number in range(count):
        yield (number * stride + seed) % count


def spaced(record: dict[str, Any]) -> bytes:
    """The record with the separators that `json.dumps` writes by default."""
    return json.dumps(record, ensure_ascii=False).encode()


def write_lines(out: BinaryIO, options: argparse.Namespace) -> None:
    """Write the memories, and the bad lines evenly among them."""
    count: int = options.memories
    layout = one_chain(count) if options.chain else mixed(count)
    teller = Teller(layout, options.seed, unknown_keys=options.unknown_keys)
    encode: Callable[[dict[str, Any]], bytes] = spaced if options.spaces else orjson.dumps
    written = 0
    for number, row in enumerate(rows(count, options.seed, shuffle=options.shuffle), start=1):
        out.write(encode(teller.memory(row)) + b"\n")
        while written < options.bad * number // count:
            out.write(BAD[written % len(BAD)] + b"\n")
            written += 1


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--memories", type=int, default=1_000_000, metavar="N", help="lines to write")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--chain", action="store_true", help="one chain of all memories")
    parser.add_argument("--spaces", action="store_true", help="a space behind every comma and colon")
    parser.add_argument("--bad", type=int, default=0, metavar="N", help="unreadable lines to put between the others")
    parser.add_argument("--unknown-keys", action="store_true", help="keys that the format does not know")
    parser.add_argument("--shuffle", action="store_true", help="the lines out of order")
    parser.add_argument("--car", type=int, metavar="N", help="a repository of N records in place of lines")
    return parser.parse_args(arguments)


def main() -> None:
    """Write what the command line asks for."""
    options = parse()
    with options.out.open("wb", buffering=1 << 20) as out:
        if options.car is None:
            write_lines(out, options)
        else:
            write_car(out, options.car, options.seed)


if __name__ == "__main__":
    main()
