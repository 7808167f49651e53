"""Lines of a source file of language data, with limits on size so that none can fill the memory."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Generator
from pathlib import Path

from attrs import field, frozen

from meteorlib.errors import InvalidText, ResourceDamaged
from meteorlib.resources.store.compression import open_decompressed

MAX_TEXT_BYTES = 1 << 28
"""Largest text of one file, in bytes; the largest known thesaurus has 30 MB."""

MAX_ENTRIES = 3_000_000
"""Most words in meanings of one file, held in memory (1 GB); the largest known file has 0.9 million."""

MAX_LINE_BYTES = 1 << 20
"""Longest line, in bytes; the longest known has 30 kB."""

_ASCII = rb"word|1 (a.b) +- \n \u0041 ~"
"""Probe for ASCII compatibility: decoded unchanged only by encodings that keep ASCII, escapes included."""


@frozen
class SourceFile:
    """A text source of language data, compressed or not.

    Attributes:
        path: the file.
        name: name of the resource, for messages.
        progress: callback, called with the share of the file that has been read, 0..1.
    """

    path: Path
    name: str
    progress: Callable[[float], None] = field(default=lambda _share: None, repr=False)

    def lines(self) -> Generator[tuple[int, bytes]]:
        """Numbered lines, from 1, without their ends (LF or CR LF) and without a byte order mark.

        Raises:
            ResourceDamaged: it is too large, has too long a line, or is compressed and damaged.
            OSError: it cannot be read.
        """
        size, total, number = max(self.path.stat().st_size, 1), 0, 0
        with self.path.open("rb") as raw:
            file = open_decompressed(raw, str(self.path))
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
                if not number % 4096:
                    self.progress(min(raw.tell() / size, 1.0))
                if number == 1:
                    line = line.removeprefix(BOM_UTF8)
                yield number, line.removesuffix(b"\n").removesuffix(b"\r")

    def decode(self, number: int, line: bytes, encoding: str = "utf-8") -> str:
        """Decode a line.

        Raises:
            ResourceDamaged: it is not in that encoding.
        """
        try:
            return line.decode(encoding)
        except UnicodeDecodeError as error:
            raise self.malformed_error(number, f"byte {error.start} is not {encoding}") from error

    def encoding(self, number: int, name: str) -> str:
        """Check the encoding that a file declares, and return it.

        Raises:
            ResourceDamaged: it is unknown or not compatible with ASCII.
        """
        try:
            if _ASCII.decode(name) == _ASCII.decode("ascii"):
                return name
        except (LookupError, ValueError):  # a NUL in it is a ValueError, and so is what cannot be decoded
            pass
        raise self.malformed_error(number, f"unknown encoding {name[:40]!r}")

    def check_count(self, count: int, number: int) -> None:
        """Refuse a file with more than `MAX_ENTRIES` words in meanings.

        Args:
            count: words read so far.
            number: current line.

        Raises:
            ResourceDamaged: there are more.
        """
        if count > MAX_ENTRIES:
            raise self.malformed_error(number, f"the file has more than {MAX_ENTRIES:,} words in meanings")

    def malformed_error(self, line: int, reason: str) -> ResourceDamaged:
        """Error for a malformed line."""
        return ResourceDamaged(self.name, f"{self.path}, line {line}: {reason}", "get the file anew")
