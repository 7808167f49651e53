"""Compiler from files of word vectors, also those of gensim and model2vec, to a memory-mapped index."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator
from contextlib import suppress
from glob import escape
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from attrs import asdict, field, frozen

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.extras import import_extra
from meteorlib.resources.store.compression import Progress, Source
from meteorlib.resources.store.manifest import Manifest, durable_writer, sha256_of
from meteorlib.resources.store.record_table import RecordTable
from meteorlib.resources.vector_files import MAGIC, MAX_WIDTH, MAX_WORDS, FastTextModel, Row, VectorFile, VectorSource
from meteorlib.resources.word_vectors import SUBWORDS, VECTORS, WORDS, Subwords, copy_model

EXTRA = "gensim"
PREFIX = "gensim:"
"""Prefix of a source by which users declare that they trust the file."""

_PICKLE_MAGIC = b"\x80"
"""First byte of a pickle."""


@frozen
class KeyedVectors(VectorSource):
    """Vectors in a file saved by gensim, ``KeyedVectors`` (``.kv``) or a model with them, loaded by gensim.

    Large arrays in files beside it are mapped. Loading it runs code from the file, so open only files from sources that
    you trust.
    """

    remedy: ClassVar[str] = "have gensim store it anew"
    _vectors: Any = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        loader = import_extra("gensim.utils", EXTRA).SaveLoad
        with self.path.open("rb") as file:
            if not file.read(2).startswith((_PICKLE_MAGIC, b"\x1f\x8b", b"BZ")):
                raise self.malformed_error("", "gensim did not save it")
        packed = self.path.suffix in {".gz", ".bz2"}
        try:
            loaded = loader.load(str(self.path), mmap=None if packed else "r")
        except Exception as error:  # whatever a broken object raises
            raise self.malformed_error("", f"gensim cannot load it ({type(error).__name__}: {error})") from error
        vectors = getattr(loaded, "wv", loaded)
        if not isinstance(vectors, import_extra("gensim.models", EXTRA).KeyedVectors):
            raise self.malformed_error("", f"it is a {type(loaded).__name__}, which has no word vectors")
        object.__setattr__(self, "_vectors", vectors)

    @property
    def files(self) -> list[Path]:
        """The file, and the files beside it with its large arrays."""
        return [self.path, *sorted(self.path.parent.glob(f"{escape(self.path.name)}.*.np[yz]"))]

    @property
    def subwords(self) -> Subwords | None:
        """Its subwords; None if it has none."""
        vectors = self._vectors
        if not getattr(vectors, "bucket", 0) or not vectors.max_n:
            return None
        return Subwords(int(vectors.min_n), int(vectors.max_n), int(vectors.bucket))

    def rows(self) -> Iterator[Row]:
        """See `VectorSource`."""
        stored = self._vectors
        words: list[object] = stored.index_to_key
        parts = [] if self.subwords is None else stored.vectors_ngrams
        own = stored.vectors if self.subwords is None else stored.vectors_vocab
        for array_ in filter(len, (own, parts)):
            if np.ndim(array_) != 2 or not np.can_cast(array_.dtype, np.float32, "same_kind"):
                reason = f"its vectors are an array of {array_.dtype} of shape {np.shape(array_)}"
                raise self.malformed_error("", reason)
        width = own.shape[1]
        if not 0 < len(words) <= MAX_WORDS or not 0 < width <= MAX_WIDTH:
            raise self.malformed_error("", f"it has {len(words):,} words of {width:,} numbers")
        if len(own) != len(words) or len(parts) != (self.subwords.buckets if self.subwords else 0):
            reason = f"it has {len(words):,} words, {len(own):,} vectors, {len(parts):,} of their parts"
            raise self.malformed_error("", reason)
        for number, row in enumerate((row for rows in (own, parts) for row in rows), 1):
            word = words[number - 1] if number <= len(words) else None
            place = f"word {number:,} of {len(words):,}" if word is not None else f"row {number:,}"
            if number <= len(words) and not (isinstance(word, str) and word and "\0" not in word):
                raise self.malformed_error(place, f"a word is expected, found {word!r:.40}")
            vector = array("f", np.asarray(row, np.float32).tobytes())
            if not number % 4096:
                self.progress(min(number / (len(own) + len(parts)), 1.0))
            yield number, word, self.check_finite(place, vector)  # type: ignore[misc]


def compile_vectors(source: str, target_dir: Path, progress: Progress, name: str, license_: str = "") -> None:
    """Compile word vectors into the empty folder `target_dir`.

    The words are held in memory meanwhile. The vectors are not, except those of model2vec, and those of gensim that are
    not in separate files.

    `source` is a file (see `meteorlib.resources.vector_files`); ``gensim:FILE`` for a file saved by gensim from a
    source that you trust, because loading it runs code from the file; or the folder of a model2vec model.
    """
    path = Path(source.removeprefix(PREFIX))
    if path.is_dir() and not source.startswith(PREFIX):
        copy_model(path, target_dir, name, license_)
        return
    if not path.is_file():
        raise ResourceMissing(name, f"there is no file {path}")
    if source.startswith(PREFIX):
        stored = KeyedVectors(path, name, lambda share: progress(0.8 * share))
        _compile(stored, stored.files, target_dir, name, license_)
    else:
        compile_vector_file(path, target_dir, name, progress, license_)
    progress(1.0)


def compile_vector_file(
    path: Path, target_dir: Path, name: str, progress: Progress = lambda _share: None, license_: str = ""
) -> None:
    """Compile a file of any format that can be read without running code; see `compile_vectors`."""
    first = b""
    with suppress(ResourceDamaged), Source(path, name).opened() as (file, _):  # the reader of the format reports it
        first = file.read(len(MAGIC))
    source = (FastTextModel if first == MAGIC else VectorFile)(path, name, lambda share: progress(0.8 * share))
    _compile(source, [path], target_dir, name, license_)


def _compile(source: VectorSource, files: list[Path], target_dir: Path, name: str, license_: str) -> None:
    """Write the index of a file of vectors."""
    subwords = source.subwords
    rows = _write_vectors(source, target_dir)
    whole: dict[str, bytes | None] = {
        WORDS: RecordTable.of_words({word.encode(): [row] for row, word in enumerate(rows)}).data
    }
    if subwords:
        whole[SUBWORDS] = json.dumps(asdict(subwords), allow_nan=False).encode()
    Manifest.write_index(
        target_dir,
        {**whole, VECTORS: None},
        resource=name,
        source_sha256=sha256_of(*files),
        source_size=sum(path.stat().st_size for path in files),
        entries=len(rows),
        phrases=len(rows),
        origin=f"the file {files[0].name}",
        license=license_,
    )


def _write_vectors(source: VectorSource, target_dir: Path) -> dict[str, int]:
    """Write the vectors, one after the other, and return the number of each word's row, from 1."""
    rows: dict[str, int] = {}
    with durable_writer(target_dir / VECTORS) as file:
        for number, word, vector in source.rows():
            first = number if word is None else rows.setdefault(word, number)
            if first != number:
                reason = f"{source.path}, word {number:,}: {word!r} has a vector already, as word {first:,}"
                raise ResourceDamaged(source.name, reason, "leave one of them out")
            file.write(vector.tobytes())
    return rows
