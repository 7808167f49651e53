"""Lemma matches: WordNet synonyms by NLTK's rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from attrs import define, field

from meteorlib.caches import Memo
from meteorlib.matchers.matcher import Positions, WordMatcher


class Lexicon(Protocol):
    """Lexicon with lemma names, as `Lemma` needs it."""

    def form(self, word: str) -> str:
        """The form in which `word` is looked up and compared."""

    def names(self, form: str) -> Iterable[str]:
        """The lemma names of all synonym sets of `form`, with their case and underscores."""


@define
class Lemma(WordMatcher):
    """Pairs a hypothesis word with the reference words that are lemmas of its synonym sets (NLTK 3.10).

    Only the hypothesis word is looked up, so the pairs depend on the side: "feline" as hypothesis may find what
    it does not find as reference. A lemma counts as WordNet writes it, capitals included, unless it is made of several
    words; a word counts as a lemma of its own.

    Attributes:
        lexicon: word → form → lemma names.
    """

    lexicon: Lexicon
    _forms: Memo[str] = field(init=False)
    _lemmas: Memo[frozenset[str]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._forms = Memo(self.lexicon.form)
        self._lemmas = Memo(self._single_words)

    def _single_words(self, form: str) -> frozenset[str]:
        return frozenset({form, *(name for name in self.lexicon.names(form) if "_" not in name)})

    def analyze(self, words: Sequence[str], positions: Positions) -> Mapping[str, str]:  # noqa: ARG002
        """The form of each distinct word."""
        forms = self._forms
        return {word: forms[word] for word in positions}

    def pairs(self, reference: Mapping[str, str], hypothesis: Mapping[str, str]) -> Iterator[tuple[str, Sequence[str]]]:
        """Words of the reference with the hypothesis words of which they are lemmas, themselves included."""
        wanted = set(reference.values())
        partners: dict[str, list[str]] = {}
        for word, form in hypothesis.items():
            for lemma in self._lemmas[form] & wanted:
                partners.setdefault(lemma, []).append(word)
        for word, form in reference.items():
            if form in partners:
                yield word, partners[form]
