"""Flat arrays in files, mapped into memory: read when they are looked at."""

from __future__ import annotations

import mmap
from pathlib import Path


def map_bytes(path: Path) -> memoryview:
    """The bytes in `path`.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is empty.
    """
    with path.open("rb") as file:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def map_numbers(path: Path) -> memoryview:
    """The unsigned numbers of 32 bits in `path`, in the byte order of this machine.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is empty.
        TypeError: its size is not a multiple of theirs.
    """
    return map_bytes(path).cast("I")
