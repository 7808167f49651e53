"""Measures: the numbers of a segment as the page shows them, and how many segments lie in which band."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isnan

from meteorlib.core.breakdown import ScoreBreakdown

MEASURES = ("score", "precision", "recall", "fragmentation")
"""Those that are drawn, as in METEOR's X-ray."""

UNIT = 10_000
"""The page shows four digits: numbers are counted in units of the last one, so that all of it speaks of the same."""

BANDS = 20
"""Of 0.05 each; of differences, 10 of 0.1 each on both sides."""

NO_VALUE = UNIT + 1


def units(value: float) -> int:
    """`value` in units of 0.0001, rounded as it is printed; `NO_VALUE` for NaN."""
    return NO_VALUE if isnan(value) else int(f"{value:.4f}".replace(".", ""))


def bands(segments: Iterable[ScoreBreakdown], measure: str) -> list[int]:
    """How many segments lie in each band [0, 0.05), [0.05, 0.1), … [0.95, 1], and how many have no value."""
    counts = [0] * (BANDS + 1)
    for scored in segments:
        value = units(getattr(scored, measure))
        counts[BANDS if value == NO_VALUE else min(value * BANDS // UNIT, BANDS - 1)] += 1
    return counts


def difference_bands(first: Sequence[ScoreBreakdown], second: Sequence[ScoreBreakdown], measure: str) -> list[int]:
    """How many segments differ by how much, first minus second.

    Returns:
        The counts of [−1, −0.9), … [−0.1, 0), of those without a difference, of (0, 0.1], … (0.9, 1], and of those
        where one of the two has no value.
    """
    counts = [0] * (BANDS + 2)
    for one, other in zip(first, second, strict=True):
        difference = _difference(getattr(one, measure), getattr(other, measure), shown=measure == "score")
        counts[-1 if difference is None else BANDS // 2 + _steps(difference)] += 1
    return counts


def _difference(one: float, other: float, *, shown: bool) -> int | None:
    """In units, as the page has it: of what is shown of both, or, where the difference itself is shown, of that."""
    if isnan(one) or isnan(other):
        return None
    return units(one - other) if shown else units(one) - units(other)


def _steps(value: int) -> int:
    """So many bands to the right of no difference."""
    width = UNIT * 2 // BANDS
    return -(-value // width) if value > 0 else value // width
