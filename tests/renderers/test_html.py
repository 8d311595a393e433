"""The HTML page: whole, safe and small."""

import base64
import hashlib
import itertools
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser

import pytest

import lineage
from lineage.drawings.svg import style as diagram_style
from lineage.renderers._page.anchors import Piece, fragment, pieces
from lineage.renderers.html import RENDERER
from lineage.reporting.model import Report
from lineage.text import printable
from tests.graphs import graph_of
from tests.records import robrain

from . import pages, reports

ALL = [pages.interesting, pages.empty, pages.healthy, pages.hostile]
VOID = {"meta", "rect", "input", "line", "path", "circle", "polygon", "polyline", "use"}
ELEMENTS = VOID | {
    "html", "head", "title", "style", "body", "a", "header", "nav", "main", "footer", "section", "h1", "h2", "h3", "p",
    "ul", "ol", "li", "dl", "dt", "dd", "div", "span", "b", "q", "code", "details", "summary", "table", "caption",
    "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "svg", "g", "text", "desc", "form", "label", "select",
    "option", "datalist", "fieldset", "legend", "button", "output", "aside", "script",
}  # fmt: skip
ATTRIBUTES = {
    "lang", "charset", "http-equiv", "content", "name", "class", "href", "id", "dir", "role", "scope", "open", "title",
    "aria-label", "aria-labelledby", "aria-hidden", "aria-live", "tabindex", "hidden", "type", "value", "checked",
    "list", "autocomplete", "data-of", "data-today", "data-rule", "data-severity", "data-key", "data-look",
    "data-source", "data-target", "viewbox", "preserveaspectratio", "x", "y", "x1", "x2", "y1", "y2", "dx", "dy", "cx",
    "cy", "r", "rx", "d", "points", "width", "height", "stroke-width", "stroke-dasharray", "transform", "xmlns",
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

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in {"script", "style"}:
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
    assert len(page.all("script")) == 1


@pytest.mark.parametrize("make", ALL)
def test_every_link_leads_to_a_place_on_the_page(make: Callable[[], Report]) -> None:
    page = Page(source(make()))
    identities = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(identities) == len(set(identities))
    links = [attributes["href"] or "" for _, attributes in page.elements if "href" in attributes]
    assert {link[:1] for link in links} == {"#"}
    assert {link[1:] for link in links} <= set(identities)
    assert not any(re.search(r"\s", identity or "") for identity in identities)


def test_no_line_of_a_page_is_obeyed_by_the_runner_that_logs_it() -> None:
    lines = source(pages.hostile()).splitlines()
    assert not [line for line in lines if line.lstrip().startswith("::") or re.search(r"##\w*\[", line)]


def test_hostile_text_is_shown_as_text() -> None:
    page = Page(source(pages.hostile()))
    shown = {text.strip() for text in page.texts}
    for text in reports.HOSTILE_TEXTS:
        visible = printable(text)
        assert len(visible) > 160 or visible.strip() in shown
    assert not set(map(chr, [*range(9), *range(11, 32), *range(127, 160), 0x202E, 0x2066, 0x200B])) & set(
        "".join(page.texts)
    )


@pytest.mark.parametrize("make", ALL)
def test_the_policy_allows_this_style_and_script_and_nothing_else(make: Callable[[], Report]) -> None:
    text = source(make())
    parts = [re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL) for tag in ("style", "script")]
    assert [len(part) for part in parts] == [1, 1]
    style, script = (base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() for (part,) in parts)
    policies = [meta["content"] for meta in Page(text).all("meta") if meta.get("http-equiv")]
    allowed = f"style-src 'sha256-{style}'; script-src 'sha256-{script}'"
    assert policies == [f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"]
    assert not re.search(r"url\(|@import", parts[0][0])
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function|fetch|XMLHttp", parts[1][0])
    assert parts[1][0].count("\n") <= 300


def test_what_holds_and_what_to_mend_stand_on_top() -> None:
    text = source(pages.interesting())
    order = [
        "50 of 63 decisions hold; 3 errors need a hand.",
        "Read: 63 decisions and 2 markers from 2 inputs.",
        "1 record unreadable and 1 record passed over as no memories",
        "<b>50</b> live heads",
        "<b>3</b> errors",
        "What holds",
        "What to mend first",
        "Remove the link from",
        "Findings",
        "What L220 says",
        "Live heads",
        "Retry until it works",
        "Lineages",
        "All lineages",
        "Time",
        "Of 25 decisions with known dates 5 ended and 20 are still in effect",
        "Files and modules",
        "The newest 40 of 63 were looked at.",
        "services/ledger/amount.py",
        "Orphans",
        "Cycles",
        "To break it,",
        "Intake",
        "What this page leaves out",
        "The first 6 of 46 findings of LIN301; 40 more are left out.",
        "Diagrams of 2 of 3 lineages",
    ]
    position = text.index("<h1")
    for part in order:
        assert part in text[position:], part
        position = text.index(part, position)
    assert "exports/payments.jsonl:20" in text


def test_what_could_not_be_read_stands_at_its_input() -> None:
    graph = graph_of(robrain("a"), '{"id": 1', "nonsense", robrain("b", historical_relevance=7))
    text = lineage.report(graph).render("html").decode()
    intake = text[text.index('id="inputs"') :]
    assert "2 records unreadable" in text
    assert "What was not read, and why" in intake
    assert len(re.findall(r"<li><b>\d</b> <span dir=\"auto\">A record cannot be read: not JSON", intake)) == 2
    assert "breaks the contract" in text
    assert "breaks the contract" not in intake


def test_an_empty_page_says_of_each_part_that_there_is_nothing() -> None:
    text = source(pages.empty())
    said = ["No error and no warning was found.", "No rule found anything.", "No time is known.", "None is named."]
    assert all(words in text for words in said)
    assert text.count(">None.<") == 4


def test_heads_in_trouble_say_so_and_lead_to_the_finding() -> None:
    report = pages.interesting()
    text = source(report)
    row = text[text.index('<tr id="memory=L401">') :]
    row = row[: row.index("</tr>")]
    assert '<a class="tag error" href="#finding=LIN201-1" title="stale-live">✗ LIN201</a>' in " ".join(row.split())
    quiet = text[text.index('<tr id="memory=L375">') :]
    assert "tag" not in quiet[: quiet.index("</tr>")]


def test_ids_in_sentences_are_told_apart_from_other_words() -> None:
    told = pieces("It isn't 'a', 'b' or 'c''s: 'a'", ["a", "c"], 100)
    expected = [("It isn't ", None), ("", "a"), (", 'b' or ", None), ("", "c"), ("'s: ", None), ("", "a"), ("", None)]
    assert told == [Piece(*part) for part in expected]
    assert pieces("'a' and so on", ["a"], 8)[0] == Piece("")
    assert "".join(piece.words for piece in pieces("no id here", [], 5)) == "no id… (5 more characters)"


def test_addresses_are_those_that_a_browser_would_write() -> None:
    assert fragment("memory", "at://did:plc:a/b c!") == "memory=at%3A%2F%2Fdid%3Aplc%3Aa%2Fb%20c!"
    odd = ["\ud800", "x" * 300, "y" * 300, ""]
    assert len({fragment("memory", name) for name in odd}) == 4
    assert all(len(fragment("memory", name)) < 30 for name in odd)


def test_tables_can_be_followed_without_seeing_them() -> None:
    page = Page(source(pages.interesting()))
    assert len(page.all("caption")) == 4
    assert all(cell.get("scope") in {"col", "row"} for cell in page.all("th"))
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


TEXTS = ["short", "\x00" * 10_000, "'" * 10_000, "日本語" * 3_000]


@pytest.mark.parametrize("text", TEXTS)
def test_a_large_report_stays_small(text: str) -> None:
    report = pages.large(3_000, text=text)
    page = RENDERER.render(report)
    assert len(page) <= 5_000_000
    assert b"of 6,000 live heads" in page
    assert page == RENDERER.render(report)
    few = replace(report, summary=replace(report.summary, memories=1_000))
    assert len(RENDERER.render(few)) <= 1_000_000


def test_a_thousand_memories_are_at_most_a_megabyte() -> None:
    told = "Keep ledger amounts as integers of the smallest unit; never as floats. " * 2
    ids = [f"{number:08}-0000-4000-a000-000000000000" for number in range(1_000)]
    records = [
        robrain(name, ids[number - 600] if number >= 600 else None, at=f"2026-{number // 90 + 1:02}-01", rationale=told)
        for number, name in enumerate(ids)
    ]
    page = lineage.report(graph_of(*records)).render("html")
    assert 600_000 < len(page) <= 1_000_000


def test_a_full_page_holds_everything() -> None:
    text = source(pages.large(1_200, text="long " * 400, full=True))
    assert text.count('<tr id="memory=') == 1_200
    assert text.count('<li id="finding=LIN101-') == 1_200
    assert text.count("long " * 399) > 1_200
    assert "more are left out; " not in text
    cut = source(pages.large(1_200))
    assert cut.count('<tr id="memory=') < 1_200


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_text_stands_out_from_what_it_stands_on(scheme: int) -> None:
    blocks = re.findall(r":root \{(.*?)\}", source(pages.empty()), re.DOTALL)
    colours = dict(re.findall(r"--([a-z-]+): ?(#[0-9a-f]{3,6});", blocks[scheme]))
    blocks = re.findall(r"\.ln-diagram\{(.*?)\}", diagram_style())
    drawn = dict(re.findall(r"--ln-([a-z-]+):(#[0-9a-f]{3,6});", blocks[scheme]))
    pairs = [(colours[ink], colours[ground]) for ink in ("ink", "soft") for ground in ("paper", "panel", "code")]
    pairs += [(colours["good"], colours["panel"])]
    pairs += [(colours[name], colours[ground]) for name in ("error", "warning") for ground in ("paper", "panel")]
    pairs += [(colours[name], colours[f"{name}-wash"]) for name in ("error", "warning", "info", "good")]
    pairs += [(drawn[ink], ground) for ink in ("ink", "soft") for ground in (colours["panel"], drawn["wash"])]
    for ink, ground in pairs:
        high, low = sorted((luminance(ink), luminance(ground)), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5, (ink, ground)
