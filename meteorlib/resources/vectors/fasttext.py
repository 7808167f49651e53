"""Reader of fastText models (``.bin``): vectors of words and of their subwords."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path

import numpy as np
from attrs import define, field, frozen

from meteorlib.errors import InvalidText, ResourceDamaged
from meteorlib.resources.store.compression import open_decompressed
from meteorlib.resources.vectors.text_formats import MAX_WIDTH, MAX_WORD_BYTES, MAX_WORDS, Row, nonfinite_reason
from meteorlib.resources.vectors.word_vectors import Subwords

MAGIC = b"\xba\x16\x4f\x2f"
"""First bytes of a model file."""

_HEADER = struct.Struct("<4si12id")
_COUNTS = struct.Struct("<3iqq")
_MATRIX = struct.Struct("<?qq")
_OLDEST, _NEWEST, _SUPERVISED, _WORD = 11, 12, 3, 0
_READ_SIZE = 1 << 20


@frozen
class FastTextModel:
    """A fastText model, compressed or not; the data for further training is not read.

    Attributes:
        path: the file.
        name: the resource, for messages.
        progress: called with the share of the file that is read, 0..1.
    """

    path: Path
    name: str
    progress: Callable[[float], None] = field(default=lambda _share: None, repr=False)

    @property
    def subwords(self) -> Subwords | None:
        """Its subwords; None if it was trained without."""
        with self.path.open("rb") as raw:
            return self._read_header(_ByteReader(open_decompressed(raw, str(self.path)), self._malformed_error))[1]

    def rows(self) -> Iterator[Row]:
        """Numbered rows, from 1: the word (None for rows of subwords) and its vector.

        Raises:
            ResourceDamaged: it is no such model, or quantized; says at which word.
            OSError: it cannot be read.
        """
        size = max(self.path.stat().st_size, 1)
        with self.path.open("rb") as raw:
            file = _ByteReader(open_decompressed(raw, str(self.path)), self._malformed_error)
            width, subwords, buckets = self._read_header(file)
            words = list(self._read_words(file))
            quantized, count, columns = _MATRIX.unpack(file.take(_MATRIX.size))
            if quantized:
                reason = f"{self.path} is quantized: its vectors are not those that were trained"
                raise ResourceDamaged(self.name, reason, "use the .bin that it was made from, or a .vec")
            if (count, columns) != (len(words) + buckets, width):
                counts = f"{len(words):,} words, {buckets:,} rows for their parts"
                raise self._malformed_error(f"it has {counts}, and a matrix of {count:,} rows of {columns:,} numbers")
            wanted = count if subwords else len(words)
            for number in range(1, wanted + 1):
                word = words[number - 1] if number <= len(words) else None
                vector = array("f", np.frombuffer(file.take(4 * width), "<f4").astype("f4").tobytes())
                if reason := nonfinite_reason(vector):
                    raise self._malformed_error(f"row {number:,} of {count:,}: {reason}")
                if not number % 4096:
                    self.progress(min(raw.tell() / size, 1.0))
                yield number, word, vector

    def _read_header(self, file: _ByteReader) -> tuple[int, Subwords | None, int]:
        """Read the width of the vectors, the subwords, and the number of subword rows."""
        magic, version, *arguments, _ = _HEADER.unpack(file.take(_HEADER.size))
        width, *_, model, buckets, shortest, longest, _ = arguments
        if magic != MAGIC or not _OLDEST <= version <= _NEWEST:
            raise self._malformed_error(f"it is of version {version:,}; {_OLDEST} and {_NEWEST} are known")
        if not 0 < width <= MAX_WIDTH:
            raise self._malformed_error(f"its vectors have {width:,} numbers; there may be 1 to {MAX_WIDTH:,}")
        if min(buckets, shortest, longest) < 0:
            raise self._malformed_error("its header has a negative number")
        has_parts = longest and buckets and not (version == _OLDEST and model == _SUPERVISED)
        return width, Subwords(shortest, longest, buckets) if has_parts else None, buckets

    def _read_words(self, file: _ByteReader) -> Iterator[str]:
        """Read the words of the dictionary, without the labels that follow them in some models."""
        count, words, _, _, pruned = _COUNTS.unpack(file.take(_COUNTS.size))
        if not 0 < words <= count or words > MAX_WORDS:
            raise self._malformed_error(f"it says {words:,} words of {count:,}; there may be 1 to {MAX_WORDS:,}")
        for number in range(1, count + 1):
            word = file.take_until_nul(f"word {number:,} of {count:,}")
            kind = file.take(9)[8]
            if (kind == _WORD) != (number <= words):
                raise self._malformed_error(f"word {number:,} of {count:,}: it is of kind {kind}")
            if number <= words:
                yield word.decode(errors="backslashreplace")  # as gensim does: some models have such words
        for _ in range(max(pruned, 0)):
            file.take(8)

    def _malformed_error(self, reason: str) -> ResourceDamaged:
        return ResourceDamaged(self.name, f"{self.path}: {reason}", "get the file anew")


@define
class _ByteReader:
    """Buffered reader of a binary file."""

    _file: BufferedReader
    _malformed_error: Callable[[str], ResourceDamaged]
    _data: bytes = b""
    _begin: int = 0

    def take(self, size: int) -> bytes:
        """Read exactly `size` bytes."""
        if len(self._data) - self._begin < size:
            self._refill(size)
        if len(self._data) - self._begin < size:
            raise self._malformed_error("the file ends too early")
        self._begin += size
        return self._data[self._begin - size : self._begin]

    def take_until_nul(self, place: str) -> bytes:
        """Read the bytes before the next NUL, and skip the NUL."""
        end = self._data.find(b"\0", self._begin)
        if end < 0:
            self._refill(MAX_WORD_BYTES)
            end = self._data.find(b"\0", self._begin)
        if end < 0 or end - self._begin > MAX_WORD_BYTES:
            raise self._malformed_error(f"{place}: it has more than {MAX_WORD_BYTES:,} bytes, or the file ends in it")
        word, self._begin = self._data[self._begin : end], end + 1
        return word

    def _refill(self, size: int) -> None:
        try:
            read = self._file.read(max(size, _READ_SIZE))
        except InvalidText as error:
            raise self._malformed_error(error.reason) from error
        self._data, self._begin = self._data[self._begin :] + read, 0
