"""Compiler from files of word vectors to a memory-mapped index."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from attrs import asdict

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources.store.manifest import Manifest, durable_writer, sha256_of, write_durably
from meteorlib.resources.store.record_table import RecordTable
from meteorlib.resources.store.source_file import Progress, Source
from meteorlib.resources.vector_files import MAGIC, PREFIX, FastTextModel, KeyedVectors, VectorFile, VectorSource
from meteorlib.resources.word_vectors import SUBWORDS, VECTORS, WORDS, copy_model


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
    whole = {WORDS: RecordTable.of_words({word.encode(): [row] for row, word in enumerate(rows)}).data}
    if subwords:
        whole[SUBWORDS] = json.dumps(asdict(subwords), allow_nan=False).encode()
    for written, data in whole.items():
        write_durably(target_dir / written, data)
    Manifest.of(
        target_dir,
        [*whole, VECTORS],
        resource=name,
        source_sha256=sha256_of(*files),
        source_size=sum(path.stat().st_size for path in files),
        entries=len(rows),
        phrases=len(rows),
        origin=f"the file {files[0].name}",
        license=license_,
    ).write(target_dir)


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
