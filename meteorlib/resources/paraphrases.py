"""Paraphrase tables: phrase → the phrases that mean the same, out of a memory-mapped index."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import marisa_trie

from meteorlib.errors import ResourceMissing, UnknownName
from meteorlib.resources.cache import cache_folder
from meteorlib.resources.catalog import CATALOG, PARAPHRASES
from meteorlib.resources.compiler import (
    LAST_WORDS,
    NODES,
    NUMBERS,
    TARGETS,
    WORDS,
    compile_paraphrases,
)
from meteorlib.resources.flat import map_numbers
from meteorlib.resources.manifest import MANIFEST, Manifest, damaged

__all__ = ["ParaphraseTable", "compile_paraphrases", "open_paraphrases"]


class ParaphraseTable:
    """A compiled paraphrase table (Denkowski & Lavie 2010).

    A phrase is one or more words. Phrases and their beginnings have numbers (see `meteorlib.resources.compiler`); the
    paraphrases of phrase n are ``targets[starts[n]:starts[n + 1]]``, by number, in the order of the table's file. A
    mere beginning has none and is none.

    Attributes:
        name: the resource, or the path of the index.
        phrase_count: distinct phrases.
        entry_count: entries (source, target), repeated ones included.
        source_sha256: digest of the file that was compiled.
        starts: for each number, where its paraphrases begin; one more at the end.
        targets: the paraphrases of all phrases.
        last_words: for each number, that of its last word.
        children: for each number, where the phrases with one more word begin, which stand in the order of
            `last_words`; one more at the end.
        nodes: `starts` and `children`, in turn.
    """

    __slots__ = (
        "_find",
        "_numbers",
        "_words",
        "children",
        "entry_count",
        "last_words",
        "name",
        "nodes",
        "phrase_count",
        "source_sha256",
        "starts",
        "targets",
    )

    def __init__(self, folder: Path, name: str) -> None:
        manifest = Manifest.read(folder, name)
        self.name = name
        self.phrase_count = manifest.phrases
        self.entry_count = manifest.entries
        self.source_sha256 = manifest.source_sha256
        try:
            self._words = marisa_trie.Trie().mmap(str(folder / WORDS))
            self._numbers = map_numbers(folder / NUMBERS)
            self.last_words = map_numbers(folder / LAST_WORDS)
            self.nodes = map_numbers(folder / NODES)
            self.targets = map_numbers(folder / TARGETS)
        except (OSError, RuntimeError, TypeError, ValueError) as error:
            raise damaged(name, f"{folder} cannot be opened ({error})") from error
        self.starts, self.children = self.nodes[::2], self.nodes[1::2]
        self._find: Callable[[str, int], int] = self._words.get

    def word(self, word: str) -> int:
        """The number of a word of the table; else -1."""
        try:
            key = self._find(word, -1)
        except UnicodeEncodeError:  # a lone surrogate: no such word
            return -1
        return -1 if key < 0 else self._numbers[key]

    def children_of(self, number: int) -> tuple[int, int]:
        """The numbers of the phrases that are `number` with one more word: from the first to before the second.

        They stand in the order of `last_words`.
        """
        return self.children[number], self.children[number + 1]


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
            raise ResourceMissing(name, _remedy(name))
        return ParaphraseTable(folder, name)
    folder = Path(name_or_path)
    if not folder.is_dir():
        if folder.name == name:
            raise UnknownName("paraphrase table", name, tables)
        raise ResourceMissing(name, "there is no folder with a compiled index at that path")
    return ParaphraseTable(folder, name)


def _remedy(name: str) -> str:
    command = f"run `meteorlib resources install {name}"
    if CATALOG[name].sha256:
        return f"{command}`"
    core = f"preset meteor-1.5-{CATALOG[name].language}-core needs none"
    return f"take data/{name}.gz out of METEOR 1.5 and {command} --from FILE`; {core}"
