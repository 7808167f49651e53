"""Files that may be compressed (gzip, bzip2, xz, zstd: by their first bytes), and source files of language data."""

from __future__ import annotations

import io
import re
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Protocol

from attrs import field, frozen

from meteorlib.errors import ExtraMissing, InvalidText, ResourceDamaged

BLOCK = 1 << 16
"""Bytes read at a time, and the largest block of decompressed text."""

_GZIP, _XZ, _BZIP2, _ZSTD = b"\x1f\x8b", b"\xfd7zXZ\0", b"BZh", b"\x28\xb5\x2f\xfd"
_BZIP2_BEGINNING = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")
_LONGEST_MAGIC = 10
_UNSUPPORTED = {
    b"PK\x03\x04": "a zip archive",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"\x1f\x9d": "compressed with compress",
}


class _Decompressor(Protocol):
    """Interface of `bz2.BZ2Decompressor`, `lzma.LZMADecompressor` and `zstd.ZstdDecompressor`."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Gzip:
    """Gzip decompressor with the `_Decompressor` interface, which `zlib` lacks."""

    def __init__(self) -> None:
        self._one: Any = zlib.decompressobj(16 + zlib.MAX_WBITS)

    @property
    def eof(self) -> bool:
        return bool(self._one.eof)

    @property
    def needs_input(self) -> bool:
        return not self._one.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return bytes(self._one.unused_data)

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return bytes(self._one.decompress(self._one.unconsumed_tail + data, max_length))


def decompressed_blocks(stream: BinaryIO, name: str) -> Iterator[bytes]:
    """The content of a stream (with a method ``read1``) in blocks, decompressed if need be, in constant memory.

    A pipe is read no further than the next block needs. `InvalidText` with `name` says that the compressed data are
    damaged, truncated or followed by other data, or of an unsupported format.
    """
    damage: tuple[type[Exception], ...] = (OSError, EOFError)
    try:
        head = _magic_bytes(stream)
        form = _decompressor(head, name)
        if form is None:
            while head:
                yield head
                head = stream.read1(BLOCK)  # type: ignore[attr-defined]
        else:
            new, own = form
            damage += (own,)
            yield from _decompress_members(head, stream, new)
    except damage as error:
        raise InvalidText(name, f"cannot be read to its end: {error}") from None


def is_compressed(stream: BinaryIO) -> bool:
    """Whether a stream, read from its start, is in a supported compressed format."""
    return _decompressor(_magic_bytes(stream), "") is not None


def open_decompressed(stream: BinaryIO, name: str) -> io.BufferedReader:
    """The content of a stream as a binary file, decompressed if necessary; see `decompressed_blocks`."""
    return io.BufferedReader(_Stream(decompressed_blocks(stream, name)), BLOCK)


class _Stream(io.RawIOBase):
    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        while not self._rest:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._rest = block
        size = min(len(view), len(self._rest))
        view[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size


def _magic_bytes(stream: Any) -> bytes:
    """The first bytes of a stream, enough to detect its format."""
    head = b""
    while len(head) < _LONGEST_MAGIC and any(
        magic.startswith(head[: len(magic)]) for magic in (_GZIP, _XZ, _BZIP2, _ZSTD, *_UNSUPPORTED)
    ):
        more = stream.read1(BLOCK)
        if not more:
            break
        head += more
    return head


def _decompressor(head: bytes, name: str) -> tuple[Callable[[], _Decompressor], type[Exception]] | None:
    """Decompressor for a stream with these first bytes, and its exception; None if it is not compressed."""
    for magic, form in _UNSUPPORTED.items():
        if head.startswith(magic):
            raise InvalidText(name, f"is {form}, which is not read (gzip, bzip2, xz and zstd are); unpack it first")
    try:
        if head.startswith(_GZIP):
            return _Gzip, zlib.error
        if _BZIP2_BEGINNING.match(head):
            from bz2 import BZ2Decompressor  # noqa: PLC0415 – not in every Python

            return BZ2Decompressor, OSError
        if head.startswith(_XZ):
            from lzma import LZMADecompressor, LZMAError  # noqa: PLC0415 – not in every Python

            return LZMADecompressor, LZMAError
        if head.startswith(_ZSTD):
            return _zstd()
    except ExtraMissing as missing:
        raise InvalidText(name, f"is compressed with zstd, and {missing}") from None
    except ImportError as error:
        raise InvalidText(name, f"is compressed, and this Python cannot read it ({error}); unpack it first") from None
    return None


def _zstd() -> tuple[Callable[[], _Decompressor], type[Exception]]:
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 – Python 3.14
    except ImportError:
        try:
            from backports import zstd  # noqa: PLC0415 – an extra
        except ImportError as error:
            raise ExtraMissing(str(error.name), "zstd") from None
    return zstd.ZstdDecompressor, zstd.ZstdError


def _decompress_members(data: bytes, stream: Any, new: Callable[[], _Decompressor]) -> Iterator[bytes]:
    """Decompress concatenated compressed streams; NUL bytes between them are padding.

    The file classes of `bz2`, `lzma` and `zstd` ignore other data after a stream; here it is an error.
    """
    while data:
        member = new()
        while True:
            if block := member.decompress(data, BLOCK):
                yield block
            if member.eof:
                break
            data = b""
            if member.needs_input:
                data = stream.read1(BLOCK)
                if not data:
                    raise EOFError("the compressed data are cut off")
        data = member.unused_data
        while not (data := data.lstrip(b"\0")):
            data = stream.read1(BLOCK)
            if not data:
                return


MAX_TEXT_BYTES = 1 << 28
"""Largest text of one file, in bytes; the largest known thesaurus has 30 MB."""

MAX_ENTRIES = 3_000_000
"""Most words in meanings of one file, held in memory (1 GB); the largest known file has 0.9 million."""

MAX_LINE_BYTES = 1 << 20
"""Longest line, in bytes; the longest known has 30 kB."""

_ASCII = rb"word|1 (a.b) +- \n \u0041 ~"
"""Probe for ASCII compatibility: decoded unchanged only by encodings that keep ASCII, escapes included."""


Progress = Callable[[float], None]
"""Callback, called periodically with the share of the work that is done, 0..1."""


@frozen
class Source:
    """A file of language data; `name` is the resource, for messages."""

    remedy: ClassVar[str] = "get the file anew"

    path: Path
    name: str
    progress: Progress = field(default=lambda _share: None, repr=False)

    @contextmanager
    def opened(self) -> Iterator[tuple[BufferedReader, Callable[[int], None]]]:
        """Open the content, decompressed; with a function that reports the progress at every 4096th number."""
        size = max(self.path.stat().st_size, 1)
        with self.path.open("rb") as raw:

            def report(number: int) -> None:
                if not number % 4096:
                    self.progress(min(raw.tell() / size, 1.0))

            try:
                yield open_decompressed(raw, str(self.path)), report
            except InvalidText as error:
                raise self.malformed_error("", error.reason) from error

    def malformed_error(self, place: str | int, reason: str) -> ResourceDamaged:
        """Error for malformed content at a place, or in a line."""
        where = f", line {place}" if isinstance(place, int) else f", {place}" if place else ""
        return ResourceDamaged(self.name, f"{self.path}{where}: {reason}", self.remedy)


class SourceFile(Source):
    """A text source of language data, compressed or not."""

    def lines(self) -> Generator[tuple[int, bytes]]:
        """Numbered lines, from 1, without their ends (LF or CR LF) and without a byte order mark."""
        total, number = 0, 0
        with self.opened() as (file, report):
            while True:
                number += 1
                try:
                    line = file.readline(MAX_LINE_BYTES + 1)
                except InvalidText as error:
                    raise self.malformed_error(number, error.reason) from error
                total += len(line)
                if not line:
                    return
                if len(line) > MAX_LINE_BYTES:
                    raise self.malformed_error(number, f"the line has more than {MAX_LINE_BYTES:,} bytes")
                if total > MAX_TEXT_BYTES:
                    raise self.malformed_error(number, f"the file has more than {MAX_TEXT_BYTES:,} bytes of text")
                report(number)
                if number == 1:
                    line = line.removeprefix(BOM_UTF8)
                yield number, line.removesuffix(b"\n").removesuffix(b"\r")

    def decode(self, number: int, line: bytes, encoding: str = "utf-8") -> str:
        """Decode a line."""
        try:
            return line.decode(encoding)
        except UnicodeDecodeError as error:
            raise self.malformed_error(number, f"byte {error.start} is not {encoding}") from error

    def encoding(self, number: int, name: str) -> str:
        """The encoding that a file declares; `ResourceDamaged`: it is unknown or not compatible with ASCII."""
        try:
            if _ASCII.decode(name) == _ASCII.decode("ascii"):
                return name
        except (LookupError, ValueError):  # a NUL in it is a ValueError, and so is what cannot be decoded
            pass
        raise self.malformed_error(number, f"unknown encoding {name[:40]!r}")

    def check_count(self, count: int, number: int) -> None:
        """Refuse a file that has more than `MAX_ENTRIES` words in meanings up to this line."""
        if count > MAX_ENTRIES:
            raise self.malformed_error(number, f"the file has more than {MAX_ENTRIES:,} words in meanings")
