"""A real browser that has no network."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lineage.renderers.html import RENDERER
from lineage.reporting.model import Report
from tests.cli.conftest import run

__all__ = ["run"]

CHROMIUM = Path("/usr/bin/chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if not CHROMIUM.exists() and "CI" not in os.environ:
        pytest.skip("needs Chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Opens a page from its file with the network off; complains of whatever it says, asks or fetches."""
    said: list[str] = []
    contexts: list[Any] = []
    file = tmp_path / "report.html"

    def opened(page: Report | bytes, *, at: str = "", width: int = 1280, **options: Any) -> Any:
        file.write_bytes(page if isinstance(page, bytes) else RENDERER.render(page))
        context = browser.new_context(viewport={"width": width, "height": 900}, offline=True, **options)
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda message: said.append(message.text))
        tab.on("pageerror", lambda error: said.append(str(error)))
        tab.on("dialog", lambda dialog: said.append(dialog.message))
        tab.on("request", lambda request: said.append(request.url) if request.url != file.as_uri() else None)
        tab.goto(file.as_uri() + at)
        return tab

    yield opened
    for context in contexts:
        context.close()
    assert said == []
