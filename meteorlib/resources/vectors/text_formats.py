"""Readers of word2vec's text and binary formats and their relatives (fastText ``.vec``, GloVe)."""

from __future__ import annotations

import math
import re
import sys
from array import array
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path

from attrs import field, frozen

from meteorlib.errors import InvalidText, ResourceDamaged
from meteorlib.resources.store.compression import open_decompressed

MAX_WORDS = 8_000_000
"""Most words of one file, held in memory (1 GB); the largest known has 3 million."""

MAX_WIDTH = 10_000
"""Most numbers of one vector; the widest known has 4,096."""

MAX_WORD_BYTES, MAX_NUMBER_BYTES = 1 << 10, 40
"""Most bytes of one word, and of one number in text."""

_HEAD = re.compile(rb"\s*(\d{1,18})\s+(\d{1,18})\s*")
_CONTROL_BYTES = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
_UNSUPPORTED = {
    b"\x80": (
        "a Python pickle, which can run any code when it is loaded",
        "if gensim saved it and you trust its source, install it with --from gensim:FILE",
    ),
    b"\x93NUMPY": ("a NumPy array, without words", "name gensim's file beside it"),
    b"PK\x03\x04": ("a zip archive", "unpack it"),
}
"""First bytes of other file types, with what they are and what to do."""

_PEEK_SIZE, _READ_SIZE = 1 << 12, 1 << 20

Row = tuple[int, str | None, "array[float]"]
"""Number of a row, from 1; its word, or None for a row of subwords; its vector."""


