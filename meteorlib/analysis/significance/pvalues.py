"""Intervals and p values of resampled scores, Holm's correction, and ranks of systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from meteorlib.analysis.results import Changes, Interval
from meteorlib.arrays import Numbers

ROUNDING = 1e-12
"""Score differences closer than this count as equal."""

BANDS = 20
"""Number of bands of `Changes`, from -1 to 1."""


def interval(values: Numbers, confidence: float) -> Interval:
    """Percentile interval of resampled values (Efron & Tibshirani 1993, chapter 13), with sacrebleu's rounding."""
    ordered = np.sort(values)
    below = int(round(len(ordered) * (1 - confidence) / 2, 9))
    return Interval(float(ordered[below]), float(ordered[len(ordered) - 1 - below]), float(ordered.mean()))


def bootstrap_p(one: Numbers, other: Numbers, observed: float) -> float:
    """P value of the observed difference, from the scores of two systems on the same resampled test sets.

    Centering the differences simulates systems that do not differ (Riezler & Maxwell 2005). As in sacrebleu, the mean
    of the absolute differences is subtracted from each absolute difference.
    """
    differences = np.abs(one - other)
    return _at_least(differences - differences.mean(), observed)


def centered_p(differences: Numbers, observed: float) -> float:
    """Two-sided p value of the observed difference, from the differences on resampled test sets.

    Shifting them to mean 0 simulates the null hypothesis of no difference (Efron & Tibshirani 1993, chapter 16).
    """
    return _at_least(np.abs(differences - differences.mean()), observed)


def randomization_p(differences: Numbers, observed: float) -> float:
    """Two-sided p value of the observed difference, from the differences of shuffled systems (Noreen 1989)."""
    return _at_least(np.abs(differences), observed)


def _at_least(values: Numbers, observed: float) -> float:
    """Share of values at or above the observed difference, which counts as one of them (Phipson & Smyth)."""
    found = int(np.count_nonzero(values >= abs(observed) - ROUNDING))
    return (found + 1) / (len(values) + 1)


def holm(values: Sequence[float]) -> list[float]:
    """P values adjusted by Holm's step-down procedure (1979), in the same order."""
    adjusted = [0.0] * len(values)
    largest = 0.0
    for place, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        largest = max(largest, min(1.0, (len(values) - place) * values[index]))
        adjusted[index] = largest
    return adjusted


def ranks(scores: Sequence[float], significant: Callable[[int, int], bool]) -> list[int]:
    """Ranks of systems by clusters, as in WMT (Bojar et al. 2016, section 3.4).

    A cluster ends where every system above is significantly better than every system below. Systems within a cluster
    may still differ significantly: of three, the first may beat the last while neither differs from the second.

    Args:
        scores: the score of each system.
        significant: whether two systems, by index, differ significantly.

    Returns:
        Rank of each system: 1 plus the number of systems in better clusters.
    """
    order = sorted(range(len(scores)), key=lambda index: -scores[index])
    found = [1] * len(scores)
    rank = 1
    for place in range(1, len(order)):
        if all(significant(above, below) for above in order[:place] for below in order[place:]):
            rank = place + 1
        found[order[place]] = rank
    return found


def changes(system: Numbers, baseline: Numbers) -> Changes:
    """Distribution of the changes of segment scores from a baseline to a system."""
    differences = system - baseline
    differences[np.abs(differences) < ROUNDING] = 0.0
    half = BANDS // 2
    bands = np.ceil(np.round(np.abs(differences) * half, 9)).clip(1, half).astype(int) - 1
    worse, better = (np.bincount(bands[mask], minlength=half).tolist() for mask in (differences < 0, differences > 0))
    return Changes((*reversed(worse), *better), int(np.count_nonzero(differences == 0)))
