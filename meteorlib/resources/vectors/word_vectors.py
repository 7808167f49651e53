"""Compiled word vectors, memory-mapped so that their size hardly matters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from meteorlib.resources.paraphrases.index import Index
from meteorlib.resources.store.manifest import Manifest
from meteorlib.resources.store.record_table import RecordTable
from meteorlib.resources.vectors.subwords import Subwords

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORDS, VECTORS, SUBWORDS = "words.records", "vectors.f32", "subwords.json"


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
