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
from urllib.parse import unquote

import pytest

from lineage.renderers._page import anchor
from lineage.renderers.html import RENDERER
from lineage.reporting.model import Report
from lineage.text import printable
from tests.graphs import graph_of
from tests.records import chain, robrain

from . import reports

ALL = [reports.interesting, reports.empty, reports.healthy, reports.hostile, reports.sample, reports.hostile_sample]
CHROMIUM = Path("/usr/bin/chromium")
VOID = {"meta", "rect", "input", "use", "path", "circle", "polygon", "polyline"}
ELEMENTS = {
    "html", "head", "meta", "title", "style", "body", "a", "header", "nav", "main", "footer", "section", "h1", "h2",
    "h3", "p", "ul", "ol", "li", "dl", "dt", "dd", "div", "span", "b", "code", "svg", "rect", "details", "summary",
    "table", "caption", "thead", "tbody", "tr", "th", "td", "aside", "button", "script", "form", "label", "input",
    "select", "option", "output", "blockquote", "figure", "figcaption", "g", "text", "desc", "path", "circle",
    "polygon", "polyline", "use",
}  # fmt: skip
ATTRIBUTES = {
    "lang", "charset", "http-equiv", "content", "name", "class", "href", "id", "dir", "role", "scope", "open",
    "aria-label", "aria-labelledby", "aria-hidden", "data-label", "viewbox", "preserveaspectratio", "x", "y", "width",
    "height", "hidden", "type", "placeholder", "aria-live", "title", "tabindex", "xmlns", "transform", "points", "d",
    "cx", "cy", "r", "rx", "stroke-width", "stroke-dasharray", "data-made", "data-for", "data-by", "data-rule",
    "data-severity", "data-sort", "data-id", "data-kind", "data-scope", "data-module", "data-format", "data-since",
    "data-key", "data-look", "data-source", "data-target", "value",
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
    targets = {(attributes["href"] or "").removeprefix("#") for attributes in (*page.all("a"), *page.all("use"))}
    in_diagrams = {
        f"memory={(attributes['data-id'] or '')[:500]}" for attributes in page.all("g") if "data-id" in attributes
    }
    assert {unquote(target) for target in targets} <= anchors | in_diagrams
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
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    scripted = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    allowed = f"style-src 'sha256-{digested}'; script-src 'sha256-{scripted}'"
    assert policies == [f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"]
    assert "innerHTML" not in script
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
    assert page.evaluate("document.scripts.length + document.images.length") == 1
    page.close()
    assert said == [file.as_uri()]


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """`opened(report)` opens its page from a file, without a network; nothing may complain."""
    complaints: list[str] = []
    contexts: list[Any] = []

    def page(report: Report, *, fragment: str = "", **options: Any) -> Any:
        file = tmp_path / "report.html"
        file.write_bytes(RENDERER.render(report))
        usual = {"viewport": {"width": 1280, "height": 900}, "offline": True, "reduced_motion": "reduce"}
        context = browser.new_context(**{**usual, **options})
        contexts.append(context)
        made = context.new_page()
        made.on("console", lambda message: complaints.append(message.text))
        made.on("pageerror", lambda error: complaints.append(str(error)))
        made.on("dialog", lambda dialog: (complaints.append("a dialog"), dialog.dismiss()))
        made.goto(file.as_uri() + fragment)
        return made

    yield page
    for context in contexts:
        context.close()
    assert complaints == []


def _shown(page: Any, selector: str) -> int:
    return int(page.evaluate("all => [...document.querySelectorAll(all)].filter(one => !one.hidden).length", selector))


def test_live_heads_are_filtered_by_what_they_are_and_say(opened: Callable[..., Any]) -> None:
    page, rows = opened(reports.sample()), "#heads tbody tr"
    everything = _shown(page, rows)
    tools = page.locator("form[data-for=heads]")
    tools.locator("[data-by=kind]").select_option("preference")
    assert 0 < _shown(page, rows) < everything
    assert set(
        page.evaluate("[...document.querySelectorAll('#heads tr[data-id]:not([hidden])')].map(r => r.dataset.kind)")
    ) == {"preference"}
    tools.locator("[data-by=kind]").select_option("")
    tools.locator("input").fill("POOL.ts 4")
    assert _shown(page, rows) == 1
    assert tools.locator("output").text_content() == f"1 of {everything}"
    tools.locator("input").fill("no such words anywhere")
    assert _shown(page, rows) == 0
    tools.locator("input").fill("")
    tools.locator("[data-by=age]").select_option("-90")
    recent = _shown(page, rows)
    tools.locator("[data-by=age]").select_option("365")
    assert _shown(page, rows) == 0
    assert 0 < recent < everything


def test_live_heads_are_sorted_by_any_column(opened: Callable[..., Any]) -> None:
    page = opened(reports.sample())
    values = "[...document.querySelectorAll('#heads tr[data-id]')].map(row => row.dataset.since)"
    newest = page.evaluate(values)
    assert newest == sorted(newest, reverse=True)
    page.get_by_role("button", name="Since").click()
    assert page.evaluate(values) == sorted(newest)
    assert page.locator("th[aria-sort=ascending]").count() == 1
    page.get_by_role("button", name="Since").click()
    assert page.evaluate(values) == newest
    page.get_by_role("button", name="Module").click()
    modules = page.evaluate("[...document.querySelectorAll('#heads tr[data-id]')].map(row => row.dataset.module)")
    assert modules == sorted(modules)


def test_findings_are_filtered_by_rule_severity_and_words(opened: Callable[..., Any]) -> None:
    page, items = opened(reports.sample()), ".findings > li"
    everything = _shown(page, items)
    tools = page.locator("form[data-for=findings]")
    tools.locator("[data-by=severity]").select_option("error")
    errors = _shown(page, items)
    assert 0 < errors < everything
    tools.locator("[data-by=rule]").select_option("LIN103 orphan")
    assert _shown(page, items) == 0
    tools.locator("[data-by=severity]").select_option("")
    assert _shown(page, items) == _shown(page, "details.rule:not([hidden]) .findings > li") > 0
    tools.locator("[data-by=rule]").select_option("")
    tools.locator("input").fill("ZOD schema")
    assert _shown(page, items) >= 1
    assert _shown(page, items) < everything


def test_a_memory_in_a_diagram_opens_and_lights_up_its_history(opened: Callable[..., Any]) -> None:
    page = opened(reports.sample())
    node = page.locator(".diagrams .ln-cyclic").first
    node.focus()
    page.keyboard.press("Enter")
    assert page.locator("#memory").is_visible()
    assert "cyclic" in page.locator("#memory p").first.text_content()
    assert page.locator(".chosen .ln-node.lit").count() == 3
    page.keyboard.press("Escape")
    assert page.locator("#memory").is_hidden()
    page.locator(".diagrams .ln-live text").first.click()
    page.get_by_role("link", name="Show it among the live heads").click()
    assert page.locator("tr.found").count() == 1


@pytest.mark.parametrize("scripted", [True, False])
def test_a_link_leads_to_a_memory(opened: Callable[..., Any], scripted: bool) -> None:
    head = reports.sample().live_heads[-1]
    page = opened(reports.sample(), fragment=anchor(head.id), java_script_enabled=scripted)
    row = page.locator("#heads tbody tr").last
    assert row.get_attribute("data-id") == head.id
    box = row.bounding_box()
    assert -1 <= box["y"] < 900
    if scripted:
        assert page.locator("tr.found").count() == 1


def test_a_link_to_what_is_only_in_a_diagram_opens_it_there(opened: Callable[..., Any]) -> None:
    diagram = next(iter(reports.sample().details.diagrams.values()))
    node = next(node for node in diagram.nodes if node.look == "cyclic")
    page = opened(reports.sample(), fragment=anchor(node.id))
    assert page.locator("#memory").is_visible()
    assert node.text in page.locator("#memory p").first.text_content()


@pytest.mark.parametrize("make", [reports.sample, reports.hostile_sample])
def test_without_its_script_everything_is_there(opened: Callable[..., Any], make: Callable[[], Report]) -> None:
    page = opened(make(), java_script_enabled=False)
    assert page.locator("form.tools:visible").count() == 0
    assert page.locator("#heads tbody tr:visible").count() == len(make().live_heads)
    assert page.locator(".diagrams svg:visible").count() == len(make().details.diagrams)
    assert page.locator("svg.chart:visible").count() >= 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("make", [reports.sample, reports.hostile_sample, reports.empty])
def test_nothing_keeps_anybody_from_reading_it(
    opened: Callable[..., Any], make: Callable[[], Report], scheme: str
) -> None:
    axe = Path(os.environ.get("LINEAGE_NODE_MODULES", "/nowhere")) / "axe-core/axe.min.js"
    if not axe.exists():
        pytest.skip("needs the npm package axe-core in LINEAGE_NODE_MODULES")
    page = opened(make(), color_scheme=scheme, bypass_csp=True)
    page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")
    page.add_script_tag(path=str(axe))
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    grave = [each for each in found if each["impact"] in {"serious", "critical"}]
    assert [(each["id"], [node["html"][:200] for node in each["nodes"][:3]]) for each in grave] == []


def test_it_prints_everything(opened: Callable[..., Any]) -> None:
    page = opened(reports.sample())
    page.emulate_media(media="print")
    assert page.locator("form.tools:visible").count() == 0
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") in {
        "rgb(255, 255, 255)",
        "rgba(0, 0, 0, 0)",
    }
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("[...document.querySelectorAll('details')].every(part => part.open)")


def _thousand() -> Report:
    records = [
        robrain(
            f"m{n:04d}-4e35-4f83-9d70-0800fd4b3ab5",
            f"m{n - 1:04d}-4e35-4f83-9d70-0800fd4b3ab5" if n % 3 else None,
            at=f"2026-{1 + n // 100:02d}-{1 + n % 28:02d}T10:00:00Z",
            decision=f"Decision {n} " + "of some length " * 8,
            rationale="because " * 20,
            files_affected=[f"src/module{n % 40}/file{n % 90}.ts"],
        )
        for n in range(1000)
    ]
    return reports.detailed(graph_of(*records, now="2026-12-01"))


def test_a_thousand_memories_take_a_megabyte_at_most() -> None:
    report = _thousand()
    assert len(report.details.diagrams) > 20
    assert len(RENDERER.render(report)) <= 1_000_000


def test_a_full_page_holds_every_entry_and_every_diagram() -> None:
    records = [robrain(f"head{n:04d}", at=1) for n in range(700)]
    records += [each for n in range(60) for each in chain(f"a{n:03d}", f"b{n:03d}")]
    graph = graph_of(*records, now="2026-12-01")
    short, full = (RENDERER.render(reports.detailed(graph, full=full)).decode() for full in (False, True))
    assert (short.count('<tr role="row" id="memory='), full.count('<tr role="row" id="memory=')) == (500, 760)
    assert short.count('<figure class="card') < full.count('<figure class="card')
    assert full.count('-box"') >= 60
