"""Journal of evaluated points on disk, from which an interrupted search continues."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import numpy as np
from attrs import define, field

from meteorlib.arrays import Numbers
from meteorlib.resources.store.atomic_file import write_atomically
from meteorlib.resources.store.folder import cache_folder

FOLDER = "tuning"

WRITE_INTERVAL = 20.0
"""Seconds between writes of the journal."""

_DIGEST_SIZE = hashlib.sha256().digest_size

Point = tuple[float, ...]
"""Coordinates of a setting: its value on each axis, or the index of the value if that may not be a number."""


@define
class Journal:
    """Evaluated points with their values, kept in a file until the search ends.

    Attributes:
        path: path of the file.
        values: array of values for each point.
    """

    path: Path
    values: dict[Point, Numbers]
    _written: float = field(factory=time.monotonic)
    _size: int = 0

    @classmethod
    def open(cls, digest: str) -> Journal:
        """Open the journal left by an interrupted search; a missing or damaged one starts empty."""
        path = cache_folder() / FOLDER / f"{digest}.npz"
        values = _read(path)
        return cls(path, values, size=len(values))

    def add(self, points: Iterable[Point], values: Iterable[Numbers]) -> None:
        """Add points with their values; the file is written periodically."""
        self.values.update(zip(points, values, strict=True))
        if time.monotonic() - self._written > WRITE_INTERVAL:
            self.write()

    def write(self) -> None:
        """Write the file atomically; errors of the file system are ignored."""
        if len(self.values) > self._size:
            buffer = BytesIO()
            np.savez(buffer, points=np.array([*self.values]), values=np.array([*self.values.values()]))
            body = buffer.getvalue()
            with suppress(OSError):
                self.path.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(self.path, hashlib.sha256(body).digest() + body)
                self._size = len(self.values)
        self._written = time.monotonic()

    def remove(self) -> None:
        """Remove the file when the search has ended."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)


def _read(path: Path) -> dict[Point, Numbers]:
    try:
        data = path.read_bytes()
    except OSError:
        return {}
    body = data[_DIGEST_SIZE:]
    if hashlib.sha256(body).digest() != data[:_DIGEST_SIZE]:
        return {}
    with np.load(BytesIO(body), allow_pickle=False) as arrays:
        return dict(zip(map(tuple, arrays["points"].tolist()), arrays["values"], strict=True))
