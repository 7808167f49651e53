"""Opening of word vectors by installed name or by file, which is compiled on first use."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from meteorlib.errors import ResourceMissing, UnknownName
from meteorlib.resources.catalog import is_vectors
from meteorlib.resources.paraphrases.index import open_index
from meteorlib.resources.paraphrases.table_files import open_compiled
from meteorlib.resources.store.folder import cache_folder
from meteorlib.resources.store.manifest import Manifest
from meteorlib.resources.vectors.word_vectors import WORDS, WordVectors

if TYPE_CHECKING:
    from meteorlib.resources.vectors.static_model import StaticModel

REMEDY = "run `meteorlib resources install {name} --from FILE` with their file (docs/presets.md has the formats)"


def open_vectors(name_or_path: str) -> WordVectors | StaticModel:
    """Open word vectors.

    Args:
        name_or_path: ``vectors-XX``, as it was installed; or a file, which is compiled at its first use.

    Returns:
        A `StaticModel` for an installed model of model2vec, otherwise `WordVectors`.

    Raises:
        ResourceMissing: they are not installed, there is no such file, or the cache folder cannot be written.
        ResourceDamaged: it is not a file of vectors (the message names the line), or the index has been changed.
        UnknownName: neither such a name nor a path.
        ExtraMissing: they are a model of model2vec, which is not installed.
    """
    if is_vectors(name_or_path):
        found = open_index(cache_folder() / name_or_path, name_or_path, _open_index)
        if found is None:
            raise ResourceMissing(name_or_path, REMEDY.format(name=name_or_path))
        return found
    path = Path(name_or_path)
    if path.is_dir():
        remedy = f"install it: `meteorlib resources install vectors-XX --from {name_or_path}`"
        raise ResourceMissing(name_or_path, f"a folder is used under a name; {remedy}")
    if not path.is_file() and path.name == name_or_path:
        raise UnknownName("word vectors", name_or_path, ("vectors-XX",))
    return open_compiled(path, _compile_file, lambda index: WordVectors(index, name_or_path))


def _open_index(folder: Path, name: str) -> WordVectors | StaticModel:
    from meteorlib.resources.vectors.static_model import StaticModel  # noqa: PLC0415 – few have one

    opener = WordVectors if WORDS in Manifest.read(folder, name).files else StaticModel
    return opener(folder, name)


def _compile_file(path: Path, target_dir: Path, name: str) -> None:
    from meteorlib.resources.vectors.compiler import compile_vector_file  # noqa: PLC0415 – at the first use alone

    compile_vector_file(path, target_dir, name)
