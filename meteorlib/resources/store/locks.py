"""File locks between processes; the system releases them when their holder dies."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


@contextmanager
def file_lock(path: Path, otherwise: Exception | None = None) -> Iterator[None]:
    """Hold an exclusive lock on the file `path`.

    Args:
        path: the file.
        otherwise: raised if another process holds the lock; None: wait.

    Raises:
        OSError: the file cannot be created, or its file system does not support locks.
    """
    with path.open("ab") as file:
        while not _try_lock(file.fileno()):
            if otherwise is not None:
                raise otherwise
            time.sleep(0.1)
        yield
