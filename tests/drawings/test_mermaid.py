"""Mermaid itself reads what is drawn for it, and shows every word as it is."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from lineage.drawings.mermaid import DRAWING, fits, mermaid
from lineage.layout.diagram import Diagram
from lineage.layout.language import GLYPHS
from lineage.text import one_line

from . import diagrams

CHECK = Path(__file__).with_name("mermaid_check.mjs")
MODULES = Path(os.environ.get("LINEAGE_NODE_MODULES", Path.home() / ".cache/lineage/node_modules"))
CHROMIUM = Path("/usr/bin/chromium")
parsed = pytest.mark.skipif(
    shutil.which("node") is None or not (MODULES / "mermaid").exists() or not (MODULES / "jsdom").exists(),
    reason="node, or its packages mermaid and jsdom in LINEAGE_NODE_MODULES, are not installed",
)
rendered = pytest.mark.skipif(
    not CHROMIUM.exists() or not (MODULES / "mermaid").exists(),
    reason="chromium, or the package mermaid in LINEAGE_NODE_MODULES, is not installed",
)

WORDS = [
    '"]; n1["x',
    "`code` **bold** _soft_ ~~gone~~ [link](http://example.org) ![image](x) www.example.org",
    "1. first",
    "- item",
    "# heading",
    "> quote",
    "```",
    "~~~",
    "end",
    "%% comment %%{init: {'theme': 'dark'}}%%",
    "&lt;b&gt; &amp; #lt; #35; #quot; ﬂ°°60¶ß ﬂ°lt¶ß",
    "<script>alert(1)</script><img src=x onerror=alert(1)><br/>",
    "style a:b#c;d; classDef e:f#g;h;",
    "$$x^2$$ $$$y$$$ \\(z\\)",
    "fa:fa-car fab:fa-x @{ shape: circle } click n0 call alert()",
    "in the direction LR",
    "subgraph x",
    "--> -.-> ==> ~~~ |pipe| {{hexagon}} ((circle)) :::class ---",
    r"C:\new \n \u0041",
    "a\x00b\x1b[31m\ud800 \u202edcba",
    "日本語 émoji 😀 straße",
    "2026-01-01 · well-known - --",
]


def read(*sources: str) -> list[dict[str, Any]]:
    """What Mermaid's parser makes of each source."""
    files = [f"{number}.mmd" for number in range(len(sources))]
    for file, source in zip(files, sources, strict=True):
        Path(file).write_text(source, encoding="utf-8")
    done = subprocess.run(["node", CHECK, MODULES, *files], capture_output=True, check=True)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def lines(label: str) -> list[str]:
    """The lines of a label as they are shown: its marks for entities decoded, as Mermaid does it in the end."""
    shown = re.sub(r"ﬂ°°(\d+)¶ß", lambda found: chr(int(found[1])), label)
    return shown.replace("\u200b", "").split("\n")


def said(diagram: Diagram) -> list[list[str]]:
    return [
        [f"{GLYPHS[node.look].character} {GLYPHS[node.look].word}", *map(one_line, filter(None, words))]
        for node in diagram.nodes
        for words in [(*node.lines, node.caption)]
    ]


def saying(words: Sequence[str]) -> Diagram:
    """A chain of memories that say these words, in every place where words are."""
    plain = diagrams.chain(len(words))
    nodes = [
        replace(node, id=word, text=word, lines=[one_line(word)], caption=one_line(word))
        for node, word in zip(plain.nodes, words, strict=True)
    ]
    edges = [replace(edge, label=one_line(word)) for edge, word in zip(plain.edges, words, strict=False)]
    return replace(plain, title=one_line(words[0]), about=" ".join(map(one_line, words)), nodes=nodes, edges=edges)


