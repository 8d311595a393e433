"""Starting a second process that reads the second part of a large file of lines.

The child is a fresh interpreter, started before this one imports anything
heavy, so that both warm up at once, and nothing of this process (threads,
locks) is forked. What it does is in `lineage.corpus.parallel`.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from lineage.sources import Source

PARALLEL_FROM = 48 << 20
"""Size in bytes from which a second process takes part of the lines."""
_OWN_SHARE = 0.5
"""The child has its tables to write, and this process more to import."""
_HEAD = 1 << 16


@dataclass
class Helper:
    """A running child, the first byte of its part, and the folder where it leaves its tables."""

    start: int
    process: "subprocess.Popen[bytes]"
    folder: "TemporaryDirectory[str]"

    def stop(self) -> None:
        """End the child if it still runs, and remove its folder."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.process.stderr:
            self.process.stderr.close()
        self.folder.cleanup()


def helpers(listed: Sequence[Source], forced: str | None) -> Mapping[str, Helper]:
    """A child for the first large plain file of lines, by its name; empty where there is none."""
    for source in listed:
        if source.size() >= PARALLEL_FROM and sys.executable and source.is_plain():
            start = _middle(source)
            if start:
                return {source.name: _started(source, start, forced)}
    return {}


def _middle(source: Source) -> int:
    """Where the child's part of a file of lines begins; 0 where the file is none or cannot be parted."""
    if source.path is None:
        return 0
    size = source.size()
    with source.path.open("rb") as stream:
        first = stream.read(_HEAD).split(b"\n", 1)[0].strip()
        if not (first.startswith(b"{") and first.endswith(b"}")) or len(first) < 3:
            return 0
        stream.seek(int(size * _OWN_SHARE))
        stream.readline()
        return stream.tell() if stream.tell() < size else 0


def _started(source: Source, start: int, forced: str | None) -> Helper:
    folder = TemporaryDirectory(prefix="lineage-", ignore_cleanup_errors=True)
    task = {"path": str(source.path), "start": start, "end": source.size(), "forced": forced, "out": folder.name}
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path or str(Path.cwd()) for path in sys.path)}
    command = [sys.executable, "-P", "-c", "from lineage.corpus.parallel import work; work()", json.dumps(task)]
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own code
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment
    )
    return Helper(start, process, folder)
