"""PNG and PDF: whole, bounded, the same every time, and with every word as it is."""

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

import lineage
from lineage.drawings import pdf, png
from lineage.drawings._paint import paint
from lineage.layout.diagram import Diagram
from lineage.layout.language import LIGHT, Look
from lineage.layout.sheet import sheet
from lineage.text import one_line

from . import diagrams

SIGNATURES = {png: b"\x89PNG\r\n\x1a\n", pdf: b"%PDF-1."}


def image(diagram: Diagram) -> Image.Image:
    return Image.open(io.BytesIO(png.DRAWING.draw(diagram)))


def page(diagram: Diagram) -> tuple[float, float]:
    """The size of the PDF's page in inches."""
    box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", pdf.DRAWING.draw(diagram))
    assert box
    return float(box[1]) / 72, float(box[2]) / 72


def stretched(diagram: Diagram, across: float, down: float) -> Diagram:
    """The diagram with everything so many times as far apart."""
    nodes = [
        replace(node, x=node.x * across, y=node.y * down, label=(node.label[0] * across, node.label[1] * down))
        for node in diagram.nodes
    ]
    edges = [replace(edge, points=[(x * across, y * down) for x, y in edge.points]) for edge in diagram.edges]
    return replace(diagram, width=diagram.width * across, height=diagram.height * down, nodes=nodes, edges=edges)


def saying(words: Sequence[str]) -> Diagram:
    plain = diagrams.chain(len(words))
    nodes = [replace(node, lines=[word], caption=word) for node, word in zip(plain.nodes, words, strict=True)]
    edges = [replace(edge, label=word) for edge, word in zip(plain.edges, words, strict=False)]
    return replace(plain, title=words[0], about=words[-1], nodes=nodes, edges=edges)


def painted(diagram: Diagram) -> list[str]:
    """The texts in axes that a diagram was painted into."""
    return [text.get_text() for text in paint(diagram, Figure().add_subplot()).texts]


@pytest.mark.parametrize("make", diagrams.ALL)
@pytest.mark.parametrize("form", SIGNATURES)
def test_every_diagram_is_drawn_alike_every_time(form: object, make: Callable[[], Diagram]) -> None:
    drawn = form.DRAWING.draw(make())
    assert drawn.startswith(SIGNATURES[form])
    assert form.DRAWING.draw(make()) == drawn


def test_an_image_has_two_dots_to_the_px_and_a_page_is_as_large() -> None:
    diagram = diagrams.everything()
    around = sheet(diagram)
    assert image(diagram).size == (int(around.width * 2), int(around.height * 2))
    assert page(diagram) == pytest.approx((around.width / 96, around.height / 96), abs=0.01)


@pytest.mark.parametrize(("across", "down"), [(20.0, 20.0), (1.0, 400.0), (300.0, 1.0), (1.0, 400_000.0)])
def test_what_is_too_large_for_the_format_becomes_smaller(across: float, down: float) -> None:
    huge = stretched(diagrams.chain(12), across, down)
    width, height = image(huge).size
    assert width * height <= 60_000_000
    assert max(width, height) <= 65_000
    around = sheet(huge)
    assert max(page(huge)) == pytest.approx(min(200, max(around.width, around.height) / 96), abs=0.01)


def test_two_thousand_nodes_are_drawn() -> None:
    drawn = image(diagrams.chain(2_000))
    assert drawn.size[1] <= 65_000


HOSTILE = [
    "$x^2$ \\frac{1}{2} $",
    "${\\undefined}",
    "\\usepackage{x} %s %d {0}",
    "日本語 😀 👩‍👩‍👧‍👦 עברית",
    "a\x00b\x1b[31m\ud800\u202edcba",
    "\n\r\t",
    "",
]


def test_hostile_words_are_drawn_and_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    for form in SIGNATURES:
        assert form.DRAWING.draw(saying(HOSTILE))
    assert caplog.records == []


def test_words_are_painted_as_they_are() -> None:
    words = painted(saying(HOSTILE[:3]))
    for said in HOSTILE[:3]:
        assert words.count(one_line(said)) >= 2
    assert painted(saying(["\U000f1234?"])).count("�?") == 4


def test_no_text_is_mathematics() -> None:
    with matplotlib.rc_context({"text.parse_math": True, "text.usetex": True}):
        texts = paint(saying(HOSTILE), Figure().add_subplot()).texts
    assert not any(text.get_parse_math() or text.get_usetex() for text in texts)


def test_settings_of_the_user_change_neither_the_file_nor_themselves() -> None:
    plain = [form.DRAWING.draw(diagrams.everything()) for form in SIGNATURES]
    theirs = {
        "font.size": 30,
        "figure.facecolor": "black",
        "savefig.bbox": "tight",
        "savefig.dpi": 10,
        "text.usetex": True,
    }
    with matplotlib.rc_context(theirs):
        assert [form.DRAWING.draw(diagrams.everything()) for form in SIGNATURES] == plain
        assert all(matplotlib.rcParams[name] == value for name, value in theirs.items())


def test_files_leave_nothing_with_pyplot() -> None:
    pyplot.close("all")
    for form in SIGNATURES:
        form.DRAWING.draw(diagrams.chain(3))
    assert pyplot.get_fignums() == []


