"""A bar with rate and time left, for what takes longer than a moment."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

Bar = Callable[[int], object]
"""Told how much more is done."""

MOMENT = 1.0
"""Seconds."""


@contextmanager
def progress(doing: str, count: int, *, shown: bool = True) -> Iterator[Bar]:
    """A bar on standard error until `count` are done: where that is a terminal, and a moment is over.

    `shown` is false where nothing may be, such as between lines that are written to the same terminal.
    """
    done = 0
    with progress_of(doing, shown=shown) as bar:

        def advance(more: int) -> None:
            nonlocal done
            done += more
            bar(done, count)

        yield advance


@contextmanager
def progress_of(doing: str, *, shown: bool = True) -> Iterator[Callable[[float, float], object]]:
    """The same, told how much is done and how much there is: of 1, where it is a share."""
    if not (shown and sys.stderr.isatty()):
        yield lambda *_: None
        return
    begun = time.monotonic()
    drawn: Callable[[float, float], object] | None = None
    with ExitStack() as stack:

        def advance(done: float, count: float) -> None:
            nonlocal drawn
            if drawn is None and time.monotonic() - begun > MOMENT:
                drawn = stack.enter_context(_bar(doing))
            if drawn is not None:
                drawn(done, count)

        yield advance


@contextmanager
def _bar(doing: str) -> Iterator[Callable[[float, float], object]]:
    from rich.console import Console  # noqa: PLC0415 – only where a bar is drawn
    from rich.progress import (  # noqa: PLC0415 – likewise
        BarColumn,
        Progress,
        ProgressColumn,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text  # noqa: PLC0415 – likewise

    class Rate(ProgressColumn):
        """How many are done in a second."""

        def render(self, task: Any) -> Text:
            speed = task.finished_speed or task.speed
            if not speed or task.total == 1:
                return Text("")
            return Text(f"{speed:,.0f}/s" if speed >= 10 else f"{speed:.1f}/s")

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), Rate(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(doing, total=None)
        yield lambda done, count: bars.update(task, completed=done, total=count)
