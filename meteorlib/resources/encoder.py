"""Encoder: vectors of words in their sentences, computed once for each text and cached in memory and on disk."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meteorlib.arrays import checked_vectors, unit_rows
from meteorlib.errors import InvalidVectors, ResourceDamaged
from meteorlib.extras import Packages, installed_versions
from meteorlib.resources.encoder_folder import LOAD_REMEDY, ModelFolder
from meteorlib.resources.encoder_models import Transformer
from meteorlib.resources.store.shared_files import cache_folder

Vectors = NDArray[np.float16]
"""A row for each word of a text, and a last one for the text as a whole; each has length 1, or is all zeros.

A word has zeros if the model does not know it."""

MADE = 2
"""Number of the way in which vectors are made: those of another number that are kept on disk are not used."""

TEXTS = 1 << 12
"""Texts whose vectors are held in memory: 80 MB with 25 words of 384 numbers each."""


class Encoder:
    """A sentence encoder: texts → vectors. It can be shared between threads; nothing is loaded until it is needed.

    Attributes:
        versions: of the packages that run it.
        layers: number of hidden layers.
    """

    def __init__(self, folder: ModelFolder, source_sha256: str | None = None) -> None:
        """Take a model, whose files must have `source_sha256` when they are loaded (by default the present one)."""
        self.versions: Packages = installed_versions(folder.packages, folder.extra)
        self.source_sha256: str = source_sha256 or folder.digest()
        self.layers: int = folder.layers
        self._folder = folder
        self._known: dict[bytes, Vectors] = {}
        self._models: dict[str, Transformer] = {}
        self._caches: dict[str, VectorCache] = {}
        self._lock = Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return Encoder, (self._folder, self.source_sha256)

    def __call__(self, texts: Sequence[Sequence[str]], layer: int, device: str) -> list[Vectors]:
        """The vectors of texts, given as words; `layer` is the hidden layer of the vectors of words, from 1.

        `device` is PyTorch's: ``cpu``, ``cuda``, ``cuda:1``, …, each also with ``-bfloat16`` (faster, where the
        processor has it); of ONNX Runtime only ``cpu``. A model that has no such
        layer, cannot run there or was changed after its digest was taken raises `ResourceDamaged`.
        """
        if not 1 <= layer <= self.layers:
            raise ResourceDamaged(self._folder.name, f"it has no layer {layer}", f"set 'layer' to 1…{self.layers}")
        space = f"{self.source_sha256[:16]}-{MADE}-{layer}-{device}"
        keys = [sha256("\0".join([space, *text]).encode("utf-8", "surrogatepass")).digest() for text in texts]
        with self._lock:
            vectors = {key: self._known[key] for key in keys if key in self._known}
            missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in vectors}
            if missing:
                new = self._compute(missing, layer, device, space)
                vectors |= new
                self._known = vectors if len(self._known) + len(new) > TEXTS else self._known | new
        return [vectors[key] for key in keys]

    def center(self, layer: int) -> NDArray[np.float32]:
        """See `ModelFolder.center`."""
        return self._folder.center(layer)

    def _compute(
        self, texts: Mapping[bytes, Sequence[str]], layer: int, device: str, space: str
    ) -> dict[bytes, Vectors]:
        """Read vectors from disk, encode the texts that are not there, and keep them."""
        cache = self._caches.setdefault(space, VectorCache(space + "".join(f"-{v}" for v in self.versions.values())))
        vectors: dict[bytes, Vectors] = {}
        for key, data in cache.get([*texts]).items():
            rows = np.frombuffer(data, np.float16)
            if rows.size and rows.size % (len(texts[key]) + 1) == 0 and np.isfinite(rows).all():
                vectors[key] = rows.reshape(len(texts[key]) + 1, -1)
        missing = [key for key in texts if key not in vectors and texts[key]]
        if missing:
            encoded = self._model(device).encode([texts[key] for key in missing], layer)
            new = {key: self._vectors(*both) for key, both in zip(missing, encoded, strict=True)}
            cache.keep({key: rows.tobytes() for key, rows in new.items()})
            vectors |= new
        return vectors | {key: np.zeros((1, 1), np.float16) for key, text in texts.items() if not text}

    def _vectors(self, words: NDArray[np.float32], sentence: NDArray[np.float32]) -> Vectors:
        """The rows that are kept, once they have passed the check of all vectors."""
        rows = np.concatenate([words, sentence[np.newaxis]])
        try:
            return unit_rows(checked_vectors(rows, "its vectors of a text", rows.shape)).astype(np.float16)
        except InvalidVectors as error:
            raise ResourceDamaged(self._folder.name, str(error), LOAD_REMEDY) from error

    def _model(self, device: str) -> Transformer:
        """The model on a device, loaded when it is first needed."""
        if device not in self._models:
            model = Transformer(self._folder, device)
            if self._folder.digest() != self.source_sha256:  # its vectors would be cached under the digest of another
                reason = f"{self._folder.path} was changed after its digest was taken for the signature"
                raise ResourceDamaged(self._folder.name, reason, "run the command again, or make a new Scorer")
            self._models[device] = model
        return self._models[device]


def open_encoder(name: str) -> Encoder:
    """Open an encoder by the name of an installed package that contains it, or by its folder."""
    return Encoder(ModelFolder.find(name))


FOLDER = "contextual"
"""Subfolder of the cache folder; its files can be deleted at any time."""

QUERY_SIZE = 500
"""Keys of a query: SQLite allows 999 in its older versions."""

TIMEOUT = 10.0
"""Seconds to wait for another process that is writing."""


class VectorCache:
    """Key → bytes, in a database of SQLite. It can be shared between threads and processes."""

    def __init__(self, name: str) -> None:
        """Take the file `name` in the cache folder; it is made when something is kept."""
        self.path: Path = cache_folder() / FOLDER / f"{name}.sqlite"

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Entries under these keys that are in the cache and undamaged."""
        entries: dict[bytes, bytes] = {}
        if not self.path.is_file():
            return entries
        try:
            with closing(self._connect()) as database:
                for first in range(0, len(keys), QUERY_SIZE):
                    some = keys[first : first + QUERY_SIZE]
                    marks = ",".join("?" * len(some))
                    rows = database.execute(f"SELECT key, data, crc FROM vectors WHERE key IN ({marks})", some)  # noqa: S608 – question marks
                    entries |= {key: data for key, data, crc in rows if zlib.crc32(data) == crc}
        except (sqlite3.Error, OSError, TypeError):
            pass
        return entries

    def keep(self, entries: Mapping[bytes, bytes]) -> None:
        """Keep entries; nothing happens if they cannot be written."""
        rows: Iterable[tuple[bytes, bytes, int]] = [(key, data, zlib.crc32(data)) for key, data in entries.items()]
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._connect()) as database, database:
                database.execute(
                    "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, data BLOB, crc INT) WITHOUT ROWID"
                )
                database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
        except (sqlite3.Error, OSError):
            return

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=TIMEOUT)
