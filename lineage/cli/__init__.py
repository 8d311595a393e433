"""The command line: parse, call the face, choose the exit code."""

from lineage.cli.app import main

__all__ = ["main"]