@frozen
class VectorFile:
    """A file of word vectors, compressed or not.

    Text has a line for each word: the word and its numbers, with blanks between them; the first line may say how many
    words and how many numbers each (word2vec, fastText), or be a word (GloVe). Binary has that first line, then for
    each word its bytes, a blank, and its numbers, each of 32 bits, the lowest byte first. Words are in UTF-8.

    Attributes:
        path: the file.
        name: the resource, for messages.
        progress: called with the share of the file that is read, 0..1.
    """

    path: Path
    name: str
    progress: Callable[[float], None] = field(default=lambda _share: None, repr=False)

    @property
    def subwords(self) -> None:
        """None: these formats have no vectors of subwords."""

    def rows(self) -> Iterator[Row]:
        """Numbered rows, from 1: the word and its vector in single precision.

        Raises:
            ResourceDamaged: it is no such file; says at which line or word.
            OSError: it cannot be read.
        """
        size = max(self.path.stat().st_size, 1)
        with self.path.open("rb") as raw:
            begin = raw.peek(8)[:8]
            for magic, (kind, advice) in _UNSUPPORTED.items():
                if begin.startswith(magic):
                    raise ResourceDamaged(self.name, f"{self.path} is {kind}", advice)
            try:
                for row in self._rows(open_decompressed(raw, str(self.path))):
                    if not row[0] % 4096:
                        self.progress(min(raw.tell() / size, 1.0))
                    yield row
            except InvalidText as error:
                raise ResourceDamaged(self.name, str(error), "get the file anew") from error

    def _rows(self, file: BufferedReader) -> Iterator[Row]:
        first = self._read_line(file, 1, MAX_WIDTH).removeprefix(BOM_UTF8)
        head = _HEAD.fullmatch(first)
        if head is None:
            width = len(first.split()) - 1
            if not 0 < width <= MAX_WIDTH:
                raise self._malformed_error("line 1", f"a word and its numbers are expected, found {first[:40]!r}")
            yield from self._text_rows(file, width, first, 1)
            return
        count, width = int(head[1]), int(head[2])
        announced = f"it says {count:,} words of {width:,} numbers"
        if not 0 < width <= MAX_WIDTH or not 0 < count <= MAX_WORDS:
            raise self._malformed_error(
                "line 1", f"{announced}; there may be 1 to {MAX_WORDS:,} words of 1 to {MAX_WIDTH:,} numbers"
            )
        if _CONTROL_BYTES.search(file.peek(_PEEK_SIZE)[:_PEEK_SIZE]):
            yield from self._binary_rows(file, count, width)
            return
        number = 0
        for row in self._text_rows(file, width, self._read_line(file, 2, width), 2):
            yield row
            number = row[0]
        if number != count:
            raise self._malformed_error("line 1", f"{announced}; the file has {number:,} words")

    def _text_rows(self, file: BufferedReader, width: int, line: bytes, first: int) -> Iterator[Row]:
        """Rows of the text format: the already read `line`, which has the first word, and all lines after it."""
        number = 0
        while line:
            number += 1
            place = f"line {number + first - 1:,}"
            if number > MAX_WORDS:
                raise self._malformed_error(place, f"there are more than {MAX_WORDS:,} words")
            word, *fields = line.rsplit(None, width) or [b""]
            if len(fields) < width or _ends_in_number(word):
                reason = f"{max(len(line.split()) - 1, 0):,} numbers, where {width:,} are expected"
                raise self._malformed_error(place, reason)
            yield number, self._decode_word(place, word), self._parse_numbers(place, fields)
            line = self._read_line(file, number + first, width)

    def _binary_rows(self, file: BufferedReader, count: int, width: int) -> Iterator[Row]:
        size, data, begin = 4 * width, b"", 0
        for number in range(1, count + 1):
            place = f"word {number:,} of {count:,}"
            end = data.find(b" ", begin)
            if end < 0 or len(data) - end <= size:
                data, begin = data[begin:] + file.read(_READ_SIZE + MAX_WORD_BYTES + size), 0
                end = data.find(b" ")
            if (len(data) if end < 0 else end) - begin > MAX_WORD_BYTES:
                raise self._malformed_error(place, f"it has more than {MAX_WORD_BYTES:,} bytes")
            if end < 0 or len(data) - end <= size:
                raise self._malformed_error(place, "the file ends before its last number")
            word = self._decode_word(place, data[begin:end])
            begin = end + 1 + size
            vector = array("f", data[end + 1 : begin])
            if sys.byteorder == "big":
                vector.byteswap()
            yield number, word, self._check_finite(place, vector)
        if (data[begin:] + file.read(_PEEK_SIZE)).strip():
            raise self._malformed_error(f"word {count:,} of {count:,}", "there is more text after its last number")

    def _read_line(self, file: BufferedReader, number: int, width: int) -> bytes:
        longest = MAX_WORD_BYTES + MAX_NUMBER_BYTES * width
        line = file.readline(longest + 1)
        if len(line) > longest:
            raise self._malformed_error(f"line {number:,}", f"the line has more than {longest:,} bytes")
        return line

    def _decode_word(self, place: str, word: bytes) -> str:
        word = word.strip()
        if not word or b"\0" in word:
            raise self._malformed_error(place, f"a word is expected, found {word[:40]!r}")
        try:
            return word.decode()
        except UnicodeDecodeError as error:
            raise self._malformed_error(place, f"byte {error.start} of the word {word[:40]!r} is not utf-8") from error

    def _parse_numbers(self, place: str, fields: list[bytes]) -> array[float]:
        try:
            vector = array("f", map(float, fields))
        except ValueError:
            vector = None
        if vector is None or b"_" in b"".join(fields):
            wrong = next(text for text in fields if not _is_number(text))
            raise self._malformed_error(place, f"{wrong[:40].decode(errors='replace')!r} is no number")
        return self._check_finite(place, vector)

    def _check_finite(self, place: str, vector: array[float]) -> array[float]:
        if reason := nonfinite_reason(vector):
            raise self._malformed_error(place, reason)
        return vector

    def _malformed_error(self, place: str, reason: str) -> ResourceDamaged:
        return ResourceDamaged(self.name, f"{self.path}, {place}: {reason}", "get the file anew")


def nonfinite_reason(vector: array[float]) -> str:
    """Description of the first number of a vector that is not finite; empty if all are."""
    if math.isfinite(sum(vector)):
        return ""
    number = next(number for number, value in enumerate(vector, 1) if not math.isfinite(value))
    return f"number {number:,} of its vector is {vector[number - 1]}: none, or too large for single precision"


def _ends_in_number(word: bytes) -> bool:
    """Whether a supposed word is in fact a word followed by a number."""
    parts = word.split()
    return len(parts) > 1 and _is_number(parts[-1])


def _is_number(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return b"_" not in text  # Python would accept it
