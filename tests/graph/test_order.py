"""Nothing depends on the order in which records stand."""

import io
import json
import random
import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import lineage
from tests.records import atproto, json_lines, mindr, resolution, reversal, robrain, uri


@st.composite
def corpora(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Records of several formats that link to each other, to nothing, and in circles."""
    names = [f"n{number}" for number in range(draw(st.integers(1, 9)))]
    some = st.sampled_from([*names, "gone"])
    records: list[dict[str, Any]] = []
    for name in names:
        at = draw(st.integers(1, 28))
        match draw(st.sampled_from(["robrain", "atproto", "decision", "convention", "reversal", "resolution", "debt"])):
            case "robrain":
                ended = draw(st.sampled_from([None, "2026-02-01T10:00:00.000Z"]))
                records.append(robrain(name, draw(some | st.none()), at=at, invalidated_at=ended))
            case "atproto":
                records.append(atproto(name, draw(st.lists(some, max_size=3)), at=at))
            case "reversal":
                records.append(reversal(name, draw(some), at=at))
            case "resolution":
                records.append(resolution(name, draw(some), at=at))
            case type:
                tags = {"language": "go"} if type == "convention" else {"debt_id": "n1"}
                records.append(mindr(name, type=type, at=at, tags=tags))
    records += [dict(record) for record in draw(st.lists(st.sampled_from(records), max_size=2))]
    return records


def told(records: list[dict[str, Any]], **options: Any) -> str:
    graph = lineage.build(lineage.read(io.BytesIO(json_lines(records).encode()), **options), now="2026-06-01")
    document = lineage.report(graph, generated_at="2026-06-01T00:00:00Z").to_dict()

    def without_lines(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: without_lines(item) for key, item in value.items() if key != "line"}
        if isinstance(value, str):
            return re.sub(r"(<stream 1>):\d+", r"\1", value)
        return [without_lines(item) for item in value] if isinstance(value, list) else value

    listed = sorted(map(json.dumps, map(without_lines, graph.listing(graph.matching(all_roles=True)))))
    return json.dumps([without_lines(document), listed])


@settings(deadline=None, max_examples=120)
@given(corpora(), st.randoms(use_true_random=False))
def test_shuffled_lines_give_the_same_report(records: list[dict[str, Any]], source: random.Random) -> None:
    shuffled = list(records)
    source.shuffle(shuffled)
    assert told(shuffled) == told(records)


@settings(deadline=None, max_examples=80)
@given(corpora())
def test_own_format_gives_the_same_graph_back(records: list[dict[str, Any]]) -> None:
    graph = lineage.build(lineage.read(io.BytesIO(json_lines(records).encode())), now="2026-06-01")
    lines = list(lineage.convert(graph, "lineage"))
    again = lineage.build(lineage.read(io.BytesIO(b"".join(lines))), now="2026-06-01")
    columns = ["id", "format", "role", "kind", "text", "boundary", "created_at", "declared", "status", "lineage"]
    assert again.memories[columns].astype(str).values.tolist() == graph.memories[columns].astype(str).values.tolist()
    assert again.links.astype(str).values.tolist() == graph.links.astype(str).values.tolist()
    assert list(lineage.convert(again, "lineage")) == lines


def test_limits_cut_after_the_order() -> None:
    records = [robrain(f"m{number:03}", at=1 + number % 28) for number in range(60)]
    graph = lineage.build(lineage.read(io.BytesIO(json_lines(records).encode())), now="2026-06-01")
    whole = lineage.report(graph, limit=0).to_dict()
    cut = lineage.report(graph, limit=7).to_dict()
    assert whole["truncated"] == {}
    assert cut["truncated"] == {"live_heads": 53, "findings": {"LIN301": 53}}
    assert cut["live_heads"] == whole["live_heads"][:7]
    assert cut["findings"] == whole["findings"][:7]
    assert cut["summary"] == whole["summary"]


def test_an_ambiguous_id_of_two_spaces_keeps_its_links() -> None:
    assert uri("a") in told([robrain("a"), atproto("a"), atproto("b", ["a"], at=2)])
