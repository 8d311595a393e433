"""What can be seen of a page in a browser."""

from typing import Any


def shown(tab: Any, selector: str) -> list[str]:
    """The texts of what can be seen, on one line each."""
    return [" ".join(text.split()) for text in tab.locator(selector).locator("visible=true").all_inner_texts()]


def rows(tab: Any) -> list[str]:
    """The ids of the live heads that can be seen."""
    return shown(tab, ".heads tbody tr td.name")


def in_view(tab: Any, selector: str) -> bool:
    """Whether the middle of an element can be seen."""
    box = tab.locator(selector).bounding_box()
    return bool(box) and 0 <= box["y"] + box["height"] / 2 <= 900
