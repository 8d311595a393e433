"""Measure the command against reference programs run beside it, and hold the ratios to their limits.

    python benchmarks/run.py                          the full table: a million memories, five runs of each
    python benchmarks/run.py --memories 50000 --runs 3

Prints a Markdown table; ends with 1 where a limit is not kept.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from measure import Peak, Process, Times, alternating, peak

HERE = Path(__file__).resolve().parent
DECODE = "import sys, orjson\nfor line in open(sys.argv[1], 'rb'): orjson.loads(line)"
DECODE_GOOD = """import sys, orjson
for line in open(sys.argv[1], 'rb'):
    try: orjson.loads(line)
    except ValueError: pass
"""
NOISE = 1.05
HEADINGS = ("case", "reference", "median s", "ratio", "limit", "peak MB (one / all)", "to file", "limit", "ok")


@dataclass(frozen=True)
class Row:
    """One measured case; a limit of None is none."""

    case: str
    reference: str
    times: Times
    limit: float | None = None
    peak: Peak | None = None
    file_size: int = 0
    memory_limit: float | None = None

    @property
    def memory_ratio(self) -> float | None:
        """Peak memory to the size of the input."""
        return self.peak.worst / self.file_size if self.peak and self.file_size else None

    @property
    def kept(self) -> bool:
        """Whether both limits are kept."""
        in_time = self.limit is None or self.times.ratio <= self.limit
        in_memory = self.memory_limit is None or (self.memory_ratio or 0.0) <= self.memory_limit
        return in_time and in_memory

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        megabytes = f"{self.peak.largest / 1e6:.0f} / {self.peak.together / 1e6:.0f}" if self.peak else "-"
        limited = self.limit is not None or self.memory_limit is not None
        return (
            self.case,
            self.reference,
            f"{self.times.case:.2f}",
            f"{self.times.ratio:.2f}",
            _number(self.limit),
            megabytes,
            _number(self.memory_ratio),
            _number(self.memory_limit),
            ("yes" if self.kept else "NO") if limited else "-",
        )


class Bench:
    """The cases, over inputs generated in one folder."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self._options = options
        self._folder = folder
        self._lineage: list[str] = options.command.split() if options.command else [sys.executable, "-m", "lineage"]

    def rows(self) -> Iterator[Row]:
        """Every row in its order, each as soon as it is measured."""
        mix = self._generated("mix.jsonl", "--memories", self._options.memories)
        report = self._over(mix, "report, mixed lineages", *self._report(), limit=1.5, memory_limit=1.5)
        yield report
        yield self._over(mix, "check, mixed lineages", "check", "--fail-on", "never", limit=1.3)
        chain = self._generated("chain.jsonl", "--memories", self._options.memories, "--chain")
        as_fast = report.times.ratio * NOISE
        yield self._over(chain, "report, one chain of all", *self._report(), limit=as_fast, memory_limit=1.5)
        yield self._over(mix, "heads -f ids", "heads", "-f", "ids")
        yield self._over(mix, "list -f jsonl", "list", "-f", "jsonl")
        yield self._parquet(mix)
        if self._options.variants:
            yield from self._variants()
        yield self._car()
        yield self._help()

    def _variants(self) -> Iterator[Row]:
        for name, flag in (("spaces", "--spaces"), ("unknown keys", "--unknown-keys"), ("shuffled", "--shuffle")):
            path = self._generated("variant.jsonl", "--memories", self._options.memories, flag)
            yield self._over(path, f"report, {name}", *self._report())
        bad = self._options.memories // 1000
        path = self._generated("variant.jsonl", "--memories", self._options.memories, "--bad", bad)
        yield self._over(path, "report, 1 bad line in 1,000", *self._report(), decode=DECODE_GOOD)

    def _report(self) -> tuple[str, ...]:
        return "report", "-f", "json", "-o", str(self._folder / "report.json")

    def _over(
        self,
        path: Path,
        name: str,
        *arguments: str,
        limit: float | None = None,
        memory_limit: float | None = None,
        decode: str = DECODE,
    ) -> Row:
        case = Process([*self._lineage, *arguments, str(path)], stdout=self._folder / "stdout")
        reference = Process([sys.executable, "-c", decode, str(path)])
        times = alternating(reference, case, self._options.runs)
        return Row(name, "decode the lines", times, limit, peak(case), path.stat().st_size, memory_limit)

    def _parquet(self, lines: Path) -> Row:
        command = [sys.executable, str(HERE / "tables.py"), str(lines), str(self._options.runs)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return Row("read Parquet by a mapping", "decode the lines", Times(**json.loads(done.stdout)), limit=1.0)

    def _car(self) -> Row:
        path = self._generated("repo.car", "--car", self._options.records)
        command = [sys.executable, str(HERE / "reading.py"), str(path), str(self._options.runs)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        times = Times(**json.loads(done.stdout))
        case = Process([*self._lineage, "heads", "-f", "ids", str(path)])
        return Row(
            "read a CAR file", "decode its blocks", times, limit=3.0, peak=peak(case), file_size=path.stat().st_size
        )

    def _help(self) -> Row:
        case = Process([*self._lineage, "--help"])
        times = alternating(Process([sys.executable, "-c", "import click"]), case, self._options.runs * 4)
        return Row("--help", "import click", times, limit=1.5, peak=peak(case))

    def _generated(self, name: str, *arguments: object) -> Path:
        path = self._folder / name
        command = [sys.executable, str(HERE / "generate.py"), "--seed", str(self._options.seed)]
        subprocess.run([*command, *map(str, arguments), str(path)], check=True)
        return path


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--memories", type=int, default=1_000_000, metavar="N", help="memories in each JSONL input")
    parser.add_argument("--records", type=int, default=100_000, metavar="N", help="records in the CAR file")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="timed runs of each program")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--command", help="the command to measure (default: python -m lineage of this checkout)")
    parser.add_argument("--variants", action="store_true", help="also inputs that differ in form; no limits")
    return parser.parse_args()


def main() -> int:
    """Measure, print each row as it comes, and say by the exit status whether all limits are kept."""
    options = parse()
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(HERE.parent), os.environ.get("PYTHONPATH"))))
    kept = True
    print("| " + " | ".join(HEADINGS) + " |")
    print("|" + " --- |" * len(HEADINGS), flush=True)
    with tempfile.TemporaryDirectory(prefix="lineage-bench-") as folder:
        for row in Bench(options, Path(folder)).rows():
            print("| " + " | ".join(row.cells()) + " |", flush=True)
            kept = kept and row.kept
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
