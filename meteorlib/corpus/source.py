"""Source: the bytes of a file, a pipe or standard input, which can be read from the beginning again and again."""

from __future__ import annotations

import io
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO

from attrs import field, frozen

from meteorlib.errors import InputMismatch
from meteorlib.resources.packed import is_packed, unpacked

STANDARD_INPUT = "-"


@frozen(eq=False, slots=False)
class Source:
    """Where bytes come from.

    Attributes:
        name: path of the file, or ``standard input``. What can be read only once is copied to a temporary file.
    """

    name: str
    _spool: IO[bytes] | None = field(default=None, repr=False)

    @classmethod
    def open(cls, name: str) -> Source:
        """The file called `name`; ``-`` is standard input.

        Raises:
            InputMismatch: it is not there, or not a file that can be read.
        """
        if name == STANDARD_INPUT:
            if sys.stdin is None:
                raise InputMismatch("standard input is closed: there is nothing to read")
            return cls._spooled("standard input", sys.stdin.buffer)
        path = Path(name)
        if not name or not path.exists():
            raise InputMismatch(f"{name or 'a file name that is empty'}: no such file")
        if path.is_dir():
            raise InputMismatch(f"{name}: is a folder, not a file of segments")
        if path.is_file():
            return cls(name)
        with path.open("rb") as stream:  # a pipe, which can be read only once
            return cls._spooled(name, stream)

    @classmethod
    def _spooled(cls, name: str, stream: IO[bytes]) -> Source:
        from shutil import copyfileobj  # noqa: PLC0415 – slow to load, and most sources are files
        from tempfile import TemporaryFile  # noqa: PLC0415 – likewise

        from meteorlib.resources.whole import naming  # noqa: PLC0415 – likewise

        spool = TemporaryFile()  # noqa: SIM115 – it lives as long as the object
        with naming():
            copyfileobj(stream, spool)
            spool.flush()
        source = cls(name, spool)
        weakref.finalize(source, spool.close)
        return source

    @property
    def is_plain(self) -> bool:
        """Whether it is a file that is not compressed."""
        if self._spool is not None:
            return False
        with self.stream() as stream:
            return not is_packed(stream)

    def stream(self) -> BinaryIO:
        """The bytes as they stand, from the beginning.

        Raises:
            InputMismatch: they cannot be read.
        """
        if self._spool is not None:
            self._spool.seek(0)
            return io.BufferedReader(io.FileIO(self._spool.fileno(), closefd=False))
        try:
            return Path(self.name).open("rb")
        except OSError as error:
            raise InputMismatch(f"{self.name}: cannot be read: {error.strerror}") from None

    def unpacked(self) -> Iterator[bytes]:
        """The bytes block by block, unpacked where they are compressed.

        Raises:
            InvalidText: the compressed data are damaged, or of a kind that is not read.
        """
        with self.stream() as stream:
            yield from unpacked(stream, self.name)

    def beginning(self, size: int) -> bytes:
        """The first `size` bytes that `unpacked` gives, or all where there are fewer."""
        head = b""
        for block in self.unpacked():
            head += block
            if len(head) >= size:
                break
        return head[:size]
