"""Measures of segments as the HTML report rounds them, and their distribution over bands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isnan

from meteorlib.core.breakdown import ScoreBreakdown

MEASURES = ("score", "precision", "recall", "fragmentation")
"""Measures with a chart, as in METEOR's X-ray."""

RESOLUTION = 10_000
"""Steps per 1: the page shows four digits, and counts in units of the last one so that all its parts agree."""

BANDS = 20
"""Number of bands: 20 of 0.05 each; for differences, 10 of 0.1 each on both sides."""

NO_VALUE = RESOLUTION + 1


def ten_thousandths(value: float) -> int:
    """`value` in units of 0.0001, rounded as it is printed; `NO_VALUE` for NaN."""
    return NO_VALUE if isnan(value) else int(f"{value:.4f}".replace(".", ""))


def bands(segments: Iterable[ScoreBreakdown], measure: str) -> list[int]:
    """Number of segments in each band [0, 0.05), [0.05, 0.1), … [0.95, 1], and number without a value."""
    counts = [0] * (BANDS + 1)
    for scored in segments:
        value = ten_thousandths(getattr(scored, measure))
        counts[BANDS if value == NO_VALUE else min(value * BANDS // RESOLUTION, BANDS - 1)] += 1
    return counts


def difference_bands(first: Sequence[ScoreBreakdown], second: Sequence[ScoreBreakdown], measure: str) -> list[int]:
    """Distribution of the differences between segments, first minus second.

    Returns:
        The counts of [−1, −0.9), … [−0.1, 0), of segments without a difference, of (0, 0.1], … (0.9, 1], and of
        segments where one of the two has no value.
    """
    counts = [0] * (BANDS + 2)
    for one, other in zip(first, second, strict=True):
        difference = _difference(getattr(one, measure), getattr(other, measure), round_after=measure == "score")
        counts[-1 if difference is None else BANDS // 2 + _band_offset(difference)] += 1
    return counts


def _difference(one: float, other: float, *, round_after: bool) -> int | None:
    """Difference of the rounded values or, with `round_after`, the rounded difference, as the page shows it."""
    if isnan(one) or isnan(other):
        return None
    return ten_thousandths(one - other) if round_after else ten_thousandths(one) - ten_thousandths(other)


def _band_offset(value: int) -> int:
    """Number of bands from the band without a difference."""
    width = RESOLUTION * 2 // BANDS
    return -(-value // width) if value > 0 else value // width
