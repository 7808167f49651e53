"""Static embedding models of model2vec, which give every word a vector through its subword pieces."""

from __future__ import annotations

import os
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meteorlib.errors import ResourceDamaged
from meteorlib.extras import Packages, import_extra, installed_versions, offline
from meteorlib.resources.paraphrases.index import Index
from meteorlib.resources.store.manifest import Manifest, sha256_of

EXTRA = "model2vec"
FILES = ("config.json", "model.safetensors", "tokenizer.json")
"""Files of a model."""

MAX_VECTOR_BYTES = 1 << 32
"""Largest file of vectors, in bytes, held in memory; the largest known has 0.5 GB."""


class StaticModel:
    """An installed model: word → its vector by model2vec. It can be shared between threads.

    Attributes:
        source_sha256: digest of its files.
        versions: the version of model2vec.
    """

    __slots__ = ("_model", "source_sha256", "versions")

    def __init__(self, folder: Path, name: str) -> None:
        """Open the index in `folder`.

        Raises:
            ResourceDamaged: it is incomplete, changed, or of another version.
            ExtraMissing: model2vec is not installed.
        """
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


def is_static_model(source: Path) -> bool:
    """Whether a folder holds a model."""
    return all((source / file).is_file() for file in FILES)


def copy_model(source: Path, target_dir: Path, name: str, license_: str) -> None:
    """Copy a model into `target_dir`, which must exist; the manifest is written last.

    Raises:
        ResourceDamaged: model2vec cannot load it, or a number of it is not finite.
        ExtraMissing: model2vec is not installed.
        OSError: a file cannot be read or written.
    """
    size = (source / FILES[1]).stat().st_size
    if size > MAX_VECTOR_BYTES:
        raise ResourceDamaged(
            name, f"{source / FILES[1]} has more than {MAX_VECTOR_BYTES:,} bytes", "take a smaller model"
        )
    for file in FILES:
        with (source / file).open("rb") as read, (target_dir / file).open("wb") as written:
            shutil.copyfileobj(read, written)
            written.flush()
            os.fsync(written.fileno())
    model = _load_model(target_dir, name)
    weights = [numbers for numbers in (model.embedding, model.weights) if numbers is not None]
    if not all(np.isfinite(numbers).all() for numbers in weights):
        raise ResourceDamaged(name, f"{source / FILES[1]}: a number of it is not finite", "get the model anew")
    digests = {file: sha256_of(target_dir / file) for file in FILES}
    Manifest(
        resource=name,
        source_sha256=sha256(" ".join(digests.values()).encode()).hexdigest(),
        source_size=size,
        entries=len(model.tokens),
        phrases=len(model.tokens),
        files={file: ((target_dir / file).stat().st_size, digest) for file, digest in digests.items()},
        origin=f"the folder {source.resolve().name}",
        license=license_,
    ).write(target_dir)


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
