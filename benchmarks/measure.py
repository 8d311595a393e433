"""Time and memory of whole processes, measured from outside (Linux).

This module must stay small in memory: a child starts as a copy of its parent,
and the kernel counts that copy into the child's peak.
"""

import os
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

SAMPLE_EVERY = 0.02


@dataclass(frozen=True)
class Process:
    """A command to measure; its output goes to a file or is thrown away."""

    command: Sequence[str]
    stdout: Path | None = None
    accepted: tuple[int, ...] = (0,)


@dataclass(frozen=True)
class Times:
    """Medians of several runs of two commands, in seconds."""

    reference: float
    case: float

    @property
    def ratio(self) -> float:
        """How many times as long as the reference the case took."""
        return self.case / self.reference


@dataclass(frozen=True)
class Peak:
    """The most memory one run held, in bytes."""

    largest: int
    """The largest single process (its resident set, as the kernel counted it)."""
    together: int
    """All processes of the tree at one moment (proportional set size, sampled)."""

    @property
    def worst(self) -> int:
        """The larger of the two."""
        return max(self.largest, self.together)


def alternating(reference: Process, case: Process, runs: int) -> Times:
    """Run both by turns, so that a slow minute of the machine falls on both."""
    references, cases = [], []
    seconds(reference)
    seconds(case)
    for _ in range(runs):
        references.append(seconds(reference))
        cases.append(seconds(case))
    return Times(median(references), median(cases))


def seconds(process: Process) -> float:
    """The wall time of one run, from start to exit."""
    begun = time.perf_counter()
    child = _start(process)
    _, status, _ = os.wait4(child.pid, 0)
    elapsed = time.perf_counter() - begun
    _finish(child, status, process)
    return elapsed


def peak(process: Process) -> Peak:
    """The memory of one run; apart from the timed ones, because looking costs time."""
    child = _start(process)
    highest = 0
    done = threading.Event()

    def watch() -> None:
        nonlocal highest
        while not done.wait(SAMPLE_EVERY):
            highest = max(highest, sum(map(_proportional, _tree(child.pid))))

    watcher = threading.Thread(target=watch)
    watcher.start()
    # Waiting without reaping first keeps the watcher from reading the files of a stranger with the same number.
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    done.set()
    watcher.join()
    _, status, usage = os.wait4(child.pid, 0)
    _finish(child, status, process)
    return Peak(largest=usage.ru_maxrss * 1024, together=highest)


def _start(process: Process) -> subprocess.Popen[bytes]:
    if process.stdout is None:
        return subprocess.Popen(process.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with process.stdout.open("wb") as out:
        return subprocess.Popen(process.command, stdout=out, stderr=subprocess.DEVNULL)


def _finish(child: subprocess.Popen[bytes], status: int, process: Process) -> None:
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in process.accepted:
        message = f"ended with {child.returncode}: {' '.join(process.command)}"
        raise SystemExit(message)


def _tree(root: int) -> list[int]:
    """A process and all below it that are alive."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # The name in brackets may itself hold brackets and spaces.
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue  # it ended meanwhile
        children.setdefault(parent, []).append(int(folder.name))
    found = [root]
    for pid in found:
        found.extend(children.get(pid, ()))
    return found


def _proportional(pid: int) -> int:
    """The memory of a process, where a page shared by two counts half for each."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass  # it ended meanwhile
    return 0
