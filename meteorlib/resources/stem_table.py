"""Stem tables (word → stem) from a file; METEOR 1.5 has one for Arabic in Buckwalter's letters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from meteorlib.resources.store.index import Index, open_installed
from meteorlib.resources.store.manifest import Manifest, sha256_of, write_durably
from meteorlib.resources.store.record_table import RecordTable
from meteorlib.resources.store.source_file import Progress, SourceFile

TABLE = "stems.records"
"""File of words and stems; the record of a word is the place of its stem among all of them."""


class StemTable:
    """A stemmer that looks words up; unknown words are their own stems. It can be shared and pickled."""

    __slots__ = ("_name", "_stems")

    def __init__(self, folder: Path, name: str) -> None:
        self._name, self._stems = name, Index(folder, name, [TABLE], [TABLE]).records(TABLE)

    def __call__(self, word: str) -> str:
        """The stem of `word`; the case is not changed."""
        found = self._stems.get(word)
        return self._stems.word(found[0]) if found else word

    def __reduce__(self) -> tuple[Callable[[str], StemTable], tuple[str]]:
        return open_stems, (self._name,)


def open_stems(name: str) -> StemTable:
    """Open an installed stem table of the catalog."""
    return open_installed(name, StemTable)


def compile_stems(source_gz: Path, target_dir: Path, progress: Progress, name: str) -> None:
    """Compile `source_gz` into the empty folder `target_dir`.

    The source is UTF-8, a line for a word: the word, then its stems, each behind the number of times it was seen, the
    most frequent one first, which is used; fields are separated by a space.
    """
    stems = dict(_read_rows(SourceFile(source_gz, name)))
    progress(0.5)
    places = {word: place for place, word in enumerate(sorted({word.encode() for word in {*stems, *stems.values()}}))}
    records = {word: [places[stems[word.decode()].encode()]] if word.decode() in stems else [] for word in places}
    write_durably(target_dir / TABLE, RecordTable.of_words(records).data)
    Manifest.of(
        target_dir,
        [TABLE],
        resource=name,
        source_sha256=sha256_of(source_gz),
        source_size=source_gz.stat().st_size,
        entries=len(stems),
        phrases=len(stems),
    ).write(target_dir)
    progress(1.0)


def _read_rows(file: SourceFile) -> Iterator[tuple[str, str]]:
    for number, line in file.lines():
        word, *fields = file.decode(number, line).split(maxsplit=3) or [""]
        if len(fields) < 2:
            raise file.malformed_error(number, f"a word with its stems is expected, found {line[:40]!r}")
        yield word, fields[1]
