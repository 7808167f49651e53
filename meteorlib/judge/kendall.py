"""Kendall's tau: orders of pairs, and the taus that are made of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.arrays import Numbers


def wmt_taus(concordant: NDArray[Any], discordant: NDArray[Any], tied: NDArray[Any]) -> dict[str, Numbers]:
    """The taus of WMT's metrics tasks, which differ in what a pair counts for that the metric scores alike.

    In 2012 it counts as discordant (as in METEOR's trainer), in 2013 it is left out, since 2014 it counts among all
    pairs only (Macháček & Bojar 2014, section 4.2). NaN where there is no pair.
    """
    judged = concordant + discordant + tied
    with np.errstate(all="ignore"):
        return {
            "tau_wmt12": (concordant - discordant - tied) / judged,
            "tau_wmt13": (concordant - discordant) / (concordant + discordant),
            "tau_wmt14": (concordant - discordant) / judged,
        }


@frozen
class Kendall:
    """How two lists of numbers order the pairs of their places.

    Attributes:
        count: how many numbers each has.
        concordant: pairs in the same order.
        discordant: pairs in opposite order.
        tied_first: pairs that are equal in the first list.
        tied_second: pairs that are equal in the second.
        values: how many different numbers the list has that has fewer of them.
    """

    count: int
    concordant: int
    discordant: int
    tied_first: int
    tied_second: int
    values: int

    @classmethod
    def of(cls, first: NDArray[Any], second: NDArray[Any]) -> Kendall:
        """Count the pairs, in n log² n (after Knight 1966).

        Args:
            first: n numbers.
            second: n numbers.
        """
        one, other = (np.unique(numbers, return_inverse=True)[1] for numbers in (first, second))
        return cls.of_ranks(one, other)

    @classmethod
    def of_ranks(cls, first: NDArray[np.int64], second: NDArray[np.int64]) -> Kendall:
        """The same for whole numbers from 0."""
        count, width = len(first), int(second.max(initial=0)) + 1
        cells = np.sort(first * width + second)
        every = _pairs(np.array([count]))
        one, other, both = (np.bincount(first), np.bincount(second), _runs(cells))
        tied_first, tied_second, tied_both = _pairs(one), _pairs(other), _pairs(both)
        discordant = _inversions(cells % width)
        concordant = every - tied_first - tied_second + tied_both - discordant
        values = min(np.count_nonzero(one), np.count_nonzero(other))
        return cls(count, concordant, discordant, tied_first, tied_second, int(values))

    @property
    def tau_b(self) -> float:
        """Tau-b (Kendall 1945); NaN where a list is constant."""
        every = self.count * (self.count - 1) // 2
        scale = float(every - self.tied_first) * float(every - self.tied_second)
        return (self.concordant - self.discordant) / scale**0.5 if scale else np.nan

    @property
    def tau_c(self) -> float:
        """Tau-c (Stuart 1953), for lists with unequal numbers of values; NaN where a list is constant."""
        if self.values < 2:
            return np.nan
        return 2 * (self.concordant - self.discordant) * self.values / (self.count**2 * (self.values - 1))


def _pairs(sizes: NDArray[Any]) -> int:
    sizes = sizes.astype(np.int64)
    return int((sizes * (sizes - 1) // 2).sum())


def _runs(ordered: NDArray[np.int64]) -> NDArray[np.int64]:
    """How often each number of a sorted list comes."""
    ends = np.flatnonzero(np.diff(ordered, append=ordered[-1:] + 1))
    return np.diff(ends, prepend=-1)


def _inversions(numbers: NDArray[np.int64]) -> int:
    """Pairs of places of which the earlier one has the larger number.

    Two numbers are in the order of the highest bit in which they differ. So for each bit, among numbers that are alike
    in all higher ones, the pairs are counted in which a set bit comes before one that is not set.
    """
    found = 0
    for bit in reversed(range(int(numbers.max(initial=0)).bit_length())):
        # at each bit the numbers are sorted by their higher bits, and else in the order in which they came
        is_set = numbers >> bit & 1
        higher = numbers >> bit + 1
        before = np.cumsum(is_set)
        starts = np.flatnonzero(np.diff(higher, prepend=-1))
        lengths = np.diff(starts, append=len(numbers))
        before_group = np.repeat(before[starts] - is_set[starts], lengths)
        found += int((before - before_group)[is_set == 0].sum())
        numbers = numbers[np.argsort(numbers >> bit, kind="stable")]
    return found
