"""The option `--version`, which every command has."""

import click

import lineage

version_option = click.version_option(
    lineage.__version__, prog_name="lineage", message="%(prog)s %(version)s", help="Show the version."
)
