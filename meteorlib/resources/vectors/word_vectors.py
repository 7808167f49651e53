"""Compiled word vectors, memory-mapped so that their size hardly matters, with subwords for unseen words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import field, frozen, validators

from meteorlib.resources.paraphrases.index import Index
from meteorlib.resources.store.manifest import Manifest
from meteorlib.resources.store.record_table import RecordTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORDS, VECTORS, SUBWORDS = "words.records", "vectors.f32", "subwords.json"

END_OF_LINE = "</s>"
"""fastText's word for the end of a line, the only one without subwords."""

_START, _PRIME, _MASK = 2166136261, 16777619, 0xFFFFFFFF


@frozen
class Subwords:
    """Mapping from a word to the matrix rows of its subwords, as in fastText (Bojanowski et al. 2017).

    A subword is a run of characters of ``<word>``. Subwords share rows: the row is chosen by a hash.

    Attributes:
        shortest: smallest number of characters of a subword.
        longest: largest number of characters of a subword.
        buckets: number of rows for subwords.
    """

    shortest: int = field(validator=[validators.instance_of(int), validators.ge(0)])
    longest: int = field(validator=[validators.instance_of(int), validators.ge(1)])
    buckets: int = field(validator=[validators.instance_of(int), validators.ge(1)])

    def rows(self, word: str) -> list[int]:
        """The row of each subword of a word, from 0, in fastText's order.

        Raises:
            UnicodeEncodeError: the word holds a lone surrogate.
        """
        return [_fnv1a(part) % self.buckets for part in self.parts(word)]

    def parts(self, word: str) -> Iterator[bytes]:
        """The subwords of a word, in UTF-8.

        Raises:
            UnicodeEncodeError: the word holds a lone surrogate.
        """
        characters = [] if word == END_OF_LINE else [character.encode() for character in f"<{word}>"]
        end = len(characters)
        for begin in range(end):
            for size in range(max(self.shortest, 1), min(self.longest, end - begin) + 1):
                if size > 1 or 0 < begin < end - 1:  # a bracket alone is not a subword
                    yield b"".join(characters[begin : begin + size])


def _fnv1a(part: bytes) -> int:
    """32-bit FNV-1a hash with signed bytes, as in fastText."""
    value = _START
    for byte in part:
        value = ((value ^ (byte if byte < 128 else byte | 0xFFFFFF00)) * _PRIME) & _MASK
    return value


class WordVectors:
    """Compiled word vectors: word → its unchanged vector. They can be shared between threads.

    The numbers are memory-mapped, so only the vectors of requested words are read. If subwords have vectors (fastText),
    the vector of a word is the mean of its own and those of its subwords; a word that the file lacks gets the mean of
    its subwords.

    Attributes:
        source_sha256: digest of the source file.
        width: number of dimensions.
        subwords: subwords of words; None if they have no vectors.
    """

    __slots__ = ("_index", "_rows", "_vectors", "source_sha256", "subwords", "width")

    def __init__(self, folder: Path, name: str) -> None:
        """Open the index in `folder`.

        Raises:
            ResourceDamaged: it is incomplete, changed, or of another version.
        """
        import numpy as np  # noqa: PLC0415 – nothing else of the resources needs it

        more = [SUBWORDS] if SUBWORDS in Manifest.read(folder, name).files else []
        index = self._index = Index(folder, name, (WORDS, VECTORS, *more), (WORDS, *more))
        self.source_sha256: str = index.manifest.source_sha256
        count = index.manifest.entries
        try:
            self.subwords: Subwords | None = Subwords(**json.loads(index.files[SUBWORDS].read())) if more else None
            self._rows = RecordTable(index.files[WORDS].read())
            numbers = np.frombuffer(index.files[VECTORS].map_numbers(), np.float32)
            total = count + (self.subwords.buckets if self.subwords else 0)
            self._vectors: NDArray[np.float32] = numbers.reshape(total, -1)
        except (OSError, TypeError, ValueError) as error:
            raise index.damaged(f"{folder} cannot be opened ({error})") from error
        if len(self._rows) != count:
            raise index.damaged(f"the files in {folder} do not match")
        self.width: int = self._vectors.shape[1]

    def __len__(self) -> int:
        return len(self._rows)

    def __call__(self, word: str) -> NDArray[np.float32] | None:
        """A copy of the vector of `word`, looked up unchanged; None if it has none.

        Raises:
            ResourceDamaged: the file was written to while it was in use.
        """
        row = self._row(word)
        if self.subwords is None:
            return None if row is None else self._copy_rows([row])[0]
        try:
            parts = [len(self) + part for part in self.subwords.rows(word)]
        except UnicodeEncodeError:
            return None
        rows = self._copy_rows([*([] if row is None else [row]), *parts])
        if not len(rows):
            return None
        total: NDArray[np.float32] = rows.cumsum(axis=0)[-1]
        total *= total.dtype.type(1 / len(rows))
        return total

    def _row(self, word: str) -> int | None:
        rows = self._rows.get(word)
        return rows[0] if rows else None

    def _copy_rows(self, rows: list[int]) -> NDArray[np.float32]:
        if max(rows, default=0) >= len(self._vectors):
            raise self._index.damaged("its numbers point outside the vectors")
        self._index.check()
        vectors: NDArray[np.float32] = self._vectors[rows]
        self._index.check()
        return vectors
