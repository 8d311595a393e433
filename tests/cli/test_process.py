"""What only a process of its own shows: pipes, signals, colours, what is left behind."""

import os
import pty
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Start
from tests.records import chain, json_lines, robrain

Jsonl = Callable[..., Path]


@pytest.fixture
def many(jsonl: Jsonl) -> Path:
    return jsonl(*(robrain(f"memory-{number:06}") for number in range(20_000)))


@pytest.mark.parametrize("form", ["jsonl", "table", "csv", "ids"])
def test_a_closed_pipe_is_no_error(start: Start, many: Path, form: str) -> None:
    process = start("list", "-f", form, many)
    assert process.stdout
    assert process.stderr
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) == 0


def test_a_closed_pipe_before_anything_is_written(start: Start, many: Path) -> None:
    for arguments in (["--help"], ["rules"], ["report", "-f", "json", "-o", "-", "-q", many], ["report", many]):
        process = start(*arguments)
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
        process.stderr.close()
        assert process.wait(60) == 0


def test_an_interrupt_ends_with_130_and_leaves_the_earlier_report(start: Start, tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    earlier = tmp_path / "reports/stdin.html"
    earlier.write_bytes(b"earlier")
    reading, writing = os.pipe()
    process = start("report", "-", stdin=reading)
    os.write(writing, json_lines(chain("a", "b")).encode())
    time.sleep(2.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    os.close(writing)
    os.close(reading)
    assert process.returncode == 130
    assert out == b""
    assert b"Traceback" not in err
    assert err.strip() == b"lineage: interrupted"
    assert earlier.read_bytes() == b"earlier"
    assert list((tmp_path / "reports").iterdir()) == [earlier]


def test_exit_codes(start: Start, jsonl: Jsonl) -> None:
    fine, broken = jsonl(*chain("a", "b"), name="fine.jsonl"), jsonl(robrain("a", "a"), name="broken.jsonl")
    for arguments, code in ((["check", fine], 0), (["check", broken], 1), (["check", "none"], 2), (["chek"], 2)):
        process = start(*arguments)
        _, err = process.communicate(timeout=60)
        assert process.returncode == code
        assert b"Traceback" not in err


def _on_a_terminal(start: Start, *arguments: object, env: dict[str, str]) -> bytes:
    ours, theirs = pty.openpty()
    process = start(*arguments, stdout=theirs, env=env)
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux says so when the other side is closed.
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    process.communicate(timeout=60)
    return shown


@pytest.mark.parametrize("arguments", [["list"], ["check"], ["report"], ["trace", "b"]])
def test_colour_on_a_terminal_only_and_not_with_no_color(start: Start, jsonl: Jsonl, arguments: list[str]) -> None:
    path = jsonl(*chain("a", "b"))
    terminal = {"TERM": "xterm-256color", "COLUMNS": "100"}
    assert b"\x1b[" in _on_a_terminal(start, *arguments, path, env=terminal)
    assert b"\x1b[" not in _on_a_terminal(start, *arguments, path, env={**terminal, "NO_COLOR": "1"})
    out, _ = start(*arguments, path, env=terminal).communicate(timeout=60)
    assert b"\x1b[" not in out


def test_an_encoding_that_lacks_a_character(start: Start, jsonl: Jsonl) -> None:
    process = start("list", jsonl(robrain("a", decision="宽 “x”")), env={"PYTHONIOENCODING": "latin-1"})
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert err == b""
    assert b"\\u5bbd" in out


def test_a_full_disk_is_one_sentence(start: Start, jsonl: Jsonl) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    process = start("report", "-q", "-o", "/dev/full", jsonl(robrain("a")))
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert err == b"lineage: No space left on device\n"
