"""Files of lines compressed with gzip, written completely or not at all."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path

from meteorlib.resources.store.atomic_file import atomic_writer
from meteorlib.resources.store.compression import open_decompressed
from meteorlib.universal.texts import PROGRESS_INTERVAL, Progress, no_progress

_LEVEL = 6


@contextmanager
def packed_lines(path: Path) -> Iterator[Callable[[str], object]]:
    """Open `path` for writing lines; the file appears only when the block ends without an error.

    Raises:
        OSError: it cannot be written, for example because the disk is full.
    """
    held: list[str] = []
    with atomic_writer(path) as file, gzip.GzipFile("", "wb", _LEVEL, file, mtime=0) as packed:

        def write() -> None:
            packed.write("".join(f"{line}\n" for line in held).encode())
            held.clear()

        def add(line: str) -> None:
            held.append(line)
            if len(held) == PROGRESS_INTERVAL:
                write()

        yield add
        write()


def unpacked_lines(path: Path, progress: Progress = no_progress) -> Iterator[str]:
    """The lines of such a file; `progress` is called with the number of bytes read."""
    size = path.stat().st_size
    with (
        path.open("rb") as raw,
        TextIOWrapper(open_decompressed(raw, str(path)), encoding="utf-8", newline="\n") as file,
    ):
        for number, line in enumerate(file):
            if number % PROGRESS_INTERVAL == 0:
                progress(raw.tell(), size)
            yield line[:-1]
