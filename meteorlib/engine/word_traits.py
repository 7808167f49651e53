"""Traits of words: which faults a word can be part of."""

from __future__ import annotations

from attrs import frozen

from meteorlib.config.schema import ScorerConfig
from meteorlib.core.letters import digits_of, is_alphabetic, letters_and_digits
from meteorlib.core.segment import SCALE, Trait
from meteorlib.resources.word_lists import Negations


@frozen
class WordTraits:
    """Word, its size, and whether it is in the list of function words → its traits.

    Attributes:
        threshold: a word with letters and without digits that weighs less is a function word.
        negations: the negation words, in lowercase.
    """

    threshold: int
    negations: Negations

    def __call__(self, word: str, size: int, listed: bool) -> Trait:
        """The traits of a word."""
        if word.isascii() and word.isalpha():  # most words; quicker
            function = listed or size < self.threshold
            negation = word.lower() in self.negations
            return Trait(function, lettered=True, content=not function, negation=negation, digits="")
        digits = digits_of(word)
        if len(word) == 5 and len(digits) == 4 and word[-1] in "sS":
            digits = digits[2:]
        lettered = any(map(is_alphabetic, word))
        function = listed or (lettered and not digits and size < self.threshold)
        content = not function and bool(letters_and_digits(word))
        return Trait(function, lettered, content, word.lower() in self.negations, digits)


def word_traits(config: ScorerConfig, negations: Negations) -> WordTraits | None:
    """The traits of words under a configuration; None if nothing depends on them."""
    threshold = 0 if config.weights is None else round(config.weights.function * SCALE)
    return WordTraits(threshold, negations) if threshold or config.formula_parameters().counts_faults else None
