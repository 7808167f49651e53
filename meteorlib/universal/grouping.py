"""Paraphrases by several pivots become one: grouped, their probabilities added, the improbable left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from meteorlib.core.java import java_double, parse_java_double
from meteorlib.universal.sorting import Sorter
from meteorlib.universal.texts import spaced

MINIMUM = 0.01
"""Sum of probabilities below which a paraphrase is left out."""


class Paraphrase(NamedTuple):
    """What a phrase can be replaced with."""

    reference: str
    phrase: str
    probability: float

    @property
    def line(self) -> str:
        """``reference ||| phrase ||| probability``."""
        return f"{self.reference} ||| {self.phrase} ||| {java_double(self.probability)}"

    @property
    def entry(self) -> str:
        """The three lines of a METEOR paraphrase table."""
        return f"{java_double(self.probability)}\n{self.reference}\n{self.phrase}"


def grouped(raw: Iterable[str], scratch: Path) -> Iterator[Paraphrase]:
    """Raw paraphrases sorted by reference and phrase; equal ones stay in their order.

    Args:
        raw: lines ``reference ||| paraphrase ||| pivot ||| probability``.
        scratch: a folder for files that are needed for a while.

    Raises:
        OSError: the scratch folder cannot be written to.
    """
    with Sorter(scratch) as lines:
        lines.extend(_sortable(number, line) for number, line in enumerate(raw))
        for line in lines:
            reference, phrase, _, probability = line.split("\0")
            yield Paraphrase(reference, phrase, parse_java_double(probability))


def _sortable(number: int, line: str) -> str:
    reference, phrase, _, probability = line.split(" ||| ")
    return f"{spaced(reference)}\0{spaced(phrase)}\0{number:015d}\0{probability}"


def combined(paraphrases: Iterable[Paraphrase]) -> Iterator[Paraphrase]:
    """Equal ones that follow each other as one with the sum of their probabilities, added in that order.

    A paraphrase is left out if the sum is below `MINIMUM`, or if one of the two phrases contains the other.
    """
    for (reference, phrase), equal in groupby(paraphrases, key=lambda paraphrase: paraphrase[:2]):
        total = 0.0
        for paraphrase in equal:
            total += paraphrase.probability
        if total >= MINIMUM and not _within(reference, phrase) and not _within(phrase, reference):
            yield Paraphrase(reference, phrase, total)


def _within(part: str, whole: str) -> bool:
    return f" {part} " in f" {whole} "
