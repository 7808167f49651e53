"""A file that is written whole or not at all."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


def write_whole(path: Path, data: bytes) -> None:
    """Put `data` into a file; what was there is replaced when all is written, and not before.

    Raises:
        OSError: it cannot be written, e.g. as the disk is full; what was there is still there.
    """
    with writing_whole(path) as file:
        file.write(data)


@contextmanager
def writing_whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write to; it takes the place of `path` when the block ends well, and is removed when it does not.

    Raises:
        OSError: it cannot be written, e.g. as the disk is full; what was there is still there.
    """
    beside = path.parent / f".{uuid.uuid4().hex}.part"
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            beside.chmod(path.stat().st_mode & 0o777)
        beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink()
