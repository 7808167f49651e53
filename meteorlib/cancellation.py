"""Cooperative cancellation of long loops: checks for Ctrl-C or a stop flag about every 0.1 s.

A thread that runs compiled code sees neither Ctrl-C nor that the program has gone on. So long loops call `check_cancel`
every tenth of a second or so: in the main thread Python then raises KeyboardInterrupt, in others `Canceled` is raised
once whoever started them has said so.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import local
from typing import Any

from attrs import define


class Canceled(Exception):
    """The work is no longer wanted."""


@define
class CancelFlag:
    """Whether work is to end."""

    value: Any = False  # true as soon as it is; what processes share in its place has the same attribute


class _ThreadState(local):
    stop: Any = None


_thread = _ThreadState()


@contextmanager
def cancel_when(stop: Any) -> Iterator[None]:
    """Work in this thread ends with `Canceled`, at its next check, when `stop` has a true `value`."""
    before, _thread.stop = _thread.stop, stop
    try:
        yield
    finally:
        _thread.stop = before


@contextmanager
def cancel_on_exit(stop: Any) -> Iterator[None]:
    """Context manager that stops background work when its block ends, with or without an error."""
    try:
        yield
    finally:
        stop.value = True


def check_cancel() -> None:
    """End here if the work is no longer wanted.

    Raises:
        Canceled: it is not.
    """
    stop = _thread.stop
    if stop is not None and stop.value:
        raise Canceled
