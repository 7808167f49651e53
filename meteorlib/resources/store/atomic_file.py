"""Files that several processes use: replaced as a whole or not at all, and locks, which end with their holder."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TypeVar

DISK_FULL = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG})
"""Error numbers of writes that fail for lack of room."""

PAUSES = tuple(0.002 * 2**turn for turn in range(9)) if sys.platform == "win32" else ()
"""Seconds to wait before each new attempt at what another program prevents; about one in all.

On Windows a file that is open, even for the moment in which a virus scanner reads it, can be neither replaced nor
removed. Elsewhere it can, and a refusal is final.
"""

POLL_INTERVAL = 0.1
"""Seconds between two attempts to get a lock that another process holds."""

Result = TypeVar("Result")


def retry_while_open(operation: Callable[[], Result]) -> Result:
    """Run an operation on files, again after each of `PAUSES` if another program has one of them open."""
    for pause in PAUSES:
        try:
            return operation()
        except PermissionError:
            time.sleep(pause)
    return operation()


@contextmanager
def path_in_disk_errors(place: str | Path | None = None) -> Iterator[None]:
    """Add the file or folder to disk-full errors that lack it, as those from writing to an open file do.

    Without `place`, it is the folder of temporary files.
    """
    try:
        yield
    except OSError as error:
        if error.errno in DISK_FULL and error.filename is None:
            error.filename = str(place or _temporary_folder())
        raise


def _temporary_folder() -> str:
    from tempfile import gettempdir  # noqa: PLC0415 – slow to load

    return f"temporary files in {gettempdir()} (TMPDIR names another folder)"


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to a file; its old content stays until everything is written, also after an `OSError`."""
    with atomic_writer(path) as file:
        file.write(data)


@contextmanager
def atomic_writer(path: Path) -> Iterator[BinaryIO]:
    """Open a new file that replaces `path` when the block succeeds, and is removed when it raises.

    On Windows that fails if another program has `path` open; the old content is then still there.
    """
    import uuid  # noqa: PLC0415 – slow to load, and errors are named without it

    beside = path.parent / f".{uuid.uuid4().hex}.part"
    try:
        with path_in_disk_errors(path), beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            beside.chmod(path.stat().st_mode & 0o777)
        retry_while_open(lambda: beside.replace(path))
    finally:
        with suppress(OSError):
            beside.unlink()


@contextmanager
def file_lock(path: Path, otherwise: Exception | None = None) -> Iterator[None]:
    """Hold an exclusive lock on the file `path`; it stays when the lock is released, except on Windows.

    If another process holds the lock, `otherwise` is raised; None: wait.
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
