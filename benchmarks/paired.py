"""Comparison of two programs run in turns: is one slower by more than the noise?"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from attrs import frozen


@frozen
class Ratio:
    """Seconds of the new one by those of the old one.

    Attributes:
        mean: geometric mean of the pairs.
        low: end of the confidence interval of the mean.
        high: the other end.
    """

    mean: float
    low: float
    high: float

    def verdict(self, least: float) -> str:
        """``slower`` or ``faster`` where the whole interval is, and the mean by at least that share; else ``same``."""
        if self.low > 1 and self.mean >= 1 + least:
            return "slower"
        if self.high < 1 and self.mean <= 1 / (1 + least):
            return "faster"
        return "same"


def ratio(old: Sequence[float], new: Sequence[float], confidence: float) -> Ratio:
    """Compare runs that were made in turns.

    What disturbs a machine for longer than a run disturbs both of a pair; so the pairs' ratios are looked at, as
    logarithms, with Student's t.

    Args:
        old: seconds of each run of the one.
        new: seconds of each run of the other, in the same turns.
        confidence: level of the interval, 0..1.

    Raises:
        ValueError: fewer than two pairs, or not as many of the one as of the other.
    """
    if len(old) != len(new) or len(old) < 2:
        raise ValueError(f"expected two runs of each at least, and as many of both; got {len(old)} and {len(new)}")
    logs = [log(after / before) for before, after in zip(old, new, strict=True)]
    mean = sum(logs) / len(logs)
    if max(logs) == min(logs):
        return Ratio(exp(mean), exp(mean), exp(mean))
    from scipy import stats  # noqa: PLC0415 – an extra

    interval = stats.ttest_1samp(logs, 0.0).confidence_interval(confidence)
    return Ratio(exp(mean), exp(interval.low), exp(interval.high))


def shared(confidence: float, count: int) -> float:
    """The level of each of several intervals for which all are right with `confidence` (Bonferroni)."""
    return 1 - (1 - confidence) / count
