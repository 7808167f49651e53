"""Reader of word vectors saved by gensim: ``KeyedVectors`` (``.kv``) or a model with them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from glob import escape
from pathlib import Path
from typing import Any

import numpy as np
from attrs import field, frozen

from meteorlib.errors import ResourceDamaged
from meteorlib.extras import import_extra
from meteorlib.resources.vectors.text_formats import MAX_WIDTH, MAX_WORDS, Row, nonfinite_reason
from meteorlib.resources.vectors.word_vectors import Subwords

EXTRA = "gensim"
PREFIX = "gensim:"
"""Prefix of a source by which users declare that they trust the file."""

_PICKLE_MAGIC = b"\x80"
"""First byte of a pickle."""


@frozen
class KeyedVectors:
    """Vectors in a file saved by gensim, loaded by gensim; large arrays in files beside it are mapped.

    Loading it runs code from the file, so open only files from sources that you trust.

    Attributes:
        path: the file.
        name: the resource, for messages.
        progress: called with the share that is read, 0..1.
    """

    path: Path
    name: str
    progress: Callable[[float], None] = field(default=lambda _share: None, repr=False)
    _vectors: Any = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        loader = import_extra("gensim.utils", EXTRA).SaveLoad
        with self.path.open("rb") as file:
            if not file.read(2).startswith((_PICKLE_MAGIC, b"\x1f\x8b", b"BZ")):
                raise self._malformed_error("gensim did not save it")
        packed = self.path.suffix in {".gz", ".bz2"}
        try:
            found = loader.load(str(self.path), mmap=None if packed else "r")
        except Exception as error:  # whatever a broken object raises
            raise self._malformed_error(f"gensim cannot load it ({type(error).__name__}: {error})") from error
        vectors = getattr(found, "wv", found)
        if not isinstance(vectors, import_extra("gensim.models", EXTRA).KeyedVectors):
            raise self._malformed_error(f"it is a {type(found).__name__}, which has no word vectors")
        object.__setattr__(self, "_vectors", vectors)

    @property
    def files(self) -> list[Path]:
        """The file, and the files beside it with its large arrays."""
        return [self.path, *sorted(self.path.parent.glob(f"{escape(self.path.name)}.*.np[yz]"))]

    @property
    def subwords(self) -> Subwords | None:
        """Its subwords; None if it has none."""
        found = self._vectors
        if not getattr(found, "bucket", 0) or not found.max_n:
            return None
        return Subwords(int(found.min_n), int(found.max_n), int(found.bucket))

    def rows(self) -> Iterator[Row]:
        """Numbered rows, from 1: the word (None for rows of subwords) and its vector.

        Raises:
            ResourceDamaged: they are no vectors of words; says at which word.
        """
        found = self._vectors
        words: list[object] = found.index_to_key
        parts = [] if self.subwords is None else found.vectors_ngrams
        own = found.vectors if self.subwords is None else found.vectors_vocab
        for array_ in filter(len, (own, parts)):
            if np.ndim(array_) != 2 or not np.can_cast(array_.dtype, np.float32, "same_kind"):
                raise self._malformed_error(f"its vectors are an array of {array_.dtype} of shape {np.shape(array_)}")
        width = own.shape[1]
        if not 0 < len(words) <= MAX_WORDS or not 0 < width <= MAX_WIDTH:
            raise self._malformed_error(f"it has {len(words):,} words of {width:,} numbers")
        if len(own) != len(words) or len(parts) != (self.subwords.buckets if self.subwords else 0):
            raise self._malformed_error(
                f"it has {len(words):,} words, {len(own):,} vectors, {len(parts):,} of their parts"
            )
        for number, row in enumerate((row for rows in (own, parts) for row in rows), 1):
            word = words[number - 1] if number <= len(words) else None
            place = f"word {number:,} of {len(words):,}" if word is not None else f"row {number:,}"
            if number <= len(words) and not (isinstance(word, str) and word and "\0" not in word):
                raise self._malformed_error(f"{place}: a word is expected, found {word!r:.40}")
            vector = array("f", np.asarray(row, np.float32).tobytes())
            if reason := nonfinite_reason(vector):
                raise self._malformed_error(f"{place}: {reason}")
            if not number % 4096:
                self.progress(min(number / (len(own) + len(parts)), 1.0))
            yield number, word, vector  # type: ignore[misc]

    def _malformed_error(self, reason: str) -> ResourceDamaged:
        return ResourceDamaged(self.name, f"{self.path}: {reason}", "have gensim store it anew")
