"""TextFile: a file of segments, one a line, checked as a whole before anything is scored."""

from __future__ import annotations

import io
import re
import shutil
import sys
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import IO, BinaryIO

from attrs import field, frozen

from meteorlib.corpus.packed import unpacked
from meteorlib.errors import InputMismatch, InvalidText
from meteorlib.text.validation import LONGEST_TEXT, TOO_LONG

STANDARD_INPUT = "-"

PIECE = 500
"""Lines that are handed on at a time."""

LONGEST_CHARACTER = 4
"""Bytes of UTF-8."""

BYTE_ORDER_MARK = "\ufeff"

_LONE = re.compile(rb"\r(?!\n)")


@frozen
class Census:
    """What one reading of a file tells.

    Attributes:
        lines: how many it has.
        carriage_returns: how many CR stand in it that end no line.
        first: the line of the first of them; 0 where there is none.
    """

    lines: int
    carriage_returns: int
    first: int


@frozen(eq=False, slots=False)
class TextFile:
    """Segments in UTF-8, a line each; LF and CRLF end a line, and nothing else does.

    Attributes:
        name: path of the file, read through gzip, bzip2 or xz where its content is so compressed; ``-`` is standard
            input, which is copied to a temporary file, as files are read twice.
        carriage_return_ends: whether a lone CR ends a line, too (METEOR 1.5's rule).
    """

    name: str
    carriage_return_ends: bool = False
    _spool: IO[bytes] | None = field(default=None, repr=False)

    @classmethod
    def open(cls, name: str, *, carriage_return_ends: bool = False) -> TextFile:
        """The file called `name`.

        Raises:
            InputMismatch: it is not there, or not a file that can be read.
        """
        if name == STANDARD_INPUT:
            if sys.stdin is None:
                raise InputMismatch("standard input is closed: there is nothing to read")
            return cls._spooled("standard input", sys.stdin.buffer, carriage_return_ends)
        path = Path(name)
        if not name or not path.exists():
            raise InputMismatch(f"{name or 'a file name that is empty'}: no such file")
        if path.is_dir():
            raise InputMismatch(f"{name}: is a folder, not a file of segments")
        if path.is_file():
            return cls(name, carriage_return_ends)
        with path.open("rb") as stream:  # a pipe, which can be read only once
            return cls._spooled(name, stream, carriage_return_ends)

    @classmethod
    def _spooled(cls, name: str, stream: IO[bytes], carriage_return_ends: bool) -> TextFile:
        spool = tempfile.TemporaryFile()  # noqa: SIM115 – it lives as long as the object
        shutil.copyfileobj(stream, spool)
        file = cls(name, carriage_return_ends, spool)
        weakref.finalize(file, spool.close)
        return file

    @cached_property
    def census(self) -> Census:
        """The counts; making them checks every byte of the file.

        Raises:
            InvalidText: bytes that are not UTF-8, a NUL, damaged compressed data, with line and offset; a line that is
                too long for a segment.
        """
        lines = offset = carriage_returns = first = 0
        ended = True
        for raw in self._blocks():
            self._check(raw, lines, offset)
            if b"\r" in raw and not self.carriage_return_ends:
                found = raw.count(b"\r") - raw.count(b"\r\n")
                if found and not first:
                    first = lines + 1 + raw.count(b"\n", 0, _LONE.search(raw).start())  # type: ignore[union-attr]
                carriage_returns += found
            offset += len(raw)
            lines += self._line_ends(raw)
            ended = raw.endswith((b"\n", b"\r") if self.carriage_return_ends else b"\n")
        return Census(lines if ended else lines + 1, carriage_returns, first)

    @property
    def count(self) -> int:
        """Number of lines; see `census`."""
        return self.census.lines

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
            lines += self._with_line_feeds(raw).split(b"\n")
            if not lines[-1]:
                lines.pop()
            full = len(lines) // size * size
            for start in range(0, full, size):
                yield b"\n".join(lines[start : start + size])
            del lines[:full]
        if lines:
            yield b"\n".join(lines)

    def _with_line_feeds(self, raw: bytes) -> bytes:
        if b"\r" not in raw:
            return raw
        raw = raw.replace(b"\r\n", b"\n")
        return raw.replace(b"\r", b"\n") if self.carriage_return_ends else raw

    def _line_ends(self, raw: bytes) -> int:
        ends = raw.count(b"\n")
        if self.carriage_return_ends and b"\r" in raw:
            ends += raw.count(b"\r") - raw.count(b"\r\n")
        return ends

    def _blocks(self) -> Iterator[bytes]:
        """The unpacked file in pieces that end where a line does."""
        parts: list[bytes] = []
        held = 0
        with self._binary() as stream:
            for block in unpacked(stream, self.name):
                end = block.rfind(b"\n") + 1
                if self.carriage_return_ends:  # one at the end may be half of a line end
                    end = max(end, block.rfind(b"\r", 0, -1) + 1)
                if end or held > LONGEST_CHARACTER * LONGEST_TEXT:  # else that line is refused
                    yield b"".join([*parts, block[:end]])
                    parts.clear()
                    held = 0
                parts.append(block[end:])
                held += len(block) - end
        if rest := b"".join(parts):
            yield rest

    def _binary(self) -> BinaryIO:
        if self._spool is not None:
            self._spool.seek(0)
            return io.BufferedReader(io.FileIO(self._spool.fileno(), closefd=False))
        try:
            return Path(self.name).open("rb")
        except OSError as error:
            raise InputMismatch(f"{self.name}: cannot be read: {error.strerror}") from None

    def _check(self, raw: bytes, lines_before: int, offset: int) -> None:
        if len(raw) > LONGEST_TEXT:
            self._check_lengths(raw, lines_before + 1)
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError as error:
            line = lines_before + 1 + self._line_ends(raw[: error.start])
            reason = f"byte 0x{raw[error.start]:02X} at offset {offset + error.start} is not UTF-8; convert the file"
            raise InvalidText(f"{self.name}:{line}", reason) from None
        if b"\0" in raw:
            at = raw.index(b"\0")
            line = lines_before + 1 + self._line_ends(raw[:at])
            reason = f"NUL byte at offset {offset + at}; remove it, or convert the file if it is UTF-16"
            raise InvalidText(f"{self.name}:{line}", reason)

    def _check_lengths(self, raw: bytes, first_line: int) -> None:
        for number, line in enumerate(self._with_line_feeds(raw).split(b"\n"), first_line):
            if len(line) > LONGEST_TEXT and len(line.decode("utf-8", "ignore")) > LONGEST_TEXT:
                raise InvalidText(f"{self.name}:{number}", TOO_LONG)


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
