"""FlatSegment: words, matches and counts of a segment as bytes, which arrays collect quickly."""

from __future__ import annotations

from typing import NamedTuple


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
