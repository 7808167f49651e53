"""FlatSegment: words, matches and counts of a segment as bytes, which arrays collect quickly."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.segment import SCALE


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
    def of(cls, scored: ScoreBreakdown, numbers: Mapping[str, int]) -> FlatSegment | None:
        """Flatten a segment; None if it has no alignment. `numbers` has the number of each word."""
        if hasattr(scored, "_result"):  # quicker than to compute fields that nobody has read
            flat: FlatSegment = scored._result[0].flat(numbers)  # noqa: SLF001
            return flat
        alignment = scored.alignment
        if alignment is None:
            return None
        return cls(
            array("i", map(numbers.__getitem__, alignment.reference)).tobytes(),
            array("i", map(numbers.__getitem__, alignment.hypothesis)).tobytes(),
            array("i", chain.from_iterable(alignment.matches)).tobytes(),
            array("i", alignment.grades or (SCALE,) * len(alignment.matches)).tobytes(),
            array("q", scored.statistics.counts()).tobytes(),
            scored.reference_index or 0,
            scored.optimal,
        )
