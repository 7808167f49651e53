"""Messages and progress of a long build."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, frozen

from meteorlib.universal.texts import Progress, no_progress

MAX_SHOWN_ROWS = 10
"""Rows that are reported one by one."""


def _silent(_message: str) -> None:
    """Ignore a message."""


def _no_bar(_doing: str) -> Progress:
    return no_progress


@frozen
class Listener:
    """Callbacks for the messages and the progress of a build.

    Attributes:
        says: callback, called with messages for people, a sentence each.
        step: called when a step begins; returns the callback for its progress.
    """

    says: Callable[[str], object] = _silent
    step: Callable[[str], Progress] = _no_bar


@define
class SkippedRows:
    """Unreadable rows: the first ones are reported one by one, at the end their number.

    Attributes:
        listener: receiver of messages and progress.
        count: number of unreadable rows.
    """

    listener: Listener
    count: int = 0

    def add(self, row: str) -> None:
        """Count a row, and report it if it is among the first."""
        self.count += 1
        if self.count <= MAX_SHOWN_ROWS:
            self.listener.says(f"{row}; the row is skipped")

    def sum_up(self) -> None:
        """Report the number of rows unless each was reported."""
        if self.count > MAX_SHOWN_ROWS:
            self.listener.says(f"{self.count:,} rows cannot be read and are skipped, those above included")