def test_without_axes_there_is_a_new_figure() -> None:
    pyplot.close("all")
    diagram = diagrams.everything()
    around = sheet(diagram)
    ax = paint(diagram)
    assert pyplot.gcf() is ax.figure
    assert ax.figure.get_size_inches() == pytest.approx((around.width / 96, around.height / 96))
    pyplot.close("all")


def test_text_is_in_proportion_to_the_axes() -> None:
    def size(scale: float) -> float:
        around = sheet(diagrams.chain(3))
        axes = Figure(figsize=(around.width / 96 * scale, around.height / 96 * scale)).add_axes((0, 0, 1, 1))
        return next(
            text.get_fontsize() for text in paint(diagrams.chain(3), axes).texts if text.get_text() == "Decide m0000"
        )

    assert size(1) == pytest.approx(12.5 * 0.75)
    assert size(2) == pytest.approx(12.5 * 1.5)


def test_letters_that_nobody_could_read_are_left_out() -> None:
    speck = paint(diagrams.chain(12), Figure(figsize=(0.1, 0.1)).add_axes((0, 0, 1, 1)))
    assert list(speck.texts) == []
    assert len(speck.collections) > 0


def test_everything_stays_on_the_page() -> None:
    for make in diagrams.ALL:
        ax = paint(make())
        canvas = ax.figure.bbox
        for text in ax.texts:
            box = text.get_window_extent()
            assert box.x0 >= canvas.x0 - 1, text
            assert box.x1 <= canvas.x1 + 1, text
            assert box.y0 >= canvas.y0 - 1, text
            assert box.y1 <= canvas.y1 + 1, text
        pyplot.close(ax.figure)


def examples() -> Diagram:
    return lineage.build(lineage.read(Path(__file__).parents[2] / "examples")).diagram()


def test_texts_do_not_overlap() -> None:
    for make in (examples, diagrams.everything, diagrams.hostile, lambda: diagrams.chain(12)):
        ax = paint(make())
        boxes = [(text.get_text(), text.get_window_extent()) for text in ax.texts if not text.get_path_effects()]
        boxes = [(words, box.padded(-1.5)) for words, box in boxes if words]
        for number, (words, box) in enumerate(boxes):
            assert [other for other, there in boxes[number + 1 :] if box.overlaps(there)] == [], words
        pyplot.close(ax.figure)


def _shown(diagram: Diagram, x: float, y: float, reach: float = 4.0) -> set[tuple[int, int, int]]:
    """The colours around a point of the diagram."""
    pixels = np.asarray(image(diagram).convert("RGB"))
    top = sheet(diagram).top
    left, right = int((x - reach) * 2), int((x + reach) * 2)
    rows = pixels[int((y + top - reach) * 2) : int((y + top + reach) * 2), left:right]
    return {tuple(colour) for colour in rows.reshape(-1, 3).tolist()}


def _rgb(tone: str) -> tuple[int, int, int]:
    red, green, blue = (round(part * 255) for part in to_rgb(LIGHT[tone]))
    return red, green, blue


@pytest.mark.parametrize("look", Look)
def test_every_look_has_its_sign_in_its_place(look: Look) -> None:
    diagram = diagrams.everything()
    node = next(node for node in diagram.nodes if node.look is look)
    assert _rgb(look) in _shown(diagram, node.x, node.y, 8)


def test_what_holds_stands_on_a_panel_and_what_is_asked_for_in_a_ring() -> None:
    newer, older = diagrams.chain(2).nodes
    plain = replace(diagrams.chain(2), nodes=[newer, older])
    asked = replace(plain, nodes=[newer, replace(older, asked=True)])
    assert _rgb("wash") in _shown(plain, newer.label[0] + 50, newer.label[1] + 10)
    assert _rgb("wash") not in _shown(plain, older.label[0] + 50, older.label[1] + 10)
    assert _rgb("ink") in _shown(asked, older.x, older.y, 9)
    assert _rgb("ink") not in _shown(plain, older.x, older.y, 9)


def test_what_is_deleted_is_struck_out() -> None:
    newer, older = diagrams.chain(2).nodes
    struck = replace(diagrams.chain(2), nodes=[newer, replace(older, look=Look.DELETED)])
    at = older.label[0] + 3, older.label[1] + 8.5
    assert _rgb("deleted") in _shown(struck, *at)
    assert _rgb("deleted") not in _shown(diagrams.chain(2), *at)


def test_arrows_end_at_the_rim_of_what_is_acted_on() -> None:
    diagram = diagrams.chain(3)
    ax = paint(diagram, Figure().add_subplot())
    heads = [
        path
        for drawn in ax.collections
        if isinstance(drawn, PathCollection) and len(drawn.get_paths()) == len(diagram.edges)
        for path in drawn.get_paths()
        if len(path.vertices) == 4
    ]
    for head, edge in zip(heads, diagram.edges, strict=True):
        target = diagram.nodes[edge.target]
        tip = max(head.vertices.tolist(), key=lambda point: point[1])
        assert tip[0] == pytest.approx(target.x)
        assert 5 < target.y - tip[1] < 9


def test_the_legend_names_what_occurs_and_nothing_else() -> None:
    words = painted(diagrams.chain(2))
    assert {"live", "superseded", "supersedes"} <= set(words)
    assert not {"deleted", "marker", "in a circle"} & set(words)


def test_text_in_a_page_can_be_searched_for() -> None:
    drawn = pdf.DRAWING.draw(diagrams.chain(2))
    assert b"/ToUnicode" in drawn
    assert b"/Type3" not in drawn
