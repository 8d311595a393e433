"""A second process reads the second part of a large file of lines.

The child is a fresh interpreter, started before this one begins to read, so
nothing of this process (threads, locks) is forked. It leaves its tables as
Arrow files in a private folder.
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

from lineage.corpus.builder import Builder
from lineage.corpus.intake import Intake, Range
from lineage.corpus.tables import INDEX_SCHEMA, LINK_SCHEMA, PROBLEM_SCHEMA, TEXT_SCHEMA, TOMBSTONE_SCHEMA
from lineage.discovery import readers
from lineage.errors import InputError
from lineage.sources import Source

_FIRST_SHARE = 0.47
_MEMORY_MAPPED = os.name == "posix"
_SCHEMAS = {
    "index": INDEX_SCHEMA,
    "texts": TEXT_SCHEMA,
    "links": LINK_SCHEMA,
    "problems": PROBLEM_SCHEMA,
    "tombstones": TOMBSTONE_SCHEMA,
}


@dataclass
class Helper:
    """A running child and the first byte of its part."""

    start: int
    process: "subprocess.Popen[bytes]"
    folder: "TemporaryDirectory[str]"

    def collect(self, builder: Builder, *, lines: int) -> None:
        """Wait for the child and append its rows, which follow `lines` lines."""
        try:
            _, errors = self.process.communicate()
            if self.process.returncode:
                raise InputError(f"the reading process failed: {errors.decode(errors='replace').strip()[-300:]}")
            folder = Path(self.folder.name)
            words = json.loads((folder / "words.json").read_text(encoding="utf-8"))
            builder.absorb({name: _load(folder / f"{name}.arrow") for name in _SCHEMAS}, words, lines=lines)
            builder.counts.formats.update(words["counts"]["formats"])
            builder.counts.passed.update(words["counts"]["passed"])
            builder.counts.unreadable += words["counts"]["unreadable"]
        finally:
            self.stop()

    def stop(self) -> None:
        """End the child if it still runs, and remove its folder."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()
        self.folder.cleanup()


def helped(source: Source, forced: str | None) -> Helper | None:
    """Start a child on the second part of a plain file of lines; None where that cannot be done."""
    if not sys.executable or source.path is None:
        return None
    size = source.size()
    with source.path.open("rb") as stream:
        stream.seek(int(size * _FIRST_SHARE))
        stream.readline()
        start = stream.tell()
    if start >= size:
        return None
    folder = TemporaryDirectory(prefix="lineage-", ignore_cleanup_errors=True)
    task = json.dumps({"path": str(source.path), "start": start, "end": size, "forced": forced, "out": folder.name})
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-P", "-c", "from lineage.corpus.parallel import work; work()", task]
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own code
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment
    )
    return Helper(start, process, folder)


def work() -> None:
    """What the child does: its part of the file into Arrow files."""
    import gc

    gc.disable()
    task = json.loads(sys.argv[1])
    builder = Builder()
    intake = Intake(builder, readers(), task["forced"])
    with open(task["path"], "rb", buffering=0) as stream:
        intake.read_lines(stream, Range(task["start"], task["end"]), quick=True, progress=lambda _: None)
    builder.flush()
    folder = Path(task["out"])
    for name, schema in _SCHEMAS.items():
        with pa.OSFile(str(folder / f"{name}.arrow"), "wb") as out, pa.ipc.new_file(out, schema) as writer:
            for batch in getattr(builder, name):
                writer.write_batch(batch)
    counts = {
        "formats": builder.counts.formats,
        "passed": builder.counts.passed,
        "unreadable": builder.counts.unreadable,
    }
    words: dict[str, Any] = {"counts": counts}
    words |= {name: list(getattr(builder, name)) for name in ("formats", "kinds", "vias")}
    (folder / "words.json").write_text(json.dumps(words), encoding="utf-8")


def _load(path: Path) -> pa.Table:
    if _MEMORY_MAPPED:
        return pa.ipc.open_file(pa.memory_map(str(path))).read_all()
    return pa.ipc.open_file(pa.BufferReader(path.read_bytes())).read_all()
