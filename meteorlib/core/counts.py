"""Counts of matched words by stage, side and word class, and of function words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

from meteorlib.core.segment import SCALE, Segment


def function_size(segment: Segment) -> int:
    """The size of all function words of a side."""
    return sum(compress(segment.sizes, segment.function))


def matched_sizes(
    reference: Segment,
    hypothesis: Segment,
    matches: Sequence[tuple[int, int, int, int, int]],
    stages: int,
    grades: Sequence[int] | None,
) -> list[int]:
    """For each stage four sizes of matched words: the fields of `meteorlib.core.statistics.StageCounts`.

    See `meteorlib.core.statistics.Statistics.of` for the arguments.
    """
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
    return counts


def _graded(sizes: Sequence[int], spans: Sequence[tuple[int, ...]], grades: Sequence[int]) -> list[int]:
    """The sizes of the words of a side; matched words count as much as the grade of their match says."""
    graded = list(sizes)
    for (start, length), grade in zip(spans, grades, strict=True):
        if grade != SCALE:
            for position in range(start, start + length):
                graded[position] = graded[position] * grade // SCALE
    return graded
