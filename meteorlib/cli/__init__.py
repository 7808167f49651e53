"""The entry point of the command ``meteorlib``.

Few modules are imported here, so that Ctrl-C works while the others load.
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
        arguments: the arguments after the command's name; None for those of the process.
    """
    sys.exit(start("meteorlib", _load, arguments))


def _load() -> Run:
    from meteorlib.cli.commands import run  # noqa: PLC0415 – Ctrl-C is answered from here on

    return run
