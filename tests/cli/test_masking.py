"""No output shows a credential; with --redact, none shows an e-mail address."""

import json
from pathlib import Path

import pytest

import lineage
from lineage.arrays import strings
from lineage.corpus.masking import masked_text
from lineage.corpus.secrets import secrets_in, suspicious
from tests.cli.conftest import Run
from tests.records import robrain, write_jsonl

TOKEN = "ghp_" + "aB3dE9" * 6
PASSWORD = "k7!vQz92pLx"
ADDRESS = "jane.roe@example.org"
TEXT = f"Deploy with {TOKEN}, ask {ADDRESS} for access"

CREDENTIALS = [
    TOKEN,
    "AKIA" + "IOSFODNN7ABCDEFG",
    "xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx",
    "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc" + "AbCd",
    "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
    "glpat-" + "x1Y2z3A4b5C6d7E8f9G0",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1234567890abcdefgh\n-----END RSA PRIVATE KEY-----",
]
HARMLESS = [
    "Rotate the deploy token: monthly at least",
    "The password is stored with bcrypt",
    "Pin the image to 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "token=f47ac10b-58cc-4372-a567-0e02b2c3d479",
    "Connect to postgres://user:password@localhost",
    "secret: see src/auth2/login.ts",
    "Use bearer authentication tokens everywhere",
    "API key = <YOUR_API_KEY_1>",
    "max tokens: 4096",
    "Set GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
]


@pytest.mark.parametrize("credential", CREDENTIALS)
@pytest.mark.parametrize("frame", ["{}", "Deploy with {} from CI", "key={}", "«{}»"])
def test_a_credential_is_found_whole_and_seen_in_the_column(credential: str, frame: str) -> None:
    text = frame.format(credential)
    assert suspicious(strings([text])).all()
    assert secrets_in(text)
    masked = masked_text(text)
    assert credential[8:] not in masked
    assert masked == frame.format("[secret]")
    assert masked_text(masked) == masked


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_credential_stays(text: str) -> None:
    assert masked_text(text) == text


def test_passwords_are_told_by_their_name() -> None:
    assert masked_text(f"password = '{PASSWORD}'") == "password = '[secret]'"
    assert masked_text("postgres://app:hunter2pw@db/x") == "postgres://app:[secret]@db/x"


@pytest.fixture
def memories(tmp_path: Path) -> Path:
    records = [
        robrain("old-memory-1", decision=f"Ship by hand, {TEXT}", invalidated_at="2026-01-02T10:00:00.000Z"),
        robrain("new-memory-1", "old-memory-1", at=2, decision=TEXT, rationale=f"password = '{PASSWORD}'"),
        robrain("new-memory-2", at=3, decision=TEXT, source_excerpt=f"{ADDRESS}: {TOKEN}"),
        robrain("new-memory-3", at=4, rejected=[{"option": TOKEN, "reason": ADDRESS}], decision=f"No {ADDRESS}"),
        robrain("bad-memory-1", at=5, scope=f"{TOKEN} {ADDRESS}", relevance=TOKEN),
    ]
    return write_jsonl(tmp_path / "m.jsonl", records)


COMMANDS = [
    *(("report", "-f", name, "-o", "-") for name in ("html", "json", "markdown", "sarif", "junit")),
    ("report", "-f", "html", "--full", "-o", "-"),
    *(("check", "--fail-on", "never", "-f", name) for name in ("text", "json", "sarif", "junit", "github")),
    *(("heads", "-f", name) for name in ("table", "jsonl", "csv")),
    *(("list", "-f", name) for name in ("table", "jsonl", "csv")),
    *(("trace", "old-memory-1", "-f", name) for name in ("text", "json", "svg", "dot", "mermaid")),
    *(("suggest", "-f", name) for name in ("table", "jsonl", "csv")),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_output_shows_a_credential(run: Run, memories: Path, command: tuple[str, ...]) -> None:
    plain = run(*command, memories).output
    assert TOKEN not in plain
    assert PASSWORD not in plain
    redacted = run(*command, memories, "--redact").output
    assert TOKEN not in redacted
    assert ADDRESS not in redacted


def test_addresses_are_shown_where_nobody_asks_for_redaction(run: Run, memories: Path) -> None:
    assert ADDRESS in run("heads", "-f", "jsonl", memories).output
    assert "[e-mail]" in run("heads", "-f", "jsonl", memories, "--redact").output


@pytest.mark.parametrize("ending", ["svg", "html", "dot", "mmd", "graphml", "json"])
def test_no_drawing_shows_a_credential(run: Run, memories: Path, tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"drawn.{ending}"
    run("draw", memories, "-o", target, "--redact")
    drawn = target.read_text()
    assert TOKEN not in drawn
    assert ADDRESS not in drawn


def test_a_comparison_tells_no_credential(run: Run, memories: Path, tmp_path: Path) -> None:
    later = tmp_path / "later.jsonl"
    later.write_text(memories.read_text().replace("Deploy with", "Release with"))
    for name in ("text", "json", "markdown", "html"):
        shown = run("diff", memories, later, "-f", name, "-o", "-", "--redact").output
        assert TOKEN not in shown
        assert ADDRESS not in shown


def test_converting_keeps_everything_unless_it_is_redacted(run: Run, memories: Path) -> None:
    kept = run("convert", memories, "--to", "robrain").stdout
    assert TOKEN in kept
    assert ADDRESS in kept
    redacted = run("convert", memories, "--to", "robrain", "--redact").stdout
    assert TOKEN not in redacted
    assert ADDRESS not in redacted
    assert all(json.loads(line)["format"] == "robrain-memory/v1" for line in redacted.splitlines())


def test_the_finding_says_what_and_where_but_not_the_value(memories: Path) -> None:
    found = lineage.check(lineage.build(lineage.read(memories)), select=["LIN504"])
    said = {finding.memories[0]: finding.message for finding in found}
    assert (
        said["new-memory-1"]
        == "'new-memory-1' carries a GitHub Token in its text and a named credential in its rationale."
    )
    assert (
        said["new-memory-2"] == "'new-memory-2' carries a GitHub Token in its text and a GitHub Token in its excerpt."
    )
    assert "new-memory-3" not in said


def test_frames_show_no_credential(memories: Path) -> None:
    graph = lineage.build(lineage.read(memories, redact=True))
    assert not graph.memories["text"].str.contains(TOKEN, regex=False).any()
    cells = [str(cell) for row in graph.memories.itertuples() for cell in row]
    assert not any(TOKEN in cell or ADDRESS in cell for cell in cells)
