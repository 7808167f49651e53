"""Thesauri that come with the package: ``thesaurus-XX``."""

from __future__ import annotations

from functools import cache

from attrs import frozen

from meteorlib.resources.catalog import CATALOG
from meteorlib.resources.store.package_data import errors_as_damage, open_packaged
from meteorlib.resources.store.record_table import RecordTable
from meteorlib.resources.wordnet.lexicon import WordLexicon


@frozen
class Thesaurus:
    """A packaged thesaurus: word → the numbers of its meanings. It can be shared between threads.

    Attributes:
        name: name in the catalog.
        lexicon: its words and their meanings.
    """

    name: str
    lexicon: WordLexicon

    @property
    def source_sha256(self) -> str:
        """Digest of its words and their meanings."""
        return CATALOG[self.name].sha256 or ""

    def __call__(self, word: str) -> frozenset[int]:
        """The meanings of `word`; two words are synonyms if they share one."""
        return self.lexicon.synsets(word)


@cache
def open_thesaurus(name: str) -> Thesaurus:
    """Open a packaged thesaurus, once.

    Args:
        name: ``thesaurus-XX``.

    Raises:
        ResourceDamaged: the packaged file is missing or has been changed.
    """
    with errors_as_damage(name):
        (records,) = open_packaged(name)
        return Thesaurus(name, WordLexicon(RecordTable(records.read())))
