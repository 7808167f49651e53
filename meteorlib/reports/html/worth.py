"""Weights of words, and what matches of them are worth."""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from meteorlib.arrays import Numbers
from meteorlib.core.breakdown import breakdown
from meteorlib.reports.html.aligned import Aligned
from meteorlib.reports.html.ragged import Integers


@frozen(eq=False)
class WordWeights:
    """Weights of words, by the number of the word; 0 for words that nobody asked for.

    Attributes:
        content: weight as a content word.
        function: weight as a function word.
        marks: whether the word has neither letters nor digits.
    """

    content: Integers
    function: Integers
    marks: NDArray[np.bool_]

    @classmethod
    def of(cls, system: Aligned, numbers: Integers) -> Self:
        """The weights of the words with these numbers, as the METEOR of a system counts them."""
        words = system.words()
        found = cls(np.zeros(len(words), np.int64), np.zeros(len(words), np.int64), np.zeros(len(words), bool))
        for number in numbers.tolist():
            analyzed = system.corpus.engine.analyze((words[number],))
            (found.function if analyzed.function[0] else found.content)[number] = analyzed.sizes[0]
            found.marks[number] = not any(map(str.isalnum, words[number]))
        return found

    def kinds(self, words: Integers, present: NDArray[np.bool_]) -> Integers:
        """Kinds of words and phrases by which the page can hide them.

        Args:
            words: numbers of the words, a row for each word or phrase.
            present: whether there is such a word; phrases differ in length.

        Returns:
            1 if a word of it is a mark, plus 2 if all its words are function words or marks.
        """
        marks = self.marks[words]
        function = (marks | (self.function[words] > 0) | ~present).all(axis=1)
        return np.where((marks & present).any(axis=1), 1, 0) + np.where(function, 2, 0)


@frozen
class Worth:
    """Value of matches of a system: what one more match adds to its corpus score, chunks unchanged.

    Attributes:
        content: value of a unit of weight of a content word.
        function: the same for a function word.
    """

    content: float
    function: float

    @classmethod
    def of(cls, system: Aligned) -> Self:
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
        )

    def values(self, words: Integers, present: NDArray[np.bool_], weights: WordWeights) -> Numbers:
        """The value of a match of each word or phrase; for the arguments see `WordWeights.kinds`."""
        of_words = weights.content * self.content + weights.function * self.function
        found = np.zeros(len(words))
        for column, here in zip(words.T, present.T, strict=True):
            found += np.where(here, of_words[column], 0.0)
        return found
