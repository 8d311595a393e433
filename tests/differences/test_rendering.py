"""A comparison as text, JSON, Markdown and a page: order, size, and nothing live in them."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

import lineage
from lineage.discovery import differences
from tests.differences.pairs import VALID, diff_of, everything
from tests.graphs import memory

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)>",
    "\x1b[2J\x1b]0;owned\x07",
    "::error file=x::owned\n  ::set-output name=a::b\n##[error]no",
    "@everyone [x](http://evil.example) #1 </details> `code` | ~~x~~",
    "\u202edesrever {{ 7*7 }} {% raw %}",
)


def test_the_gravest_stands_first() -> None:
    for name in ("text", "markdown", "html"):
        shown = everything().render(name).decode().partition("<main")[2 if name == "html" else 0]
        titles = ["New errors and warnings", "Live heads lost", "Live heads gained", "Text changed", "New notes"]
        places = [shown.index(title) for title in titles]
        assert places == sorted(places), name


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    diff = everything(text, text)
    pages = {name: diff.render(name).decode() for name in differences()}
    for name, page in pages.items():
        assert "\x1b" not in page, name
        assert "\u202e" not in page or name == "json"
        assert not any(line.startswith(("::", "##[")) for line in map(str.lstrip, page.splitlines())), name
    assert set(re.findall(r"</?(?:script|img)\b", pages["html"] + diff._repr_html_())) == set()
    assert ("{{ 7*7 }}" in unescape(pages["html"])) is ("7*7" in text)
    assert json.loads(pages["json"]) == diff.to_dict()
    VALID.validate(diff.to_dict())
    tokens = MarkdownIt("commonmark").parse(pages["markdown"])
    kinds = {token.type for token in tokens} | {child.type for token in tokens for child in token.children or ()}
    assert not kinds & {"link_open", "image", "html_inline", "code_block", "fence"}
    blocks = [token.content.strip() for token in tokens if token.type == "html_block"]
    assert all(re.fullmatch(r"<details><summary><b>[\w ,:()]+</b></summary>|</details>", block) for block in blocks)
    assert sum("<details>" in block for block in blocks) == sum("</details>" in block for block in blocks) > 0


def test_the_page_runs_and_loads_nothing() -> None:
    page = everything().render("html").decode()
    assert re.search(r"default-src 'none'; style-src 'sha256-[\w+/]{43}='", page)
    assert not re.search(r"<script|<link|<iframe|\son\w+=|\sstyle=|\ssrc=|href=\"(?!#)", page)
    anchors = set(re.findall(r' id="([\w-]+)"', page))
    assert set(re.findall(r'href="#([\w-]+)"', page)) <= anchors


@pytest.mark.parametrize("text", ["short", "@" * 3000, "日本語" * 500, "`|$<&" * 1000])
def test_the_comment_fits_a_pull_request(text: str) -> None:
    diff = diff_of([memory("k")], [memory(f"{number}", text=text, links=[]) for number in range(600)])
    page = diff.render("markdown")
    assert len(page) <= 60_000
    assert b"more are left out" in page
    assert page.decode().rstrip().endswith("`lineage diff -f json --limit 0`.")


@pytest.mark.parametrize("width", [40, 60, 80, 110])
def test_the_text_keeps_to_its_width(width: int) -> None:
    from lineage.differences import text
    from lineage.text import cells

    model = everything(
        "日本語 and much more than fits into a line of eighty columns, and on it goes", "long-id-" * 3
    ).model
    plain = list(text.lines(model, width=width, colour=False))
    assert all(cells(line) <= width for line in plain if "<stream" not in line)
    coloured = [re.sub("\x1b\\[[\\d;]*m", "", line) for line in text.lines(model, width=width, colour=True)]
    assert coloured == plain
    assert coloured != list(text.lines(model, width=width, colour=True))


def test_ways_out(tmp_path: Path) -> None:
    diff = everything()
    assert set(differences()) == {"html", "json", "markdown", "text"}
    for name, one in differences().items():
        diff.save(tmp_path / f"made/out{one.suffix}")
        assert (tmp_path / f"made/out{one.suffix}").read_bytes() == diff.render(name)
    with pytest.raises(lineage.UsageError, match=r"out\.docx: no comparison's format"):
        diff.save(tmp_path / "out.docx")
    with pytest.raises(lineage.UsageError, match="unknown format of a comparison 'pdf'"):
        diff.render("pdf")
    assert "<table" in diff._repr_html_()
    assert repr(diff).startswith("<Diff: 2 live heads gained, 2 lost; 2 new errors")
