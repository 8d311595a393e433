"""A drawing that is printed into the log of a CI job tells its runner nothing."""

import re

import pytest

from lineage.discovery import drawings
from tests.graphs import graph_of, memory

COMMANDS = "::error file=x::first\n  ::set-output name=a::b\r\n##[error]no\n##vso[task.complete]x"


@pytest.mark.parametrize("name", sorted(drawings()))
def test_no_line_is_obeyed(name: str) -> None:
    graph = graph_of(memory(COMMANDS, [], text=COMMANDS), memory(f"b {COMMANDS}", [COMMANDS], text=COMMANDS))
    drawing = drawings()[name]
    drawn = drawing.draw(graph.diagram()) if hasattr(drawing, "draw") else drawing.write(graph.to_networkx())
    text = drawn.decode("latin-1") if isinstance(drawn, bytes) else drawn
    assert not re.search(r"^[ \t]*::|^[ \t]*##\w*\[", text, re.MULTILINE)
