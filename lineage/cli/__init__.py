"""The command line: parse, call the face, choose the exit code."""

import contextlib
import gc
import os
import sys
from typing import NoReturn

from lineage.cli.app import main

__all__ = ["main", "run"]


def run() -> NoReturn:
    """Run the command line as the whole process.

    It is short-lived and makes no garbage in circles, so none is looked for;
    and it leaves at once, since giving back the memory of a large corpus piece
    by piece takes longer than deciding what is in effect in it.
    """
    gc.disable()
    code: object = 0
    try:
        main()
    except SystemExit as end:
        code = end.code
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))
