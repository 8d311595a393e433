"""`lineage formats INPUT`: what each record is taken for, and why."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.cli.conftest import Run
from tests.records import mindr, robrain

Jsonl = Callable[..., Path]


def test_each_format_is_named_with_its_signs(run: Run, jsonl: Jsonl) -> None:
    jsonl(robrain("a"), mindr("b"), robrain("c"), "{", {"x": 1, "y": 2}, name="m.jsonl")
    shown = run("formats", "m.jsonl").stdout
    assert "robrain 2 records from line 1: an object whose `format` begins with robrain-memory/" in shown
    assert "mindr 1 record from line 2: " in shown
    assert "refused  1 record from line 4: not JSON" in shown
    assert "refused  1 record from line 5: no known format has the keys 'x', 'y'" in shown
    assert "--map id=… --map text=…" in shown
    (entry,) = json.loads(run("formats", "-f", "json", "m.jsonl").stdout)
    assert [(one["format"], one["records"], one["line"]) for one in entry["taken"]] == [
        ("robrain", 2, 1),
        ("mindr", 1, 2),
    ]
    assert [(one["records"], one["line"]) for one in entry["refused"]] == [(1, 4), (1, 5)]


def test_an_input_without_memories_is_no_error_here(run: Run, jsonl: Jsonl) -> None:
    result = run("formats", jsonl({"event": "deployed"}, {"event": "rolled back"}))
    assert result.exit_code == 0
    assert "refused  2 records from line 1" in result.stdout
    assert run("formats", "missing.jsonl").exit_code == 2


def test_what_is_no_memory_is_passed_over(run: Run, jsonl: Jsonl) -> None:
    post = {"uri": "at://did:plc:a/app.bsky.feed.post/1", "cid": "x", "value": {"$type": "app.bsky.feed.post"}}
    assert "passed over  1 × app.bsky.feed.post, no memory" in run("formats", jsonl(post)).stdout


def test_hostile_names_stay_names(run: Run, jsonl: Jsonl) -> None:
    shown = run("formats", jsonl({"\x1b[2J\n::error::": 1})).stdout
    assert "\x1b" not in shown
    assert not any(line.lstrip().startswith("::") for line in shown.splitlines())
