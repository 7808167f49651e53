"""Word → records (integers), stored as a hash table or as a trie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from struct import pack, unpack, unpack_from
from typing import Any, Protocol
from zlib import crc32

import marisa_trie

from meteorlib.resources.store.data_file import DataFile

_RECORD_FORMAT = ">I"
_MAX_COUNT = 255  # bytes of a word, records of a word
_WORDS_IN_A_BUCKET = 2


class Records(Protocol):
    """Word → its records."""

    def get(self, word: str) -> tuple[int, ...]:
        """The records of `word`; none where it is not known."""


class RecordTable:
    """Word → its records, ascending, found with two reads of memory.

    A word is in the bucket that the crc32 of its UTF-8 tells. The table begins with the places where buckets begin and
    the last one ends, 32 bits each, least significant byte first. A word in a bucket is its length, the number of its
    records (a byte each), its UTF-8, its records (32 bits, most significant byte first).

    Attributes:
        data: the table.
    """

    __slots__ = ("_mask", "data")

    def __init__(self, data: bytes) -> None:
        """Raises ValueError: it is no such table."""
        count = int.from_bytes(data[:4], "little") // 4 - 1
        end = int.from_bytes(data[4 * count : 4 * count + 4], "little")
        if count < 1 or count & (count - 1) or end != len(data) or end < 4 * count + 4:
            raise ValueError("this is no table of records")
        self.data: bytes = bytes(data)
        self._mask = count - 1

    @classmethod
    def of(cls, records: Iterable[tuple[str, int]]) -> RecordTable:
        """The table of words and their records.

        Raises:
            ValueError: a word, or the number of its records, is above 255.
        """
        words: dict[bytes, list[int]] = {}
        for word, record in sorted(set(records)):
            words.setdefault(word.encode(), []).append(record)
        count = 1 << (len(words) // _WORDS_IN_A_BUCKET).bit_length()
        buckets = [b""] * count
        for key, numbers in words.items():
            if max(len(key), len(numbers)) > _MAX_COUNT:
                raise ValueError(f"{key!r} or the number of its records is above {_MAX_COUNT}")
            entry = bytes((len(key), len(numbers))) + key + pack(f">{len(numbers)}I", *numbers)
            buckets[crc32(key) & (count - 1)] += entry
        places = [4 * (count + 1)]
        for bucket in buckets:
            places.append(places[-1] + len(bucket))
        return cls(pack(f"<{len(places)}I", *places) + b"".join(buckets))

    def get(self, word: str) -> tuple[int, ...]:
        """The records of `word`; none where it is not known."""
        try:
            key = word.encode()
        except UnicodeEncodeError:  # a lone surrogate
            return ()
        data = self.data
        place, end = unpack_from("<II", data, 4 * (crc32(key) & self._mask))
        while place < end:
            behind = place + 2 + data[place]
            if data[place + 2 : behind] == key:
                return unpack_from(f">{data[place + 1]}I", data, behind)
            place = behind + 4 * data[place + 1]
        return ()

    def records(self) -> Iterator[tuple[str, int]]:
        """All words with each of their records, in no order."""
        data, place = self.data, 4 * (self._mask + 2)
        while place < len(data):
            behind = place + 2 + data[place]
            word = data[place + 2 : behind].decode()
            for record in unpack_from(f">{data[place + 1]}I", data, behind):
                yield word, record
            place = behind + 4 * data[place + 1]


class RecordTrie:
    """Word → its records, as a static trie (marisa)."""

    __slots__ = ("_trie",)

    def __init__(self, records: DataFile) -> None:
        """Raises OSError, RuntimeError: it is no such trie."""
        self._trie: Any = records.load(marisa_trie.BytesTrie())

    def get(self, word: str) -> tuple[int, ...]:
        """The records of `word`; none where it is not known."""
        if "\0" in word:  # the trie would stop reading there, and take the word for a shorter one
            return ()
        try:
            records = self._trie.get(word)
        except UnicodeEncodeError:  # a lone surrogate
            return ()
        return unpack(f">{len(records)}I", b"".join(records)) if records else ()


def record_trie(records: Iterable[tuple[str, int]]) -> marisa_trie.RecordTrie:
    """The trie of words and their records, which `RecordTrie` reads once it is in a file."""
    return marisa_trie.RecordTrie(_RECORD_FORMAT, ((word, (record,)) for word, record in sorted(set(records))))


def canonical_bytes(name: str, data: bytes) -> bytes:
    """What tells the data of a packaged file, whatever their layout: its bytes; of a table of records the trie of them.

    Tries were their layout once. The same data have the same digest, and so the same signature.
    """
    return record_trie(RecordTable(data).records()).tobytes() if name.endswith(".records") else data
