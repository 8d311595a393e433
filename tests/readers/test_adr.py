"""Decision records in Markdown: every dialect's way to say what holds, what it replaced, and what replaced it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import lineage
from lineage.readers.adr import READER
from lineage.readers.base import Document
from tests.cli.conftest import Run, run

__all__ = ["run"]

Write = Callable[..., Path]
BODY = "\n## Context\n\nWe must.\n\n## Decision\n\nWe will.\n\n## Consequences\n\nFine.\n"


@pytest.fixture
def adrs(tmp_path: Path) -> Write:
    """`adrs({"0001-a.md": "…"})` writes a folder of records."""

    def write(files: dict[str, str | bytes], folder: str = "adr") -> Path:
        for name, text in files.items():
            path = tmp_path / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return tmp_path / folder

    return write


def nygard(title: str, *status: str, body: str = BODY) -> str:
    lines = "\n\n".join(status)
    return f"# {title}\n\nDate: 2026-03-01\n\n## Status\n\n{lines}\n{body}"


def graph_of(*inputs: Any) -> lineage.Graph:
    return lineage.build(lineage.read(*inputs))


def statuses(graph: lineage.Graph) -> dict[str, str]:
    return dict(zip(graph.memories["id"], graph.memories["status"], strict=True))


def links(graph: lineage.Graph) -> set[tuple[Any, ...]]:
    frame = graph.links
    return set(zip(frame["source"], frame["kind"], frame["target"], frame["void"], strict=True))


def row(graph: lineage.Graph, name: str) -> Any:
    return graph.memories.set_index("id").loc[name]


def linked(adrs: Write, text: str, source: str = "0002-b.md") -> set[tuple[Any, ...]]:
    """The links that one record states, beside two others that say nothing."""
    files = {"0001-a.md": nygard("1. A", "Accepted"), "0003-c.md": nygard("3. C", "Accepted"), source: text}
    return links(graph_of(adrs(files)))


FORWARD = {("0002-b.md", "supersedes", "0001-a.md", None)}
BACKWARD = {("0001-a.md", "supersedes", "0002-b.md", None)}


@pytest.mark.parametrize(
    "line",
    [
        "Supersedes [1. A](0001-a.md)",
        "Supercedes [1. A](0001-a.md)",
        "Accepted\nSupersedes [1. A](0001-a.md)",
        "Accepted, supersedes [a very long title that\nwas wrapped](0001-a.md).",
        "Replaces [1. A](./0001-a.md)",
        "Supersedes [1. A](../adr/0001-a.md#status)",
        "Supersedes [1. A](0001-a.md 'the old way')",
        "Supersedes [the old way](/adr/0001-a.md)",
        "Supersedes ADR-0001",
        "Supersedes ADR 1",
        "Supersedes: **ADR-1**",
        "Supersedes #1",
        "Supersedes 0001.",
        "Supersedes 1 (it was too slow)",
        "Supersedes 0001-a",
        "Supersedes 0001-a.md",
        "Supersedes [[0001-a]]",
        "✅ Accepted. Supersedes `0001-a.md`",
        "Reverts [1. A](0001-a.md)",
        "Reverses ADR-1",
        "Obsoletes ADR-1",
        "~~Superseded by [3. C](0003-c.md)~~ Supersedes [1. A](0001-a.md)",
    ],
)
def test_an_active_word_supersedes(adrs: Write, line: str) -> None:
    assert linked(adrs, nygard("2. B", line)) == FORWARD


@pytest.mark.parametrize(
    "line",
    [
        "Superseded by [1. A](0001-a.md)",
        "Superceded by [1. A](0001-a.md)",
        "Superseded\nby [1. A](0001-a.md)",
        "Replaced by ADR-1",
        "*Superseded by* [1. A](0001-a.md)",
        "Accepted; superseded by 1",
        "Reversed by ADR-0001",
    ],
)
def test_a_passive_word_is_superseded(adrs: Write, line: str) -> None:
    text = nygard("2. B", line)
    assert linked(adrs, text) == BACKWARD
    graph = graph_of(adrs({"0002-b.md": text}))
    assert row(graph, "0002-b.md")["declared"] == "ended"
    assert row(graph, "0002-b.md")["status"] == "superseded"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("Amends [1. A](0001-a.md)", "amends"),
        ("Clarifies ADR-1", "amends"),
        ("Extends ADR-1", "extends"),
        ("Partially supersedes ADR-1", "amends"),
        ("Supersedes in part [1. A](0001-a.md)", "amends"),
        ("Conflicts with ADR-1", "conflicts"),
        ("Relates to [1. A](0001-a.md)", "relates"),
    ],
)
def test_what_replaces_nothing_masks_nothing(adrs: Write, line: str, kind: str) -> None:
    graph = graph_of(adrs({"0001-a.md": nygard("1. A", "Accepted"), "0002-b.md": nygard("2. B", "Accepted", line)}))
    assert links(graph) == {("0002-b.md", kind, "0001-a.md", None)}
    assert set(statuses(graph).values()) == {"live"}


@pytest.mark.parametrize(
    ("line", "kind"),
    [("Superseded in part by ADR-1", "amends"), ("Amended by ADR-1", "amends"), ("Extended by 1", "extends")],
)
def test_the_passive_of_it_points_the_other_way(adrs: Write, line: str, kind: str) -> None:
    assert linked(adrs, nygard("2. B", "Accepted", line)) == {("0001-a.md", kind, "0002-b.md", None)}


@pytest.mark.parametrize(
    "line",
    [
        "Accepted. This does not supersede ADR-1.",
        "Accepted; not superseded by [1. A](0001-a.md)",
        "Accepted. Never replaces ADR-1",
        "Accepted. It hasn't superseded ADR-1",
        "Superseded by N/A",
        "Supersedes: none",
        "Supersedes -",
        "Supersedes 3 older ways to do it",
        "~~Supersedes ADR-1~~",
        "<!-- Supersedes ADR-1 -->",
        "```\nSupersedes ADR-1\n```",
        "Accepted | Superseded by [1. A](0001-a.md)",
        "Supersedes [our wiki](https://example.com/adr/1)",
    ],
)
def test_these_are_no_links(adrs: Write, line: str) -> None:
    assert linked(adrs, nygard("2. B", line)) == set()


def test_prose_elsewhere_is_nothing_and_items_with_a_link_are(adrs: Write) -> None:
    prose = (
        "\n## Context\n\nThis supersedes ADR-3, and [3. C](0003-c.md) was replaced by ADR-1.\n\n## Decision\n\nYes.\n"
    )
    items = (
        "\n## Links\n\n- Supersedes [1. A](0001-a.md)\n- Replaced in most places by Kotlin\n- Replaces 3 libraries\n"
    )
    assert linked(adrs, nygard("2. B", "Accepted", body=prose + items)) == FORWARD


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# B\n\n* Status: accepted\n* Deciders: Ann, Bo\n* Date: 2026-03-01\n" + BODY, set()),
        ("# B\n\n- Status: superseded by [1. A](0001-a.md)\n- Date: 2026-03-01\n" + BODY, BACKWARD),
        ("# B\n\n**Status:** Accepted\n**Supersedes:** ADR-0001\n" + BODY, FORWARD),
        ("# B\n\nStatus: Accepted\nSupersedes: [1. A](0001-a.md)\n" + BODY, FORWARD),
        ("# B\n\n| Status | Accepted |\n|---|---|\n| Supersedes | [1. A](0001-a.md) |\n" + BODY, FORWARD),
        ("# B\n\n| Status | Date | Superseded by |\n|---|---|---|\n| Old | 2026-03-01 | ADR-1 |\n" + BODY, BACKWARD),
        ("---\nstatus: accepted\nsupersedes: [1]\n---\n# B\n" + BODY, FORWARD),
        ("---\nstatus: accepted\nsupersedes: 0001\n---\n# B\n" + BODY, FORWARD),
        ("---\nstatus: accepted\nsupersedes: 0001-a\n---\n# B\n" + BODY, FORWARD),
        ("---\nstatus: accepted\nsupersedes:\n  - 0001-a.md\n---\n# B\n" + BODY, FORWARD),
        ("---\nstatus: superseded\nsuperseded-by: [1]\n---\n# B\n" + BODY, BACKWARD),
        ("---\nstatus: superseded\nsuperseded_by: ADR-0001\n---\n# B\n" + BODY, BACKWARD),
        ("---\nstatus: superseded by ADR-0001\n---\n# B\n" + BODY, BACKWARD),
        ("---\ntitle: B\nstatus: accepted\nreplaces: '1'\n---\n" + BODY, FORWARD),
        ("---\nstatus: accepted\nlinks:\n- target: 0001-a\n  kind: supersedes\n---\n# B\n" + BODY, FORWARD),
        ("---\nstatus: accepted\nlinks: [{target: 1, kind: superseded-by}]\n---\n# B\n" + BODY, BACKWARD),
        ("---\nstatus: accepted\nsupersedes:\nsuperseded_by: null\nreplaces: [null]\n---\n# B\n" + BODY, set()),
        ("---\nstatus: accepted\nsupersedes: N/A\nsuperseded_by: '-'\n---\n# B\n" + BODY, set()),
        ('---\nstatus: "{proposed | rejected | accepted | superseded by ADR-0001}"\n---\n# B\n' + BODY, set()),
        (
            "\ufeff# 2. B\r\n\r\n## Status\r\n\r\nSupersedes [1. A](0001-a.md)\r\n\r\n## Decision\r\n\r\nYes.\r\n",
            FORWARD,
        ),
        ("2. B\n====\n\nStatus\n------\n\nSupersedes [1. A](0001-a.md)\n\nDecision\n--------\n\nYes.\n", FORWARD),
    ],
)
def test_every_dialect_says_it_its_own_way(adrs: Write, text: str, expected: set[Any]) -> None:
    assert linked(adrs, text) == expected


@pytest.mark.parametrize(
    ("said", "declared", "status"),
    [
        ("Accepted", "live", "live"),
        ("Accepted (lazy consensus) & implemented", "live", "live"),
        ("✅ accepted", "live", "live"),
        ("**Approved** on 2026-01-02", "live", "live"),
        ("2026-01-02: Accepted", "live", "live"),
        ("~~Proposed~~ Accepted", "live", "live"),
        ("Implemented.", "live", "live"),
        ("Proposed", None, "live"),
        ("Draft", None, "live"),
        ("On hold", None, "live"),
        ("Not implemented yet.", None, "live"),
        ("Not-Accepted", None, "live"),
        ("[draft | proposed | accepted]", None, "live"),
        ("Deprecated", "ended", "retracted"),
        ("Rejected", "ended", "retracted"),
        ("❌ Withdrawn", "ended", "retracted"),
        ("Superseded", "ended", "retracted"),
    ],
)
def test_a_status_word_declares(adrs: Write, said: str, declared: str | None, status: str) -> None:
    found = row(graph_of(adrs({"0001-a.md": nygard("1. A", said)})), "0001-a.md")
    assert (found["declared"] if isinstance(found["declared"], str) else None, found["status"]) == (declared, status)


@pytest.mark.parametrize("said", ["Proposed", "draft", "Rejected"])
@pytest.mark.parametrize("end", ["source", "target"])
def test_who_is_not_accepted_retires_nobody(adrs: Write, said: str, end: str) -> None:
    newer = nygard("2. B", said, *(["Supersedes ADR-1"] if end == "source" else []))
    older = nygard("1. A", "Accepted")
    if end == "target":
        older = "---\nstatus: accepted\nsuperseded_by: 2\n---\n# A\n" + BODY
    graph = graph_of(adrs({"0001-a.md": older, "0002-b.md": newer}))
    assert links(graph) == {("0002-b.md", "supersedes", "0001-a.md", "unaccepted-source")}
    assert statuses(graph)["0001-a.md"] == "live"
    assert {item.rule for item in lineage.check(graph, select=["LIN1", "LIN2"])} == set()


def test_who_was_deprecated_did_hold(adrs: Write) -> None:
    graph = graph_of(
        adrs({"0001-a.md": nygard("1. A", "Accepted"), "0002-b.md": nygard("2. B", "Deprecated", "Supersedes ADR-1")})
    )
    assert statuses(graph) == {"0001-a.md": "superseded", "0002-b.md": "retracted"}
    assert links(graph) == FORWARD


def test_both_ends_are_one_link_and_one_end_is_mentioned(adrs: Write) -> None:
    files = {
        "0001-a.md": nygard("1. A", "Superseded by [2. B](0002-b.md)"),
        "0002-b.md": nygard("2. B", "Accepted", "Supersedes [1. A](0001-a.md)"),
        "0003-c.md": nygard("3. C", "Accepted"),
        "0004-d.md": nygard("4. D", "Accepted", "Supersedes [3. C](0003-c.md)"),
    }
    graph = graph_of(adrs(files))
    by = dict(zip(graph.links["target"], graph.links["declared_by"], strict=True))
    assert by == {"0001-a.md": "both", "0003-c.md": "successor"}
    found = {(item.rule, *item.memories) for item in lineage.check(graph, select=["LIN1", "LIN2"])}
    assert found == {("LIN109", "0004-d.md", "0003-c.md"), ("LIN201", "0004-d.md", "0003-c.md")}


def test_numbers_are_used_again(adrs: Write) -> None:
    files = {
        "0009-a.md": nygard("9. A", "Accepted"),
        "0009-b.md": nygard("9. B", "Accepted"),
        "0010-c.md": nygard("10. C", "Supersedes ADR-9"),
        "0011-d.md": nygard("11. D", "Supersedes [9. B](0009-b.md)"),
        "more/0009-e.md": nygard("9. E", "Accepted"),
        "more/0012-f.md": nygard("12. F", "Supersedes 9"),
    }
    graph = graph_of(adrs(files))
    held = {(source, target, void) for source, _, target, void in links(graph)}
    assert held == {
        ("0010-c.md", "ADR-9", "ambiguous"),
        ("0011-d.md", "0009-b.md", None),
        ("more/0012-f.md", "more/0009-e.md", None),
    }
    assert [item.memories for item in lineage.check(graph, select=["LIN107"])] == [["0010-c.md"]]


def test_words_and_target_of_a_link_should_agree(adrs: Write) -> None:
    files = {
        "0001-a.md": nygard("1. A", "Accepted"),
        "0002-b.md": nygard("2. B", "Accepted"),
        "0003-c.md": nygard("3. C", "Accepted", "Supersedes [2. B](0001-a.md)"),
    }
    graph = graph_of(adrs(files))
    assert links(graph) == {("0003-c.md", "supersedes", "0001-a.md", None)}
    (finding,) = lineage.check(graph, select=["LIN905"])
    assert finding.memories == ["0003-c.md"]
    assert "'2. B'" in finding.message
    assert "'0001-a.md'" in finding.message
    assert [place.line for place in finding.locations] == [9]


def test_what_is_not_there_is_missing(adrs: Write) -> None:
    graph = graph_of(
        adrs({"0002-b.md": nygard("2. B", "Accepted", "Supersedes [99. Gone](0099-gone.md)", "Replaces ADR-98")})
    )
    assert links(graph) == {
        ("0002-b.md", "supersedes", "0099-gone.md", "dangling"),
        ("0002-b.md", "supersedes", "ADR-98", "dangling"),
    }


def test_a_record_is_read_whole(adrs: Write) -> None:
    text = (
        "---\nstatus: accepted\ndate: 2026-05-04\ndecision-makers: [Ann, Bo]\ntags: [db, cost]\nnumber: 0303\n"
        "sla: 1_000\n---\n"
        "# ADR-0303: Use `SQLite` for ~~all~~ state\n\n## Context and Problem Statement\n\nOne node.\n\n"
        "## Considered Options\n\n* PostgreSQL\n* SQLite\n* [LMDB](https://example.com)\n\n"
        '## Decision Outcome\n\nChosen option: "SQLite", because it is\nenough.\n\nMore.\n'
    )
    found = row(graph_of(adrs({"0303-use-sqlite.md": text})), "0303-use-sqlite.md")
    assert found["text"] == "Use SQLite for all state"
    assert found["rationale"] == 'Chosen option: "SQLite", because it is enough.'
    assert found["rejected"] == [("PostgreSQL", None), ("LMDB", None)]
    assert found["agent"] == "Ann, Bo"
    assert str(found["created_at"]) == "2026-05-04 00:00:00+00:00"
    assert ("tag", "db") in found["tags"]
    assert found["kind"] == "decision"
    assert '"number":"0303"' in found["extra"].replace(" ", "")
    assert '"sla":"1_000"' in found["extra"].replace(" ", "")


def test_the_date_in_the_name_stands_where_no_other_does(adrs: Write) -> None:
    graph = graph_of(adrs({"20260301-use-hooks.md": "# Use hooks\n\n- Status: accepted\n" + BODY}))
    assert str(row(graph, "20260301-use-hooks.md")["created_at"]) == "2026-03-01 00:00:00+00:00"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("README.md", nygard("1. A", "Accepted")),
        ("index.md", nygard("1. A", "Accepted")),
        ("template.md", nygard("1. A", "Accepted")),
        ("adr-template-minimal.md", nygard("1. A", "Accepted")),
        ("notes.md", "# Meeting notes\n\nWe decided to use SQLite.\n"),
        ("post.md", "---\ntitle: A post\nstatus: published\n---\nHello.\n"),
        ("0005-untitled.md", "## Context\n\nx\n\n## Decision\n\ny\n"),
        ("empty.md", ""),
    ],
)
def test_these_are_no_records(adrs: Write, run: Run, name: str, text: str) -> None:
    folder = adrs({name: text, "0001-a.md": nygard("1. A", "Accepted")})
    assert list(statuses(graph_of(folder))) == ["0001-a.md"]
    assert run("check", folder, "--fail-on", "LIN9").exit_code == 0
    result = run("report", folder / name)
    assert result.exit_code == 2
    assert name in result.stderr


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("eip-1.md", "---\neip: 1\ntitle: Purpose\nstatus: Final\n---\n## Context\n\n## Decision\n"),
        ("feedback.md", "---\nname: style\ndescription: be brief\ntype: feedback\n---\nBe brief.\n"),
        ("note.md", "---\ntitle: A\ntype: note\npermalink: a\nstatus: accepted\n---\n# A\n## Decision\n## Context\n"),
    ],
)
def test_these_are_another_readers(name: str, text: str) -> None:
    assert READER.documents
    assert not READER.documents.claims(Document(name, text))


def test_single_files_of_one_folder_belong_together(adrs: Write) -> None:
    files = {
        "0001-a.md": nygard("1. A", "Accepted"),
        "0002-b.md": nygard("2. B", "Supersedes 1"),
        "README.md": "# Decisions\n",
    }
    folder = adrs(files)
    by_name = graph_of(*sorted(folder.glob("*.md")))
    by_glob = graph_of(str(folder / "*.md"))
    for graph in (by_name, by_glob):
        assert statuses(graph) == {"0001-a.md": "superseded", "0002-b.md": "live"}
        assert links(graph) == FORWARD


def test_two_folders_with_the_same_names_are_told_apart(
    adrs: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    files = {"0001-a.md": nygard("1. A", "Accepted"), "0002-b.md": nygard("2. B", "Supersedes 1")}
    adrs(files, "one")
    adrs({**files, "0003-c.md": nygard("3. C", "Supersedes 7")}, "two")
    monkeypatch.chdir(tmp_path)
    graph = graph_of("one", "two")
    assert set(statuses(graph)) == {"one/0001-a.md", "one/0002-b.md", "two/0001-a.md", "two/0002-b.md", "0003-c.md"}
    assert ("two/0002-b.md", "supersedes", "two/0001-a.md", None) in links(graph)
    assert ("one/0002-b.md", "supersedes", "one/0001-a.md", None) in links(graph)
    assert set(statuses(graph_of("two"))) == {"0001-a.md", "0002-b.md", "0003-c.md"}


def test_damage_is_named_and_costs_only_itself(adrs: Write) -> None:
    files = {
        "0001-a.md": "---\nstatus: [accepted\n---\n# A\n\nStatus: Accepted\n" + BODY,
        "0002-b.md": nygard("2. B", "Accepted").encode() + b"\xff",
        "0003-c.md": nygard("3. C", "Supersedes 1"),
    }
    graph = graph_of(adrs(files))
    assert statuses(graph) == {"0001-a.md": "superseded", "0003-c.md": "live"}
    found = {(item.rule, item.locations[0].source.rpartition("/")[2]) for item in lineage.check(graph, select=["LIN9"])}
    assert found == {("LIN905", "0001-a.md"), ("LIN901", "0002-b.md")}


PIECES = (
    "---|# A|## Status|Accepted|Supersedes [1. A](0001-a.md)|superseded by|status: x|```|<!--|- Status: |~~|[[|](|ADR-1"
    "|* x|===|&a [*a]|## Decision|\t|"
)
WORDS = st.sampled_from([*PIECES.split("|"), "| a | b |"])


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["0001-a.md", "x/README.md", "b.md"]), st.one_of(st.text(), st.lists(WORDS).map("\n".join))
        )
    )
)
@example([("0001-a.md", "---\na: &a [x]\nb: *a\n---\n# A\n## Status\n")])
@example([("0001-a.md", "---\n" + "[" * 5_000 + "\n---\n# A\n## Status\n")])
@example([("0001-a.md", "# A\n## Status\n" + "supersedes " * 5_000)])
@example([("0001-a.md", "# A\n## Status\n" + "[" * 20_000 + "\n" + "~~" * 20_000 + "<!--" * 5_000)])
def test_anything_is_read_or_refused_without_a_word_of_its_own(texts: list[tuple[str, str]]) -> None:
    documents = [Document(path, text) for path, text in texts]
    assert READER.documents
    claimed = [document for document in documents if READER.documents.claims(document)]
    for given_ in (documents, claimed):
        for number, item in READER.documents.read(given_):
            assert 0 <= number < len(given_)
            assert item
