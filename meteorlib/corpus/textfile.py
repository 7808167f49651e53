"""TextFile: a file of segments, one a line, checked as a whole before anything is scored."""

from __future__ import annotations

import gzip
import io
import shutil
import sys
import tempfile
import weakref
import zlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from attrs import field, frozen

from meteorlib.errors import InputMismatch, InvalidText

STANDARD_INPUT = "-"

BLOCK = 1 << 16
"""Bytes that are read at a time."""

PIECE = 500
"""Lines that are handed on at a time."""

BYTE_ORDER_MARK = "\ufeff"


@frozen(eq=False, slots=False)
class TextFile:
    """Segments in UTF-8, a line each; LF, CR and CRLF end a line (METEOR 1.5's rule).

    Attributes:
        name: path of the file, read through gzip where it ends in ``.gz``; ``-`` is standard input, which is copied to
            a temporary file, as files are read twice.
    """

    name: str
    _spool: IO[bytes] | None = field(default=None, repr=False)

    @classmethod
    def open(cls, name: str) -> TextFile:
        """The file called `name`.

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
    def _spooled(cls, name: str, stream: IO[bytes]) -> TextFile:
        spool = tempfile.TemporaryFile()  # noqa: SIM115 – it lives as long as the object
        shutil.copyfileobj(stream, spool)
        file = cls(name, spool)
        weakref.finalize(file, spool.close)
        return file

    @cached_property
    def count(self) -> int:
        """Number of lines; counting them checks every byte of the file.

        Raises:
            InvalidText: bytes that are not UTF-8, a NUL, a damaged gzip file; with line and offset.
        """
        lines = offset = 0
        ended = True
        for raw in self._blocks():
            self._check(raw, lines, offset)
            offset += len(raw)
            lines += _line_ends(raw)
            ended = raw.endswith((b"\n", b"\r"))
        return lines if ended else lines + 1

    @cached_property
    def has_byte_order_mark(self) -> bool:
        """Whether the file begins with U+FEFF, which METEOR counts as text."""
        return next(self.lines(), "").startswith(BYTE_ORDER_MARK)

    def lines(self) -> Iterator[str]:
        """The segments in order, without their line ends."""
        for piece in self.pieces(PIECE):
            yield from piece.decode().split("\n")

    def pieces(self, size: int) -> Iterator[bytes]:
        """The same in pieces of `size` lines, the last with what is left; only LF separates lines."""
        lines: list[bytes] = []
        for raw in self._blocks():
            lines += (raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in raw else raw).split(b"\n")
            if not lines[-1]:
                lines.pop()
            full = len(lines) // size * size
            for start in range(0, full, size):
                yield b"\n".join(lines[start : start + size])
            del lines[:full]
        if lines:
            yield b"\n".join(lines)

    def _blocks(self) -> Iterator[bytes]:
        """The file in pieces that end where a line does."""
        parts: list[bytes] = []
        with self._binary() as stream:
            while block := self._read(stream):
                # a CR at the end may be half of a line end
                end = max(block.rfind(b"\n"), block.rfind(b"\r", 0, -1)) + 1
                if end:
                    yield b"".join([*parts, block[:end]])
                    parts.clear()
                parts.append(block[end:])
        if rest := b"".join(parts):
            yield rest

    def _binary(self) -> Any:
        if self._spool is not None:
            self._spool.seek(0)
            return io.BufferedReader(io.FileIO(self._spool.fileno(), closefd=False))
        try:
            return gzip.open(self.name, "rb") if self.name.endswith(".gz") else Path(self.name).open("rb")
        except OSError as error:
            raise InputMismatch(f"{self.name}: cannot be read: {error.strerror}") from None

    def _read(self, stream: IO[bytes]) -> bytes:
        try:
            return stream.read(BLOCK)
        except (OSError, EOFError, zlib.error) as error:
            raise InvalidText(self.name, f"cannot be read to its end: {error}") from None

    def _check(self, raw: bytes, lines_before: int, offset: int) -> None:
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError as error:
            line = lines_before + 1 + _line_ends(raw[: error.start])
            reason = f"byte 0x{raw[error.start]:02X} at offset {offset + error.start} is not UTF-8; convert the file"
            raise InvalidText(f"{self.name}:{line}", reason) from None
        if b"\0" in raw:
            at = raw.index(b"\0")
            line = lines_before + 1 + _line_ends(raw[:at])
            reason = f"NUL byte at offset {offset + at}; remove it, or convert the file if it is UTF-16"
            raise InvalidText(f"{self.name}:{line}", reason)


def _line_ends(raw: bytes) -> int:
    ends = raw.count(b"\n")
    return ends + raw.count(b"\r") - raw.count(b"\r\n") if b"\r" in raw else ends


def check_same_length(hypotheses: TextFile, references: Sequence[TextFile]) -> int:
    """The number of segments that all files have.

    Raises:
        InputMismatch: the counts differ (all are named), or there is nothing to score.
        InvalidText: a file is not text.
    """
    files = [hypotheses, *references]
    if any(file.count != hypotheses.count for file in references):
        counts = ", ".join(f"{file.name} has {file.count}" for file in files)
        raise InputMismatch(f"the files must have the same number of lines, one a segment: {counts}")
    if not hypotheses.count:
        raise InputMismatch(f"nothing to score: {', '.join(file.name for file in files)} are empty")
    return hypotheses.count
