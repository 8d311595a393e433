"""The SVG: well-formed whatever it says, readable aloud, the same each time, and as it was looked at."""

import os
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lineage.drawings.svg import DRAWING, style, svg
from lineage.layout.diagram import Diagram
from lineage.layout.language import DARK, GLYPHS, LIGHT, LINKS, Look
from lineage.text import printable
from tests.drawings import diagrams
from tests.graphs import graph_of, memory
from tests.records import Record, mindr, reversal

GOLDEN = Path(__file__).with_name("golden")
SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {"svg", "title", "desc", "style", "rect", "g", "text", "path", "polygon", "polyline", "circle"}


def _tree(diagram: Diagram) -> ElementTree.Element:
    return ElementTree.fromstring(DRAWING.draw(diagram))


def _nodes(diagram: Diagram) -> dict[str, ElementTree.Element]:
    return {group.attrib["data-key"]: group for group in _tree(diagram).iter(f"{SVG}g") if "data-key" in group.attrib}


@pytest.mark.parametrize("make", diagrams.ALL)
def test_it_is_well_formed_and_holds_nothing_but_shapes_and_text(make: Callable[[], Diagram]) -> None:
    tree = _tree(make())
    for element in tree.iter():
        assert element.tag.removeprefix(SVG) in ALLOWED
        assert not [name for name in element.attrib if name.startswith("on") or name.endswith("href")]
    assert len(_nodes(make())) == len(make().nodes)


def test_texts_arrive_as_they_are_with_what_cannot_be_shown_as_its_code() -> None:
    diagram = diagrams.hostile()
    drawn = _nodes(diagram)
    for node in diagram.nodes:
        told = drawn[node.key].findtext(f"{SVG}title") or ""
        assert printable((node.text or "").strip()) in told
        assert printable(node.id) in told
        shown = [text.text for text in drawn[node.key].iter(f"{SVG}text")]
        assert shown == [*node.lines, *([node.caption] if node.caption else [])]


@given(st.text(max_size=60), st.text(max_size=30))
@settings(max_examples=60, deadline=None)
def test_any_text_is_well_formed(text: str, id: str) -> None:
    _tree(graph_of(memory(f"x{id}", text=text)).diagram())


def test_it_can_be_read_aloud() -> None:
    tree = _tree(diagrams.everything())
    title, desc = tree.attrib["aria-labelledby"].split()
    ids = {element.attrib["id"]: element.text for element in tree.iter() if "id" in element.attrib}
    assert tree.attrib["role"] == "img"
    assert ids[title] == diagrams.everything().title
    assert ids[desc].startswith(diagrams.everything().about)


def test_every_edge_names_its_ends_and_what_it_does() -> None:
    tree = _tree(diagrams.everything())
    edges = [group for group in tree.iter(f"{SVG}g") if "data-source" in group.attrib]
    assert len(edges) == len(diagrams.everything().edges)
    said = [edge.findtext(f"{SVG}title") for edge in edges]
    assert "root supersedes gone, without effect: dangling" in said
    assert "ring 1 supersedes ring 2, part of a circle" in said


def test_the_legend_explains_what_occurs_and_nothing_else() -> None:
    everything = "".join(_tree(diagrams.everything()).itertext())
    for glyph in GLYPHS.values():
        assert glyph.means in everything
    chain = "".join(_tree(diagrams.chain(3)).itertext())
    assert GLYPHS[Look.LIVE].means in chain
    assert GLYPHS[Look.CYCLIC].means not in chain


def test_every_tone_has_a_colour_in_the_light_and_in_the_dark() -> None:
    assert set(LIGHT) == set(DARK)
    assert {str(look) for look in Look} | {look.tone for look in LINKS.values()} <= set(LIGHT)
    for tone, colour in (*LIGHT.items(), *DARK.items()):
        assert f"--ln-{tone}:{colour}" in style()


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("tones", [LIGHT, DARK])
def test_every_tone_stands_out_from_the_paper(tones: dict[str, str]) -> None:
    paper = _luminance(tones["paper"])
    for tone, colour in tones.items():
        lighter, darker = sorted([paper, _luminance(colour)], reverse=True)
        least = 4.5 if tone in {"ink", "soft", "void"} else 3.0
        assert tone in {"paper", "wash"} or (lighter + 0.05) / (darker + 0.05) >= least, tone


def test_glyphs_differ_in_shape_not_only_in_colour() -> None:
    shapes = [(glyph.circle, glyph.filled, glyph.stroke, glyph.polygon, glyph.lines) for glyph in GLYPHS.values()]
    assert len(set(shapes)) == len(shapes)
    assert len({glyph.character for glyph in GLYPHS.values()}) == len(GLYPHS)


def test_several_fit_into_one_page() -> None:
    one, other = (svg(diagrams.chain(3), prefix=name, standalone=False) for name in ("a", "b"))
    ids = [
        {element.attrib["id"] for element in ElementTree.fromstring(each).iter() if "id" in element.attrib}
        for each in (one, other)
    ]
    assert ids[0].isdisjoint(ids[1])
    assert "<style>" not in one


def _chain(*names: str) -> list[Record]:
    return [memory(name, names[at - 1 : at] if at else (), at=1 + at) for at, name in enumerate(names)]


SMALL: dict[str, list[Record]] = {
    "chain": _chain("first", "second", "third"),
    "fork": [memory("root"), memory("left", ["root"], at=2), memory("right", ["root"], at=3)],
    "merge": [memory("one"), memory("two", at=2), memory("both", ["one", "two"], at=3)],
    "diamond": [
        memory("root"),
        memory("left", ["root"], at=2),
        memory("right", ["root"], at=3),
        memory("join", ["left", "right"], at=4),
    ],
    "cycle": [
        memory("a", ["c"]),
        memory("b", ["a"], at=2),
        memory("c", ["b"], at=3),
        memory("after", ["c"], at=4, declared="ended", invalidated_at="2026-01-05T00:00:00Z"),
    ],
    "reversal": [mindr("decision", at=1), reversal("marker", "decision", at=2)],
    "orphan": [memory("cut off", ["nowhere"]), memory("newest", ["cut off"], at=2)],
    "boundary": [memory("mine", ["theirs"], at=2, boundary="mine"), memory("theirs", boundary="theirs")],
    "mixed": [
        *_chain("m1", "m2", "m3", "m4"),
        memory("rival", ["m2"], at=5),
        memory("merge", ["m4", "other"], at=6),
        memory("other", ["gone"], at=2),
        memory("self", ["self", "merge"], at=7),
        memory("note", at=8, links=[{"kind": "conflicts", "target": "m4"}]),
        memory("withdrawn", ["merge"], at=8, deleted_at="2026-02-01T00:00:00Z"),
    ],
}


@pytest.mark.parametrize("name", SMALL)
def test_small_lineages_look_as_they_were_looked_at(name: str) -> None:
    """`LINEAGE_GOLDEN=write` writes them anew, to be looked at before they are committed."""
    drawn, path = DRAWING.draw(graph_of(*SMALL[name]).diagram()), GOLDEN / f"{name}.svg"
    if os.environ.get("LINEAGE_GOLDEN") == "write":
        path.write_bytes(drawn)
    assert drawn == path.read_bytes()
