"""What each input is taken for, and why; what was refused, and what was expected."""

from collections.abc import Iterator, Sequence
from typing import Any

import lineage
from lineage import discovery
from lineage.text import one_line, shortened

_WIDTH = 110
_MOST_CAUSES = 5


def recognised(corpus: lineage.Corpus) -> list[dict[str, Any]]:
    """One entry an input, as plain values.

    `path`; `taken`, an entry a format with the number of its records, the
    `line` of the first and the `signs` it is told by; `refused`, an entry a
    cause with the number of records and the first `line`; `passed`, what is
    rightly no memory.
    """
    index = corpus.index.select(["source", "format", "line"]).to_pandas()
    first = index.groupby(["source", "format"])["line"].agg(["size", "min"]).reset_index()
    problems = corpus.problems.to_pandas()
    refused = problems[problems["rule"].isin(["LIN901", "LIN902"])]
    causes = refused.groupby(["source", "cause"], sort=False)["line"].agg(["size", "min"]).reset_index()
    places = {path: number for number, path in enumerate(corpus.paths)}
    found = []
    for read in corpus.inputs:
        number = places[read.path]
        taken = [
            _taken(corpus.formats[int(row["format"])], int(row["size"]), int(row["min"]))
            for row in first[first["source"] == number].to_dict("records")
        ]
        wrong = [
            {"cause": str(row["cause"]), "records": int(row["size"]), "line": int(row["min"] or 1)}
            for row in causes[causes["source"] == number].to_dict("records")
        ]
        found.append({"path": read.path, "taken": taken, "refused": wrong, "passed": dict(read.passed)})
    return found


def _taken(form: str, records: int, line: int) -> dict[str, Any]:
    reader = discovery.readers().get(form)
    return {"format": form, "records": records, "line": line, "signs": reader.signs if reader else ""}


def told(found: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The entries in words, a paragraph an input."""
    for entry in found:
        yield one_line(entry["path"])
        for taken in entry["taken"]:
            what = f"{taken['format']} {_count(taken['records'])} from line {taken['line']}"
            yield "  " + shortened(f"{what}: {taken['signs']}" if taken["signs"] else what, _WIDTH)
        for wrong in entry["refused"][:_MOST_CAUSES]:
            yield f"  refused  {_count(wrong['records'])} from line {wrong['line']}: {one_line(wrong['cause'])}"
        if len(entry["refused"]) > _MOST_CAUSES:
            more = len(entry["refused"]) - _MOST_CAUSES
            yield f"  refused  for {more:,} more reasons; `lineage check` names each record"
        for what, number in sorted(entry["passed"].items()):
            yield f"  passed over  {number:,} × {one_line(what)}, no memory"
        if not entry["taken"] and not entry["refused"] and not entry["passed"]:
            yield "  nothing in it"


def _count(records: int) -> str:
    return "1 record" if records == 1 else f"{records:,} records"
