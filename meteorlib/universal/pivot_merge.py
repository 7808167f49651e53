"""Paraphrases merged over their pivots: probabilities summed, improbable ones dropped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from meteorlib.core.java import java_double, parse_java_double
from meteorlib.universal.external_sort import Sorter
from meteorlib.universal.texts import PROGRESS_INTERVAL, Progress, single_spaced

MINIMUM = 0.01
"""Sum of probabilities below which a paraphrase is left out."""


Line = tuple[str, str, str]
"""A phrase, one that it can be replaced with, and how probable that is, in Java's way of writing."""


class Paraphrase(NamedTuple):
    """A phrase, its paraphrase and their probability."""

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


def sort_paraphrases(raw: Iterable[str], scratch: Path, progress: Progress) -> Iterator[Line]:
    """Raw paraphrases sorted by reference and phrase; equal ones stay in their order.

    Args:
        raw: lines ``reference ||| paraphrase ||| pivot ||| probability``.
        scratch: folder for temporary files.
        progress: callback, called with the number of paraphrases returned and the total, once all are read.

    Raises:
        OSError: the scratch folder cannot be written to.
    """
    with Sorter(scratch) as lines:
        lines.extend(_sort_key(number, line) for number, line in enumerate(raw))
        for number, line in enumerate(lines):
            if number % PROGRESS_INTERVAL == 0:
                progress(number, len(lines))
            reference, phrase, _, probability = line.split("\0")
            yield reference, phrase, probability


def _sort_key(number: int, line: str) -> str:
    reference, phrase, _, probability = line.split(" ||| ")
    return f"{single_spaced(reference)}\0{single_spaced(phrase)}\0{number:015d}\0{probability}"


def merge_paraphrases(lines: Iterable[Line]) -> Iterator[Paraphrase]:
    """Merge adjacent equal paraphrases into one, with probabilities summed in their order.

    A paraphrase is left out if the sum is below `MINIMUM`, or if one of the two phrases contains the other.
    """
    for (reference, phrase), equal in groupby(lines, key=itemgetter(0, 1)):
        total = 0.0
        for _, _, probability in equal:
            total += parse_java_double(probability)
        if total >= MINIMUM and not _is_part_of(reference, phrase) and not _is_part_of(phrase, reference):
            yield Paraphrase(reference, phrase, total)


def _is_part_of(part: str, whole: str) -> bool:
    return f" {part} " in f" {whole} "
