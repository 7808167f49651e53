"""Listener: whom long work tells what it does."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, frozen

from meteorlib.universal.texts import Progress, no_progress

MAX_SHOWN_ROWS = 10
"""Rows that are told one by one."""


def _silent(_message: str) -> None:
    """Nothing is said."""


def _no_bar(_doing: str) -> Progress:
    return no_progress


@frozen
class Listener:
    """Whom a build tells what it does.

    Attributes:
        says: told, in a sentence, what people should know.
        step: called when a step begins; gives what is told of its progress.
    """

    says: Callable[[str], object] = _silent
    step: Callable[[str], Progress] = _no_bar


@define
class SkippedRows:
    """Rows that cannot be read: the first ones are told, and at the end how many there were.

    Attributes:
        listener: who is told.
        count: how many there were.
    """

    listener: Listener
    count: int = 0

    def add(self, row: str) -> None:
        """Tell of a row."""
        self.count += 1
        if self.count <= MAX_SHOWN_ROWS:
            self.listener.says(f"{row}; the row is skipped")

    def sum_up(self) -> None:
        """Tell how many there were, where not all were told."""
        if self.count > MAX_SHOWN_ROWS:
            self.listener.says(f"{self.count:,} rows cannot be read and are skipped, those above included")
