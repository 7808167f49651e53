"""The command line: parse, call, print.

Little is loaded here, so that Ctrl-C is answered while the rest is loaded.
"""

from __future__ import annotations

import sys

from meteorlib.cli.startup import start

TYPE_CHECKING = False  # typing takes longer to load than this module
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from meteorlib.cli.startup import Run

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit; a user's mistake ends with one message and exit status 2.

    Args:
        arguments: what follows the name of the command; None for the arguments of the process.
    """
    sys.exit(start("meteorlib", _load, arguments))


def _load() -> Run:
    from meteorlib.cli.commands import run  # noqa: PLC0415 – Ctrl-C is answered from here on

    return run
