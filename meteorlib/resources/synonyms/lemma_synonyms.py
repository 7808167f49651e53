"""Synonyms looked up by word and by lemma: ``synonyms-XX-lemmas``, ``thesaurus-XX-lemmas``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from attrs import frozen

from meteorlib.resources.catalog import PACKAGED_THESAURI, lexicon_name
from meteorlib.resources.stemmers.by_name import stemmer
from meteorlib.resources.synonyms.compiler import Synonyms, open_synonyms
from meteorlib.resources.synonyms.thesauri import Thesaurus, open_thesaurus

if TYPE_CHECKING:
    from meteorlib.resources.stemmers.external import ExternalStemmer


@frozen
class ByLemmas:
    """Synonyms, looked up by a word and by its lemma. It can be shared between threads.

    Attributes:
        synonyms: the lexicon.
        lemma: word → lemma.
    """

    synonyms: Synonyms | Thesaurus
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


def open_by_lemmas(name: str) -> ByLemmas:
    """Open synonyms that are also looked up by simplemma's lemmas.

    Args:
        name: ``synonyms-XX-lemmas`` or ``thesaurus-XX-lemmas``.

    Raises:
        UnknownName: there are no lemmas of that language.
        ExtraMissing: simplemma is not installed.
        ResourceMissing: the synonyms are not installed.
        ResourceDamaged: their files are not what was installed.
    """
    lexicon = lexicon_name(name)
    synonyms = open_thesaurus(lexicon) if lexicon in PACKAGED_THESAURI else open_synonyms(lexicon)
    lemma = stemmer(f"simplemma-{lexicon.split('-')[1].lower()}")
    return ByLemmas(synonyms, cast("ExternalStemmer", lemma))
