"""The command line: parse, call the face, choose the exit code."""

import contextlib
import gc
import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from lineage.cli.app import main

__all__ = ["main", "run"]

_INTERRUPTED = 130


def __getattr__(name: str) -> Any:
    if name == "main":
        from lineage.cli.app import main

        return main
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def run() -> NoReturn:
    """Run the command line as the whole process.

    It is short-lived and makes no garbage in circles, so none is looked for;
    and it leaves at once, since giving back the memory of a large corpus piece
    by piece takes longer than deciding what is in effect in it.
    """
    gc.disable()
    code: object = 0
    try:
        _open_what_is_closed()
        from lineage.cli.app import main

        main()
    except SystemExit as end:
        code = end.code
    except KeyboardInterrupt:
        code = _INTERRUPTED
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


def _open_what_is_closed() -> None:
    """A stream that the shell closed (`>&-`) takes what is written and shows it to nobody."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - open to the end
