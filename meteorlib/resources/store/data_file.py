"""An open file of language data: read or memory-mapped, with detection of later changes."""

from __future__ import annotations

import errno
import mmap
import os
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Literal, NamedTuple
from weakref import WeakSet

from meteorlib.errors import InvalidText, ResourceDamaged, ResourceMissing
from meteorlib.resources.catalog import FILES, packaged_path
from meteorlib.resources.store.record_table import RecordTable

CLOCK_TICK = 10**8
"""Nanoseconds; longer than the clock resolution of file times on most file systems."""

_BLOCK = 1 << 16

_MAPS: WeakSet[mmap.mmap] = WeakSet()


class FileState(NamedTuple):
    """Metadata of a file that changes when it is written to or replaced.

    Attributes:
        modified: time of the last change of its content, in nanoseconds; any program can set it.
        changed: time of the last change of content or metadata, in nanoseconds; only the system sets it. On Windows,
            the time of creation.
    """

    size: int
    modified: int
    changed: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> FileState:
        """State from the result of `os.stat`."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)

    def is_settled(self) -> bool:
        """Whether any change from now on would be visible in the state.

        A file that is changed twice within a tick of its file system's clock has the same times after both.
        """
        latest = max(self.modified, self.changed)
        tick = CLOCK_TICK if latest % 10**9 else 2 * 10**9  # some file systems store whole seconds only
        return time.time_ns() - latest > tick


class DataFile:
    """An open file: all reads are of the same file, even if another takes its name.

    Attributes:
        path: its path when it was opened.
        state: its state when it was opened, or last verified as unchanged.
    """

    __slots__ = ("_descriptor", "_file", "path", "state")

    def __init__(self, path: Path) -> None:
        """Open the file."""
        self._descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        self._file = FileIO(self._descriptor, closefd=False)  # which otherwise warns if it is collected first
        self.path: Path = path
        self.state: FileState = self.current_state()

    def __del__(self, close: Callable[[int], None] = os.close) -> None:
        """Close the file; existing memory maps stay valid."""
        if hasattr(self, "_descriptor"):
            close(self._descriptor)

    def fileno(self) -> int:
        """The file descriptor."""
        return self._descriptor

    def current_state(self) -> FileState:
        """Current state of the opened file, even if it was moved."""
        return FileState.of(os.fstat(self._descriptor))

    def touched(self) -> bool:
        """Whether its state has changed; called before every segment."""
        size, modified, changed, inode = self.state
        now = os.fstat(self._descriptor)
        return now.st_mtime_ns != modified or now.st_size != size or now.st_ctime_ns != changed or now.st_ino != inode

    def read(self) -> bytes:
        """The whole content of the file; `OSError` also if it has changed since it was opened."""
        data = b"".join(self._blocks(self.state.size + 1))
        if self.touched():
            raise _changed_error(self.path)
        return data

    def numbers(self, code: Literal["H", "I"] = "I") -> memoryview:
        """The content as unsigned numbers in native byte order, read into memory; ``H`` of 16 bits, ``I`` of 32.

        `TypeError`: the size is not a multiple of theirs.
        """
        return memoryview(self.read()).cast(code)

    def map_numbers(self) -> memoryview:
        """Like `numbers` of 32 bits, but memory-mapped: read on access.

        `OSError`: the file cannot be mapped. `ValueError`: it is empty. `TypeError`: see `numbers`.
        """
        mapped = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        _MAPS.add(mapped)
        return memoryview(mapped).cast("I")

    def sha256(self) -> str:
        """Hexadecimal sha256 of the content; a read error raises here, whereas a memory map would crash."""
        from hashlib import sha256  # noqa: PLC0415 – 3 MB that scoring does not need

        digest = sha256()
        for block in self._blocks():
            digest.update(block)
        return digest.hexdigest()

    def crc32(self, check: int = 0) -> int:
        """crc32 of the content, continued from `check`."""
        for block in self._blocks():
            check = zlib.crc32(block, check)
        return check

    def _blocks(self, size: int = _BLOCK) -> Iterator[bytes]:
        """The content in blocks of at most `size` bytes."""
        if hasattr(os, "pread"):  # a process and its forks share the position in the file, so it is not used
            offset = 0
            while block := os.pread(self._file.fileno(), size, offset):
                yield block
                offset += len(block)
        else:
            self._file.seek(0)
            while block := self._file.read(size):
                yield block


def release_pages() -> None:
    """Give the pages of mapped files back to the system; where they are needed again, they are read again."""
    if hasattr(mmap, "MADV_DONTNEED"):
        for mapped in [*_MAPS]:
            mapped.madvise(mmap.MADV_DONTNEED)


def _changed_error(path: Path) -> OSError:
    return OSError(errno.EAGAIN, "it has changed since it was opened", str(path))


def open_packaged(name: str, *wanted: str) -> tuple[DataFile, ...]:
    """Open files of the packaged resource `name`, all by default, and verify them.

    This happens at every start. A crc32 detects accidental damage and takes half a millisecond per megabyte; importing
    sha256 alone takes several milliseconds.
    """
    path, files = packaged_path(name), FILES[name]
    opened = []
    with errors_as_damage(name):
        for wanted_file in wanted or files:
            file = DataFile(path / wanted_file if len(files) > 1 else path)
            state = file.state.size, file.crc32()
            if state != files[wanted_file]:
                reason = "{} bytes of crc32 {:08x} instead of {} of {:08x}".format(*state, *files[wanted_file])
                raise _damaged(name, f"{file.path} has been changed ({reason})")
            opened.append(file)
    return tuple(opened)


def packaged_records(name: str, *wanted: str) -> RecordTable:
    """The table of words in a packaged file."""
    with errors_as_damage(name):
        (records,) = open_packaged(name, *wanted)
        return RecordTable(records.read())


@contextmanager
def errors_as_damage(name: str) -> Iterator[None]:
    """Turn errors while reading packaged data (`OSError`, `ValueError`) into `ResourceDamaged`."""
    try:
        yield
    except (OSError, ValueError) as error:
        where = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
        raise _damaged(name, where) from error


def _damaged(name: str, reason: str) -> ResourceDamaged:
    return ResourceDamaged(name, reason, "install meteorlib again")


@contextmanager
def reading_named_file(name: str) -> Iterator[None]:
    """Turn what goes wrong while a file that a preset names is read into `ResourceMissing`, with advice."""
    try:
        _check_regular(Path(name))
        yield
    except (OSError, ValueError, InvalidText) as error:
        reason = error.reason if isinstance(error, InvalidText) else getattr(error, "strerror", None) or str(error)
        raise ResourceMissing(name, unreadable_file_advice(name, reason)) from error


def _check_regular(path: Path) -> None:
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise ValueError("it is not a regular file")


def unreadable_file_advice(name: str, reason: str) -> str:
    """Advice for a file of a preset that cannot be read."""
    hint = ", or name its folder with 'resources: FOLDER' in a preset that extends this one"
    return f"the file cannot be read ({reason}); check the path{hint if Path(name).name == name else ''}"
