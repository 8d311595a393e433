"""The page: complete in itself, safe, and of use with a mouse, a keyboard, and without its script."""

import base64
import hashlib
import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from lineage.drawings.html import DRAWING
from lineage.layout.diagram import Diagram
from tests.drawings import diagrams

CHROMIUM = Path("/usr/bin/chromium")
Open = Callable[..., Any]


@pytest.mark.parametrize("make", diagrams.ALL)
def test_the_policy_allows_its_own_style_and_script_and_nothing_else(make: Callable[[], Diagram]) -> None:
    page = DRAWING.draw(make()).decode()
    policy = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', unescape(page))[0]
    for kind in ("style", "script"):
        held = re.findall(rf"<{kind}>(.*?)</{kind}>", page, re.DOTALL)
        hashes = {f"'sha256-{base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()}'" for each in held}
        assert hashes == set(re.findall(rf"{kind}-src ([^;]*)", policy)[0].split())
    assert policy.startswith("default-src 'none'")
    assert "url(" not in page
    assert "@import" not in page


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if not CHROMIUM.exists():
        pytest.skip("chromium is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """`opened(diagram)` opens its page from a file, without a network; nothing may complain."""
    complaints: list[str] = []
    contexts: list[Any] = []

    def page(diagram: Diagram, *, width: int = 1200, **options: Any) -> Any:
        path = tmp_path / "page.html"
        path.write_bytes(DRAWING.draw(diagram))
        context = browser.new_context(viewport={"width": width, "height": 800}, offline=True, **options)
        contexts.append(context)
        made = context.new_page()
        made.on("console", lambda message: complaints.append(message.text))
        made.on("pageerror", lambda error: complaints.append(str(error)))
        made.on("dialog", lambda dialog: (complaints.append("a dialog"), dialog.dismiss()))
        made.goto(path.as_uri())
        return made

    yield page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.mark.parametrize("make", diagrams.ALL)
@pytest.mark.parametrize("width", [360, 1200])
def test_it_opens_and_nothing_in_it_runs(opened: Open, make: Callable[[], Diagram], width: int) -> None:
    page = opened(make(), width=width)
    assert page.evaluate("window.hit") is None
    assert page.locator(".ln-node").count() == len(make().nodes)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def _zoom(page: Any) -> float:
    return float(page.evaluate("new DOMMatrix(getComputedStyle(document.querySelector('svg')).transform).a"))


def _left(page: Any) -> float:
    return float(page.evaluate("document.querySelector('svg').getBoundingClientRect().left"))


def test_it_zooms_and_moves(opened: Open) -> None:
    page = opened(diagrams.everything())
    begun, left = _zoom(page), _left(page)
    page.keyboard.press("+")
    assert _zoom(page) > begun
    page.get_by_role("button", name="Smaller").click()
    assert _zoom(page) == pytest.approx(begun)
    page.mouse.move(300, 300)
    page.mouse.wheel(0, -300)
    page.wait_for_function(
        f"new DOMMatrix(getComputedStyle(document.querySelector('svg')).transform).a > {begun * 1.1}"
    )
    page.keyboard.press("0")
    assert (_zoom(page), _left(page)) == (pytest.approx(begun), pytest.approx(left))
    page.keyboard.press("ArrowLeft")
    assert _left(page) == pytest.approx(left + 60)
    page.mouse.move(600, 760)
    page.mouse.down()
    page.mouse.move(520, 700)
    page.mouse.up()
    assert _left(page) == pytest.approx(left + 60 - 80)


def test_a_memory_tells_all_and_lights_up_where_it_comes_from_and_leads_to(opened: Open) -> None:
    diagram = diagrams.hostile()
    page = opened(diagram)
    middle = next(node for node in diagram.nodes if "<script>" in (node.text or ""))
    page.evaluate("key => document.querySelector(`[data-key=${key}]`).focus()", middle.key)
    page.keyboard.press("Enter")
    told = page.locator("#told p").text_content()
    assert "superseded" in told
    assert len(told) >= len((middle.text or "").strip())
    lit = page.locator(".ln-node.lit").count()
    assert 4 < lit < len(diagram.nodes)
    page.keyboard.press("Escape")
    assert page.locator("#told").is_hidden()
    assert page.locator(".ln-node.lit").count() == 0


def test_a_click_opens_a_memory_and_a_click_beside_closes_it(opened: Open) -> None:
    page = opened(diagrams.chain(3))
    page.locator("[data-key=n1] text").first.click()
    assert "m0001" in page.locator("#told p").text_content()
    page.mouse.click(900, 700)
    assert page.locator("#told").is_hidden()


def test_without_its_script_it_is_a_picture_to_scroll(opened: Open) -> None:
    page = opened(diagrams.everything(), java_script_enabled=False)
    assert page.locator("#tools").is_hidden()
    assert page.get_by_text("Decide run5", exact=True).is_visible()


def test_it_is_readable_in_the_dark(opened: Open) -> None:
    page = opened(diagrams.chain(2), color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.querySelector('.ln-live .ln-words')).fill") == "rgb(228, 231, 234)"
