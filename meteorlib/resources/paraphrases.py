"""Paraphrase tables: phrase → the phrases that mean the same, out of a memory-mapped index."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import marisa_trie

from meteorlib.errors import ResourceMissing, UnknownName
from meteorlib.resources.cache import cache_folder
from meteorlib.resources.catalog import CATALOG, PARAPHRASES
from meteorlib.resources.compiler import PHRASES, STARTS, TARGETS, compile_paraphrases
from meteorlib.resources.flat import map_uint32
from meteorlib.resources.manifest import MANIFEST, Manifest, damaged

__all__ = ["ParaphraseTable", "compile_paraphrases", "open_paraphrases"]


class ParaphraseTable:
    """A compiled paraphrase table (Denkowski & Lavie 2010).

    A phrase is a string of words with one space between them. It has a number, and so has each run of whole words
    that some phrase begins with. The paraphrases of phrase n are ``targets[starts[n]:starts[n + 1]]``, by number, in
    the order of the table's file; a mere beginning has none and is none.

    Attributes:
        name: the resource, or the path of the index.
        phrase_count: distinct phrases.
        entry_count: entries (source, target), repeated ones included.
        source_sha256: digest of the file that was compiled.
        starts: for each number, where its paraphrases begin; one more at the end.
        targets: the paraphrases of all phrases.
    """

    __slots__ = ("_find", "_phrases", "entry_count", "name", "phrase_count", "source_sha256", "starts", "targets")

    def __init__(self, folder: Path, name: str) -> None:
        manifest = Manifest.read(folder, name)
        self.name = name
        self.phrase_count = manifest.phrases
        self.entry_count = manifest.entries
        self.source_sha256 = manifest.source_sha256
        try:
            self._phrases = marisa_trie.Trie().mmap(str(folder / PHRASES))
            self.starts = map_uint32(folder / STARTS)
            self.targets = map_uint32(folder / TARGETS)
        except (OSError, RuntimeError, TypeError, ValueError) as error:
            raise damaged(name, f"{folder} cannot be opened ({error})") from error
        self._find: Callable[[str, int], int] = self._phrases.get

    def number(self, words: str) -> int:
        """The number of a phrase, or of words that some phrase begins with; else -1.

        One look-up a span finds all phrases at a position: make the span longer while the number is not -1.
        """
        return self._find(words, -1)

    def paraphrases(self, phrase: str) -> tuple[str, ...]:
        """The paraphrases of `phrase`, in the order of the table's file; none where it is no source phrase."""
        number = self.number(phrase)
        if number < 0:
            return ()
        restore = self._phrases.restore_key
        return tuple(restore(target) for target in self.targets[self.starts[number] : self.starts[number + 1]])


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
