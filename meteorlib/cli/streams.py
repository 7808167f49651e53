"""Standard output and standard error of commands: nothing that is printed controls the terminal.

Names in messages come from files of others. Whatever prints to a standard stream does it here, or through rich, which
adds colors and progress bars to text that is escaped before.
"""

from __future__ import annotations

import atexit
import errno
import gc
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from io import StringIO, TextIOWrapper
from typing import Any, TextIO, cast

import click

from meteorlib.cli import INTERRUPTED
from meteorlib.corpus.batch import Advance, counted
from meteorlib.display.text import harmless, harmless_lines
from meteorlib.errors import LanguageWarning, MeteorError


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

    With `exact`, a file or pipe gets every character as it is: data made of the user's text, and pages.
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


def note(*notes: str) -> None:
    """Print notes on standard error, a line each."""
    say(*(f"note: {text}" for text in notes))


BAR_DELAY = 1.0
"""Seconds before a bar is drawn, so that short work shows none."""


@contextmanager
def progress(doing: str, count: int, *, shown: bool = True) -> Iterator[Advance]:
    """A progress bar of `count` items on standard error, drawn if that is a terminal, after `BAR_DELAY`.

    `shown` is false where no bar may appear, such as between lines of output on the same terminal.
    """
    with progress_of(doing, shown=shown) as bar:
        yield counted(bar, count)


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


GC_THRESHOLD = 100_000
"""New objects between two garbage collections: far more than by default, since scoring makes no reference cycles."""


def limit_threads(jobs: int) -> None:
    """Let numpy use as many threads as there are jobs; call it before numpy is loaded.

    Waiting threads of OpenBLAS spin, which on a busy machine slows all the others down.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", str(jobs))


@contextmanager
def rare_garbage_collection() -> Iterator[None]:
    """Collect garbage rarely: scoring makes no cycles, and looking for them takes a twentieth of its time."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


USER_ERROR = 2

ON_WINDOWS = sys.platform == "win32"


def run_to_end(name: str, run: Callable[[], object], interrupted: str = "interrupted") -> int:  # noqa: PLR0911 – an ending each
    """Run a command, print its error message if it fails, and return the exit status."""
    atexit.register(gc.freeze)
    if sys.stdout is None:
        return _say(name, "standard output is closed: there is nowhere to write", status=USER_ERROR)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = partial(_warn, name)
            if name == "meteorlib":
                warnings.simplefilter("ignore", LanguageWarning)  # the notes on files say it
            run()
        sys.stdout.flush()
    except click.ClickException as error:
        message = harmless(error.format_message())  # one line: a line end in it comes from an argument
        error.format_message = lambda: message  # type: ignore[method-assign]
        error.show(written := StringIO())
        say(*written.getvalue().removesuffix("\n").split("\n"))
        return error.exit_code
    except (click.Abort, KeyboardInterrupt) as error:
        return _say(name, str(error) or interrupted, status=INTERRUPTED)
    except MeteorError as error:
        return _say(name, *error.lines, status=USER_ERROR)
    except MemoryError:
        return _say(name, "not enough memory; is each line one segment?", status=USER_ERROR)
    except OSError as error:
        if error.filename is None:
            _drop_output()
        if _reader_has_gone(error):
            return 1
        from meteorlib.resources.store.shared_files import DISK_FULL  # noqa: PLC0415 – for errors only

        advice = "; make room there, then run the command again" if error.errno in DISK_FULL else ""
        if ON_WINDOWS and isinstance(error, PermissionError):
            advice = "; if another program has it open, close it there, then run the command again"
        return _say(
            name, f"{error.filename or 'standard output'}: {error.strerror or error}{advice}", status=USER_ERROR
        )
    return 0


def _drop_output() -> None:
    """Let Python's last flush of standard output succeed: it would end with a status of its own, 120."""
    with suppress(OSError):  # standard output may be no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _reader_has_gone(error: OSError) -> bool:
    """Whether the reader of a pipe that we write to has closed it: EPIPE, on Windows EINVAL without a file name."""
    return error.errno == errno.EPIPE or (ON_WINDOWS and error.errno == errno.EINVAL and error.filename is None)


def _warn(name: str, message: Warning | str, category: type[Warning], *where: object) -> None:  # noqa: ARG001 – Python's
    say(f"{name}: warning: {message}")


def _say(name: str, message: str, *more: str, status: int) -> int:
    say(f"{name}: {message}", *more)
    return status
