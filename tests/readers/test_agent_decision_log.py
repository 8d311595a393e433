"""Agent decision logs: entries by the minute, and what points back."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import lineage
from lineage.readers.agent_decision_log import READER
from lineage.readers.base import Document

LOG = """\
=====
DECISION LOG
=====
  [YYYY-MM-DD HH:MM] DECISION: <what you chose>

[2026-03-01 09:15] DECISION: parse with regular expressions
  REASON: faster for the simple case,
    and the file is small
  FILES: src/parser.py, src/lexer.py
  STATUS: LOCKED.

[2026-03-02 10:00] DECISION: parse into a tree
  REASON: the file grew
  COST: two days
  SUPERSEDES: 2026-03-01 09:15
  STATUS: REVISED.

[2026-03-03 11:00] DECISION: keep state in PostgreSQL
[2026-03-03 11:00] DECISION: keep state in SQLite
  SUPERSEDES: 2026-03-03 11:00
[2026-03-04 11:00] DECISION: keep state in memory
  SUPERSEDES: 2026-03-03 11:00
[2026-03-05 11:00] DECISION: keep no state
  SUPERSEDES: 2026-01-01 00:00, 2026-03-04 11:00
"""


def graph_of(tmp_path: Path, text: str | bytes, name: str = "decisions.txt") -> lineage.Graph:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return lineage.build(lineage.read(path))


def links(graph: lineage.Graph) -> set[tuple[Any, ...]]:
    frame = graph.links
    return set(zip(frame["source"], frame["target"], frame["void"], strict=True))


@pytest.mark.parametrize("text", [LOG, LOG.replace("\n", "\r\n"), "\ufeff" + LOG])
def test_the_minute_is_the_id(tmp_path: Path, text: str) -> None:
    graph = graph_of(tmp_path, text)
    assert dict(zip(graph.memories["id"], graph.memories["status"], strict=True)) == {
        "2026-03-01 09:15": "superseded",
        "2026-03-02 10:00": "live",
        "2026-03-03 11:00": "superseded",
        "2026-03-03 11:00#2": "live",
        "2026-03-04 11:00": "superseded",
        "2026-03-05 11:00": "live",
    }
    assert links(graph) == {
        ("2026-03-02 10:00", "2026-03-01 09:15", None),
        ("2026-03-03 11:00#2", "2026-03-03 11:00", None),
        ("2026-03-04 11:00", "2026-03-03 11:00", "ambiguous"),
        ("2026-03-05 11:00", "2026-03-04 11:00", None),
        ("2026-03-05 11:00", "2026-01-01 00:00", "dangling"),
    }
    first = graph.memories.set_index("id").loc["2026-03-01 09:15"]
    assert first["text"] == "parse with regular expressions"
    assert first["rationale"] == "faster for the simple case, and the file is small"
    assert first["files"] == ["src/parser.py", "src/lexer.py"]
    assert first["tags"] == [("status", "LOCKED")]
    assert first["line"] == 6
    assert graph.memories.set_index("id").loc["2026-03-02 10:00"]["extra"] == '{"COST":"two days"}'


def test_a_log_is_never_rewritten_so_no_entry_is_stale(tmp_path: Path) -> None:
    found = {item.rule for item in lineage.check(graph_of(tmp_path, LOG), select=["LIN1", "LIN2"])}
    assert found == {"LIN103", "LIN107"}


def test_damage_costs_only_itself(tmp_path: Path) -> None:
    text = LOG + "[yesterday] DECISION: sleep\n[2026-13-01 00:00] DECISION: no such month\n"
    graph = graph_of(tmp_path, text.encode() + b"\xff\n")
    found = {(item.rule, item.locations[0].line) for item in lineage.check(graph, select=["LIN9"])}
    assert found == {("LIN901", 25), ("LIN905", 26), ("LIN905", 1)}
    assert len(graph.memories) == 7


@given(st.one_of(st.text(), st.text(alphabet="[]2026-03-01 09:15DECISION: SUPERSEDES\n\t ")))
@example("[2026-03-01 09:15] DECISION: \n SUPERSEDES: [2026-03-01 09:15]")
@example("[2026-03-01 09:15] DECISION:" + "\n  A:" * 5_000)
def test_anything_is_read_or_refused(text: str) -> None:
    assert READER.documents
    READER.documents.claims(Document("x", text))
    for number, item in READER.documents.read([Document("x", text)]):
        assert number == 0
        assert item
