"""Williams' test of the difference between two correlations that share a variable."""

from __future__ import annotations

from math import inf, isnan, nan, sqrt

from meteorlib.extras import import_extra

EXTRA = "meta-eval"
"""Extra that installs scipy, which provides Student's distribution."""

ROUNDING = 1e-12
"""Correlations closer than this count as equal."""


def williams(better: float, worse: float, between: float, count: int) -> float:
    """P value of one metric correlating better with people than another (Williams 1959; Graham & Baldwin 2014).

    Args:
        better: correlation of the better metric with the ratings.
        worse: correlation of the worse metric with the ratings.
        between: correlation of the two metrics with each other.
        count: number of ratings.

    Returns:
        One-sided p value; NaN for fewer than four ratings or an undefined correlation.

    Raises:
        ExtraMissing: scipy is not installed.
    """
    if count < 4 or any(map(isnan, (better, worse, between))):
        return nan
    k = 1 - better**2 - worse**2 - between**2 + 2 * better * worse * between
    mean = (better + worse) / 2
    scale = 2 * max(k, 0.0) * (count - 1) / (count - 3) + mean**2 * (1 - between) ** 3
    if abs(better - worse) < ROUNDING:  # else metrics that differ in scale only would seem to differ
        return 0.5
    t = (better - worse) * sqrt((count - 1) * (1 + between) / scale) if scale > 0 else inf * (better - worse)
    tail: float = import_extra("scipy.special", EXTRA).stdtr(count - 3, -t)
    return float(tail)
