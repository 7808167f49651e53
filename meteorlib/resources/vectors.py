"""Word vectors: compiled out of a file into an index that is memory-mapped, however large it is."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import marisa_trie

from meteorlib.errors import ResourceDamaged, ResourceMissing, UnknownName
from meteorlib.resources.catalog import is_vectors
from meteorlib.resources.files import DataFile
from meteorlib.resources.folder import cache_folder
from meteorlib.resources.index import Index, open_index
from meteorlib.resources.manifest import Manifest, sha256_of, write_durably
from meteorlib.resources.tables import opened_at_first_use
from meteorlib.resources.vector_files import VectorFile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORDS, NUMBERS, VECTORS = "words.marisa", "numbers.u32", "vectors.f32"

REMEDY = "run `meteorlib resources install {name} --from FILE` with a file of word vectors"


class WordVectors:
    """Compiled word vectors: word → its vector as the file has it. It can be shared between threads.

    The numbers are mapped into memory, so that only those of the words that are asked for are read.

    Attributes:
        source_sha256: digest of the file that was compiled.
        width: numbers of a vector.
    """

    __slots__ = ("_find", "_index", "_rows", "_vectors", "source_sha256", "width")

    def __init__(self, folder: Path, name: str) -> None:
        """Open the index in `folder`.

        Raises:
            ResourceDamaged: it is incomplete, changed, or of another version.
        """
        import numpy as np  # noqa: PLC0415 – nothing else of the resources needs it

        index = self._index = Index(folder, name, (WORDS, NUMBERS, VECTORS), (WORDS, NUMBERS))
        self.source_sha256 = index.manifest.source_sha256
        count = index.manifest.entries
        try:
            words = index.files[WORDS].load(marisa_trie.Trie())
            self._rows = index.files[NUMBERS].numbers()
            numbers = np.frombuffer(index.files[VECTORS].map_numbers(), np.float32)
            self._vectors: NDArray[np.float32] = numbers.reshape(count, -1)
        except (OSError, RuntimeError, TypeError, ValueError) as error:
            raise index.damaged(f"{folder} cannot be opened ({error})") from error
        if not len(words) == len(self._rows) == count:
            raise index.damaged(f"the files in {folder} do not fit each other")
        self._find: Callable[[str, int], int] = words.get
        self.width = self._vectors.shape[1]

    def __len__(self) -> int:
        return len(self._rows)

    def __call__(self, word: str) -> NDArray[np.float32] | None:
        """The vector of `word`, a copy; None where it has none. Words are looked up as they stand.

        Raises:
            ResourceDamaged: the file was written to while it was in use.
        """
        try:
            key = self._find(word, -1) if "\0" not in word else -1
        except UnicodeEncodeError:  # a lone surrogate: no such word
            return None
        if key < 0:
            return None
        row = self._rows[key]
        if row >= len(self._vectors):
            raise self._index.damaged("its numbers lead out of the vectors")
        self._index.check()
        vector: NDArray[np.float32] = self._vectors[row].copy()
        self._index.check()
        return vector


def open_vectors(name_or_path: str) -> WordVectors:
    """Open word vectors.

    Args:
        name_or_path: ``vectors-XX``, as it was installed; or a file, which is compiled at its first use.

    Raises:
        ResourceMissing: they are not installed, there is no such file, or the cache folder cannot be written.
        ResourceDamaged: it is no such file (says at which line), or the index is changed.
        UnknownName: neither such a name nor a path.
    """
    if is_vectors(name_or_path):
        found = open_index(cache_folder() / name_or_path, name_or_path, WordVectors)
        if found is None:
            raise ResourceMissing(name_or_path, REMEDY.format(name=name_or_path))
        return found
    path = Path(name_or_path)
    if not path.is_file() and path.name == name_or_path:
        raise UnknownName("word vectors", name_or_path, ("vectors-XX",))
    return opened_at_first_use(path, _compile_file, lambda index: WordVectors(index, name_or_path))


def _compile_file(path: Path, target_dir: Path, name: str) -> None:
    compile_vectors(path, target_dir, lambda _share: None, name)


def compile_vectors(
    source: Path, target_dir: Path, progress: Callable[[float], None], name: str, license_: str = ""
) -> None:
    """Compile word vectors into `target_dir`, which must exist; the manifest is written last.

    The words stand in memory meanwhile, the vectors never do.

    Args:
        source: see `meteorlib.resources.vector_files.VectorFile`.
        target_dir: an empty folder.
        progress: called now and then with the share that is done, 0..1.
        name: the resource, for the manifest and for messages.
        license_: of the data.

    Raises:
        ResourceMissing: there is no such file.
        ResourceDamaged: it is no such file; says at which line.
        OSError: a file cannot be read or written.
    """
    if not source.is_file():
        raise ResourceMissing(name, f"there is no file {source}")
    rows: dict[str, int] = {}
    digest, size = sha256(), 0
    with (target_dir / VECTORS).open("wb") as file:
        for number, word, vector in VectorFile(source, name, lambda share: progress(0.8 * share)).rows():
            first = rows.setdefault(word, number)
            if first != number:
                reason = f"{source}, word {number:,}: {word!r} has a vector already, as word {first:,}"
                raise ResourceDamaged(name, reason, "leave one of them out")
            data = vector.tobytes()
            digest.update(data)
            size += file.write(data)
        file.flush()
        os.fsync(file.fileno())
    words = marisa_trie.Trie(rows)
    numbers = array("I", bytes(4 * len(rows)))
    for number, word in enumerate(rows):
        numbers[words[word]] = number
    write_durably(target_dir / WORDS, words.tobytes())
    write_durably(target_dir / NUMBERS, numbers.tobytes())
    small = {file: (DataFile(target_dir / file)) for file in (WORDS, NUMBERS)}
    Manifest(
        resource=name,
        source_sha256=sha256_of(source),
        source_size=source.stat().st_size,
        entries=len(rows),
        phrases=len(rows),
        files={
            **{file: (data.state.size, data.sha256()) for file, data in small.items()},
            VECTORS: (size, digest.hexdigest()),
        },
        origin=f"the file {source.name}",
        license=license_,
    ).write(target_dir)
    progress(1.0)
