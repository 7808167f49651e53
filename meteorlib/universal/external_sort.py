"""External sorting of lines, limited by disk space rather than memory."""

from __future__ import annotations

import heapq
import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

MAX_LINES = 400_000
"""Lines in memory; some 60 MB."""

MAX_FILES = 128
"""Sorted files that are merged at a time."""

_BEYOND, _HALVES = re.compile("[\U00010000-\U0010ffff]"), re.compile("[\ud800-\udfff]")


class Sorter:
    """Lines in the order of Java's strings (UTF-16 code units): added in any order, read when all are there.

    Lines may contain anything but a line feed. They are sorted in portions, which are written to files in a temporary
    folder and merged when they are read. The folder is removed at the end of the ``with`` block.

    Args:
        folder: where the temporary folder is made.
        held: number of lines kept in memory.
    """

    def __init__(self, folder: Path, held: int = MAX_LINES) -> None:
        self._folder = folder
        self._held = held
        self._lines: list[str] = []
        self._runs: list[Path] = []
        self._numbers = count()
        self._added = 0

    def __enter__(self) -> Sorter:
        self._place = tempfile.TemporaryDirectory(prefix="sort-", dir=self._folder)
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.clear()
        with suppress(OSError):
            self._place.cleanup()

    def extend(self, lines: Iterable[str]) -> None:
        """Add lines.

        Raises:
            OSError: a file cannot be written, for example because the disk is full.
        """
        for line in lines:
            self._added += 1
            self._lines.append(line if line.isascii() else _as_java(line))
            if len(self._lines) >= self._held:
                self._lines.sort()
                self._runs.append(self._write(self._lines))
                self._lines = []
                if len(self._runs) >= MAX_FILES:
                    merged = self._write(heapq.merge(*map(_read, self._runs)))
                    for run in self._runs:
                        run.unlink()
                    self._runs = [merged]

    def __len__(self) -> int:
        return self._added

    def __iter__(self) -> Iterator[str]:
        """All lines, sorted."""
        self._lines.sort()
        for line in heapq.merge(*map(_read, self._runs), self._lines):
            yield line if line.isascii() else _as_python(line)

    def _write(self, lines: Iterable[str]) -> Path:
        path = Path(self._place.name, str(next(self._numbers)))
        with path.open("w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
            file.writelines(f"{line}\n" for line in lines)
        return path


def _read(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", errors="surrogatepass", newline="\n") as file:
        for line in file:
            yield line[:-1]


def _as_java(line: str) -> str:
    """`line` with two characters in the place of one beyond U+FFFF, as Java counts and compares them."""
    if not _BEYOND.search(line):
        return line
    units = line.encode("utf-16-be")
    return "".join(chr(high << 8 | low) for high, low in zip(units[::2], units[1::2], strict=True))


def _as_python(line: str) -> str:
    return line.encode("utf-16-le", "surrogatepass").decode("utf-16-le") if _HALVES.search(line) else line
