"""Paraphrase tables: phrase → the phrases that mean the same, out of a memory-mapped index."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path

import marisa_trie

from meteorlib.errors import ResourceMissing, UnknownName
from meteorlib.resources.cache import cache_folder
from meteorlib.resources.catalog import CATALOG, PARAPHRASES
from meteorlib.resources.compiler import IS_PHRASE, PHRASES, SOURCES, STARTS, TARGETS, compile_paraphrases
from meteorlib.resources.flat import map_bytes, map_uint32
from meteorlib.resources.manifest import MANIFEST, Manifest, damaged

__all__ = ["ParaphraseTable", "compile_paraphrases", "open_paraphrases"]


class ParaphraseTable:
    """A compiled paraphrase table (Denkowski & Lavie 2010).

    A phrase is a string of words with one space between them; its id is a whole number.

    Attributes:
        name: the resource, or the path of the index.
        phrase_count: distinct phrases.
        entry_count: entries (source, target), repeated ones included.
        source_sha256: digest of the file that was compiled.
    """

    __slots__ = (
        "_is_phrase",
        "_phrases",
        "_sources",
        "_starts",
        "_targets",
        "entry_count",
        "name",
        "phrase_count",
        "source_sha256",
    )

    def __init__(self, folder: Path, name: str) -> None:
        manifest = Manifest.read(folder, name)
        self.name = name
        self.phrase_count = manifest.phrases
        self.entry_count = manifest.entries
        self.source_sha256 = manifest.source_sha256
        try:
            self._phrases = marisa_trie.Trie().mmap(str(folder / PHRASES))
            self._is_phrase = map_bytes(folder / IS_PHRASE)
            self._sources = map_uint32(folder / SOURCES)
            self._starts = map_uint32(folder / STARTS)
            self._targets = map_uint32(folder / TARGETS)
        except (OSError, RuntimeError, TypeError, ValueError) as error:
            raise damaged(name, f"{folder} cannot be opened ({error})") from error

    def number(self, words: str) -> int:
        """The id of a phrase, or a number of its own for whole words that some phrase begins with; else -1.

        What is only a beginning has no targets and is no target, so that one look-up a span finds all phrases at a
        position: make the span longer while the number is not -1.
        """
        try:
            found: int = self._phrases.get(words, -1)
        except UnicodeEncodeError:  # a lone surrogate: no such phrase
            return -1
        return found

    def phrase_id(self, phrase: str) -> int:
        """The id of `phrase`, -1 if it is no phrase of the table."""
        number = self.number(phrase)
        return number if number >= 0 and self._is_phrase[number >> 3] >> (number & 7) & 1 else -1

    def extends(self, prefix: str) -> bool:
        """Whether some phrase begins with `prefix`; end it in a space to ask for whole words (`number` is quicker)."""
        try:
            return next(self._phrases.iterkeys(prefix), None) is not None
        except UnicodeEncodeError:
            return False

    def targets(self, phrase_id: int) -> Sequence[int]:
        """The ids of the targets of the entries with that source, in the order of the table's file."""
        index = bisect_left(self._sources, phrase_id)
        if index == len(self._sources) or self._sources[index] != phrase_id:
            return ()
        return self._targets[self._starts[index] : self._starts[index + 1]]

    def phrase(self, phrase_id: int) -> str:
        """The phrase with that id.

        Raises:
            KeyError: there is none.
        """
        phrase: str = self._phrases.restore_key(phrase_id)
        return phrase

    def length(self, phrase_id: int) -> int:
        """How many words the phrase has."""
        return self.phrase(phrase_id).count(" ") + 1


def open_paraphrases(name_or_path: str | Path) -> ParaphraseTable:
    """Open an installed paraphrase table, or the index in a folder.

    Args:
        name_or_path: a name of the catalog, e.g. ``paraphrase-en``, or the path of a compiled index.

    Raises:
        ResourceMissing: it is not installed.
        ResourceDamaged: it is there but incomplete, changed, or of another version.
        UnknownName: neither a paraphrase table of the catalog nor a folder.
    """
    name = str(name_or_path)
    tables = [resource.name for resource in CATALOG.values() if resource.kind == PARAPHRASES]
    if name in tables:
        folder = cache_folder() / name
        if not (folder / MANIFEST).is_file():
            source = "" if CATALOG[name].sha256 else " --from FILE"
            raise ResourceMissing(name, f"run `meteorlib resources install {name}{source}`")
        return ParaphraseTable(folder, name)
    folder = Path(name_or_path)
    if not folder.is_dir():
        if folder.name == name:
            raise UnknownName("paraphrase table", name, tables)
        raise ResourceMissing(name, "there is no folder with a compiled index at that path")
    return ParaphraseTable(folder, name)
