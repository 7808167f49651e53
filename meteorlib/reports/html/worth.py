"""Weights of words, and what matches of them are worth."""

from __future__ import annotations

from copy import copy
from typing import NamedTuple

from attrs import evolve, field, frozen

from meteorlib.core.breakdown import breakdown
from meteorlib.corpus.corpus import Corpus
from meteorlib.reports.html.aligned import Aligned, Words


class Kind(NamedTuple):
    """Properties by which entries can be hidden.

    Attributes:
        punctuation: whether a word of it has neither letters nor digits.
        function: whether all its words are function words or punctuation.
    """

    punctuation: bool
    function: bool


@frozen
class WordWeights:
    """Content and function weight of words, as the METEOR of a corpus counts them."""

    _probe: Corpus
    _known: dict[str, tuple[int, int]] = field(factory=dict, init=False)

    @classmethod
    def of(cls, corpus: Corpus) -> WordWeights:
        """Take the weights from a copy of `corpus`, which stays as it is."""
        return cls(copy(corpus))

    def __call__(self, word: str) -> tuple[int, int]:
        """The weight of a word as a content word, and as a function word; one of them is 0."""
        if word not in self._known:
            counted = self._probe.add_tokens([[word]], []).statistics
            function = counted.reference_function_words
            self._known[word] = (counted.reference_length - function, function)
        return self._known[word]

    def kind(self, words: Words) -> Kind:
        """The properties of a word or phrase."""
        marks = [not any(letter.isalnum() for letter in word) for word in words]
        pairs = zip(words, marks, strict=True)
        return Kind(any(marks), all(is_mark or self(word)[1] > 0 for word, is_mark in pairs))


@frozen
class Worth:
    """Value of matches of a system: what one more match adds to its corpus score, chunks unchanged.

    Attributes:
        content: value of a unit of weight of a content word.
        function: the same for a function word.
    """

    content: float
    function: float
    _weights: WordWeights

    @classmethod
    def of(cls, system: Aligned, weights: WordWeights) -> Worth:
        """The values at the statistics of a system, for exact matches."""
        statistics, parameters = system.corpus.statistics, system.corpus.parameters
        score = breakdown(statistics, parameters).score
        first, *others = statistics.stages

        def value(**more: int) -> float:
            raised = evolve(statistics, stages=(first._replace(**more), *others))
            return breakdown(raised, parameters).score - score

        one = system.unit
        return cls(
            value(hypothesis_content=first.hypothesis_content + one, reference_content=first.reference_content + one)
            / one,
            value(
                hypothesis_function=first.hypothesis_function + one, reference_function=first.reference_function + one
            )
            / one,
            weights,
        )

    def __call__(self, words: Words) -> float:
        """The value of a match of all these words."""
        return sum(content * self.content + function * self.function for content, function in map(self._weights, words))
