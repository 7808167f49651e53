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
    """Interface of the mappings from a word to its records."""

    def get(self, word: str) -> tuple[int, ...]:
        """The records of `word`; empty if it is unknown."""


class RecordTable:
    """Hash table: word → its records, ascending.

    The crc32 of a word's UTF-8 selects its bucket. The table starts with the offsets of the buckets and the end of the
    last one, 32 bits each, least significant byte first. A word in a bucket is its length, the number of its
    records (a byte each), its UTF-8, its records (32 bits, most significant byte first).

    Attributes:
        data: the table.
    """

    __slots__ = ("_mask", "data")

    def __init__(self, data: bytes) -> None:
        """Raises ValueError: `data` is not such a table."""
        count = int.from_bytes(data[:4], "little") // 4 - 1
        end = int.from_bytes(data[4 * count : 4 * count + 4], "little")
        if count < 1 or count & (count - 1) or end != len(data) or end < 4 * count + 4:
            raise ValueError("this is no table of records")
        self.data: bytes = bytes(data)
        self._mask = count - 1

    @classmethod
    def of(cls, records: Iterable[tuple[str, int]]) -> RecordTable:
        """Build the table of words and their records.

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
        """The records of `word`; empty if it is unknown."""
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
        """All pairs of a word and a record, in no particular order."""
        data, place = self.data, 4 * (self._mask + 2)
        while place < len(data):
            behind = place + 2 + data[place]
            word = data[place + 2 : behind].decode()
            for record in unpack_from(f">{data[place + 1]}I", data, behind):
                yield word, record
            place = behind + 4 * data[place + 1]


class RecordTrie:
    """Static trie (marisa): word → its records."""

    __slots__ = ("_trie",)

    def __init__(self, records: DataFile) -> None:
        """Raises OSError, RuntimeError: the file is not such a trie."""
        self._trie: Any = records.load(marisa_trie.BytesTrie())

    def get(self, word: str) -> tuple[int, ...]:
        """The records of `word`; empty if it is unknown."""
        if "\0" in word:  # NUL ends a string in the trie, so a shorter word would be found
            return ()
        try:
            records = self._trie.get(word)
        except UnicodeEncodeError:  # a lone surrogate
            return ()
        return unpack(f">{len(records)}I", b"".join(records)) if records else ()


def record_trie(records: Iterable[tuple[str, int]]) -> marisa_trie.RecordTrie:
    """Build the trie of words and their records that `RecordTrie` reads from a file."""
    return marisa_trie.RecordTrie(_RECORD_FORMAT, ((word, (record,)) for word, record in sorted(set(records))))


def canonical_bytes(name: str, data: bytes) -> bytes:
    """Bytes that identify the data of a packaged file: its own, or for a table of records those of the trie.

    Record tables were once stored as tries; this way the same data keeps its digest and signature.
    """
    return record_trie(RecordTable(data).records()).tobytes() if name.endswith(".records") else data
