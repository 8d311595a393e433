"""What rules find in texts: relapses, duplicates, echoes of what was given up, credentials."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lineage
from tests.rules.decisions import Record, findings, graph_of, ids, marker, memory

REDUX = [{"option": "Redux", "reason": "too much ceremony"}]


def rejecting(name: str, day: int, option: str = "Redux", *acts_on: str, **columns: Any) -> Record:
    given: dict[str, Any] = {"text": "Keep client state in Zustand", "rejected": [{"option": option, "reason": "no"}]}
    return memory(name, day, *acts_on, **{**given, **columns})


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("Redux", "Use REDUX for the settings page"),
        ("redux", "Adopt Redux for forms"),
        ("C++", "Rewrite the codec in C++."),
        (".NET", "Build the importer with (.NET)"),
        ("Node.js", "Run the gateway on Node.js, behind a proxy"),
        ("Server-side rendering", "Switch to server-side rendering"),
        ("Redux (too heavy)", "Use Redux for forms"),
        ("Redux", "Do not use MobX, use Redux"),
    ],
)
def test_an_option_that_was_rejected_comes_back(option: str, text: str) -> None:
    assert ids("LIN501", rejecting("a", 1, option), memory("b", 2, text=text)) == [["b", "a"]]


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("Redux", "Use signals, not Redux"),
        ("Redux", "Use signals instead of Redux"),
        ("Redux", "Move away from Redux"),
        ("Redux", "Replace Redux with signals"),
        ("Redux", "Never use Redux again"),
        ("Redux", "Chose signals over Redux"),
        ("Redux", "Migrate Redux stores to signals"),
        ("Redux", "Redux is no longer used"),
        ("Redux", "Use Reduxion"),
        ("Redux", "Use Redux-Saga"),
        ("React", "Write the app in React Native"),
        ("C++", "Write the codec in C"),
        ("Go", "Go for the simple way"),
        ("request", "Log one JSON line per request"),
    ],
)
def test_an_option_that_is_not_taken_up_is_no_relapse(option: str, text: str) -> None:
    assert ids("LIN501", rejecting("a", 1, option), memory("b", 2, text=text)) == []


def test_an_ancestor_rejected_it() -> None:
    chain = [
        rejecting("a", 1),
        memory("b", 2, "a", text="Keep state in signals"),
        memory("c", 3, "b", text="Use Redux"),
    ]
    assert ids("LIN501", *chain) == [["c", "a"]]


def test_who_supersedes_the_rejecting_one_knows_and_so_does_everybody_after() -> None:
    back = [
        rejecting("a", 1),
        memory("b", 2, "a", text="Back to Redux"),
        memory("c", 3, "b", text="Use Redux with thunks"),
    ]
    assert ids("LIN501", *back) == []
    assert ids("LIN501", *back, memory("d", 4, text="Use Redux for forms")) == []


def test_a_rejection_that_a_correction_copies_is_one() -> None:
    chain = [rejecting("a", 1), rejecting("b", 2, "Redux", "a"), memory("c", 3, "b", text="Use Redux")]
    assert ids("LIN501", *chain) == []


def test_what_one_rejects_oneself_is_known() -> None:
    assert ids("LIN501", rejecting("a", 1), memory("b", 2, text="Weigh Redux", rejected=REDUX)) == []


def test_an_older_decision_does_not_fall_back() -> None:
    assert ids("LIN501", rejecting("a", 2), memory("b", 1, text="Use Redux")) == []


def test_a_rejection_that_was_reversed_or_is_elsewhere_does_not_count() -> None:
    use = memory("b", 3, text="Use Redux", of="mindr")
    assert ids("LIN501", rejecting("a", 1, of="mindr"), marker("m", 2, "a"), use) == []
    assert ids("LIN501", rejecting("a", 1, module="web"), {**use, "module": "admin"}) == []
    assert ids("LIN501", rejecting("a", 1, files=["web/a.ts"]), {**use, "files": ["admin/a.ts"]}) == []
    assert ids("LIN501", rejecting("a", 1, files=["web/a.ts"]), {**use, "files": ["web/a.ts"]}) == [["b", "a"]]


def test_an_option_in_wide_use_was_rejected_for_one_purpose() -> None:
    users = [memory(f"u{day}", day, text=f"Use Redux for {name}") for day, name in enumerate("pqrst", 2)]
    assert ids("LIN501", rejecting("a", 1), *users) == []


SAME = [
    ("Use Redis for the session cache", "Use Redis for session caching"),
    ("Store dates in UTC on the server", "Dates are stored in UTC on the server."),
    ("Retry with back-off and jitter", "RETRY WITH BACKOFF AND JITTER"),
]
OTHER = [
    ("Retry failed webhooks 3 times", "Retry failed webhooks 5 times"),
    ("Cache pages of the payment provider", "Never cache pages of the payment provider"),
    ("Replace Redux with Zustand", "Replace Zustand with Redux"),
    ("The gateway calls the billing service", "The billing service calls the gateway"),
    ("Use npm for installs", "Use pnpm for installs"),
    ("Run jobs on BullMQ unless they are long", "Run jobs on BullMQ"),
]


@pytest.mark.parametrize(("one", "two"), SAME)
def test_what_says_the_same_is_a_duplicate_or_an_echo(one: str, two: str) -> None:
    older, newer = memory("a", 1, text=one), memory("b", 2, text=two)
    assert ids("LIN502", older, newer) == [["b", "a"]]
    assert ids("LIN502", older, {**newer, "id": "A", "created_at": "2025-01-01T10:00:00Z"}) == [["a", "A"]]
    assert ids("LIN503", older, newer) == []
    gone = memory("c", 3, "a", text="Weigh it anew")
    assert ids("LIN503", older, newer, gone) == [["b", "a"]]
    assert ids("LIN502", older, newer, gone) == []


@pytest.mark.parametrize(("one", "two"), OTHER)
def test_what_says_another_thing_is_neither(one: str, two: str) -> None:
    older, newer = memory("a", 1, text=one), memory("b", 2, text=two)
    assert ids("LIN502", older, newer) == ids("LIN503", older, newer, memory("c", 3, "a", text="Weigh it")) == []


def test_what_a_lineage_says_still_is_no_echo() -> None:
    text = "Use Redis for the session cache"
    renewed = [memory("a", 1, text=text), memory("b", 2, "a", text=text)]
    assert ids("LIN503", *renewed, memory("c", 3, text=text)) == []
    assert ids("LIN502", *renewed, memory("c", 3, text=text)) == [["c", "b"]]


def test_other_modules_and_debts_are_no_duplicates() -> None:
    text = "Split the pricing module in two"
    older = memory("a", 1, text=text, of="mindr", module="web")
    assert ids("LIN502", older, memory("b", 2, text=text, of="mindr", module="api")) == []
    assert ids("LIN502", older, memory("b", 2, text=text, of="mindr", module="web", kind="debt")) == []
    assert ids("LIN502", older, memory("b", 2, text=text, of="mindr", module="web")) == [["b", "a"]]


def test_the_words_that_differ_are_named() -> None:
    long = "Customer addresses are normalised with libpostal before they are stored in the address book service"
    (found,) = findings(
        "LIN502", memory("a", 1, text=long), memory("b", 2, text=long.replace("the address", "the shared address"))
    )
    assert found.message.startswith("'b' says nearly the same as 'a', which is in effect too: ")
    assert "'shared'" in found.message
    assert found.mend == "Let 'b' supersede 'a', or delete one of them."


def test_a_likeness_that_is_asked_for_counts() -> None:
    pair = [
        memory("a", 1, text="Cache rendered product pages"),
        memory("b", 2, text="Cache rendered product pages twofold"),
    ]
    graph = graph_of(pair)
    assert lineage.check(graph, select=["LIN502"]) == []
    assert len(lineage.check(graph, select=["LIN502"], thresholds={"LIN502": 0.85})) == 1


@settings(deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from("use not redis kafka cache 3 pages from to over".split()), max_size=6), max_size=12
    )
)
def test_the_order_of_the_records_makes_no_difference(texts: list[list[str]]) -> None:
    records = [memory(f"m{at}", 1 + at % 3, text=" ".join(words)) for at, words in enumerate(texts)]
    shuffled = random.Random(7).sample(records, len(records))
    for rule in ("LIN502", "LIN503", "LIN501"):
        if records:
            assert sorted(ids(rule, *records)) == sorted(ids(rule, *shuffled))


def test_texts_without_words_are_not_compared() -> None:
    assert (
        ids(
            "LIN502",
            memory("a", 1, text=""),
            memory("b", 2, text=""),
            memory("c", 3, text="…"),
            memory("d", 3, text="…"),
        )
        == []
    )
