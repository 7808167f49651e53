"""Williams' test of the difference between two correlations with the same numbers."""

from __future__ import annotations

from math import exp, inf, isnan, lgamma, log, log1p, nan, sqrt

ROUNDING = 1e-12
"""Correlations that differ by less are equal."""


def williams(better: float, worse: float, between: float, count: int) -> float:
    """P value of one metric correlating better with people than another (Williams 1959; Graham & Baldwin 2014).

    Args:
        better: correlation of the one with the ratings.
        worse: correlation of the other with them.
        between: correlation of the two metrics.
        count: how many ratings there are.

    Returns:
        One-sided; NaN for fewer than four ratings, or a correlation that is not defined.
    """
    if count < 4 or any(map(isnan, (better, worse, between))):
        return nan
    k = 1 - better**2 - worse**2 - between**2 + 2 * better * worse * between
    mean = (better + worse) / 2
    scale = 2 * max(k, 0.0) * (count - 1) / (count - 3) + mean**2 * (1 - between) ** 3
    if abs(better - worse) < ROUNDING:  # else metrics that differ in scale only would seem to differ
        return 0.5
    t = (better - worse) * sqrt((count - 1) * (1 + between) / scale) if scale > 0 else inf * (better - worse)
    return student(t, count - 3)


def student(t: float, freedom: int) -> float:
    """The probability of more than `t` under Student's distribution."""
    tail = 0.5 * _beta(freedom / (freedom + t * t), freedom / 2, 0.5)
    return tail if t >= 0 else 1 - tail


def _beta(x: float, a: float, b: float) -> float:
    """The regularized incomplete beta function (NIST's handbook, 8.17.22, with Lentz's way to evaluate a fraction)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    tiny = 1e-300
    value, c, d, step = 1.0, 1.0, 0.0, 0
    while True:
        m = step // 2
        if step == 0:
            term = 1.0
        elif step % 2 == 0:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / (1 + term * d or tiny)
        c = 1 + term / c or tiny
        change = c * d
        value *= change
        step += 1
        if step > 1 and abs(change - 1) < 1e-15:
            return front * (value - 1)
        if step > 10_000:
            return nan
