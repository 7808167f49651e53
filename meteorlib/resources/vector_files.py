"""Readers of word2vec's text and binary formats, their relatives (fastText ``.vec``, GloVe), and fastText models."""

from __future__ import annotations

import math
import re
import struct
import sys
from array import array
from codecs import BOM_UTF8
from collections.abc import Iterator
from io import BufferedReader

import numpy as np
from attrs import define, frozen

from meteorlib.errors import ResourceDamaged
from meteorlib.resources.store.compression import Source
from meteorlib.resources.word_vectors import Subwords

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
class VectorSource(Source):
    """A source of word vectors."""

    @property
    def subwords(self) -> Subwords | None:
        """Subwords of its words; None if subwords have no vectors."""
        return None

    def rows(self) -> Iterator[Row]:
        """Numbered rows, from 1: the word (None for rows of subwords) and its vector in single precision."""
        raise NotImplementedError

    def check_finite(self, place: str, vector: array[float]) -> array[float]:
        """Refuse a vector with a number that is not finite."""
        if not math.isfinite(sum(vector)):
            number = next(number for number, value in enumerate(vector, 1) if not math.isfinite(value))
            reason = f"number {number:,} of its vector is {vector[number - 1]}: none, or too large for single precision"
            raise self.malformed_error(place, reason)
        return vector


