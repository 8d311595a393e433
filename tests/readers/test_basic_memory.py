"""Memory notes in Markdown: what they are, what they say of each other, and how their links find their way."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import lineage
from lineage.readers.adr import READER as ADR
from lineage.readers.base import Document
from lineage.readers.basic_memory import READER

Notes = Callable[[dict[str, str]], lineage.Graph]
OLD = "---\ntitle: Use MySQL\ntype: note\npermalink: db/use-mysql\n---\n# Use MySQL\n"


@pytest.fixture
def notes(tmp_path: Path) -> Notes:
    def made(files: dict[str, str]) -> lineage.Graph:
        for name, text in files.items():
            (tmp_path / "notes" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "notes" / name).write_text(text, encoding="utf-8")
        return lineage.build(lineage.read(tmp_path / "notes"))

    return made


def links(graph: lineage.Graph) -> set[tuple[Any, ...]]:
    frame = graph.links
    return set(zip(frame["source"], frame["kind"], frame["target"], frame["void"], strict=True))


def row(graph: lineage.Graph, name: str) -> Any:
    return graph.memories.set_index("id").loc[name]


FORWARD = {("new.md", "supersedes", "db/Use MySQL.md", None)}


@pytest.mark.parametrize(
    "line",
    [
        "- supersedes [[Use MySQL]]",
        "- replaces: [[use mysql]]",
        "* Supersedes [[Use MySQL|the old way]]",
        "- supersedes [[Use MySQL#Decision]]",
        "- supersedes [[db/Use MySQL]]",
        "- supersedes [[db/use-mysql]]",
        "- supersedes [[Use MySQL.md]]",
        "- supersedes [[Use\n  MySQL]]",
        "This note supersedes [[Use MySQL]], at last.",
        "It is not superseded by [[Use MySQL]] but supersedes [[Use MySQL]].",
    ],
)
def test_a_wiki_link_finds_its_note(notes: Notes, line: str) -> None:
    graph = notes(
        {"db/Use MySQL.md": OLD, "new.md": f"---\ntitle: Use SQLite\ntype: note\n---\n# Use SQLite\n\n{line}\n"}
    )
    assert links(graph) == FORWARD
    assert row(graph, "db/Use MySQL.md")["status"] == "superseded"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("supersedes: '[[Use MySQL]]'", FORWARD),
        ("supersedes: [[Use MySQL]]", FORWARD),
        ("supersedes:\n- Use MySQL", FORWARD),
        ("superseded-by: Use MySQL", {("db/Use MySQL.md", "supersedes", "new.md", None)}),
        ("supersedes: none", set()),
        ("extends: '[[Use MySQL]]'", {("new.md", "extends", "db/Use MySQL.md", None)}),
        ("supersedes: '[[Gone]]'", {("new.md", "supersedes", "Gone", "dangling")}),
    ],
)
def test_front_matter_says_it_too(notes: Notes, fields: str, expected: set[Any]) -> None:
    graph = notes({"db/Use MySQL.md": OLD, "new.md": f"---\ntitle: Use SQLite\ntype: note\n{fields}\n---\nText.\n"})
    assert links(graph) == expected


def test_other_relations_mask_nothing(notes: Notes) -> None:
    body = (
        "- relates_to [[Use MySQL]]\n- contradicts [[Use MySQL]]\n- superseded_by [[Third]]\n- implements [[Nothing]]\n"
        "See [[Third]] and [[A page]].\n\n```\nsupersedes [[Use MySQL]]\n```\n"
    )
    graph = notes(
        {"db/Use MySQL.md": OLD, "new.md": f"---\ntype: note\n---\n{body}", "Third.md": "---\ntype: note\n---\nx\n"}
    )
    assert links(graph) == {
        ("new.md", "relates", "db/Use MySQL.md", None),
        ("new.md", "conflicts", "db/Use MySQL.md", None),
        ("Third.md", "supersedes", "new.md", None),
        ("new.md", "relates", "Nothing", "dangling"),
    }
    assert row(graph, "new.md")["status"] == "superseded"


def test_two_notes_of_one_title_are_ambiguous(notes: Notes) -> None:
    graph = notes(
        {"a/x.md": OLD, "b/y.md": OLD.replace("db/use-mysql", "other"), "new.md": "supersedes [[Use MySQL]]\n"}
    )
    assert links(graph) == {("new.md", "supersedes", "Use MySQL", "ambiguous")}


def test_a_note_is_read_whole(notes: Notes) -> None:
    text = (
        "---\ntitle: Use SQLite\ntype: decision-note\npermalink: db/lite\ntags: [db, '#cost']\ncreated: 2026-03-01\n"
        "status: archived\nsla: 010\n---\n# Use SQLite\n\n- [decision] One file is enough #simple (now)\n- [ ] task\n"
    )
    found = row(notes({"n.md": text}), "n.md")
    assert (found["text"], found["kind"], found["status"]) == ("Use SQLite", "decision-note", "retracted")
    assert found["rationale"] == "[decision] One file is enough #simple (now)"
    assert {("tag", "db"), ("tag", "cost"), ("tag", "simple")} <= set(found["tags"])
    assert str(found["created_at"])[:10] == "2026-03-01"
    assert '"sla":"010"' in found["extra"].replace(" ", "")


def test_the_memory_of_an_assistant(notes: Notes) -> None:
    head = "---\nname: brief-replies\ndescription: Reply in two sentences\nmetadata:\n  type: feedback\n---\n"
    text = f"{head}\nAnn asked twice.\n\n[[style]]\n"
    index = "# Memory\n\n- [brief](brief.md): supersedes [[x]]\n"
    graph = notes({"brief.md": text, "MEMORY.md": index, "style.md": text.replace("brief-replies", "style")})
    found = row(graph, "brief.md")
    assert (found["text"], found["rationale"], found["kind"]) == (
        "Reply in two sentences",
        "Ann asked twice.",
        "feedback",
    )
    assert links(graph) == {("brief.md", "relates", "style.md", None)}
    assert set(graph.memories["id"]) == {"brief.md", "style.md"}


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: A post\n---\nSee [[wiki]].\n",
        "# Notes\n\nSee [[wiki]].\n",
        "---\nname: skill\ndescription: A tool\n---\nDo it.\n",
        "",
    ],
)
def test_other_markdown_is_no_memory(text: str) -> None:
    assert READER.documents
    assert not READER.documents.claims(Document("a.md", text))


PIECES = ["---\n", "title: x\n", "type: note\n", "permalink: x\n", "status: accepted\n", "[[", "]]", "- ", "# A\n"]
PIECES += ["supersedes [[A]]\n", "```\n", "## Decision\n", "## Context\n", "and ", "\n\n", "[x] "]


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5))).map("".join))
@example("supersedes " + "[[a]] and " * 3_000)
@example("[[" * 20_000)
@example("- " + "a" * 30_000 + "\n" + "```\n" * 999)
def test_anything_is_read_or_refused(text: str) -> None:
    document = Document("0001-a.md", text)
    assert READER.documents
    assert ADR.documents
    assert not (READER.documents.claims(document) and ADR.documents.claims(document) and "permalink" in text[:40])
    for number, item in READER.documents.read([document]):
        assert number == 0
        assert item
