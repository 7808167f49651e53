"""The bytes of a file, pipe or standard input, opened once and readable many times."""

from __future__ import annotations

import io
import os
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Lock
from typing import IO, Any, BinaryIO

from attrs import field, frozen

from meteorlib.errors import InputMismatch
from meteorlib.resources.store.atomic_file import path_in_disk_errors
from meteorlib.resources.store.compression import decompressed_blocks, is_compressed

STANDARD_INPUT = "-"

FileState = tuple[int, int]
"""Size in bytes and modification time in nanoseconds, to detect that a file has changed."""

MAX_HELD_BYTES = 1 << 23
"""Bytes of a source that are held in memory, some 60,000 segments; a file with more stays open and is read again."""


@frozen(eq=False, slots=False)
class Source:
    """The bytes of one input.

    Attributes:
        name: path of the file, or ``standard input``.
        is_file: whether it is a file, which others can read by its name, and not a pipe.
    """

    name: str
    is_file: bool = False
    _held: bytes = field(default=b"", repr=False)
    _file: IO[bytes] | None = field(default=None, repr=False)
    _state: FileState | None = field(default=None, repr=False)
    _lock: Lock = field(factory=Lock, init=False, repr=False)

    @classmethod
    def open(cls, name: str) -> Source:
        """The file called `name`; ``-`` is standard input.

        Raises:
            InputMismatch: the file does not exist or cannot be read.
        """
        if name == STANDARD_INPUT:
            if sys.stdin is None:
                raise InputMismatch("standard input is closed: there is nothing to read")
            return cls._load("standard input", sys.stdin.buffer, is_file=False)
        path = Path(name)
        if not name or not path.exists():
            raise InputMismatch(f"{name or 'an empty file name'}: no such file")
        if path.is_dir():
            raise InputMismatch(f"{name}: is a folder, not a file of segments")
        with ExitStack() as stack:
            try:
                stream = stack.enter_context(path.open("rb"))
            except OSError as error:
                raise InputMismatch(f"{name}: cannot be read: {error.strerror}") from None
            source = cls._load(name, stream, is_file=path.is_file())
            if source._file is stream:  # noqa: SLF001 – of this class
                stack.pop_all()
        return source

    @classmethod
    def _load(cls, name: str, stream: IO[bytes], *, is_file: bool) -> Source:
        state = _state_of(stream) if is_file else None
        try:
            held = stream.read(MAX_HELD_BYTES + 1)
        except OSError as error:
            raise InputMismatch(f"{name}: cannot be read: {error.strerror}") from None
        if len(held) <= MAX_HELD_BYTES:
            return cls(name, is_file, held, None)
        file = stream if is_file else _spool(held, stream)
        source = cls(name, is_file, b"", file, state)
        weakref.finalize(source, file.close)
        return source

    @property
    def is_plain(self) -> bool:
        """Whether it is a file that is not compressed."""
        with self.stream() as stream:
            return self.is_file and not is_compressed(stream)

    def stream(self) -> BinaryIO:
        """The unchanged bytes, from the beginning; several streams can be read independently.

        Reading from it raises `InputMismatch` if the file has changed since it was opened.
        """
        if self._file is None:
            return io.BytesIO(self._held)
        return io.BufferedReader(_SharedFile(self._file, self._lock, self._check_state))

    def _check_state(self) -> None:
        if self._file is not None and self._state is not None and _state_of(self._file) != self._state:
            raise InputMismatch(
                f"{self.name}: changed while it was read; run the command again when nothing writes to it"
            )

    def unpacked(self) -> Iterator[bytes]:
        """The bytes block by block, unpacked where they are compressed.

        Raises:
            InvalidText: the compressed data are damaged, or their format is not supported.
        """
        with self.stream() as stream:
            yield from decompressed_blocks(stream, self.name)

    def beginning(self, size: int) -> bytes:
        """The first `size` bytes that `decompressed_blocks` gives, or all if there are fewer."""
        head = b""
        for block in self.unpacked():
            head += block
            if len(head) >= size:
                break
        return head[:size]


class _SharedFile(io.RawIOBase):
    """An open file that several read, each at its own place."""

    def __init__(self, file: IO[bytes], lock: Lock, check: Callable[[], None]) -> None:
        self._file, self._lock, self._check, self._place = file, lock, check, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        with self._lock:
            if whence == io.SEEK_CUR:
                offset, whence = self._place + offset, io.SEEK_SET
            self._place = self._file.seek(offset, whence)
        return self._place

    def readinto(self, buffer: Any) -> int:
        with self._lock:
            self._file.seek(self._place)
            count: int = self._file.readinto(buffer)  # type: ignore[attr-defined]
        self._check()
        self._place += count
        return count


def _state_of(file: IO[bytes]) -> FileState:
    status = os.fstat(file.fileno())
    return status.st_size, status.st_mtime_ns


def _spool(begin: bytes, stream: IO[bytes]) -> IO[bytes]:
    """A temporary file with the whole content of a pipe."""
    from shutil import copyfileobj  # noqa: PLC0415 – slow to load, and most pipes are short
    from tempfile import TemporaryFile  # noqa: PLC0415 – as above

    spool = TemporaryFile()  # noqa: SIM115 – it lives as long as the source
    with path_in_disk_errors():
        spool.write(begin)
        copyfileobj(stream, spool)
        spool.flush()
    return spool
