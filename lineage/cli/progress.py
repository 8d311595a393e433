"""A progress bar on standard error, for a person who has waited a second."""

import sys
import threading
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_PATIENCE = 1.0


class Waiting:
    """Shows what is being done, and how far it is, once a second has passed.

    With `shown` false, or where standard error is no terminal, nothing is
    shown and nothing is imported.
    """

    def __init__(self, *, shown: bool) -> None:
        self._timer = threading.Timer(_PATIENCE, self._show) if shown and sys.stderr.isatty() else None
        self._lock = threading.Lock()
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._doing = ""
        self._done = 0
        self._total: int | None = None

    def __enter__(self) -> "Waiting":
        if self._timer:
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if not self._timer:
            return
        self._timer.cancel()
        with self._lock:
            self._timer = None
            if self._bar:
                self._bar.stop()

    def stage(self, doing: str) -> None:
        """Say what is being done from now on, how far is not known."""
        self._doing, self._done, self._total = doing, 0, None
        self._update()

    def bytes(self, done: int, total: int | None) -> None:
        """Say how far it is."""
        self._done, self._total = done, total
        self._update()

    def _update(self) -> None:
        with self._lock:
            if self._bar and self._task is not None:
                self._bar.update(self._task, description=self._doing, completed=self._done, total=self._total)

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        with self._lock:
            if not self._timer:
                return
            self._task = bar.add_task(self._doing, completed=self._done, total=self._total)
            self._bar = bar
            bar.start()
