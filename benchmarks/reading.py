"""Reading a CAR file against bare decoding of its blocks, by turns in one process; prints both medians as JSON.

python benchmarks/reading.py repo.car RUNS
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import cbor2

import lineage

CID_SIZE = 36


def decode_all(path: Path) -> int:
    """Decode every block with cbor2 and check nothing; how many there were."""
    data = path.read_bytes()
    size, position = _varint(data, 0)
    position += size
    count = 0
    while position < len(data):
        size, position = _varint(data, position)
        cbor2.loads(data[position + CID_SIZE : position + size])
        position += size
        count += 1
    return count


def seconds(work: Callable[[Path], Any], path: Path) -> float:
    """The wall time of one call."""
    begun = time.perf_counter()
    work(path)
    return time.perf_counter() - begun


def main() -> None:
    """Measure by turns, after one call of each that does not count."""
    path, runs = Path(sys.argv[1]), int(sys.argv[2])
    decoded, read = [], []
    for _ in range(runs + 1):
        decoded.append(seconds(decode_all, path))
        read.append(seconds(lineage.read, path))
    print(json.dumps({"reference": median(decoded[1:]), "case": median(read[1:])}))


def _varint(data: bytes, position: int) -> tuple[int, int]:
    number = shift = 0
    while data[position] > 127:
        number |= (data[position] & 127) << shift
        shift += 7
        position += 1
    return number | data[position] << shift, position + 1


if __name__ == "__main__":
    main()
