"""Weights of words in the lists of words and phrases: what their matches add to a score, and which lists hide them."""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import evolve, frozen

from meteorlib.analysis.contrast.aligned import Aligned, Flags, Integers
from meteorlib.arrays import Numbers
from meteorlib.core.breakdown import breakdown
from meteorlib.explanation.formula import WORDS_AT_A_TIME
from meteorlib.resources.catalog import FUNCTION_WORDS
from meteorlib.resources.word_lists import function_words, negations_of

LIST_LENGTH = 40
"""Most entries of a list."""


@frozen(eq=False)
class WordWeights:
    """Weights by the number of the word, as content words and as function words; marks have no letters or digits.

    Grammatical words are the function words of the language, or of the preset if the language has no list, without
    negations.
    """

    content: Integers
    function: Integers
    marks: Flags
    grammatical: Flags

    @classmethod
    def of(cls, system: Aligned, numbers: Integers) -> Self:
        """The weights of the words with these numbers, as the METEOR of a system counts them."""
        known, size = system.words(), len(system.numbers)
        weights = cls(*(np.zeros(size, kind) for kind in (np.int64, np.int64, bool, bool)))
        language = str(system.corpus.signature.to_dict()["language"])
        negations, listed = negations_of(language), function_words(language) if language in FUNCTION_WORDS else None
        hidden = None if listed is None else {word for word in listed if word not in negations}
        for first in range(0, len(numbers), WORDS_AT_A_TIME):
            some = numbers[first : first + WORDS_AT_A_TIME]
            words = [known[number] for number in some.tolist()]
            analyzed = system.corpus.engine.analyze(words)
            function, sizes = np.array(analyzed.function, bool), np.array(analyzed.sizes)
            weights.function[some[function]], weights.content[some[~function]] = sizes[function], sizes[~function]
            weights.marks[some] = [not any(map(str.isalnum, word)) for word in words]
            weights.grammatical[some] = function if hidden is None else [word.lower() in hidden for word in words]
        return weights

    def kinds(self, words: Integers, present: Flags) -> Integers:
        """Kinds of words and phrases; a row has numbers of words, as far as they are present.

        A kind is 1 if one of the words is a mark, plus 2 if all are marks or grammatical words.
        """
        marks = self.marks[words]
        function = (marks | self.grammatical[words] | ~present).all(axis=1)
        return np.where((marks & present).any(axis=1), 1, 0) + np.where(function, 2, 0)


@frozen
class Worth:
    """Value of one more match for a corpus score, chunks unchanged, by unit of weight of both kinds of words."""

    content: float
    function: float

    @classmethod
    def of(cls, system: Aligned) -> Self:
        """The values at the statistics of a system, for exact matches."""
        statistics, parameters, unit = system.corpus.statistics, system.corpus.parameters, system.unit
        score = breakdown(statistics, parameters).score
        first, *others = statistics.stages

        def value(kind: str) -> float:
            more = {side: getattr(first, side) + unit for side in (f"hypothesis_{kind}", f"reference_{kind}")}
            raised = evolve(statistics, stages=(first._replace(**more), *others))
            return (breakdown(raised, parameters).score - score) / unit

        return cls(value("content"), value("function"))

    def values(self, words: Integers, present: Flags, weights: WordWeights) -> Numbers:
        """The value of a match of each word or phrase; for the arguments see `WordWeights.kinds`."""
        of_words = weights.content * self.content + weights.function * self.function
        values = np.zeros(len(words))
        for column, here in zip(words.T, present.T, strict=True):
            values += np.where(here, of_words[column], 0.0)
        return values


def shortlist(order: Integers, kinds: Integers, length: int = LIST_LENGTH) -> list[Integers]:
    """For each choice of hidden kinds, the first places in an order that are not hidden; see `WordWeights.kinds`."""
    return [order[kinds[order] & hidden == 0][:length] for hidden in range(4)]
