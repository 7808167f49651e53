"""Counts of matched words by stage, side and word class, of their order, and of function words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import NamedTuple

from meteorlib.core.chunking import count_crossings
from meteorlib.core.segment import SCALE, Segment


class StageCounts(NamedTuple):
    """Words that one stage matched, of each side, content words and function words apart."""

    hypothesis_content: int
    reference_content: int
    hypothesis_function: int
    reference_function: int


class OrderCounts(NamedTuple):
    """Counts of the order of matches, for the formula ``meteor-2026``.

    Attributes:
        junctions: places, of both sides, where one matched word of a segment follows another: all but the first.
        crossings: pairs of matches that cross.
        match_pairs: pairs of matches.
    """

    junctions: int
    crossings: int
    match_pairs: int


def function_size(segment: Segment) -> int:
    """The size of all function words of a side."""
    return sum(compress(segment.sizes, segment.function))


def count_order(matches: Sequence[tuple[int, int, int, int, int]], matched: int) -> OrderCounts:
    """Count the order of matches; `matched` is the number of matched words of both sides."""
    pairs = len(matches) * (len(matches) - 1) // 2
    return OrderCounts(max(matched - 2, 0), count_crossings(matches), pairs)


def count_stages(
    reference: Segment,
    hypothesis: Segment,
    matches: Sequence[tuple[int, int, int, int, int]],
    stages: int,
    grades: Sequence[int] | None,
) -> tuple[StageCounts, ...]:
    """Add up the sizes of the words that each stage matched; see `meteorlib.core.statistics.Statistics.of`."""
    counts = [0] * (4 * stages)
    reference_sizes, hypothesis_sizes = reference.sizes, hypothesis.sizes
    if grades is not None:
        reference_sizes = _graded(reference_sizes, [match[:2] for match in matches], grades)
        hypothesis_sizes = _graded(hypothesis_sizes, [match[2:4] for match in matches], grades)
    reference_function, hypothesis_function = reference.function, hypothesis.function
    for start, length, hypothesis_start, hypothesis_length, stage in matches:
        base = 4 * stage
        if length == 1 == hypothesis_length:  # most matches: quicker than two ranges
            counts[base + 2 * hypothesis_function[hypothesis_start]] += hypothesis_sizes[hypothesis_start]
            counts[base + 1 + 2 * reference_function[start]] += reference_sizes[start]
            continue
        for position in range(hypothesis_start, hypothesis_start + hypothesis_length):
            counts[base + 2 * hypothesis_function[position]] += hypothesis_sizes[position]
        for position in range(start, start + length):
            counts[base + 1 + 2 * reference_function[position]] += reference_sizes[position]
    return tuple([StageCounts(*counts[base : base + 4]) for base in range(0, 4 * stages, 4)])


def _graded(sizes: Sequence[int], spans: Sequence[tuple[int, ...]], grades: Sequence[int]) -> list[int]:
    """The sizes of the words of a side; matched words count as much as the grade of their match says."""
    graded = list(sizes)
    for (start, length), grade in zip(spans, grades, strict=True):
        if grade != SCALE:
            for position in range(start, start + length):
                graded[position] = graded[position] * grade // SCALE
    return graded
