"""What must hold of any two exports."""

import json
import random
import re
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import lineage
from lineage.reporting.diff import LISTS
from tests.differences.pairs import ENDED, VALID, changes, diff_of
from tests.graphs import graph_of, memory, statuses
from tests.records import when

NAMES = "abcdef"


@st.composite
def exports(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A few memories, each with any links to any others, ended, deleted, a decision or a debt."""
    records = []
    for name in draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=1)):
        links = [
            {"kind": kind, "target": target}
            for kind, target in draw(
                st.lists(
                    st.tuples(st.sampled_from(["supersedes", "reverses", "resolves"]), st.sampled_from(NAMES)),
                    max_size=2,
                )
            )
        ]
        more: dict[str, Any] = draw(st.sampled_from([{}, {}, {}, ENDED, {"deleted_at": when(9)}]))
        kind, text = draw(st.sampled_from(["decision", "debt"])), draw(st.sampled_from(["one", "two"]))
        records.append(memory(name, links=links, kind=kind, text=text, at=draw(st.integers(1, 3)), **more))
    return records


def live(graph: lineage.Graph) -> set[str]:
    return {id for id, status in statuses(graph).items() if status == "live"}


@settings(deadline=None, max_examples=60)
@given(exports())
def test_nothing_changes_from_a_graph_to_itself(records: list[dict[str, Any]]) -> None:
    diff = diff_of(records, records)
    assert diff.model.empty
    assert all(not diff.to_dict()[name] for name in LISTS)
    assert diff.render("text").decode() == "✓ Nothing changed.\n"


@settings(deadline=None, max_examples=60)
@given(exports(), exports())
def test_the_heads_add_up(first: list[dict[str, Any]], second: list[dict[str, Any]]) -> None:
    old, new = graph_of(*first), graph_of(*second)
    diff = lineage.diff(old, new)
    gained, lost = set(diff.heads_gained["id"]), set(diff.heads_lost["id"])
    assert gained == live(new) - live(old)
    assert lost == live(old) - live(new)
    before, after = statuses(old), statuses(new)
    assert {id: (was, now) for id, (was, now, _) in changes(diff).items()} == {
        id: (before[id], after[id]) for id in before if id in after and before[id] != after[id]
    }
    assert set(diff.added["id"]) == set(after) - set(before)
    texts = [{record["id"]: record["text"] for record in records} for records in (first, second)]
    assert set(diff.reworded["id"]) == {id for id in before if id in after and texts[0][id] != texts[1][id]}
    VALID.validate(diff.to_dict())


@settings(deadline=None, max_examples=60)
@given(exports(), exports())
def test_backwards_is_the_mirror(first: list[dict[str, Any]], second: list[dict[str, Any]]) -> None:
    there, back = diff_of(first, second), diff_of(second, first)
    for one, other in (("heads_gained", "heads_lost"), ("added", "removed"), ("findings_new", "findings_fixed")):
        key = "fingerprint" if one.startswith("findings") else "id"
        assert Counter(getattr(there, one)[key]) == Counter(getattr(back, other)[key])
        assert Counter(getattr(there, other)[key]) == Counter(getattr(back, one)[key])
    for name in ("changed", "reworded"):
        assert {(row.id, row.before, row.after) for row in getattr(there, name).itertuples()} == {
            (row.id, row.after, row.before) for row in getattr(back, name).itertuples()
        }


@settings(deadline=None, max_examples=60)
@given(exports(), exports())
def test_findings_add_up(first: list[dict[str, Any]], second: list[dict[str, Any]]) -> None:
    old, new = (
        Counter(finding.fingerprint for finding in lineage.check(graph_of(*records))) for records in (first, second)
    )
    diff = diff_of(first, second)
    assert Counter(diff.findings_new["fingerprint"]) == new - old
    assert Counter(diff.findings_fixed["fingerprint"]) == old - new


@settings(deadline=None, max_examples=40)
@given(exports(), exports(), st.randoms(use_true_random=False))
def test_the_order_of_the_records_does_not_matter(
    first: list[dict[str, Any]], second: list[dict[str, Any]], dice: random.Random
) -> None:
    def told(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> Any:
        document = diff_of(old, new).to_dict()
        return json.loads(re.sub(r'"line": \d+', '"line": 1', json.dumps(document)))

    shuffled = [dice.sample(records, len(records)) for records in (first, second)]
    assert told(first, second) == told(*shuffled)
