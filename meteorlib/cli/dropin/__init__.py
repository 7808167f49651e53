"""``meteor-1.5``: the command line of METEOR 1.5's jar, with the same output."""

from meteorlib.cli.dropin.main import main

__all__ = ["main"]