def visible(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [edge for edge in found["edges"] if edge["stroke"] != "invisible"]


@parsed
def test_mermaid_reads_every_diagram() -> None:
    made = [make() for make in diagrams.ALL]
    for diagram, found in zip(made, read(*map(mermaid, made)), strict=True):
        assert "error" not in found, found
        assert [lines(vertex["text"]) for vertex in found["vertices"]] == said(diagram)
        assert [vertex["id"] for vertex in found["vertices"]] == [node.key for node in diagram.nodes]
        ends = [(diagram.nodes[edge.source].key, diagram.nodes[edge.target].key) for edge in diagram.edges]
        assert [(edge["start"], edge["end"]) for edge in visible(found)] == ends
        labels = [one_line(edge.label) for edge in diagram.edges]
        assert ["".join(lines(edge["text"] or "")) for edge in visible(found)] == labels
        assert found["theme"] == "default"


@parsed
def test_escapes_entities_and_markdown_are_words() -> None:
    diagram = saying(WORDS)
    (found,) = read(mermaid(diagram))
    assert "error" not in found, found
    assert [lines(vertex["text"]) for vertex in found["vertices"]] == said(diagram)
    assert [lines(edge["text"]) for edge in found["edges"]] == [[edge.label] for edge in diagram.edges]
    assert lines(found["about"]) == [diagram.about]
    assert found["theme"] == "default"


@parsed
@settings(max_examples=5, deadline=None)
@given(st.lists(st.text(min_size=1), min_size=10, max_size=40))
def test_any_words_are_read(words: list[str]) -> None:
    diagram = saying(words)
    (found,) = read(mermaid(diagram))
    assert [lines(vertex["text"]) for vertex in found["vertices"]] == said(diagram)


@parsed
def test_looks_and_links_are_told_apart() -> None:
    diagram = diagrams.everything()
    (found,) = read(mermaid(diagram))
    for vertex, node in zip(found["vertices"], diagram.nodes, strict=True):
        assert vertex["classes"] == [node.look]
    for shown, edge in zip(visible(found), diagram.edges, strict=True):
        assert shown["stroke"] == ("thick" if edge.circle else "normal" if edge.style.stroke == "solid" else "dotted")
        assert any(style.startswith("stroke:#") for style in shown["style"])


@parsed
def test_the_one_asked_for_is_marked() -> None:
    newer, older = diagrams.chain(2).nodes
    (found,) = read(mermaid(replace(diagrams.chain(2), nodes=[newer, replace(older, asked=True)])))
    assert [vertex["classes"] for vertex in found["vertices"]] == [["live"], ["superseded", "asked"]]


@parsed
@pytest.mark.parametrize("rightwards", [False, True])
def test_the_newest_stand_where_the_diagram_says(rightwards: bool) -> None:
    (found,) = read(mermaid(replace(diagrams.chain(2), rightwards=rightwards)))
    assert found["direction"] == ("RL" if rightwards else "TB")
    assert (found["edges"][0]["start"], found["edges"][0]["end"]) == ("n0", "n1")


@parsed
def test_what_is_not_connected_is_stacked() -> None:
    single = replace(diagrams.chain(9), edges=[])
    downwards, rightwards = read(mermaid(single), mermaid(replace(single, rightwards=True)))
    assert [(edge["start"], edge["end"]) for edge in downwards["edges"]] == [
        (f"n{number}", f"n{number + 3}") for number in range(6)
    ]
    assert {edge["stroke"] for edge in downwards["edges"]} == {"invisible"}
    assert rightwards["edges"] == []


@parsed
def test_mermaid_reads_as_many_edges_as_fit() -> None:
    most, more = diagrams.chain(501), diagrams.chain(502)
    read_most, read_more = read(mermaid(most), mermaid(more))
    assert fits(most, DRAWING.draw(most))
    assert "error" not in read_most
    assert not fits(more, DRAWING.draw(more))
    assert "maxEdges" in read_more["error"] or "500" in read_more["error"]


def test_hidden_edges_count() -> None:
    single = replace(diagrams.chain(506), edges=[])
    assert not fits(single, DRAWING.draw(single))
    fewer = replace(diagrams.chain(505), edges=[])
    assert fits(fewer, DRAWING.draw(fewer))


@pytest.mark.parametrize(("letter", "units"), [("x", 1), ("é", 1), ("𐀀", 2)])
def test_characters_count_as_mermaid_counts_them(letter: str, units: int) -> None:
    room = 50_000 - len(mermaid(saying([""])))
    fitting, over = saying([""]), saying([""])
    fitting = replace(fitting, nodes=[replace(fitting.nodes[0], lines=[letter * ((room - 5) // units)])])
    over = replace(over, nodes=[replace(over.nodes[0], lines=[letter * (room // units + 1)])])
    assert fits(fitting, DRAWING.draw(fitting))
    assert not fits(over, DRAWING.draw(over))


def test_labels_hold_nothing_that_any_version_reads_as_markdown() -> None:
    labels = re.findall(r'"([^"]*)"', mermaid(saying(WORDS)))
    assert len(labels) == 1 + len(WORDS) + len(WORDS) - 1
    for label in labels[1:]:
        plain = re.sub(r"#\d+;|[ ,\n…·●○]|(?<=[^\W_])-(?=[^\W_])", "", label)
        assert not plain or plain.isalnum(), label


def test_nothing_ends_the_block_of_code_around_it() -> None:
    for make in (diagrams.hostile, lambda: saying(WORDS)):
        source = mermaid(make())
        tokens = MarkdownIt().parse(f"```mermaid\n{source}```\n\nafter\n")
        assert [token.type for token in tokens] == ["fence", "paragraph_open", "inline", "paragraph_close"]
        assert tokens[0].content == source
        assert "`" not in source
        assert "%%" not in source


@rendered
def test_drawn_in_a_browser_the_words_are_what_they_are() -> None:
    from playwright.sync_api import sync_playwright

    diagram = saying(WORDS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_content("<body></body>")
        page.add_script_tag(path=MODULES / "mermaid/dist/mermaid.min.js")
        page.evaluate("mermaid.initialize({startOnLoad: false, securityLevel: 'strict'})")
        page.evaluate(
            "async source => document.body.innerHTML = (await mermaid.render('drawn', source)).svg", mermaid(diagram)
        )
        labels = page.locator(".node foreignObject div").all_inner_texts()
        title = page.locator(".flowchartTitleText").text_content()
        elements = page.locator("svg :is(a, b, strong, em, i, code, del, ul, ol, img, script, math)").count()
        browser.close()
    assert [label.replace("\u200b", "").split("\n") for label in labels] == said(diagram)
    assert title == diagram.title
    assert elements == 0


def test_a_drawing_comes_out_the_same_every_time() -> None:
    assert DRAWING.draw(diagrams.everything()) == DRAWING.draw(diagrams.everything())
