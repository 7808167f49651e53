"""Source files of language data, compressed or not, with limits on size so that none can fill the memory."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import ClassVar

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
