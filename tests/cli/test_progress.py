"""The progress bar: for a person at a terminal who has waited, and for nobody else."""

import io
import sys
import threading
import time

import pytest

from lineage.cli import progress
from lineage.cli.progress import Waiting


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _terminal(monkeypatch: pytest.MonkeyPatch) -> _Terminal:
    # No fixture: between set-up and call, pytest puts its own stream there.
    made = _Terminal()
    monkeypatch.setattr(sys, "stderr", made)
    monkeypatch.setenv("TERM", "xterm")
    return made


def _work(seconds: float) -> None:
    with Waiting(shown=True) as waiting:
        waiting.stage("Reading")
        for done in range(10):
            time.sleep(seconds / 10)
            waiting.bytes(done, 10)
        waiting.stage("Linking")


def test_long_work_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _terminal(monkeypatch)
    monkeypatch.setattr(progress, "_PATIENCE", 0.05)
    _work(1)
    assert "Reading" in terminal.getvalue()
    assert "Linking" in terminal.getvalue()


def test_short_work_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _terminal(monkeypatch)
    _work(0.01)
    assert terminal.getvalue() == ""


def test_nothing_is_shown_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    before = threading.active_count()
    with Waiting(shown=True) as waiting:
        waiting.stage("Reading")
        assert threading.active_count() == before


def test_nothing_is_shown_where_it_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _terminal(monkeypatch)
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    with Waiting(shown=False) as waiting:
        waiting.stage("Reading")
        time.sleep(0.05)
    assert terminal.getvalue() == ""
