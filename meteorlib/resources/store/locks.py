"""File locks between processes; the system releases them when their holder dies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

POLL_INTERVAL = 0.1
"""Seconds between two attempts to get a lock that another process holds."""


@contextmanager
def file_lock(path: Path, otherwise: Exception | None = None) -> Iterator[None]:
    """Hold an exclusive lock on the file `path`.

    Args:
        path: the file; it stays when the lock is released, except on Windows.
        otherwise: raised if another process holds the lock; None: wait.

    Raises:
        OSError: the file cannot be created, or its file system does not support locks.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415 – only to install; scoring does not need the package

    lock = FileLock(path, fallback_to_soft=False)
    try:
        lock.acquire(timeout=-1 if otherwise is None else 0, poll_interval=POLL_INTERVAL)
    except Timeout:
        raise (otherwise or TimeoutError(str(path))) from None
    try:
        yield
    finally:
        lock.release()
