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
"""Seconds between two times that it is written."""

_DIGEST_SIZE = hashlib.sha256().digest_size

Point = tuple[float, ...]
"""The place of a setting on each axis: its value, or the number of its value where it may be no number."""


@define
class Journal:
    """Points that were tried, with their values; in the file of a search until it ends.

    Attributes:
        path: the file.
        values: for each point an array; the same in every run.
    """

    path: Path
    values: dict[Point, Numbers]
    _written: float = field(factory=time.monotonic)
    _size: int = 0

    @classmethod
    def open(cls, digest: str) -> Journal:
        """The journal of a search, as an interrupted run of it left it; a damaged one is begun anew."""
        path = cache_folder() / FOLDER / f"{digest}.npz"
        values = _read(path)
        return cls(path, values, size=len(values))

    def add(self, points: Iterable[Point], values: Iterable[Numbers]) -> None:
        """Note what was found; now and then the file is written."""
        self.values.update(zip(points, values, strict=True))
        if time.monotonic() - self._written > WRITE_INTERVAL:
            self.write()

    def write(self) -> None:
        """Write the file, whole or not at all; where nothing can be written nothing is kept."""
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
        """The search has ended: the file is no longer needed."""
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
