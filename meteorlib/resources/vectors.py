"""Word vectors: compiled out of a file into an index that is memory-mapped, however large it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import marisa_trie

from meteorlib.errors import ResourceMissing, UnknownName
from meteorlib.resources.catalog import is_vectors
from meteorlib.resources.folder import cache_folder
from meteorlib.resources.index import Index, open_index
from meteorlib.resources.manifest import Manifest
from meteorlib.resources.subwords import Subwords
from meteorlib.resources.tables import opened_at_first_use

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from meteorlib.resources.static_model import StaticModel

WORDS, NUMBERS, VECTORS, SUBWORDS = "words.marisa", "numbers.u32", "vectors.f32", "subwords.json"

REMEDY = "run `meteorlib resources install {name} --from FILE` with their file (docs/family.md has the formats)"


class WordVectors:
    """Compiled word vectors: word → its vector as the file has it. It can be shared between threads.

    The numbers are mapped into memory, so that only those of the words that are asked for are read. Where parts of
    words have vectors (fastText), a word's is the mean of its own and those of its parts, and one that the file does
    not have gets that of its parts.

    Attributes:
        source_sha256: digest of the file that was compiled.
        width: numbers of a vector.
        subwords: which parts a word has; None: these have no vectors.
    """

    __slots__ = ("_find", "_index", "_rows", "_vectors", "source_sha256", "subwords", "width")

    def __init__(self, folder: Path, name: str) -> None:
        """Open the index in `folder`.

        Raises:
            ResourceDamaged: it is incomplete, changed, or of another version.
        """
        import numpy as np  # noqa: PLC0415 – nothing else of the resources needs it

        more = [SUBWORDS] if SUBWORDS in Manifest.read(folder, name).files else []
        index = self._index = Index(folder, name, (WORDS, NUMBERS, VECTORS, *more), (WORDS, NUMBERS, *more))
        self.source_sha256: str = index.manifest.source_sha256
        count = index.manifest.entries
        try:
            self.subwords: Subwords | None = Subwords(**json.loads(index.files[SUBWORDS].read())) if more else None
            words = index.files[WORDS].load(marisa_trie.Trie())
            self._rows = index.files[NUMBERS].numbers()
            numbers = np.frombuffer(index.files[VECTORS].map_numbers(), np.float32)
            total = count + (self.subwords.buckets if self.subwords else 0)
            self._vectors: NDArray[np.float32] = numbers.reshape(total, -1)
        except (OSError, RuntimeError, TypeError, ValueError) as error:
            raise index.damaged(f"{folder} cannot be opened ({error})") from error
        if not len(words) == len(self._rows) == count:
            raise index.damaged(f"the files in {folder} do not fit each other")
        self._find: Callable[[str, int], int] = words.get
        self.width: int = self._vectors.shape[1]

    def __len__(self) -> int:
        return len(self._rows)

    def __call__(self, word: str) -> NDArray[np.float32] | None:
        """The vector of `word`, a copy; None where it has none. Words are looked up as they stand.

        Raises:
            ResourceDamaged: the file was written to while it was in use.
        """
        row = self._found(word)
        if self.subwords is None:
            return None if row is None else self._copied([row])[0]
        try:
            parts = [len(self) + part for part in self.subwords.rows(word)]
        except UnicodeEncodeError:
            return None
        rows = self._copied([*([] if row is None else [row]), *parts])
        if not len(rows):
            return None
        total: NDArray[np.float32] = rows.cumsum(axis=0)[-1]
        total *= total.dtype.type(1 / len(rows))
        return total

    def _found(self, word: str) -> int | None:
        try:
            key = self._find(word, -1) if "\0" not in word else -1
        except UnicodeEncodeError:  # a lone surrogate: no such word
            return None
        return None if key < 0 else self._rows[key]

    def _copied(self, rows: list[int]) -> NDArray[np.float32]:
        if max(rows, default=0) >= len(self._vectors):
            raise self._index.damaged("its numbers lead out of the vectors")
        self._index.check()
        vectors: NDArray[np.float32] = self._vectors[rows]
        self._index.check()
        return vectors


def open_vectors(name_or_path: str) -> WordVectors | StaticModel:
    """Open word vectors.

    Args:
        name_or_path: ``vectors-XX``, as it was installed; or a file, which is compiled at its first use.

    Returns:
        Of an installed model of model2vec's, what it gives any word.

    Raises:
        ResourceMissing: they are not installed, there is no such file, or the cache folder cannot be written.
        ResourceDamaged: it is no such file (says at which line), or the index is changed.
        UnknownName: neither such a name nor a path.
        ExtraMissing: they are a model of model2vec's, which is not installed.
    """
    if is_vectors(name_or_path):
        found = open_index(cache_folder() / name_or_path, name_or_path, _opened)
        if found is None:
            raise ResourceMissing(name_or_path, REMEDY.format(name=name_or_path))
        return found
    path = Path(name_or_path)
    if path.is_dir():
        remedy = f"install it: `meteorlib resources install vectors-XX --from {name_or_path}`"
        raise ResourceMissing(name_or_path, f"a folder is used under a name; {remedy}")
    if not path.is_file() and path.name == name_or_path:
        raise UnknownName("word vectors", name_or_path, ("vectors-XX",))
    return opened_at_first_use(path, _compile_file, lambda index: WordVectors(index, name_or_path))


def _opened(folder: Path, name: str) -> WordVectors | StaticModel:
    from meteorlib.resources.static_model import StaticModel  # noqa: PLC0415 – few have one

    made = WordVectors if WORDS in Manifest.read(folder, name).files else StaticModel
    return made(folder, name)


def _compile_file(path: Path, target_dir: Path, name: str) -> None:
    from meteorlib.resources.vector_compiler import compile_vector_file  # noqa: PLC0415 – at the first use alone

    compile_vector_file(path, target_dir, name)
