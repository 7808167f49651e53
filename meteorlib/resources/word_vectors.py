"""Compiled word vectors, memory-mapped so that their size hardly matters, with subwords for unseen words."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen, validators

from meteorlib.errors import ResourceDamaged, ResourceMissing, UnknownName
from meteorlib.extras import Packages, import_extra, installed_versions, offline
from meteorlib.resources.catalog import is_vectors
from meteorlib.resources.store.index import Index, open_compiled, open_installed
from meteorlib.resources.store.manifest import Manifest, durable_writer, sha256_of

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

    A subword is a run of `shortest` to `longest` characters of ``<word>``. Subwords share `buckets` rows: the row is
    chosen by a hash.
    """

    shortest: int = field(validator=[validators.instance_of(int), validators.ge(0)])
    longest: int = field(validator=[validators.instance_of(int), validators.ge(1)])
    buckets: int = field(validator=[validators.instance_of(int), validators.ge(1)])

    def rows(self, word: str) -> list[int]:
        """The row of each subword of a word, from 0, in fastText's order; `UnicodeEncodeError`: a lone surrogate."""
        return [_fnv1a(part) % self.buckets for part in self.parts(word)]

    def parts(self, word: str) -> Iterator[bytes]:
        """The subwords of a word, in UTF-8."""
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
    """

    __slots__ = ("_index", "_rows", "_vectors", "source_sha256", "subwords", "width")

    def __init__(self, folder: Path, name: str) -> None:
        """Open the index in `folder`."""
        import numpy as np  # noqa: PLC0415 – an extra

        more = [SUBWORDS] if SUBWORDS in Manifest.read(folder, name).files else []
        index = self._index = Index(folder, name, (WORDS, VECTORS, *more), (WORDS, *more))
        self.source_sha256: str = index.manifest.source_sha256
        count = index.manifest.entries
        self._rows = index.records(WORDS)
        with index.reading(folder):
            self.subwords: Subwords | None = Subwords(**json.loads(index.files[SUBWORDS].read())) if more else None
            numbers = np.frombuffer(index.files[VECTORS].map_numbers(), np.float32)
            total = count + (self.subwords.buckets if self.subwords else 0)
            self._vectors: NDArray[np.float32] = numbers.reshape(total, -1)
        if len(self._rows) != count:
            raise index.damaged(f"the files in {folder} do not match")
        self.width: int = self._vectors.shape[1]

    def __len__(self) -> int:
        return len(self._rows)

    def __call__(self, word: str) -> NDArray[np.float32] | None:
        """A copy of the vector of `word`, looked up unchanged; None if it has none."""
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


EXTRA = "model2vec"
FILES = ("config.json", "model.safetensors", "tokenizer.json")
"""Files of a model."""

MAX_VECTOR_BYTES = 1 << 32
"""Largest file of vectors, in bytes, held in memory; the largest known has 0.5 GB."""


class StaticModel:
    """An installed model: word → its vector by model2vec. It can be shared between threads."""

    __slots__ = ("_model", "source_sha256", "versions")

    def __init__(self, folder: Path, name: str) -> None:
        """Open the index in `folder`."""
        index = Index(folder, name, FILES, FILES)
        self._model = _load_model(folder, name)
        if any(file.touched() for file in index.files.values()):
            raise index.damaged(f"{folder} has been changed while it was opened")
        self.source_sha256: str = index.manifest.source_sha256
        self.versions: Packages = installed_versions([EXTRA], EXTRA)

    def __call__(self, word: str) -> NDArray[Any]:
        """The vector of `word`; all zeros if none of its pieces is known."""
        vector: NDArray[Any] = self._model.encode(word)
        return vector


def copy_model(source: Path, target_dir: Path, name: str, license_: str) -> None:
    """Copy a model into the empty folder `target_dir`, and check that model2vec can load it."""
    if not all((source / file).is_file() for file in FILES):
        reason = f"{source} is not a model2vec model, which has {', '.join(FILES[:-1])} and {FILES[-1]}"
        raise ResourceDamaged(name, reason, "name a file of vectors, or the folder of a model")
    size = (source / FILES[1]).stat().st_size
    if size > MAX_VECTOR_BYTES:
        raise ResourceDamaged(
            name, f"{source / FILES[1]} has more than {MAX_VECTOR_BYTES:,} bytes", "take a smaller model"
        )
    for file in FILES:
        with (source / file).open("rb") as read, durable_writer(target_dir / file) as written:
            shutil.copyfileobj(read, written)
    import numpy as np  # noqa: PLC0415 – nothing else of the resources needs it

    model = _load_model(target_dir, name)
    weights = [numbers for numbers in (model.embedding, model.weights) if numbers is not None]
    if not all(np.isfinite(numbers).all() for numbers in weights):
        raise ResourceDamaged(name, f"{source / FILES[1]}: a number of it is not finite", "get the model anew")
    Manifest.write_index(
        target_dir,
        dict.fromkeys(FILES),
        resource=name,
        source_sha256=sha256_of(*[target_dir / file for file in FILES]),
        source_size=size,
        entries=len(model.tokens),
        phrases=len(model.tokens),
        origin=f"the folder {source.resolve().name}",
        license=license_,
    )


def _load_model(folder: Path, name: str) -> Any:
    model2vec = import_extra("model2vec", EXTRA)
    try:
        with offline():  # it would look for a folder without a model on the network
            model = model2vec.StaticModel.from_pretrained(folder)
            model.encode("a")  # what cannot be computed with the settings in the folder is found now
            return model
    except Exception as error:  # whatever a broken file raises, in three libraries
        reason = f"model2vec cannot load {folder} ({type(error).__name__}: {error})"
        raise ResourceDamaged(name, reason, "get the model anew") from error


def open_vectors(name_or_path: str) -> WordVectors | StaticModel:
    """Open ``vectors-XX`` as it was installed, or a file, which is compiled at its first use."""
    if is_vectors(name_or_path):
        return open_installed(name_or_path, _open_index)
    path = Path(name_or_path)
    if path.is_dir():
        remedy = f"install it: `meteorlib resources install vectors-XX --from {name_or_path}`"
        raise ResourceMissing(name_or_path, f"a folder is used under a name; {remedy}")
    if not path.is_file() and path.name == name_or_path:
        raise UnknownName("word vectors", name_or_path, ("vectors-XX",))
    compiler = "meteorlib.resources.vector_compiler:compile_vector_file"
    return open_compiled(path, compiler, lambda index: WordVectors(index, name_or_path))


def _open_index(folder: Path, name: str) -> WordVectors | StaticModel:
    opener = WordVectors if WORDS in Manifest.read(folder, name).files else StaticModel
    return opener(folder, name)
