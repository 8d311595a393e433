"""The Markdown report: order, size, and nothing live in it."""

from collections.abc import Callable

import pytest
from markdown_it import MarkdownIt

from lineage.renderers.markdown import RENDERER
from lineage.reporting.model import Report
from tests.graphs import graph_of
from tests.records import chain

from . import reports

MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
OURS = {
    "heading_open", "heading_close", "paragraph_open", "paragraph_close", "bullet_list_open", "bullet_list_close",
    "list_item_open", "list_item_close", "inline", "text", "text_special", "code_inline", "hardbreak", "strong_open",
    "strong_close", "em_open", "em_close",
}  # fmt: skip


def shown(report: Report) -> str:
    return RENDERER.render(report).decode()


def test_the_most_important_comes_first() -> None:
    page = shown(reports.interesting())
    order = ["## ✗ 50 of 63 decisions hold; 3 errors need a hand", "LIN101", "LIN201", "LIN103", "Live heads", "Notes"]
    positions = [page.index(part) for part in order]
    assert positions == sorted(positions)
    assert "**Mend:** Remove the link from 'L231' to 'L220'" in page
    assert "`exports/payments.jsonl:20`" in page
    assert "The newest 8 of 50 live heads; 42 more are left out." in page


def test_an_empty_report_says_so() -> None:
    assert shown(reports.empty()).startswith("## ✓ No memory was found; nothing needs mending\n")


@pytest.mark.parametrize("make", [reports.interesting, reports.hostile])
def test_memory_text_makes_nothing_but_text(make: Callable[[], Report]) -> None:
    tokens = MARKDOWN.parse(shown(make()))
    kinds = {token.type for token in tokens} | {child.type for token in tokens for child in token.children or ()}
    assert kinds <= OURS


def test_nobody_is_mentioned_and_nothing_links_itself() -> None:
    for token in MARKDOWN.parse(shown(reports.hostile())):
        for child in token.children or ():
            if child.type != "code_inline":
                for live in ("@e", "@o", "://", "www.", "#1", "GH-2"):
                    assert live not in child.content
    assert not any(line.startswith("::") for line in map(str.lstrip, shown(reports.hostile()).splitlines()))


@pytest.mark.parametrize("text", ["short", "@" * 5000, "日本語" * 500, "`|$<&" * 1000])
def test_a_large_report_is_cut_by_whole_entries(text: str) -> None:
    report = reports.large(2_000, text=text)
    page = shown(report)
    assert len(page.encode()) <= 60_000
    assert "more are left out." in page
    assert page.rstrip().endswith("`lineage report -f json --limit 0`.")
    assert page == shown(report)


@pytest.mark.parametrize("make", [reports.sample, reports.hostile_sample])
def test_what_is_broken_is_drawn_for_forges(make: Callable[[], Report]) -> None:
    text = RENDERER.render(make()).decode()
    assert len(text.encode()) <= 60_000
    fences = [token for token in MarkdownIt().parse(text) if token.type == "fence"]
    if make().details.broken is None:
        assert fences == []
        return
    (drawn,) = fences
    assert drawn.info == "mermaid"
    assert drawn.content.startswith("---\ntitle:")
    assert sum(" n" in line and "-->" in line for line in drawn.content.splitlines()) >= 1


def test_without_errors_and_warnings_nothing_is_drawn() -> None:
    report = reports.detailed(graph_of(*chain("a", "b"), now="2026-12-01"))
    assert "```mermaid" not in RENDERER.render(report).decode()
