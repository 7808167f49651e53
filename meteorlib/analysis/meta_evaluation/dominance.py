"""Weighted counts of pairs that two lists order the same way, computed by a wavelet matrix.

Test sets that are drawn anew hold the same places, each in another number. So all that depends on the numbers in the
lists is worked out once, and what a test set costs is a few sums of its weights.
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
    """The pairs that a bit of the second list decides: it is set in the upper place and not in the lower one.

    Attributes:
        lower: places in which it is not set.
        upper: places in which it is.
        first, behind: which of `lower` are below each of `upper`.
    """

    lower: Indices
    upper: Indices
    first: Indices
    behind: Indices


@frozen(eq=False)
class Dominance:
    """Which places are below which in both lists: a wavelet matrix (Claude, Navarro & Ordóñez 2015)."""

    bits: tuple[_Bit, ...]

    @classmethod
    def of(cls, order: Indices, ranks: Indices, below: Indices) -> Self:
        """Prepare the counting.

        Args:
            order: the places in the order of the first list.
            ranks: of each place in the second list, from 0; equal numbers have the same.
            below: for each place of `order`, how many of them count as below it in the first list.
        """
        return cls(tuple(_bits(order, ranks[order], below)))

    def __call__(self, weights: Numbers) -> Numbers:
        """How many pairs there are.

        Args:
            weights: how often each place stands, in a column for each test set.
        """
        found = np.zeros(weights.shape[1])
        for bit in self.bits:
            sums = prefix_sums(weights[bit.lower])
            found += np.einsum("ij,ij->j", weights[bit.upper], sums[bit.behind] - sums[bit.first])
        return found


def _bits(order: Indices, ranks: Indices, below: Indices) -> Iterator[_Bit]:
    places, values = order, ranks  # sorted by the higher bits, and else by the first list
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
        kept = np.argsort(is_set, kind="stable")
        places, values = places[kept], values[kept]


def prefix_sums(weights: Numbers) -> Numbers:
    """The sums of the first 0, 1, 2, … rows."""
    sums = np.zeros((len(weights) + 1, weights.shape[1]))
    np.cumsum(weights, axis=0, out=sums[1:])
    return sums


def window_starts(ordered: Numbers, distance: float, first: Indices) -> Indices:
    """For each number, where those begin that are not more than `distance` below it.

    Args:
        ordered: numbers that go up, at least from `first` on.
        distance: 0 or more; differences count as they are rounded.
        first: for each number, from where on is looked.
    """
    low, high = first.copy(), np.arange(len(ordered))
    while (low < high).any():
        middle = (low + high) // 2
        far = ordered - ordered[middle] > distance
        low, high = np.where(far, middle + 1, low), np.where(far, high, middle)
    return low
