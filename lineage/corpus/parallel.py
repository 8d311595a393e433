"""What the second process does with its part of a large file, and how its tables come back.

They are left as Arrow files in a private folder and mapped into memory.
"""

import gc
import json
import os
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa

from lineage.corpus.builder import Builder
from lineage.corpus.gathering import Gathering
from lineage.corpus.helper import Helper
from lineage.corpus.intake import Intake, Range
from lineage.corpus.tables import SCHEMAS
from lineage.discovery import readers
from lineage.errors import InputError

_MEMORY_MAPPED = os.name == "posix"


def collect(helper: Helper, builder: Builder, intake: Intake, *, lines: int) -> None:
    """Wait for a child and append its rows, which follow `lines` lines of the same source."""
    _, errors = helper.process.communicate()
    if helper.process.returncode:
        raise InputError(f"the reading process failed: {errors.decode(errors='replace').strip()[-300:]}")
    folder = Path(helper.folder.name)
    words = json.loads((folder / "words.json").read_text(encoding="utf-8"))
    builder.absorb({name: _load(folder / f"{name}.arrow") for name in SCHEMAS}, words, lines=lines)
    builder.counts.add(words["counts"])
    for name, line, record in words["held"]:
        intake.gathering.record(readers()[name], record, line + lines)


def work() -> None:
    """What the child does: its part of the file into Arrow files."""
    gc.disable()
    task = json.loads(sys.argv[1])
    builder = Builder()
    intake = Intake(builder, Gathering(builder), readers(), task["forced"])
    with open(task["path"], "rb", buffering=0) as stream:
        intake.read_lines(stream, Range(task["start"], task["end"]), quick=True, progress=lambda _: None)
    builder.flush()
    folder = Path(task["out"])
    for name, schema in SCHEMAS.items():
        with pa.OSFile(str(folder / f"{name}.arrow"), "wb") as out, pa.ipc.new_file(out, schema) as writer:
            for batch in getattr(builder, name):
                writer.write_batch(batch)
    words: dict[str, Any] = {"counts": vars(builder.counts), "held": intake.gathering.records()}
    words |= {name: list(getattr(builder, name)) for name in ("formats", "kinds", "vias")}
    (folder / "words.json").write_text(json.dumps(words), encoding="utf-8")


def _load(path: Path) -> pa.Table:
    if _MEMORY_MAPPED:
        return pa.ipc.open_file(pa.memory_map(str(path))).read_all()
    return pa.ipc.open_file(pa.BufferReader(path.read_bytes())).read_all()
