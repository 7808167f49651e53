"""Lines of a source file of language data, with limits on size so that none can fill the memory."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Generator
from pathlib import Path

from attrs import field, frozen

from meteorlib.errors import InvalidText, ResourceDamaged
from meteorlib.resources.store.compression import open_decompressed

MAX_TEXT_BYTES = 1 << 28
"""Bytes of text that are read of one file; the largest thesaurus known has 30 MB."""

MAX_ENTRIES = 3_000_000
"""Words in meanings, or numbers of words, of one file, which stand in memory (1 GB); the largest has 0.9 million."""

MAX_LINE_BYTES = 1 << 20
"""Bytes of one line; the longest known has 30 kB."""

_ASCII = rb"word|1 (a.b) +- \n \u0041 ~"
"""What most encodings leave as it is, and those do not that make something else of ASCII, or of escapes in it."""


@frozen
class SourceFile:
    """A text file, compressed or not.

    Attributes:
        path: the file.
        name: the resource, for messages.
        progress: called with the share of the file that is read, 0..1.
    """

    path: Path
    name: str
    progress: Callable[[float], None] = field(default=lambda _share: None, repr=False)

    def lines(self) -> Generator[tuple[int, bytes]]:
        """Each line without its end (LF, or CR LF), with its number, from 1; a byte order mark is dropped.

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
        """A line as text.

        Raises:
            ResourceDamaged: it is not in that encoding.
        """
        try:
            return line.decode(encoding)
        except UnicodeDecodeError as error:
            raise self.malformed_error(number, f"byte {error.start} is not {encoding}") from error

    def encoding(self, number: int, name: str) -> str:
        """An encoding that a file names, as Python calls it.

        Raises:
            ResourceDamaged: it is none that is known, or none in which ASCII is as it stands.
        """
        try:
            if _ASCII.decode(name) == _ASCII.decode("ascii"):
                return name
        except (LookupError, ValueError):  # a NUL in it is a ValueError, and so is what cannot be decoded
            pass
        raise self.malformed_error(number, f"unknown encoding {name[:40]!r}")

    def check_count(self, count: int, number: int) -> None:
        """Refuse more than `MAX_ENTRIES` of what a file lists.

        Args:
            count: how much it has listed.
            number: of the line.

        Raises:
            ResourceDamaged: it is more.
        """
        if count > MAX_ENTRIES:
            raise self.malformed_error(number, f"the file has more than {MAX_ENTRIES:,} words in meanings")

    def malformed_error(self, line: int, reason: str) -> ResourceDamaged:
        """The error of a line."""
        return ResourceDamaged(self.name, f"{self.path}, line {line}: {reason}", "get the file anew")
