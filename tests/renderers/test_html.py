"""The HTML page: whole, safe, small, and readable in a real browser."""

import base64
import hashlib
import itertools
import os
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from lineage.renderers.html import RENDERER
from lineage.reporting.model import Report
from lineage.text import printable

from . import reports

ALL = [reports.interesting, reports.empty, reports.healthy, reports.hostile]
CHROMIUM = Path("/usr/bin/chromium")
VOID = {"meta", "rect"}
ELEMENTS = {
    "html", "head", "meta", "title", "style", "body", "a", "header", "nav", "main", "footer", "section", "h1", "h2",
    "h3", "p", "ul", "ol", "li", "dl", "dt", "dd", "div", "span", "b", "code", "svg", "rect", "details", "summary",
    "table", "caption", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
ATTRIBUTES = {
    "lang", "charset", "http-equiv", "content", "name", "class", "href", "id", "dir", "role", "scope", "open",
    "aria-label", "aria-labelledby", "aria-hidden", "data-label", "viewbox", "preserveaspectratio", "x", "y", "width",
    "height",
}  # fmt: skip


class Page(HTMLParser):
    """The page as a browser would take it apart."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def source(report: Report) -> str:
    return RENDERER.render(report).decode()


@pytest.mark.parametrize("make", ALL)
def test_the_page_is_made_of_harmless_elements(make: Callable[[], Report]) -> None:
    page = Page(source(make()))
    assert page.open == []
    assert {tag for tag, _ in page.elements} <= ELEMENTS
    assert {name for _, attributes in page.elements for name in attributes} <= ATTRIBUTES
    anchors = {attributes["id"] for _, attributes in page.elements if "id" in attributes}
    assert all((attributes["href"] or "").removeprefix("#") in anchors for attributes in page.all("a"))
    identities = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(identities) == len(set(identities))


def test_hostile_text_is_shown_as_text() -> None:
    page = Page(source(reports.hostile()))
    shown = {text.strip() for text in page.texts}
    for text in reports.HOSTILE_TEXTS:
        visible = printable(text)
        assert len(visible) > 160 or visible.strip() in shown
    assert not set(map(chr, [*range(9), *range(11, 32), *range(127, 160), 0x202E, 0x2066, 0x200B])) & set(
        "".join(page.texts)
    )


@pytest.mark.parametrize("make", ALL)
def test_the_policy_allows_this_style_and_nothing_else(make: Callable[[], Report]) -> None:
    text = source(make())
    styles = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    assert len(styles) == 1
    digested = base64.b64encode(hashlib.sha256(styles[0].encode()).digest()).decode()
    policies = [meta["content"] for meta in Page(text).all("meta") if meta.get("http-equiv")]
    assert policies == [
        f"default-src 'none'; style-src 'sha256-{digested}'; base-uri 'none'; form-action 'none'",
    ]
    assert "url(" not in styles[0]
    assert "@import" not in styles[0]


def test_what_holds_and_what_to_mend_stand_on_top() -> None:
    text = source(reports.interesting())
    order = [
        "50 of 63 decisions hold; 3 errors need a hand.",
        "What holds",
        "What to mend first",
        "Remove the link from",
        "Findings",
        "Live heads",
        "Orphans",
        "Cycles",
        "To break it,",
        "Lineages",
        "Inputs",
        "What this page leaves out",
        "The first 6 of 46 findings of LIN301; 40 more are left out.",
    ]
    position = text.index("<h1")
    for part in order:
        position = text.index(part, position)
    assert "exports/payments.jsonl:20" in text


def test_tables_can_be_followed_without_seeing_them() -> None:
    page = Page(source(reports.interesting()))
    assert len(page.all("caption")) == len(page.all("table")) == 4
    assert all(cell.get("scope") in {"col", "row"} for cell in page.all("th"))
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


@pytest.mark.parametrize("text", ["short", "\x00" * 10_000, "'" * 10_000, "日本語" * 3_000])
def test_a_large_report_stays_small(text: str) -> None:
    report = reports.large(3_000, text=text)
    page = RENDERER.render(report)
    assert len(page) <= 4_000_000
    assert b"of 6,000 live heads" in page
    assert page == RENDERER.render(report)


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_text_stands_out_from_what_it_stands_on(scheme: int) -> None:
    blocks = re.findall(r":root \{(.*?)\}", source(reports.empty()), re.DOTALL)
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{3,6});", blocks[scheme]))
    pairs = [(ink, ground) for ink in ("ink", "soft") for ground in ("paper", "panel", "code")]
    pairs += [("good", "panel"), ("error", "paper"), ("warning", "paper")]
    pairs += [(name, f"{name}-wash") for name in ("error", "warning", "info", "good")]
    for ink, ground in pairs:
        high, low = sorted((luminance(colours[ink]), luminance(colours[ground])), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5, (ink, ground)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if not CHROMIUM.exists() and "CI" not in os.environ:
        pytest.skip("needs Chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280, 3840])
@pytest.mark.parametrize("make", ALL)
def test_a_browser_shows_it(browser: Any, tmp_path: Path, make: Callable[[], Report], width: int, scheme: str) -> None:
    file = tmp_path / "report.html"
    file.write_bytes(RENDERER.render(make()))
    said: list[str] = []
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.on("console", lambda message: said.append(message.text))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.on("request", lambda request: said.append(request.url))
    page.goto(file.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    assert page.evaluate("getComputedStyle(document.body).maxWidth") != "none"
    assert page.evaluate("document.scripts.length + document.images.length") == 0
    page.close()
    assert said == [file.as_uri()]
