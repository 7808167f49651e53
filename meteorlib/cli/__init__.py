"""The command line: parse, call, print."""

from meteorlib.cli.main import main

__all__ = ["main"]