class VectorFile(VectorSource):
    """A file of word vectors, compressed or not.

    Text has a line for each word: the word and its numbers, with blanks between them; the first line may say how many
    words and how many numbers each (word2vec, fastText), or be a word (GloVe). Binary has that first line, then for
    each word its bytes, a blank, and its numbers, each of 32 bits, the lowest byte first. Words are in UTF-8.
    """

    def rows(self) -> Iterator[Row]:
        """See `VectorSource`."""
        with self.path.open("rb") as raw:
            begin = raw.read(8)
        for magic, (kind, advice) in _UNSUPPORTED.items():
            if begin.startswith(magic):
                raise ResourceDamaged(self.name, f"{self.path} is {kind}", advice)
        with self.opened() as (file, report):
            for row in self._rows(file):
                report(row[0])
                yield row

    def _rows(self, file: BufferedReader) -> Iterator[Row]:
        first = self._read_line(file, 1, MAX_WIDTH).removeprefix(BOM_UTF8)
        head = _HEAD.fullmatch(first)
        if head is None:
            width = len(first.split()) - 1
            if not 0 < width <= MAX_WIDTH:
                raise self.malformed_error("line 1", f"a word and its numbers are expected, found {first[:40]!r}")
            yield from self._text_rows(file, width, first, 1)
            return
        count, width = int(head[1]), int(head[2])
        announced = f"it says {count:,} words of {width:,} numbers"
        if not 0 < width <= MAX_WIDTH or not 0 < count <= MAX_WORDS:
            raise self.malformed_error(
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
            raise self.malformed_error("line 1", f"{announced}; the file has {number:,} words")

    def _text_rows(self, file: BufferedReader, width: int, line: bytes, first: int) -> Iterator[Row]:
        """Rows of the text format: the already read `line`, which has the first word, and all lines after it."""
        number = 0
        while line:
            number += 1
            place = f"line {number + first - 1:,}"
            if number > MAX_WORDS:
                raise self.malformed_error(place, f"there are more than {MAX_WORDS:,} words")
            word, *fields = line.rsplit(None, width) or [b""]
            if len(fields) < width or _ends_in_number(word):
                reason = f"{max(len(line.split()) - 1, 0):,} numbers, where {width:,} are expected"
                raise self.malformed_error(place, reason)
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
                raise self.malformed_error(place, f"it has more than {MAX_WORD_BYTES:,} bytes")
            if end < 0 or len(data) - end <= size:
                raise self.malformed_error(place, "the file ends before its last number")
            word = self._decode_word(place, data[begin:end])
            begin = end + 1 + size
            vector = array("f", data[end + 1 : begin])
            if sys.byteorder == "big":
                vector.byteswap()
            yield number, word, self.check_finite(place, vector)
        if (data[begin:] + file.read(_PEEK_SIZE)).strip():
            raise self.malformed_error(f"word {count:,} of {count:,}", "there is more text after its last number")

    def _read_line(self, file: BufferedReader, number: int, width: int) -> bytes:
        longest = MAX_WORD_BYTES + MAX_NUMBER_BYTES * width
        line = file.readline(longest + 1)
        if len(line) > longest:
            raise self.malformed_error(f"line {number:,}", f"the line has more than {longest:,} bytes")
        return line

    def _decode_word(self, place: str, word: bytes) -> str:
        word = word.strip()
        if not word or b"\0" in word:
            raise self.malformed_error(place, f"a word is expected, found {word[:40]!r}")
        try:
            return word.decode()
        except UnicodeDecodeError as error:
            raise self.malformed_error(place, f"byte {error.start} of the word {word[:40]!r} is not utf-8") from error

    def _parse_numbers(self, place: str, fields: list[bytes]) -> array[float]:
        try:
            vector = array("f", map(float, fields))
        except ValueError:
            vector = None
        if vector is None or b"_" in b"".join(fields):
            wrong = next(text for text in fields if not _is_number(text))
            raise self.malformed_error(place, f"{wrong[:40].decode(errors='replace')!r} is no number")
        return self.check_finite(place, vector)


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


MAGIC = b"\xba\x16\x4f\x2f"
"""First bytes of a model file."""

_HEADER = struct.Struct("<4si12id")
_COUNTS = struct.Struct("<3iqq")
_MATRIX = struct.Struct("<?qq")
_OLDEST, _NEWEST, _SUPERVISED, _WORD = 11, 12, 3, 0


class FastTextModel(VectorSource):
    """A fastText model (``.bin``), compressed or not; the data for further training is not read."""

    @property
    def subwords(self) -> Subwords | None:
        """Its subwords; None if it was trained without."""
        with self.opened() as (file, _):
            return self._read_header(_ByteReader(file, self))[1]

    def rows(self) -> Iterator[Row]:
        """See `VectorSource`; a quantized model is an error, too."""
        with self.opened() as (content, report):
            file = _ByteReader(content, self)
            width, subwords, buckets = self._read_header(file)
            words = list(self._read_words(file))
            quantized, count, columns = _MATRIX.unpack(file.take(_MATRIX.size))
            if quantized:
                reason = f"{self.path} is quantized: its vectors are not those that were trained"
                raise ResourceDamaged(self.name, reason, "use the .bin that it was made from, or a .vec")
            if (count, columns) != (len(words) + buckets, width):
                counts = f"{len(words):,} words, {buckets:,} rows for their parts"
                reason = f"it has {counts}, and a matrix of {count:,} rows of {columns:,} numbers"
                raise self.malformed_error("", reason)
            wanted = count if subwords else len(words)
            for number in range(1, wanted + 1):
                word = words[number - 1] if number <= len(words) else None
                vector = array("f", np.frombuffer(file.take(4 * width), "<f4").astype("f4").tobytes())
                report(number)
                yield number, word, self.check_finite(f"row {number:,} of {count:,}", vector)

    def _read_header(self, file: _ByteReader) -> tuple[int, Subwords | None, int]:
        """Read the width of the vectors, the subwords, and the number of subword rows."""
        magic, version, *arguments, _ = _HEADER.unpack(file.take(_HEADER.size))
        width, *_, model, buckets, shortest, longest, _ = arguments
        if magic != MAGIC or not _OLDEST <= version <= _NEWEST:
            raise self.malformed_error("", f"it is of version {version:,}; {_OLDEST} and {_NEWEST} are known")
        if not 0 < width <= MAX_WIDTH:
            raise self.malformed_error("", f"its vectors have {width:,} numbers; there may be 1 to {MAX_WIDTH:,}")
        if min(buckets, shortest, longest) < 0:
            raise self.malformed_error("", "its header has a negative number")
        has_parts = longest and buckets and not (version == _OLDEST and model == _SUPERVISED)
        return width, Subwords(shortest, longest, buckets) if has_parts else None, buckets

    def _read_words(self, file: _ByteReader) -> Iterator[str]:
        """Read the words of the dictionary, without the labels that follow them in some models."""
        count, words, _, _, pruned = _COUNTS.unpack(file.take(_COUNTS.size))
        if not 0 < words <= count or words > MAX_WORDS:
            raise self.malformed_error("", f"it says {words:,} words of {count:,}; there may be 1 to {MAX_WORDS:,}")
        for number in range(1, count + 1):
            word = file.take_until_nul(f"word {number:,} of {count:,}")
            kind = file.take(9)[8]
            if (kind == _WORD) != (number <= words):
                raise self.malformed_error(f"word {number:,} of {count:,}", f"it is of kind {kind}")
            if number <= words:
                yield word.decode(errors="backslashreplace")  # as gensim does: some models have such words
        for _ in range(max(pruned, 0)):
            file.take(8)


@define
class _ByteReader:
    """Buffered reader of a binary file."""

    _file: BufferedReader
    _source: VectorSource
    _data: bytes = b""
    _begin: int = 0

    def take(self, size: int) -> bytes:
        """Read exactly `size` bytes."""
        if len(self._data) - self._begin < size:
            self._refill(size)
        if len(self._data) - self._begin < size:
            raise self._source.malformed_error("", "the file ends too early")
        self._begin += size
        return self._data[self._begin - size : self._begin]

    def take_until_nul(self, place: str) -> bytes:
        """Read the bytes before the next NUL, and skip the NUL."""
        end = self._data.find(b"\0", self._begin)
        if end < 0:
            self._refill(MAX_WORD_BYTES)
            end = self._data.find(b"\0", self._begin)
        if end < 0 or end - self._begin > MAX_WORD_BYTES:
            reason = f"it has more than {MAX_WORD_BYTES:,} bytes, or the file ends in it"
            raise self._source.malformed_error(place, reason)
        word, self._begin = self._data[self._begin : end], end + 1
        return word

    def _refill(self, size: int) -> None:
        self._data, self._begin = self._data[self._begin :] + self._file.read(max(size, _READ_SIZE)), 0
