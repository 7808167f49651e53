"""FlatSegment: words, matches and counts of a segment as bytes, which arrays collect quickly."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple, Self

from meteorlib.core.alignment import Alignment
from meteorlib.core.segment import SCALE
from meteorlib.core.statistics import Statistics


class FlatSegment(NamedTuple):
    """Words, matches and counts of a segment in the machine's byte order: counts as 64-bit integers, others as 32-bit.

    Attributes:
        reference: number of each word of the reference.
        hypothesis: number of each word of the hypothesis.
        matches: the fields of each `Match`.
        grades: how much of each match counts, in units of 1/`SCALE`.
        counts: `Statistics.counts`.
        reference_index: index of the reference, from 0.
        optimal: whether the search proved the matches the best.
    """

    reference: bytes
    hypothesis: bytes
    matches: bytes
    grades: bytes
    counts: bytes
    reference_index: int
    optimal: bool

    @classmethod
    def of(cls, alignment: Alignment, statistics: Statistics, reference_index: int, numbers: Mapping[str, int]) -> Self:
        """Flatten an alignment and its counts; `numbers` has the number of each word."""
        number, matches = numbers.__getitem__, alignment.matches
        return cls(
            array("i", map(number, alignment.reference)).tobytes(),
            array("i", map(number, alignment.hypothesis)).tobytes(),
            array("i", chain.from_iterable(matches)).tobytes(),
            array("i", alignment.grades or (SCALE,) * len(matches)).tobytes(),
            array("q", statistics.counts()).tobytes(),
            reference_index,
            alignment.optimal,
        )
