"""Sorted table of words and their records (integers), in which all language data with words are kept."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from struct import pack, unpack_from
from typing import Any, Generic, Literal, TypeVar, final

from attrs import frozen

from meteorlib.core.signature import part_name

BLOCK = 8
"""Words of a block; the compiled engine has the same number in words/records.pxd."""

_HEADER = "<4I"
_HEADER_BYTES = 16
_HEAD = 8  # bytes of a block's first word that say where to look
_SEPARATOR = b"\xff"  # never a byte of UTF-8
_MAX_COUNT = (1 << 16) - 1


class RecordTable:
    """Words in the order of their UTF-8, with the records of each word, ascending.

    A word is found by binary search among the first eight bytes of every eighth word, then by comparison. The parts
    of the table follow each other; its own numbers are of 32 bits, least significant byte first:

    - the numbers of words and records, the bytes of a record, the bytes of the words;
    - for each block of eight words, the first eight bytes of its first word, padded with zeros; then the start of the
      block's words and the index of its first record, both also for the end of the last block;
    - the number of records of each word: first the low bytes of all, then the high bytes;
    - the records: first the most significant bytes of all, last the least significant ones;
    - the words, each between two bytes 255.

    Bytes of the same kind are adjacent, and so are similar words: compressed, the table is half as large as a hash
    table.
    """

    data: bytes
    _count: int

    def __init__(self, data: bytes) -> None:
        """Raises ValueError: `data` is not such a table."""
        self.data = data = bytes(data)
        if len(data) < _HEADER_BYTES:
            raise ValueError("this is not a table of records")
        self._count, self._record_count, width, length = unpack_from(_HEADER, data)
        blocks = -(-self._count // BLOCK)
        begins = _HEADER_BYTES + _HEAD * blocks
        self._counts = begins + 8 * (blocks + 1)
        self._records = self._counts + 2 * self._count
        self._words = self._records + width * self._record_count
        if width > 4 or length < 1 or self._words + length != len(data):
            raise ValueError("this is not a table of records")
        self._heads = _numbers("Q", data[_HEADER_BYTES:begins], "big")
        places = _numbers("I", data[begins : self._counts], "little")
        self._begins, self._first_records = places[: blocks + 1], places[blocks + 1 :]

    def __len__(self) -> int:
        return self._count

    @classmethod
    def of(cls, records: Iterable[tuple[str, int]]) -> RecordTable:
        """Build the table of words and their records; `ValueError`: a word has more than 65,535."""
        words: dict[bytes, list[int]] = {}
        for word, record in sorted(set(records)):
            words.setdefault(word.encode(), []).append(record)
        return cls.of_words(words)

    @classmethod
    def of_words(cls, words: Mapping[bytes, Sequence[int]]) -> RecordTable:
        """Build the table of UTF-8 words and their records, which may be none; `ValueError` as for `of`."""
        ordered = sorted(words)
        heads, places, first_records, length, records = bytearray(), [], [], 0, array("I")
        counts = array("I")
        for index, word in enumerate(ordered):
            if not index % BLOCK:
                heads += word[:_HEAD].ljust(_HEAD, b"\0")
                places.append(length)
                first_records.append(len(records))
            length += len(word) + 1
            counts.append(len(words[word]))
            records.extend(sorted(words[word]))
        if max(counts, default=0) > _MAX_COUNT:
            raise ValueError(f"{ordered[counts.index(max(counts))]!r} has more than {_MAX_COUNT:,} records")
        places += [length]
        first_records += [len(records)]
        width = (max(records, default=0).bit_length() + 7) // 8
        parts = [
            pack(_HEADER, len(ordered), len(records), width, length + 1),
            bytes(heads),
            pack(f"<{2 * len(places)}I", *places, *first_records),
            *_planes(counts, 2)[::-1],
            *_planes(records, width),
            _SEPARATOR,
            *[word + _SEPARATOR for word in ordered],
        ]
        return cls(b"".join(parts))

    def index(self, word: str) -> int:
        """The place of `word` among the words, from 0; -1 if it is unknown."""
        try:
            key = word.encode()
        except UnicodeEncodeError:  # a lone surrogate
            return -1
        head = int.from_bytes(key[:_HEAD].ljust(_HEAD, b"\0"), "big")
        words, begins, data = self._words, self._begins, self.data
        last = bisect_right(self._heads, head)
        block = max(bisect_left(self._heads, head, 0, last) - 1, 0)
        start = data.find(_SEPARATOR + key + _SEPARATOR, words + begins[block], words + begins[last] + 1)
        if start < 0:
            return -1
        if last - block > 1:
            block = bisect_right(begins, start - words, block, last) - 1
        return BLOCK * block + data.count(_SEPARATOR, words + begins[block], start)

    def get(self, word: str) -> tuple[int, ...]:
        """The records of `word`; empty if it is unknown."""
        index = self.index(word)
        return () if index < 0 else self.records_at(index)

    def records_at(self, index: int) -> tuple[int, ...]:
        """The records of a word by its place."""
        data, block = self.data, index // BLOCK
        begin, here = self._counts + BLOCK * block, self._counts + index
        high = self._count  # bytes from the low byte of a count to its high byte
        first = self._first_records[block] + sum(data[begin:here]) + 256 * sum(data[begin + high : here + high])
        first += self._records
        step = self._record_count
        return tuple(
            [
                int.from_bytes(data[position : self._words : step], "big")
                for position in range(first, first + data[here] + 256 * data[here + high])
            ]
        )

    def word(self, index: int) -> str:
        """A word by its place; `IndexError`: there is none at that place."""
        block = index // BLOCK
        if not 0 <= index < self._count:
            raise IndexError(index)
        begin, end = self._begins[block : block + 2]
        words = self.data[self._words + begin + 1 : self._words + end].split(_SEPARATOR)
        return words[index % BLOCK].decode()

    def words(self) -> list[str]:
        """All words, in order."""
        text = self.data[self._words + 1 : -1]
        return [word.decode() for word in text.split(_SEPARATOR)] if self._count else []

    def records(self) -> Iterator[tuple[str, int]]:
        """All pairs of a word and a record, in order."""
        for index, word in enumerate(self.words()):
            for record in self.records_at(index):
                yield word, record


def _numbers(code: Literal["I", "Q"], data: bytes, byteorder: str) -> array[int]:
    numbers = array(code, data)
    if sys.byteorder != byteorder:
        numbers.byteswap()
    return numbers


def _planes(numbers: Sequence[int], width: int) -> list[bytes]:
    """Most significant bytes of all numbers, then the next ones."""
    return [bytes([number >> 8 * byte & 0xFF for number in numbers]) for byte in reversed(range(width))]


Answer = TypeVar("Answer")


@final
@frozen
class TableDriven(Generic[Answer]):
    """A function of words, with the lookup tables of its compiled form.

    This declares that the compiled engine gives the same answers from the tables, which `tables` makes or opens when an
    engine is built. A function without a compiled form, such as one that wraps or extends a built-in one, is passed on
    unchanged and called once for each new word.
    """

    function: Callable[[str], Answer]
    tables: Callable[[], Any]

    def __call__(self, word: str) -> Answer:
        """The answer for a word."""
        return self.function(word)

    @property
    def signature_name(self) -> str:
        """The name of the function in signatures."""
        return part_name(self.function)


def tables_of(function: object) -> Any:
    """Lookup tables of a function's compiled form; None if it declares none."""
    return function.tables() if type(function) is TableDriven else None  # a class that extends it answers otherwise
