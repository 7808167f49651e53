"""An open file of language data: read or memory-mapped, with detection of later changes."""

from __future__ import annotations

import errno
import mmap
import os
import time
import zlib
from collections.abc import Callable, Iterator
from io import FileIO
from pathlib import Path
from typing import Any, NamedTuple

CLOCK_TICK = 10**8
"""Nanoseconds; more than a tick of the clock that most file systems take their times from."""

_BLOCK = 1 << 16


class FileState(NamedTuple):
    """What changes when a file is written to, or another takes its place.

    Attributes:
        size: in bytes.
        modified: when its content changed last, in nanoseconds; anybody can set it.
        changed: when anything of it changed last, in nanoseconds; the system alone sets it. On Windows, when the file
            was made.
        inode: the number of the file.
    """

    size: int
    modified: int
    changed: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> FileState:
        """The state that the system tells."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)

    def is_settled(self) -> bool:
        """Whether a change from now on would be seen.

        A file that is changed twice within a tick of its file system's clock has the same times after both.
        """
        latest = max(self.modified, self.changed)
        tick = CLOCK_TICK if latest % 10**9 else 2 * 10**9  # some file systems have whole seconds alone
        return time.time_ns() - latest > tick


class DataFile:
    """A file that is open: all that is read of it is of one file, even if another takes its name.

    Attributes:
        path: where it was.
        state: as it was when it was opened, or when it was last found unchanged.
    """

    __slots__ = ("_descriptor", "_file", "path", "state")

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            OSError: it cannot be read.
        """
        self._descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        self._file = FileIO(self._descriptor, closefd=False)  # which else warns if it is collected first
        self.path: Path = path
        self.state: FileState = self.current_state()

    def __del__(self, close: Callable[[int], None] = os.close) -> None:
        """Close it; what was mapped stays mapped."""
        if hasattr(self, "_descriptor"):
            close(self._descriptor)

    def fileno(self) -> int:
        """The descriptor."""
        return self._descriptor

    def current_state(self) -> FileState:
        """The state of the file that was opened, wherever it is now."""
        return FileState.of(os.fstat(self._descriptor))

    def touched(self) -> bool:
        """Whether its state is another now; asked before every segment."""
        size, modified, changed, inode = self.state
        now = os.fstat(self._descriptor)
        return now.st_mtime_ns != modified or now.st_size != size or now.st_ctime_ns != changed or now.st_ino != inode

    def read(self) -> bytes:
        """All bytes.

        Raises:
            OSError: they cannot be read, or the file has changed since it was opened.
        """
        data = b"".join(self._blocks(self.state.size + 1))
        if self.touched():
            raise _changed_error(self.path)
        return data

    def numbers(self) -> memoryview:
        """The unsigned numbers of 32 bits in it, in the byte order of this machine, read into memory.

        Raises:
            OSError: see `read`.
            TypeError: its size is not a multiple of theirs.
        """
        return memoryview(self.read()).cast("I")

    def map_numbers(self) -> memoryview:
        """The same numbers, mapped: read when they are looked at.

        Raises:
            OSError: the file cannot be mapped.
            ValueError: it is empty.
            TypeError: its size is not a multiple of theirs.
        """
        return memoryview(mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)).cast("I")

    def load(self, trie: Any) -> Any:
        """Load it into an empty trie of marisa's, which opens files by name alone, and give that back.

        The trie is a copy in memory: nothing that happens to the file later can reach it.

        Raises:
            OSError: another file has taken the name, or the file has changed.
            RuntimeError: it is no trie.
        """
        trie.load(str(self.path))
        if FileState.of(self.path.stat()) != self.state:
            raise _changed_error(self.path)
        return trie

    def sha256(self) -> str:
        """Hexadecimal sha256 of its bytes; a disk that cannot be read is an error here, where a mapping would crash.

        Raises:
            OSError: they cannot be read.
        """
        from hashlib import sha256  # noqa: PLC0415 – 3 MB that scoring does not need

        digest = sha256()
        for block in self._blocks():
            digest.update(block)
        return digest.hexdigest()

    def crc32(self, check: int = 0) -> int:
        """crc32 of its bytes, behind those that `check` is of.

        Raises:
            OSError: they cannot be read.
        """
        for block in self._blocks():
            check = zlib.crc32(block, check)
        return check

    def _blocks(self, size: int = _BLOCK) -> Iterator[bytes]:
        """All bytes, at most `size` at a time."""
        if hasattr(os, "pread"):  # a process and its forks share the position in the file, so it is not used
            offset = 0
            while block := os.pread(self._file.fileno(), size, offset):
                yield block
                offset += len(block)
        else:
            self._file.seek(0)
            while block := self._file.read(size):
                yield block


def _changed_error(path: Path) -> OSError:
    return OSError(errno.EAGAIN, "it has changed since it was opened", str(path))
