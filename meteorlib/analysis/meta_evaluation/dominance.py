"""Weighted counts of pairs that two lists order the same way, computed by a wavelet matrix.

Resampled test sets contain the same items, each repeated a different number of times. So everything that depends on
the values of the lists is computed once, and each test set costs only a few sums of its weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.arrays import Numbers

Indices = NDArray[np.int64]


@frozen(eq=False)
class _Bit:
    """Pairs decided by one bit of the ranks in the second list: set in the upper item, not set in the lower one.

    Attributes:
        lower: items in which the bit is not set.
        upper: items in which the bit is set.
        first, behind: for each of `upper`, the range of `lower` that is below it.
    """

    lower: Indices
    upper: Indices
    first: Indices
    behind: Indices


@frozen(eq=False)
class Dominance:
    """Index of the pairs that both lists order the same way: a wavelet matrix (Claude, Navarro & Ordóñez 2015)."""

    bits: tuple[_Bit, ...]

    @classmethod
    def of(cls, order: Indices, ranks: Indices, below: Indices) -> Self:
        """Build the index.

        Args:
            order: items in the order of the first list.
            ranks: rank of each item in the second list, from 0; equal numbers have equal ranks.
            below: for each item of `order`, the number of items below it in the first list.
        """
        return cls(tuple(_bits(order, ranks[order], below)))

    def __call__(self, weights: Numbers) -> Numbers:
        """Count the pairs.

        Args:
            weights: number of copies of each item, one column per test set.
        """
        found = np.zeros(weights.shape[1])
        for bit in self.bits:
            sums = prefix_sums(weights[bit.lower])
            found += np.einsum("ij,ij->j", weights[bit.upper], sums[bit.behind] - sums[bit.first])
        return found


def _bits(order: Indices, ranks: Indices, below: Indices) -> Iterator[_Bit]:
    places, values = order, ranks  # sorted by the higher bits, then by the first list
    first, behind = np.zeros_like(below), below
    for shift in reversed(range(int(ranks.max(initial=0)).bit_length())):
        is_set = values >> shift & 1 == 1
        unset_before = np.concatenate([[0], np.cumsum(~is_set)])
        count = unset_before[-1]
        start, end = unset_before[first], unset_before[behind]
        upper = ranks >> shift & 1 == 1
        some = upper & (end > start)
        yield _Bit(places[~is_set], order[some], start[some], end[some])
        first, behind = (np.where(upper, count + at - unset, unset) for at, unset in ((first, start), (behind, end)))
        stable_order = np.argsort(is_set, kind="stable")
        places, values = places[stable_order], values[stable_order]


def prefix_sums(weights: Numbers) -> Numbers:
    """Sums of the first 0, 1, 2, … rows."""
    sums = np.zeros((len(weights) + 1, weights.shape[1]))
    np.cumsum(weights, axis=0, out=sums[1:])
    return sums


def window_starts(ordered: Numbers, distance: float, first: Indices) -> Indices:
    """For each number, the index of the first one that is at most `distance` below it.

    Args:
        ordered: numbers in ascending order, at least from `first` on.
        distance: 0 or more; it is compared with differences in floating point.
        first: for each number, the index where the search starts.
    """
    low, high = first.copy(), np.arange(len(ordered))
    while (low < high).any():
        middle = (low + high) // 2
        far = ordered - ordered[middle] > distance
        low, high = np.where(far, middle + 1, low), np.where(far, high, middle)
    return low
