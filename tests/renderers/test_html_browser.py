"""The HTML page in a real browser, with the network off: on any screen, without its script, on paper, for everybody."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lineage.reporting.model import Report

from . import pages, reports
from .seen import rows, shown

ALL = [pages.interesting, pages.empty, pages.healthy, pages.hostile]
AXE = Path(os.environ.get("LINEAGE_NODE_MODULES", Path.home() / ".cache/lineage/node_modules")) / "axe-core/axe.min.js"
OPEN_ALL = "document.querySelectorAll('details').forEach(part => { part.open = true })"
NO_SIDEWAYS = "document.scrollingElement.scrollWidth <= innerWidth"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 820, 1280, 3840])
@pytest.mark.parametrize("make", ALL)
def test_it_fits_every_screen(show: Callable[..., Any], make: Callable[[], Report], width: int, scheme: str) -> None:
    tab = show(make(), width=width, color_scheme=scheme)
    assert tab.evaluate(NO_SIDEWAYS)
    tab.evaluate(OPEN_ALL)
    assert tab.evaluate(NO_SIDEWAYS)
    assert tab.evaluate("getComputedStyle(document.body).maxWidth") != "none"
    assert tab.evaluate("document.documentElement.classList.contains('js')")
    assert tab.evaluate("document.scripts.length") == 1


def test_hostile_texts_stay_texts_whatever_is_pressed(show: Callable[..., Any]) -> None:
    tab = show(pages.hostile(), width=360)
    tab.evaluate(OPEN_ALL)
    for node in tab.locator(".lineage .ln-node").all():
        node.click()
        assert tab.locator("#panel").is_visible()
    for link in tab.evaluate("[...document.querySelectorAll('a')].map(a => a.getAttribute('href'))"):
        tab.evaluate("address => { location.hash = address }", link)
    for button in tab.locator(".sorts th button").all():
        button.click()
    for text in reports.HOSTILE_TEXTS:
        tab.locator('form[data-of="heads"] [name=text]').fill(text[:300].replace("\ud800", "").replace("\udfff", ""))
        tab.evaluate("address => { location.hash = address }", f"memory={text[:300]}")
    assert tab.evaluate("[document.scripts.length, document.images.length]") == [1, 0]
    assert tab.evaluate(NO_SIDEWAYS)


def test_without_its_script_it_is_whole(show: Callable[..., Any]) -> None:
    tab = show(pages.interesting(), java_script_enabled=False)
    assert shown(tab, ".filter, .panel, .scripted, th button") == []
    assert len(rows(tab)) == 8
    assert tab.locator(".lineage .ln-diagram").count() == 2
    assert tab.locator(".chart").count() == 3
    for chart in tab.locator(".plot > svg").all():
        assert chart.bounding_box()["height"] > 100
    tab.locator('.newest a[href="#memory=L375"]').click()
    assert tab.locator('[id="memory=L375"]').evaluate("row => row.getBoundingClientRect().top") < 900
    tab.locator('[id="memory=L412"] summary').click()
    assert "Retry until it works: it charged twice" in shown(tab, '[id="memory=L412"] dd p')


@pytest.mark.parametrize("script", [True, False])
def test_on_paper_everything_is_open(show: Callable[..., Any], script: bool) -> None:
    tab = show(pages.interesting(), at="#memory=L311", java_script_enabled=script)
    tab.emulate_media(media="print")
    assert shown(tab, "nav, .filter, .panel, .skip") == []
    told = tab.evaluate(
        "[...document.querySelectorAll('details:not(.picture) > :not(summary)')]"
        ".map(part => part.checkVisibility({contentVisibilityAuto: true}) && part.getBoundingClientRect().height > 0)"
    )
    assert len(told) >= 20
    assert all(told)
    assert tab.evaluate(NO_SIDEWAYS)


def test_before_printing_everything_opens_and_closes_again(show: Callable[..., Any]) -> None:
    tab = show(pages.interesting())
    closed = tab.locator("details:not([open])").count()
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert tab.locator("details:not([open])").count() == 0
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    assert tab.locator("details:not([open])").count() == closed > 0


@pytest.mark.skipif(not AXE.exists(), reason="the package axe-core in LINEAGE_NODE_MODULES is not installed")
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("make", ALL)
def test_nothing_stands_in_the_way_of_anybody(
    show: Callable[..., Any], make: Callable[[], Report], scheme: str, width: int
) -> None:
    tab = show(make(), color_scheme=scheme, width=width)
    tab.evaluate(AXE.read_text(encoding="utf-8"))
    for change in (
        "0",
        OPEN_ALL,
        "document.querySelector('.lineage .ln-node')?.dispatchEvent(new Event('click', {bubbles: true}))",
    ):
        tab.evaluate(change)
        found = tab.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        assert {one["id"]: [node["html"][:200] for node in one["nodes"][:3]] for one in found} == {}
