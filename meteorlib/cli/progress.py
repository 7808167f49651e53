"""Progress bars with rate and time left, for work that takes longer than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from meteorlib.display.text import harmless

Bar = Callable[[int], object]
"""Function that advances a bar by a number of items."""

BAR_DELAY = 1.0
"""Seconds before a bar is drawn, so that short work shows none."""


@contextmanager
def progress(doing: str, count: int, *, shown: bool = True) -> Iterator[Bar]:
    """A progress bar of `count` items on standard error, drawn if that is a terminal, after `BAR_DELAY`.

    `shown` is false where no bar may appear, such as between lines of output on the same terminal.
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
    """Like `progress`, but its function takes the amount done and the total (1 if the amount is a share)."""
    if not (shown and sys.stderr.isatty()):
        yield lambda *_: None
        return
    begun = time.monotonic()
    drawn: Callable[[float, float], object] | None = None
    with ExitStack() as stack:

        def advance(done: float, count: float) -> None:
            nonlocal drawn
            if drawn is None and time.monotonic() - begun > BAR_DELAY:
                drawn = stack.enter_context(_bar(doing))
            if drawn is not None:
                drawn(done, count)

        yield advance


@contextmanager
def _bar(doing: str) -> Iterator[Callable[[float, float], object]]:
    from rich.console import Console  # noqa: PLC0415 – only where a bar is drawn
    from rich.progress import (  # noqa: PLC0415 – as above
        BarColumn,
        Progress,
        ProgressColumn,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text  # noqa: PLC0415 – as above

    class Rate(ProgressColumn):
        """Items per second."""

        def render(self, task: Any) -> Text:
            speed = task.finished_speed or task.speed
            if not speed or task.total == 1:
                return Text("")
            return Text(f"{speed:,.0f}/s" if speed >= 10 else f"{speed:.1f}/s")

    description = TextColumn("{task.description}", markup=False)
    columns = (description, BarColumn(), TaskProgressColumn(), Rate(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(harmless(doing), total=None)
        yield lambda done, count: bars.update(task, completed=done, total=count)
