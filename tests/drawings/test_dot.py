"""Graphviz itself reads what is drawn for it, and shows every word as it is."""

import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lineage.drawings.dot import DRAWING
from lineage.layout.diagram import Diagram
from lineage.layout.language import GLYPHS
from lineage.model import MASKING, LinkKind
from lineage.text import one_line, printable

from . import diagrams

pytestmark = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")

SVG = "{http://www.w3.org/2000/svg}"
TITLE = "{http://www.w3.org/1999/xlink}title"
WORDS = [
    r"\N \G \E \T \L \H \l \r \n \\N \\",
    '"]; n1 [label="x',
    "&lt;b&gt; &amp;amp; &#0; &#60; &nbsp; AT&T",
    "<b>not bold</b> <<table>>",
    "{a|b} [c] -> -- ; # // /* */",
    "C:\\new\\table\\left",
    "a\x00b\x1b[31m\ud800 \u202edcba",
    "日本語 émoji 😀",
]


class Drawn:
    """What dot makes of a diagram: words, tooltips and places of nodes by their keys, and what edges say."""

    def __init__(self, diagram: Diagram) -> None:
        done = subprocess.run(["dot", "-Tsvg"], input=DRAWING.draw(diagram), capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        self.root = ElementTree.fromstring(done.stdout)
        self.nodes = {self._title(group): group for group in self._groups("node")}
        self.edges = [(self._title(group), self._words(group)) for group in self._groups("edge")]
        self.heading = [text.text for text in self._groups("graph")[0].findall(f"{SVG}text")]

    def _groups(self, name: str) -> list[ElementTree.Element]:
        return [group for group in self.root.iter(f"{SVG}g") if group.get("class") == name]

    @staticmethod
    def _title(group: ElementTree.Element) -> str:
        return group.findtext(f"{SVG}title") or ""

    @staticmethod
    def _words(group: ElementTree.Element) -> list[str]:
        return [(text.text or "").replace("\xa0", " ").strip() for text in group.iter(f"{SVG}text")]

    def words(self, key: str) -> list[str]:
        return self._words(self.nodes[key])

    def tooltip(self, key: str) -> str:
        return next(link.get(TITLE) or "" for link in self.nodes[key].iter(f"{SVG}a"))

    def place(self, key: str) -> tuple[float, float]:
        text = next(self.nodes[key].iter(f"{SVG}text"))
        return float(text.get("x", "")), float(text.get("y", ""))


def said(diagram: Diagram, key: str) -> list[str]:
    node = next(node for node in diagram.nodes if node.key == key)
    glyph = GLYPHS[node.look]
    return [f"{glyph.character} {glyph.word}", *(one_line(line) for line in (*node.lines, node.caption) if line)]


def saying(words: Sequence[str]) -> Diagram:
    """A chain of memories that say these words, in every place where words are."""
    plain = diagrams.chain(len(words))
    nodes = [
        replace(node, id=word, text=word, lines=[one_line(word)], caption=one_line(word))
        for node, word in zip(plain.nodes, words, strict=True)
    ]
    edges = [replace(edge, label=one_line(word)) for edge, word in zip(plain.edges, words, strict=False)]
    return replace(plain, title=one_line(words[0]), nodes=nodes, edges=edges)


@pytest.mark.parametrize("make", diagrams.ALL)
def test_every_word_arrives(make: Callable[[], Diagram]) -> None:
    diagram = make()
    drawn = Drawn(diagram)
    assert set(drawn.nodes) == {node.key for node in diagram.nodes}
    for node in diagram.nodes:
        assert drawn.words(node.key) == said(diagram, node.key)
    ends = [f"{diagram.nodes[edge.source].key}->{diagram.nodes[edge.target].key}" for edge in diagram.edges]
    labels = [[one_line(edge.label)] if edge.label else [] for edge in diagram.edges]
    assert sorted(drawn.edges) == sorted(zip(ends, labels, strict=True))


def test_escapes_and_entities_are_words() -> None:
    diagram = saying(WORDS)
    drawn = Drawn(diagram)
    for node, words in zip(diagram.nodes, WORDS, strict=True):
        assert drawn.words(node.key)[1:] == [one_line(words)] * 2
        assert drawn.tooltip(node.key).replace("\u200b", "") == printable(words)
    assert drawn.heading[0] == one_line(WORDS[0])


@settings(max_examples=15, deadline=None)
@given(st.lists(st.text(min_size=1), min_size=10, max_size=30))
def test_any_words_arrive(words: list[str]) -> None:
    diagram = saying(words)
    drawn = Drawn(diagram)
    for node in diagram.nodes:
        assert drawn.words(node.key) == said(diagram, node.key)


@pytest.mark.parametrize("words", ["x" * 100_000, "é" * 20_000, "😀" * 20_000, "𐀀" * 20_000, "&;" * 20_000])
def test_long_texts_are_cut_before_graphviz_loses_their_end(words: str) -> None:
    drawn = Drawn(saying([words]))
    assert len(drawn.tooltip("n0")) == 4_000
    assert drawn.tooltip("n0").endswith("…")


def test_a_text_keeps_its_lines_in_the_tooltip() -> None:
    diagram = saying(["first\nsecond\ttabbed"])
    assert Drawn(diagram).tooltip("n0") == "first\nsecond tabbed"
    assert DRAWING.draw(diagram).count(b"\n") == DRAWING.draw(saying(["first"])).count(b"\n")


@pytest.mark.parametrize("rightwards", [False, True])
def test_the_newest_stand_where_the_diagram_says(rightwards: bool) -> None:
    drawn = Drawn(replace(diagrams.chain(3), rightwards=rightwards))
    places = [drawn.place(f"n{number}")[0 if rightwards else 1] for number in range(3)]
    assert places == sorted(places, reverse=rightwards)
    assert len(set(places)) == 3


@pytest.mark.parametrize("void", [None, "boundary"])
@pytest.mark.parametrize("kind", LinkKind)
def test_what_does_not_mask_does_not_say_what_stands_above_what(kind: LinkKind, void: str | None) -> None:
    chain = diagrams.chain(4)
    first, between, last = chain.edges
    drawn = Drawn(replace(chain, edges=[first, replace(between, kind=kind, void=void), last]))
    ranks = kind in MASKING and void is None
    assert (drawn.place("n0")[1] < drawn.place("n2")[1]) == ranks


def test_what_nothing_else_ranks_stands_beside_what_it_speaks_of() -> None:
    chain = diagrams.chain(3)
    spoken, last = chain.edges
    drawn = Drawn(replace(chain, edges=[replace(spoken, kind=LinkKind.AMENDS), last]))
    assert drawn.place("n0")[1] < drawn.place("n1")[1] < drawn.place("n2")[1]


def test_what_is_not_connected_is_stacked() -> None:
    drawn = Drawn(replace(diagrams.chain(9), edges=[]))
    assert len({drawn.place(key)[1] for key in drawn.nodes}) == 3
    assert drawn.edges == []


def test_a_part_is_stacked_below_the_last_of_another() -> None:
    chain = diagrams.chain(6)
    drawn = Drawn(replace(chain, edges=[*chain.edges[:2], *chain.edges[3:]]))
    places = [drawn.place(f"n{number}")[1] for number in range(6)]
    assert places == sorted(set(places))


def test_the_heading_says_what_was_folded() -> None:
    diagram = replace(diagrams.chain(2), folded=["5 memories are folded", "7 others, too"])
    assert Drawn(diagram).heading == [diagram.title, diagram.about, *diagram.folded]


def test_the_one_asked_for_has_a_second_border() -> None:
    chain = diagrams.chain(2)
    plain, asked = chain.nodes
    drawn = Drawn(replace(chain, nodes=[replace(plain, asked=False), replace(asked, asked=True)]))
    borders = [
        len([*drawn.nodes[key].iter(f"{SVG}path"), *drawn.nodes[key].iter(f"{SVG}polygon")]) for key in ("n0", "n1")
    ]
    assert borders == [1, 2]


def test_a_drawing_comes_out_the_same_every_time() -> None:
    assert DRAWING.draw(diagrams.everything()) == DRAWING.draw(diagrams.everything())
