"""Compiler from files of word vectors to a memory-mapped index."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from attrs import asdict

from meteorlib.errors import InvalidText, ResourceDamaged, ResourceMissing
from meteorlib.resources.store.compression import open_decompressed
from meteorlib.resources.store.data_file import DataFile
from meteorlib.resources.store.manifest import Manifest, sha256_of, write_durably
from meteorlib.resources.store.record_table import RecordTable
from meteorlib.resources.vectors.fasttext import MAGIC, FastTextModel
from meteorlib.resources.vectors.keyed_vectors import PREFIX, KeyedVectors
from meteorlib.resources.vectors.static_model import FILES, copy_model, is_static_model
from meteorlib.resources.vectors.text_formats import Row, VectorFile
from meteorlib.resources.vectors.word_vectors import SUBWORDS, VECTORS, WORDS, Subwords

Progress = Callable[[float], None]


class VectorSource(Protocol):
    """Interface of the readers of vector formats."""

    @property
    def subwords(self) -> Subwords | None:
        """Subwords of its words; None if subwords have no vectors."""

    def rows(self) -> Iterator[Row]:
        """Vectors of its words, then those of subwords."""


def compile_vectors(source: str, target_dir: Path, progress: Progress, name: str, license_: str = "") -> None:
    """Compile word vectors into `target_dir`, which must exist; the manifest is written last.

    The words are held in memory meanwhile. The vectors are not, except those of model2vec, and those of gensim that are
    not in separate files.

    Args:
        source: a file (see `meteorlib.resources.vectors.text_formats`, `meteorlib.resources.vectors.fasttext`);
            ``gensim:FILE`` for a file saved by gensim from a source that you trust, because loading it runs code from
            the file; or the folder of a model2vec model.
        target_dir: an empty folder.
        progress: callback, called periodically with the share that is done, 0..1.
        name: the resource, for the manifest and for messages.
        license_: license of the data.

    Raises:
        ResourceMissing: there is no such file.
        ResourceDamaged: the file is malformed; the message says where.
        ExtraMissing: gensim or model2vec is needed and not installed.
        OSError: a file cannot be read or written.
    """
    path = Path(source.removeprefix(PREFIX))
    if path.is_dir() and not source.startswith(PREFIX):
        if not is_static_model(path):
            reason = f"{path} is not a model2vec model, which has {', '.join(FILES[:-1])} and {FILES[-1]}"
            raise ResourceDamaged(name, reason, "name a file of vectors, or the folder of a model")
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
    reader = FastTextModel if _first_bytes(path) == MAGIC else VectorFile
    source: VectorSource = reader(path, name, lambda share: progress(0.8 * share))
    _compile(source, [path], target_dir, name, license_)


def _first_bytes(path: Path) -> bytes:
    """First bytes of a file's content, decompressed if necessary."""
    with path.open("rb") as raw, suppress(InvalidText):  # the reader of the format reports it
        return open_decompressed(raw, str(path)).read(len(MAGIC))
    return b""


def _compile(source: VectorSource, files: list[Path], target_dir: Path, name: str, license_: str) -> None:
    """Write the index of a file of vectors; the manifest is written last."""
    subwords = source.subwords
    rows, size, digest = _write_vectors(source, target_dir, files[0], name)
    whole = {WORDS: RecordTable.of_words({word.encode(): [row] for row, word in enumerate(rows)}).data}
    if subwords:
        whole[SUBWORDS] = json.dumps(asdict(subwords), allow_nan=False).encode()
    for written, data in whole.items():
        write_durably(target_dir / written, data)
    small = {written: DataFile(target_dir / written) for written in whole}
    digests = [sha256_of(path) for path in files]
    Manifest(
        resource=name,
        source_sha256=digests[0] if len(digests) == 1 else sha256(" ".join(digests).encode()).hexdigest(),
        source_size=sum(path.stat().st_size for path in files),
        entries=len(rows),
        phrases=len(rows),
        files={
            **{written: (data.state.size, data.sha256()) for written, data in small.items()},
            VECTORS: (size, digest),
        },
        origin=f"the file {files[0].name}",
        license=license_,
    ).write(target_dir)


def _write_vectors(source: VectorSource, target_dir: Path, path: Path, name: str) -> tuple[dict[str, int], int, str]:
    """Write the vectors, one after the other.

    Returns:
        The number of each word's row, from 1; the size and the SHA-256 of what is written.

    Raises:
        ResourceDamaged: a word has two vectors.
    """
    rows: dict[str, int] = {}
    digest, size = sha256(), 0
    with (target_dir / VECTORS).open("wb") as file:
        for number, word, vector in source.rows():
            first = number if word is None else rows.setdefault(word, number)
            if first != number:
                reason = f"{path}, word {number:,}: {word!r} has a vector already, as word {first:,}"
                raise ResourceDamaged(name, reason, "leave one of them out")
            data = vector.tobytes()
            digest.update(data)
            size += file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return rows, size, digest.hexdigest()
