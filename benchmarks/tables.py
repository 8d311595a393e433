"""Reading memories as Parquet by a mapping against decoding the same memories as lines; prints both medians as JSON.

python benchmarks/tables.py memories.jsonl RUNS

Each is a process of its own, the two by turns.
"""

import json
import sys
import tempfile
from pathlib import Path

import orjson
import pyarrow as pa
from measure import Process, alternating
from pyarrow import parquet

DECODE = "import sys, orjson\nfor line in open(sys.argv[1], 'rb'): orjson.loads(line)"
READ = """import sys, lineage
mapping = {"id": "uid", "text": "body", "rationale": "why", "supersedes": "replaces", "created_at": "created"}
lineage.read(sys.argv[1], mapping=mapping | {"files": "files"})
"""
PATHS = {
    "uid": ("id",),
    "body": ("decision",),
    "why": ("rationale",),
    "replaces": ("lifecycle", "supersedes_id"),
    "created": ("lifecycle", "created_at"),
    "files": ("files_affected",),
    "project": ("scope",),
    "count": ("quality", "injected_count"),
}


def write_table(lines: Path, table: Path) -> None:
    """Some properties of each line as columns, two of which no mapping names."""
    columns: dict[str, list[object]] = {name: [] for name in PATHS}
    with lines.open("rb") as stream:
        for line in stream:
            record = orjson.loads(line)
            for name, path in PATHS.items():
                value = record
                for key in path:
                    value = value[key]
                columns[name].append(value)
    parquet.write_table(pa.table(columns), table)


def main() -> None:
    """Write the table, then measure by turns."""
    lines, runs = Path(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory(prefix="lineage-bench-") as folder:
        table = Path(folder) / "memories.parquet"
        write_table(lines, table)
        reference = Process([sys.executable, "-c", DECODE, str(lines)])
        times = alternating(reference, Process([sys.executable, "-c", READ, str(table)]), runs)
        print(json.dumps({"reference": times.reference, "case": times.case}))


if __name__ == "__main__":
    main()
