"""Renderers are tried through the command line too."""

from tests.cli.conftest import run

__all__ = ["run"]
