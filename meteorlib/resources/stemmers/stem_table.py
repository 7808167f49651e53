"""Stem tables (word → stem) from a file; METEOR 1.5 has one for Arabic in Buckwalter's letters."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from meteorlib.errors import ResourceDamaged, ResourceMissing
from meteorlib.resources.paraphrases.index import open_index
from meteorlib.resources.store.folder import cache_folder
from meteorlib.resources.store.manifest import Manifest, damage_error, sha256_of, write_durably
from meteorlib.resources.store.record_table import RecordTable
from meteorlib.resources.store.source_lines import MAX_LINE_BYTES

TABLE = "stems.records"
"""File of words and stems; the record of a word is the place of its stem among all of them."""


class StemTable:
    """A stemmer that looks words up; unknown words are their own stems. It can be shared and pickled."""

    __slots__ = ("_name", "_stems")

    def __init__(self, folder: Path, name: str) -> None:
        manifest = Manifest.read(folder, name)
        if not manifest.is_intact(folder):
            raise damage_error(name, f"{folder / TABLE} is not what was installed")
        self._name = name
        try:
            self._stems = RecordTable((folder / TABLE).read_bytes())
        except (OSError, ValueError) as error:
            raise damage_error(name, f"{folder / TABLE} cannot be opened ({error})") from error

    def __call__(self, word: str) -> str:
        """The stem of `word`; the case is not changed."""
        found = self._stems.get(word)
        return self._stems.word(found[0]) if found else word

    def __reduce__(self) -> tuple[Callable[[str], StemTable], tuple[str]]:
        return open_stems, (self._name,)


def open_stems(name: str) -> StemTable:
    """Open an installed stem table.

    Args:
        name: a name of the catalog.

    Raises:
        ResourceMissing: it is not installed.
        ResourceDamaged: its files are not what was installed.
    """
    found = open_index(cache_folder() / name, name, StemTable)
    if found is None:
        raise ResourceMissing(name, f"run `meteorlib resources install {name}` (if you have METEOR's jar: --from JAR)")
    return found


def compile_stems(source_gz: Path, target_dir: Path, progress: Callable[[float], None], name: str) -> None:
    """Compile `source_gz` into `target_dir`, which must exist; the manifest is written last.

    Args:
        source_gz: gzip, UTF-8, a word a line: the word, then its stems, each behind the number of times it was seen,
            the most frequent one first, which is used; fields are separated by a space.
        target_dir: an empty folder.
        progress: callback, called with the share that is done, 0..1.
        name: the resource, for the manifest and for messages.

    Raises:
        ResourceDamaged: the source is not such a file; says at which line.
        OSError: a file cannot be read or written.
    """
    stems = dict(_read_rows(source_gz, name))
    progress(0.5)
    places = {word: place for place, word in enumerate(sorted({word.encode() for word in {*stems, *stems.values()}}))}
    records = {word: [places[stems[word.decode()].encode()]] if word.decode() in stems else [] for word in places}
    write_durably(target_dir / TABLE, RecordTable.of_words(records).data)
    path = target_dir / TABLE
    Manifest(
        resource=name,
        source_sha256=sha256_of(source_gz),
        source_size=source_gz.stat().st_size,
        entries=len(stems),
        phrases=len(stems),
        files={TABLE: (path.stat().st_size, sha256_of(path))},
    ).write(target_dir)
    progress(1.0)


def _read_rows(source_gz: Path, name: str) -> Iterator[tuple[str, str]]:
    number = 1
    try:
        with gzip.open(source_gz) as file:
            while line := file.readline(MAX_LINE_BYTES + 1):
                yield _parse_line(line)
                number += 1
    except (gzip.BadGzipFile, EOFError, zlib.error, ValueError) as error:
        reason = f"{source_gz}: line {number} is not a word with its stems ({error})"
        raise ResourceDamaged(name, reason, "get the file anew") from error


def _parse_line(line: bytes) -> tuple[str, str]:
    if len(line) > MAX_LINE_BYTES:
        raise ValueError(f"it has more than {MAX_LINE_BYTES:,} bytes")
    word, _count, stem = line.decode().split(maxsplit=3)[:3]
    return word, stem
