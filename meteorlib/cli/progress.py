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
def progress(doing: str, count: int) -> Iterator[Bar]:
    """A bar on standard error until `count` are done: where that is a terminal, and a moment is over."""
    done = 0
    with progress_of(doing) as bar:

        def advance(more: int) -> None:
            nonlocal done
            done += more
            bar(done, count)

        yield advance


@contextmanager
def progress_of(doing: str) -> Iterator[Callable[[int, int], object]]:
    """The same, told how much is done and how much there is."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    begun = time.monotonic()
    drawn: Callable[[int, int], object] | None = None
    with ExitStack() as stack:

        def advance(done: int, count: int) -> None:
            nonlocal drawn
            if drawn is None and time.monotonic() - begun > MOMENT:
                drawn = stack.enter_context(_bar(doing))
            if drawn is not None:
                drawn(done, count)

        yield advance


@contextmanager
def _bar(doing: str) -> Iterator[Callable[[int, int], object]]:
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
            return Text(f"{speed:,.0f}/s" if speed else "")

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), Rate(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(doing, total=None)
        yield lambda done, count: bars.update(task, completed=done, total=count)
