"""Escaping and shortening of untrusted text."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rich.cells import cell_len

from lineage import text
from lineage.text import cells, csv_cell, markdown, markdown_code, one_line, printable, shortened, uri, wrapped, xml

from .reports import HOSTILE_TEXTS

UNSAFE = set(map(chr, [*range(9), *range(11, 32), *range(127, 160), 0x202E, 0x2066, 0x200B, 0xE0041, 0xD800, 0xFFFF]))
ANY_TEXT = st.one_of(
    st.text(),
    st.text(alphabet=st.sampled_from("\\`*_{}[]()#+-!|<>~&@:$. \n\t0a/www=")),
    st.sampled_from(HOSTILE_TEXTS),
)
ALMOST_PLAIN = st.text(alphabet=st.sampled_from(" :#[az~\t\n\x1c\x7f\x85"))
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("plain", "plain"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("\x1b[31m", "\\u{1b}[31m"),
        ("a\u202eb", "a\\u{202e}b"),
        ("zero\u200bwidth", "zero\\u{200b}width"),
        ("\ud800", "\\u{d800}"),
        ("\u3164\uffff", "\\u{3164}\\u{ffff}"),
        ("👩‍👩‍👧 ❤️ می‌خواهم", "👩‍👩‍👧 ❤️ می‌خواهم"),
    ],
)
def test_what_cannot_be_seen_is_shown_as_its_code(value: str, shown: str) -> None:
    assert printable(value) == shown


@given(ANY_TEXT)
def test_printable_text_is_safe_and_stays_as_it_is(value: str) -> None:
    shown = printable(value)
    assert not UNSAFE & set(shown)
    assert printable(shown) == shown
    shown.encode()


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("  a \r\n b\u2028c\x85 ", "a b c"),
        ("::error::x", "\\u{3a}:error::x"),
        (" \n ::stop-commands::x", "\\u{3a}:stop-commands::x"),
        ("use std::move", "use std::move"),
        ("x ##[error]y", "x \\u{23}#[error]y"),
        ("##vso[task.complete]", "\\u{23}#vso[task.complete]"),
        ("## Heading", "## Heading"),
        ("", ""),
    ],
)
def test_one_line_is_safe_in_a_log(value: str, shown: str) -> None:
    assert one_line(value) == shown


@given(ANY_TEXT)
def test_one_line_is_one_line(value: str) -> None:
    line = one_line(value)
    assert len(line.splitlines()) <= 1
    assert line == line.strip()
    assert not line.startswith("::")
    assert one_line(line) == line


@given(ANY_TEXT | ALMOST_PLAIN)
def test_harmless_text_takes_a_shorter_way_to_the_same_line(value: str) -> None:
    searched = printable(text._SPACES.sub(" ", value)).strip()
    assert one_line(value) == text._LOG_COMMAND.sub(text._as_code, searched)


@given(st.text(alphabet=st.characters(codec="ascii")), st.integers(-2, 60))
def test_ascii_fits_as_it_would_character_by_character(line: str, width: int) -> None:
    each_measured = text._fitting(line + "é", width)
    assert text._fitting(line, width) == min(len(line), each_measured)


@pytest.mark.parametrize(
    ("value", "width", "shown"),
    [
        ("abc def", 7, "abc def"),
        ("abc defg", 7, "abc de…"),
        ("abcde fg", 7, "abcde…"),
        ("abcdefgh", 7, "abcdef…"),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
        ("", 0, ""),
    ],
)
def test_shortened(value: str, width: int, shown: str) -> None:
    assert shortened(value, width) == shown


@given(ANY_TEXT, st.integers(0, 60))
def test_shortened_text_fits(value: str, width: int) -> None:
    shown = shortened(value, width)
    assert cells(shown) <= width
    assert shown == one_line(value) or shown.endswith("…") or not width


@pytest.mark.parametrize("value", ["plain", "日本語テキスト", "e\u0301a", "❤️ love", "👨‍👩‍👧 fam", "한글", "ﷺ"])
def test_cells_are_never_fewer_than_a_terminal_takes(value: str) -> None:
    assert cells(value) >= cell_len(value)


def test_wrapped_text_breaks_at_spaces() -> None:
    assert wrapped("a verylongword and more", 16, 3) == ["a verylongword", "and more"]
    assert wrapped("a verylongwordthatisalone", 16, 3) == ["a", "verylongwordthat", "isalone"]
    assert wrapped("one two three four", 8, 2) == ["one two", "three…"]


@given(ANY_TEXT, st.integers(2, 40), st.integers(1, 5))
def test_wrapped_text_keeps_its_words(value: str, width: int, most: int) -> None:
    lines = wrapped(value, width, most)
    assert 1 <= len(lines) <= most
    assert all(cells(line) <= width for line in lines)
    squeezed = "".join(lines).replace(" ", "")
    assert lines[-1].endswith("…") or squeezed == one_line(value).replace(" ", "")


def rendered(source: str) -> tuple[str, set[str]]:
    """The text of inline Markdown, and what it is made of besides text."""
    tokens = MARKDOWN.parse("x " + source)
    made_of = {token.type for token in tokens} | {child.type for token in tokens for child in token.children or ()}
    plain = {"paragraph_open", "paragraph_close", "inline", "text", "text_special"}
    return "".join(child.content for token in tokens for child in token.children or ())[2:], made_of - plain


@given(ANY_TEXT)
def test_markdown_shows_the_text_and_nothing_else(value: str) -> None:
    shown, other = rendered(markdown(value))
    assert not other
    assert shown.replace("\u200b", "") == one_line(value)


@given(ANY_TEXT)
def test_markdown_opens_no_block(value: str) -> None:
    tokens = MARKDOWN.parse(f"- {markdown(value)}")
    assert [token.type for token in tokens].count("bullet_list_open") == 1
    kinds = {token.type.removesuffix("_open").removesuffix("_close") for token in tokens}
    assert kinds <= {"bullet_list", "list_item", "paragraph", "inline"}


@pytest.mark.parametrize(
    "value", ["@everyone", "http://evil.example", "www.evil.example", "a@evil.example", "#12", "GH-3"]
)
def test_markdown_gives_a_forge_nothing_to_link(value: str) -> None:
    shown, _ = rendered(markdown(value))
    assert "\u200b" in shown
    assert value not in shown


@given(ANY_TEXT)
def test_a_code_span_holds_the_whole_text(value: str) -> None:
    tokens = MARKDOWN.parseInline(f"x {markdown_code(value)} y")[0].children or []
    assert [token.type for token in tokens] == ["text", "code_inline", "text"]
    assert tokens[1].content.strip() == one_line(value)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d"])
def test_a_spreadsheet_sees_no_formula(start: str) -> None:
    assert csv_cell(f"{start}cmd|' /C calc'!A0").startswith("'")
    assert csv_cell(f"a{start}b") == f"a{start}b"


@given(ANY_TEXT)
def test_xml_reads_back_as_it_is_shown(value: str) -> None:
    element = ElementTree.fromstring(f'<a b="{xml(one_line(value))}">{xml(value)}</a>'.encode())
    assert (element.text or "") == printable(value)
    assert element.attrib["b"] == one_line(value)
    assert len(element) == 0


@given(ANY_TEXT)
def test_an_address_has_no_character_that_is_none_of_its_own(value: str) -> None:
    address = uri(value)
    assert re.fullmatch(r"(file://)?[A-Za-z0-9/._~%-]*", address)
    assert not address.startswith("/")
