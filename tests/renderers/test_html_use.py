"""What the script of the HTML page adds: filters, sorting, diagrams that answer, addresses."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

import lineage
from tests.graphs import graph_of, memory
from tests.records import robrain

from . import pages
from .seen import in_view, rows, shown

AS_URI = "at://did:plc:aaaaaaaaaaaaaaaaaaaaaaaa/dev.bastienrobert.memory.record/3mh6aguxyrc2r"


def test_findings_are_filtered(show: Callable[..., Any]) -> None:
    tab = show(pages.interesting())
    form = tab.locator('form[data-of="findings"]')
    listed = ".findings > li .message"
    assert len(shown(tab, listed)) == 6
    form.locator("[name=text]").fill("circle L214")
    assert shown(tab, listed) == ["3 memories supersede each other in a circle: L220 -> L214 -> L231 -> L220"]
    assert form.locator("output").inner_text() == "1 of 16 shown"
    form.get_by_role("button", name="Clear").click()
    form.locator("[name=rule]").select_option("LIN301")
    assert shown(tab, listed) == [f"L{number} was never reviewed" for number in (101, 375, 388, 401, 409, 412)]
    form.locator("[name=rule]").select_option("")
    form.get_by_label("error").uncheck()
    form.get_by_label("note").uncheck()
    assert shown(tab, ".rule h3") == ["orphan", "competing-heads", "time-inversion"]
    form.get_by_label("warning").uncheck()
    assert shown(tab, ".rule") == []


def test_findings_are_found_by_ids_that_they_show_shortened(show: Callable[..., Any]) -> None:
    ids = ["32c06c54-ba22-4c96-a02f-f677aa9c0ebe", "32c06c54-ba22-4c96-a02f-f677aa9c0000"]
    tab = show(lineage.report(graph_of(*(robrain(name, decision=f"Use {name[-4:]}") for name in ids))).render("html"))
    tab.locator('form[data-of="findings"] [name=text]').fill(ids[1])
    codes = tab.locator(".findings > li:visible .message code").all()
    assert {code.inner_text() for code in codes} == {"32c06c54-ba22…"}
    assert {code.get_attribute("title") for code in codes} == {ids[1]}


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("text", "incident KEY", ["L412"]),
        ("text", "no such thing", []),
        ("module", "capture", ["L412", "L409", "L401", "L101"]),
        ("file", "ec2", ["L401"]),
        ("age", "30", ["L412", "L409", "L401"]),
        ("age", "-90", ["L101", "L88"]),
        ("troubled", True, ["L409", "L401"]),
    ],
)
def test_live_heads_are_filtered(
    show: Callable[..., Any], name: str, value: str | bool, expected: list[str], width: int
) -> None:
    tab = show(pages.interesting(), width=width)
    field = tab.locator(f'form[data-of="heads"] [name={name}]')
    before = rows(tab)
    if value is True:
        field.check()
    elif name in {"text", "file"}:
        field.fill(value)
    else:
        field.select_option(value)
    assert rows(tab) == expected
    assert tab.locator('form[data-of="heads"] output').inner_text() == f"{len(expected)} of 8 shown"
    tab.locator('form[data-of="heads"] button').click()
    assert rows(tab) == before


def test_only_fields_that_differ_are_asked_for(show: Callable[..., Any]) -> None:
    records = [
        memory("a", kind="decision", scope="team", module="x"),
        memory("b", kind="fact", scope="user", module="x", of="mindr"),
    ]
    tab = show(lineage.report(graph_of(*records)).render("html"))
    form = tab.locator('form[data-of="heads"]')
    for name, value, expected in [("kind", "fact", ["b"]), ("scope", "team", ["a"]), ("format", "robrain", ["a"])]:
        form.locator(f"[name={name}]").select_option(value)
        assert rows(tab) == expected
        form.locator(f"[name={name}]").select_option("")
    assert not form.locator("[name=module]").is_visible()
    assert not form.locator("[name=file]").is_visible()


def test_tables_are_sorted_by_their_headers(show: Callable[..., Any]) -> None:
    report = pages.interesting()
    sizes = (90, 1_200, 9)
    lineages = [msgspec.structs.replace(row, size=size) for row, size in zip(report.lineages, sizes, strict=True)]
    tab = show(replace(report, lineages=lineages))
    tab.locator(".heads").get_by_role("button", name="Id").click()
    assert rows(tab) == ["L12", "L88", "L101", "L375", "L388", "L401", "L409", "L412"]
    since = tab.locator(".heads").get_by_role("button", name="Since")
    since.click()
    assert rows(tab) == ["L88", "L101", "L375", "L388", "L401", "L409", "L412", "L12"]
    assert tab.locator(".heads th[aria-sort=ascending]").inner_text() == "Since"
    since.click()
    assert rows(tab) == ["L412", "L409", "L401", "L388", "L375", "L101", "L88", "L12"]
    tab.locator(".lineages").get_by_role("button", name="Size").click()
    assert shown(tab, ".lineages td.size") == ["1,200", "90", "9"]
    tab.locator(".bars").first.get_by_role("button", name="Hold").click()
    tab.locator(".bars").first.get_by_role("button", name="Hold").click()
    assert shown(tab, ".bars >> nth=0 >> tbody th") == ["infra/ec2.tf", "services/ledger/amount.py"]


def test_a_memory_in_a_diagram_says_what_it_is(show: Callable[..., Any]) -> None:
    tab = show(pages.interesting())
    figure = tab.locator('[id="lineage=L207"]')
    figure.locator('g[data-key="n1"]').click()
    panel = tab.locator("#panel")
    assert "Retry at once" in panel.inner_text()
    assert "superseded · decision · 2026-05-01 · L311" in panel.inner_text()
    assert figure.locator(".ln-node.lit").count() == 4
    assert tab.locator('[id="lineage=L250"] .ln-node.lit').count() == 0
    figure.locator('g[data-key="n0"]').click()
    panel.get_by_role("link", name="L412").click()
    assert tab.locator('[id="memory=L412"] details').evaluate("part => part.open")
    panel.get_by_role("button", name="Close").click()
    assert not panel.is_visible()
    assert tab.locator(".chosen, .lit").count() == 0


def test_what_is_lit_is_what_it_came_from_and_what_it_led_to(show: Callable[..., Any]) -> None:
    made = [memory("a"), memory("b", at=2), memory("c", ["a", "b"], at=3), memory("d", ["a"], at=4)]
    tab = show(lineage.report(graph_of(*made)).render("html"))
    key = tab.evaluate("document.getElementById('memory=b').dataset.key")
    tab.locator(f'.lineage g[data-key="{key}"]').click()
    lit = tab.evaluate("[...document.querySelectorAll('.lit.ln-node')].map(n => n.querySelector('text').textContent)")
    assert sorted(lit) == ["Decide b", "Decide c"]
    assert tab.locator(".ln-edge.lit").count() == 1


def test_diagrams_obey_the_keyboard(show: Callable[..., Any]) -> None:
    tab = show(pages.interesting())
    figure = tab.locator('[id="lineage=L207"]')
    figure.locator('[tabindex="0"].ln-node').focus()
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowUp")
    tab.keyboard.press("Enter")
    assert "Retry at once" in tab.locator("#panel").inner_text()
    assert tab.evaluate("document.activeElement.id") == "panel"
    tab.keyboard.press("Escape")
    assert not tab.locator("#panel").is_visible()
    assert tab.evaluate("document.activeElement.dataset.key") == "n1"
    assert figure.locator('.ln-node[tabindex="0"]').count() == 1


def test_an_address_opens_the_row_of_a_memory(show: Callable[..., Any]) -> None:
    tab = show(pages.interesting(), at="#memory=L101")
    assert tab.locator('[id="memory=L101"] details').evaluate("part => part.open")
    assert in_view(tab, '[id="memory=L101"]')
    tab.locator('form[data-of="heads"] [name=text]').fill("idempotency")
    tab.evaluate("location.hash = '#memory=L88'")
    tab.locator('[id="memory=L88"] dl').wait_for()
    assert in_view(tab, '[id="memory=L88"]')
    assert len(rows(tab)) == 8


def test_an_address_opens_the_node_of_a_memory_that_does_not_hold(show: Callable[..., Any]) -> None:
    tab = show(pages.interesting(), at="#memory=L311")
    assert "Retry at once" in tab.locator("#panel").inner_text()
    assert in_view(tab, '[id="lineage=L207"] g[data-key="n1"]')


@pytest.mark.parametrize("address", [AS_URI, AS_URI.replace("/", "%2F").replace(":", "%3a"), AS_URI[:-4]])
def test_an_address_may_be_typed_and_shortened(show: Callable[..., Any], address: str) -> None:
    told = [memory(AS_URI, of="atproto"), memory(AS_URI[:-5] + "other", of="atproto")]
    tab = show(lineage.report(graph_of(*told)).render("html"), at=f"#memory={address}")
    assert tab.locator("tr.sought").get_attribute("id").endswith("3mh6aguxyrc2r")
    assert in_view(tab, "tr.sought")
    tab.evaluate(f"location.hash = '#memory={AS_URI[:-6]}'")
    tab.wait_for_function("document.querySelectorAll('.sought').length === 0")


def test_findings_lineages_and_heads_lead_to_each_other(show: Callable[..., Any]) -> None:
    tab = show(pages.interesting(), at="#finding=LIN301-2")
    assert in_view(tab, '[id="finding=LIN301-2"]')
    tab.locator('[id="memory=L409"] .marks a').click()
    assert in_view(tab, '[id="finding=LIN201-2"]')
    tab.locator('[id="finding=LIN106-1"] .said a').first.click()
    assert "Cents" in tab.locator("#panel").inner_text()
    tab.locator('.lineages a[href="#lineage=L250"]').click()
    assert in_view(tab, '[id="lineage=L250"]')


def test_a_finding_shows_its_lineage_drawn_once(show: Callable[..., Any]) -> None:
    records = [memory("a", declared="live"), memory("b", ["a"], at=2)]
    tab = show(lineage.report(graph_of(*records)).render("html"))
    tab.locator(".picture summary").first.click()
    box = tab.locator(".picture svg").first.bounding_box()
    assert box["width"] > 200
    assert box["height"] > 80
    assert tab.evaluate("document.querySelectorAll('svg.ln-diagram').length") == 1
    assert tab.evaluate("document.querySelector('.picture use').getBBox().height") > 80
