"""Pair and Segment: the raw text of a segment, and the analyzed words of one side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from attrs import field, frozen

from meteorlib.core.number_readings import Number

SCALE = 10_000
"""The size of a word of weight 1, where words are weighted or matches graded; the grade of a match that counts whole.

Weights are whole numbers, so that sums over a corpus are the same in any order.
"""


class Pair(NamedTuple):
    """A hypothesis and its references, as raw text.

    A single reference is a list, too, so that reference and hypothesis cannot be confused.
    """

    references: Sequence[str]
    hypothesis: str


class Trait(NamedTuple):
    """Properties of a word that decide which faults it can be part of.

    Attributes:
        function: whether it is a function word.
        lettered: whether it has a letter.
        content: whether it is neither a function word nor punctuation.
        negation: whether it is a negation such as ``not``.
        number: what it is in a number; None if it is nothing.
    """

    function: bool
    lettered: bool
    content: bool
    negation: bool
    number: Number | None


@frozen(eq=False)
class Segment:
    """One hypothesis or one reference, analyzed once.

    Attributes:
        words: the words in order.
        function: for each word, whether it is a function word.
        sizes: for each word, how much it counts: 1, or its UTF-16 code units where a preset counts characters; where
            it weighs words or grades matches, in units of 1/`SCALE`.
        positions: for each distinct word, where it stands, ascending.
        knowledge: for each stage, what its matcher knows of these words.
        cases: for each word, how it is written (`meteorlib.text.case`); None where case does not count.
        traits: the traits of each word; empty where faults are not counted.
        capital: whether the first letter of all is a capital; None if there is none, or case or faults do not count.
    """

    words: tuple[str, ...]
    function: Sequence[bool]
    sizes: Sequence[int]
    positions: Mapping[str, Sequence[int]] = field(repr=False)
    knowledge: Sequence[Any] = field(repr=False)
    cases: Sequence[int] | None = None
    traits: Sequence[Trait] = ()
    capital: bool | None = None
