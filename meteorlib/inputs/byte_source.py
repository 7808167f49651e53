"""The bytes of a file, pipe or standard input, opened once and readable many times."""

from __future__ import annotations

import io
import os
import stat
import sys
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Lock
from typing import IO, Any, BinaryIO, TextIO

from attrs import field, frozen

from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.resources.store.compression import BLOCK, decompressed_blocks, is_compressed
from meteorlib.resources.store.shared_files import path_in_disk_errors
from meteorlib.text.validation import LONGEST_TEXT, too_long_message

STANDARD_INPUT = "-"

MAX_HELD_BYTES = 1 << 21
"""Bytes of a source that are held in memory, some 15,000 segments; a file with more stays open and is read again."""

LONGEST_CHARACTER = 4
"""Bytes of UTF-8."""

MAX_LINE_LENGTH = 8 * LONGEST_TEXT

LARGEST_PIPE = 1 << 31
"""Most bytes of a pipe, unpacked, some 15 million segments; a file, which needs no copy, may have more."""

PARQUET = b"PAR1"
"""First bytes of the one format without lines."""


def standard_input() -> TextIO:
    """Standard input."""
    if sys.stdin is None:
        raise InputMismatch("standard input is closed: there is nothing to read")
    return sys.stdin


def arriving_lines(stream: TextIO) -> Iterator[str]:
    """Lines of standard input with their ends, each as it arrives; one longer than in any format is refused."""
    number = 0
    while line := stream.readline(MAX_LINE_LENGTH + 1):
        number += 1
        if len(line) > MAX_LINE_LENGTH:
            raise InvalidText(f"standard input:{number}", too_long_message(MAX_LINE_LENGTH))
        yield line


@frozen(eq=False, slots=False)
class Source:
    """The bytes of one input: of a file, which others can read by its name, or of a pipe such as ``standard input``."""

    name: str
    is_file: bool = False
    _held: bytes = field(default=b"", repr=False)
    _file: IO[bytes] | None = field(default=None, repr=False)
    _state: tuple[int, int] | None = field(default=None, repr=False)
    _lock: Lock = field(factory=Lock, init=False, repr=False)

    @classmethod
    def open(cls, name: str) -> Source:
        """The file called `name`; ``-`` is standard input."""
        if name == STANDARD_INPUT:
            return cls._load("standard input", standard_input().buffer, is_file=False)
        path = Path(name)
        if not name or not path.exists():
            named = name.partition("=")[2]
            advice = f"; only systems are named here: give {named}" if named and Path(named).exists() else ""
            raise InputMismatch(f"{name or 'an empty file name'}: no such file{advice}")
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
        with suppress(io.UnsupportedOperation):  # a stream in memory is no device
            _check_device(name, stream)
        if not is_file:
            file = _copy(name, stream)
            if isinstance(file, io.BytesIO):
                return cls(name, is_file, file.getvalue(), None)
            state = None
        else:
            state = _state_of(stream)
            try:
                held = stream.read(MAX_HELD_BYTES + 1)
            except OSError as error:
                raise InputMismatch(f"{name}: cannot be read: {error.strerror}") from None
            if len(held) <= MAX_HELD_BYTES:
                return cls(name, is_file, held, None)
            file = stream
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
            advice = "run the command again when nothing writes to it"
            raise InputMismatch(f"{self.name}: changed while it was read; {advice}")

    def unpacked(self) -> Iterator[bytes]:
        """The bytes block by block, unpacked where they are compressed."""
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


def _state_of(file: IO[bytes]) -> tuple[int, int]:
    status = os.fstat(file.fileno())
    return status.st_size, status.st_mtime_ns


def _check_device(name: str, stream: IO[bytes]) -> None:
    """Refuse devices, which may have no end, as ``/dev/zero``; terminals and the null device have one."""
    status = os.fstat(stream.fileno())
    is_device = stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode)
    if is_device and not stream.isatty() and status.st_rdev != os.stat(os.devnull).st_rdev:
        raise InputMismatch(f"{name}: is a device, not a file of segments")


def _copy(name: str, stream: IO[bytes]) -> IO[bytes]:
    """The content of a pipe, in memory or in a temporary file, checked meanwhile, because a pipe may have no end.

    It may not be larger than `LARGEST_PIPE` or than half of the free space.
    """
    copy: IO[bytes] = io.BytesIO()
    taken: list[bytes] = []
    size = lines = length = 0
    largest = LARGEST_PIPE
    has_lines = None
    with ExitStack() as stack:
        stack.callback(lambda: copy.close())  # noqa: PLW0108 – the one that it is then
        for block in decompressed_blocks(io.BufferedReader(_Taken(name, stream, taken), BLOCK), name):
            if has_lines is None:
                has_lines = not block.startswith(PARQUET)
            if isinstance(copy, io.BytesIO) and copy.tell() + sum(map(len, taken)) > MAX_HELD_BYTES:
                copy, largest = _spool(copy.getvalue())
            with path_in_disk_errors():
                copy.writelines(taken)
            taken.clear()
            size += len(block)
            end = block.rfind(b"\n") + 1
            lines += block.count(b"\n")
            length = len(block) - end + (0 if end else length)
            if has_lines and length > LONGEST_CHARACTER * MAX_LINE_LENGTH:
                raise InvalidText(f"{name}:{lines + 1}", too_long_message(MAX_LINE_LENGTH))
            if max(size, copy.tell()) > largest:
                raise InputMismatch(
                    f"{name}: is a pipe of more than {largest / 1e6:,.0f} MB, of which a copy is kept; "
                    "write it to a file, which needs none, and give that"
                )
        with path_in_disk_errors():
            copy.writelines(taken)
            copy.flush()
        stack.pop_all()
    return copy


def _spool(begin: bytes) -> tuple[IO[bytes], int]:
    """A temporary file that begins with these bytes, and how large it may become."""
    from shutil import disk_usage  # noqa: PLC0415 – slow to load, and most pipes are short
    from tempfile import TemporaryFile, gettempdir  # noqa: PLC0415 – as above

    largest = min(LARGEST_PIPE, disk_usage(gettempdir()).free // 2)
    spool = TemporaryFile()  # noqa: SIM115 – it lives as long as the source
    with path_in_disk_errors():
        spool.write(begin)
    return spool, largest


class _Taken(io.RawIOBase):
    """A stream whose blocks are added to a list as they are read."""

    def __init__(self, name: str, stream: IO[bytes], taken: list[bytes]) -> None:
        self._name, self._stream, self._taken = name, stream, taken

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            block = self._stream.read1(len(buffer))  # type: ignore[attr-defined]
        except OSError as error:
            raise InputMismatch(f"{self._name}: cannot be read: {error.strerror}") from None
        self._taken.append(block)
        buffer[: len(block)] = block
        return len(block)
