"""Synonyms of a language, installed (``synonyms-XX``) or packaged (``thesaurus-XX``), perhaps also found by lemma."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from attrs import frozen

from meteorlib.resources.catalog import CATALOG, PACKAGED_THESAURI, lexicon_name
from meteorlib.resources.stemmers import stemmer
from meteorlib.resources.store.data_file import packaged_records
from meteorlib.resources.store.index import Index, open_installed
from meteorlib.resources.store.manifest import MANIFEST, Manifest, damage_error
from meteorlib.resources.wordnet import OffsetLexicon, WordLexicon

if TYPE_CHECKING:
    from meteorlib.resources.stemmers import ExternalStemmer


SYNSETS = "synsets.records"
"""File of lowercased words, looked up unchanged."""

OFFSETS = "offsets.records"
"""File of words in METEOR's own format, looked up by METEOR 1.5's rules."""

_LEXICONS: Mapping[str, type[WordLexicon]] = {SYNSETS: WordLexicon, OFFSETS: OffsetLexicon}


@frozen
class Synonyms:
    """A lexicon: word → the numbers of its synonym sets; two words are synonyms if they share one."""

    source_sha256: str
    synsets: Callable[[str], frozenset[int]]

    def __call__(self, word: str) -> frozenset[int]:
        """The synonym sets of `word`."""
        return self.synsets(word)


@frozen
class ByLemmas:
    """Synonyms, looked up by a word and by its lemma. They can be shared between threads."""

    synonyms: Synonyms
    lemma: ExternalStemmer

    @property
    def source_sha256(self) -> str:
        """Digest of the lexicon's sources."""
        return self.synonyms.source_sha256

    @property
    def versions(self) -> Mapping[str, str]:
        """Version of the lemmatizer."""
        return self.lemma.versions

    def __call__(self, word: str) -> frozenset[int]:
        """The synonym sets of `word` and of its lemma."""
        return self.synonyms(word) | self.synonyms(self.lemma(word))


def open_synonyms(name: str) -> Synonyms | ByLemmas:
    """Open ``synonyms-XX`` or ``thesaurus-XX``; with ``-lemmas`` they are also looked up by simplemma's lemmas."""
    lexicon = lexicon_name(name)
    synonyms = _open_thesaurus(lexicon) if lexicon in PACKAGED_THESAURI else open_installed(lexicon, _open_index)
    if lexicon == name:
        return synonyms
    return ByLemmas(synonyms, cast("ExternalStemmer", stemmer(f"simplemma-{lexicon.split('-')[1].lower()}")))


@cache
def _open_thesaurus(name: str) -> Synonyms:
    return Synonyms(CATALOG[name].sha256 or "", WordLexicon(packaged_records(name)).synsets)


def _open_index(folder: Path, name: str) -> Synonyms:
    file = next(iter(Manifest.read(folder, name).files), "")
    if file not in _LEXICONS:
        raise damage_error(name, f"{folder / MANIFEST} does not name the file of a lexicon")
    index = Index(folder, name, [file], [file])
    return Synonyms(index.manifest.source_sha256, _LEXICONS[file](index.records(file)).synsets)
