"""Standard output and standard error of commands: nothing that is printed controls the terminal.

Names in messages come from files of others. Whatever prints to a standard stream does it here, or through rich, which
adds colors and progress bars to text that is escaped before.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from io import TextIOWrapper
from typing import Any, TextIO, cast

from meteorlib.display.text import harmless, harmless_lines


class _Shown:
    """A stream that escapes what could control a terminal; line ends and tabs stay."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(harmless_lines(text))

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def standard_output(*, exact: bool = False) -> TextIO:
    """Standard output in UTF-8 in every locale; characters that could control a terminal are escaped.

    Args:
        exact: whether a file or pipe gets every character as it is: data made of the user's text, and pages.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    return sys.stdout if exact and not sys.stdout.isatty() else cast("TextIO", _Shown(sys.stdout))


def show(text: str) -> None:
    """Print text on standard output, with a line end behind it."""
    standard_output().write(f"{text}\n")


def say(*lines: str) -> None:
    """Print lines on standard error; a line end inside of one is escaped, since it comes from a name."""
    if sys.stderr is not None:
        sys.stderr.write("".join(f"{harmless(line)}\n" for line in lines))
        sys.stderr.flush()
