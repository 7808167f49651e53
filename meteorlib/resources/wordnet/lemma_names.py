"""Lemma names of WordNet synsets, looked up by stem as NLTK's METEOR does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from attrs import frozen

from meteorlib.core.signature import part_name
from meteorlib.errors import UnknownName
from meteorlib.resources.stemmers.by_name import stemmer
from meteorlib.resources.table_driven import TableDriven
from meteorlib.resources.wordnet.lexicon import SynsetNames, open_synset_names, open_wordnet


@frozen
class LemmaNames:
    """Lexicon for the matcher ``lemma``.

    Attributes:
        form: word → the form in which it is looked up and compared.
        names: form → the lemma names of all its synonym sets.
    """

    form: Callable[[str], str]
    names: Callable[[str], Iterable[str]]

    @property
    def signature_name(self) -> str:
        """The name of the lexicon in signatures."""
        return f"{part_name(self.form)}/{part_name(self.names)}"


def open_lemma_names(name: str) -> LemmaNames:
    """Open the lemma names of a lexicon, looked up by NLTK's stems.

    NLTK passes the stems of its second stage on to its third, so it looks up "happi", which WordNet does not have.
    METEOR has no such rule, but NLTK's scores depend on it.

    Raises:
        UnknownName: there is no such lexicon.
        ResourceDamaged: a packaged file is missing or has been changed.
    """
    if name != "wordnet-en":
        raise UnknownName("lexicon with lemma names", name, ["wordnet-en"])
    open_wordnet(), open_synset_names()  # errors surface now, not at the first word
    return LemmaNames(stemmer("porter-nltk"), WORDNET_NAMES)


def wordnet_names(form: str) -> Iterator[str]:
    """The lemma names of all synsets of `form` in WordNet 3.0, with their case and underscores."""
    return chain.from_iterable(map(open_synset_names().lemmas, open_wordnet().synsets(form)))


def _tables() -> tuple[TableDriven[frozenset[int]], SynsetNames]:
    return TableDriven(open_wordnet().synsets, open_wordnet), open_synset_names()


WORDNET_NAMES = TableDriven(wordnet_names, _tables)
"""`wordnet_names`, with the lexicon and the names that its compiled form reads."""
