"""Words of an engine: how much each counts in lengths and matches, and which faults it can be part of."""

from __future__ import annotations

from collections.abc import Callable
from math import log2

from attrs import frozen

from meteorlib.config.schema import ScorerConfig
from meteorlib.core.number_readings import WRITTEN, read_number
from meteorlib.core.numbers_and_letters import is_alphabetic, letters_and_digits
from meteorlib.core.segment import SCALE, Trait
from meteorlib.resources.store.record_table import TableDriven, tables_of
from meteorlib.resources.word_lists import Negations


@frozen
class Weight:
    """Word → its weight."""

    floor: int  # of any word
    punctuation: int  # of one without letters and digits
    by_length: float  # of one, each time that the number of its letters and digits doubles
    idf: Callable[[str], int]  # word → its inverse document frequency, 0..`SCALE`

    def __call__(self, word: str) -> int:
        """The weight of a word."""
        length = len(letters_and_digits(word))
        return self.at_least(length) + self.idf(word) if length else self.punctuation

    def at_least(self, length: int) -> int:
        """Minimum weight of a word with `length` letters and digits, at least 1."""
        return self.floor + (round(self.by_length * log2(length)) if self.by_length else 0)


def word_size(config: ScorerConfig, idf: Callable[[str], int] | None) -> Callable[[str], int] | None:
    """Word → its size: 1, its UTF-16 code units, or its weight, the last two in units of 1/`SCALE` where needed.

    None where every word counts 1; `idf` is None where words are not weighted.
    """
    weights, scale = config.weights, SCALE if config.fractional else 1
    if weights is not None and idf is not None:
        size = Weight(round(weights.floor * SCALE), round(weights.punctuation * SCALE), weights.length * SCALE, idf)
        table = tables_of(idf)
        return size if table is None else TableDriven(size, lambda: (table, size.at_least))
    if config.count == "characters":
        return lambda word: scale * (len(word.encode("utf-16-le", "surrogatepass")) // 2)
    return None if scale == 1 else lambda _: scale


@frozen
class WordTraits:
    """Word, its size, and whether it is in the list of function words → its traits."""

    threshold: int  # a word with letters and without digits that weighs less is a function word
    negations: Negations  # in lowercase

    def __call__(self, word: str, size: int, listed: bool) -> Trait:
        """The traits of a word."""
        small = word.lower()
        number, negation = read_number(small), small in self.negations
        if word.isascii() and word.isalpha():  # most words; quicker
            function = listed or size < self.threshold
            return Trait(function, lettered=True, content=not function, negation=negation, number=number)
        has_digits = number is not None and bool(number.kind & WRITTEN)
        lettered = any(map(is_alphabetic, word))
        function = listed or (lettered and not has_digits and size < self.threshold)
        content = not function and bool(letters_and_digits(word))
        return Trait(function, lettered, content, negation, number)


def word_traits(config: ScorerConfig, negations: Negations) -> WordTraits | None:
    """The traits of words under a configuration; None if nothing depends on them."""
    threshold = 0 if config.weights is None else round(config.weights.function * SCALE)
    return WordTraits(threshold, negations) if threshold or config.formula_parameters().counts_faults else None
