"""Measure drawings of one lineage of 20, 200 and 2,000 memories against Graphviz on the same graph.

    python benchmarks/drawing.py [--runs N]

Laying out and writing the SVG is timed in this process; `dot -Tsvg` as a
process of its own (which alone takes some 10 ms to start), on what `lineage
draw -o FILE.dot` writes. Prints a Markdown table of medians and ratios.
"""

import argparse
import io
import json
import random
import subprocess
import time
from collections.abc import Callable, Iterator
from statistics import median

import lineage

SIZES = (20, 200, 2000)
PATIENCE = 30
"""After so many seconds dot is stopped, and its time is a lower bound."""


def memories(size: int, *, wide: bool) -> Iterator[str]:
    """One lineage: mostly chains, some forks and merges, or with `wide` a bush of forks."""
    chance = random.Random(size)
    for number in range(size):
        near = number - 1 - int(chance.expovariate(0.02 if wide else 1.5))
        before = {max(near, 0)} if number else set()
        if number > 3 and chance.random() < 0.1:
            before.add(chance.randrange(number))
        yield json.dumps(
            {
                "format": "lineage-memory/v1",
                "id": f"m{number}",
                "of": "robrain",
                "kind": "decision",
                "text": f"Decision number {number} of some length, as people write them",
                "created_at": f"2026-{1 + number // 180 % 12:02d}-{1 + number // 6 % 28:02d}T10:00:00Z",
                "links": [{"kind": "supersedes", "target": f"m{other}"} for other in sorted(before)],
            }
        )


def timed(action: Callable[[], object], runs: int) -> float:
    """The median seconds of some runs, after one that is not counted."""
    action()
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        action()
        times.append(time.perf_counter() - begun)
    return median(times)


def once(action: Callable[[], object]) -> float:
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def graphviz(source: bytes) -> None:
    command = ["timeout", str(PATIENCE), "dot", "-Tsvg"]
    subprocess.run(command, input=source, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def rows(runs: int) -> Iterator[tuple[str, ...]]:
    for wide in (False, True):
        for size in SIZES:
            text = "\n".join(memories(size, wide=wide)).encode()
            graph = lineage.build(lineage.read(io.BytesIO(text)))
            source = lineage.draw(graph, "dot", max_nodes=0).content
            ours = timed(lambda graph=graph: lineage.draw(graph, "svg", max_nodes=0), runs)
            theirs = once(lambda source=source: graphviz(source)) if size == 2000 else None
            theirs = theirs or max(timed(lambda source=source: graphviz(source), runs), 1e-3)
            more = ">" if theirs > PATIENCE else ""
            name = f"{size:,} memories{', many forks' if wide else ''}"
            yield name, f"{ours * 1e3:.1f}", f"{more}{theirs * 1e3:.0f}", f"{'<' if more else ''}{ours / theirs:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    print("| one lineage of | svg ms | dot ms | ratio |\n| --- | --- | --- | --- |")
    for cells in rows(parser.parse_args().runs):
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
