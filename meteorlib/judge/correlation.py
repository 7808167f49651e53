"""Pearson's and Spearman's correlation."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from meteorlib.arrays import Numbers

CONSTANT = 1e-13
"""Deviations below this share of the mean are rounding."""


def pearson(first: NDArray[Any], second: NDArray[Any]) -> Numbers:
    """Pearson's r along the last axis; NaN where a list is constant or has fewer than two numbers."""
    one, other = _standardized(first), _standardized(second)
    product: Numbers = (one * other).sum(axis=-1)
    return product.clip(-1.0, 1.0)


def spearman(first: NDArray[Any], second: NDArray[Any]) -> Numbers:
    """Spearman's rho of two lists: Pearson's r of their ranks, equal numbers sharing the mean of theirs."""
    return pearson(ranked(first), ranked(second))


def ranked(numbers: NDArray[Any]) -> Numbers:
    """The rank of each number; equal ones share the mean of their ranks."""
    _, places, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    means: Numbers = np.cumsum(counts) - (counts - 1) / 2
    return means[places]


def _standardized(numbers: NDArray[Any]) -> Numbers:
    mean = numbers.mean(axis=-1, keepdims=True)
    deviations = numbers - mean
    norm = np.linalg.norm(deviations, axis=-1, keepdims=True)
    limit = CONSTANT * np.abs(mean) * numbers.shape[-1] ** 0.5
    with np.errstate(all="ignore"):
        return np.where(norm > limit, deviations / norm, np.nan)
