"""Pearson's and Spearman's correlation, plain and with resampling weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from meteorlib.analysis.meta_evaluation.kendall import Ties
from meteorlib.arrays import Numbers

CONSTANT = 1e-13
"""Relative deviations below this are rounding errors. Numbers are centered at their median first, because the mean of
large, nearly equal numbers would hide small differences."""


def pearson(first: NDArray[Any], second: NDArray[Any]) -> Numbers:
    """Pearson's r along the last axis; NaN where a list is constant or has fewer than two numbers."""
    one, other = _standardized(first), _standardized(second)
    product: Numbers = (one * other).sum(axis=-1)
    return product.clip(-1.0, 1.0)


def weighted_pearson(first: Numbers, second: Numbers, weights: Numbers) -> Numbers:
    """Pearson's r of lists whose items are repeated.

    Args:
        first: first value of each item.
        second: second value of each item.
        weights: number of copies of each item, one column per test set.
    """
    one, other = (_centered(numbers)[:, np.newaxis] for numbers in (first, second))
    return _correlated(one, other, weights)


def weighted_spearman(first: Ties, second: Ties, weights: Numbers) -> Numbers:
    """Spearman's rho of lists whose items are repeated: Pearson's r of their ranks.

    Args:
        first: ties of the first values.
        second: ties of the second values.
        weights: number of copies of each item, one column per test set.
    """
    return _correlated(_ranks(first, weights), _ranks(second, weights), weights)


def _ranks(ties: Ties, weights: Numbers) -> Numbers:
    """Rank of each item; equal numbers share their mean rank."""
    sizes = ties.sizes(weights)
    means: Numbers = np.cumsum(sizes, axis=0) - (sizes - 1) / 2
    return means[ties.ranks]


def _correlated(first: Numbers, second: Numbers, weights: Numbers) -> Numbers:
    count = weights.sum(axis=0)
    deviations, norms = [], []
    for numbers in (first, second):
        mean = (numbers * weights).sum(axis=0) / count
        deviation = numbers - mean
        norm = np.sqrt(np.einsum("ij,ij,ij->j", deviation, deviation, weights))
        deviations.append(deviation)
        norms.append(np.where(norm > CONSTANT * np.abs(mean) * np.sqrt(count), norm, np.nan))
    product: Numbers = np.einsum("ij,ij,ij->j", *deviations, weights) / norms[0] / norms[1]
    return product.clip(-1.0, 1.0)


def _centered(numbers: NDArray[Any]) -> Numbers:
    """Subtract the median of each list, so that small differences between large numbers survive."""
    middle = numbers.shape[-1] // 2
    found: Numbers = numbers - np.partition(numbers, middle, axis=-1)[..., middle, np.newaxis]
    return found


def _standardized(numbers: NDArray[Any]) -> Numbers:
    numbers = _centered(numbers)
    mean = numbers.mean(axis=-1, keepdims=True)
    deviations = numbers - mean
    norm = np.linalg.norm(deviations, axis=-1, keepdims=True)
    limit = CONSTANT * np.abs(mean) * numbers.shape[-1] ** 0.5
    with np.errstate(all="ignore"):
        return np.where(norm > limit, deviations / norm, np.nan)
