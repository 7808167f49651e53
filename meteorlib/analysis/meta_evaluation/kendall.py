"""Kendall's tau: counts of concordant and discordant pairs, and its variants (WMT, tau-b, tau-c)."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.analysis.meta_evaluation.dominance import Dominance, Indices
from meteorlib.arrays import Numbers


def wmt_taus(concordant: NDArray[Any], discordant: NDArray[Any], tied: NDArray[Any]) -> dict[str, Numbers]:
    """Kendall's tau as in WMT's metrics tasks, whose variants differ in how they treat metric ties.

    A pair with equal scores was discordant in 2012 (as in METEOR's trainer) and ignored in 2013; since 2014 it only
    counts in the denominator (Macháček & Bojar 2014, section 4.2). NaN if there are no pairs.
    """
    judged = concordant + discordant + tied
    with np.errstate(all="ignore"):
        return {
            "tau_wmt12": (concordant - discordant - tied) / judged,
            "tau_wmt13": (concordant - discordant) / (concordant + discordant),
            "tau_wmt14": (concordant - discordant) / judged,
        }


@frozen(eq=False)
class Ties:
    """Groups of equal numbers in a list.

    Attributes:
        order: indices that sort the list.
        starts: positions in that order where a new number begins.
        ranks: rank of each item among the distinct numbers, from 0.
    """

    order: Indices
    starts: Indices
    ranks: Indices

    @classmethod
    def of(cls, numbers: NDArray[Any]) -> Self:
        """Find the ties of a list."""
        ranks = np.unique(numbers, return_inverse=True)[1].astype(np.int64)
        order = np.argsort(ranks, kind="stable")
        return cls(order, np.flatnonzero(np.diff(ranks[order], prepend=-1)), ranks)

    @property
    def first(self) -> Indices:
        """Start of the tie of each position in `order`."""
        return self.starts[self.ranks[self.order]]

    def sizes(self, weights: Numbers) -> Numbers:
        """Number of copies of each distinct number, for the given weights (see `Dominance`)."""
        sorted_weights = weights[self.order]
        if len(self.starts) == len(self.order):
            return sorted_weights
        found: Numbers = np.add.reduceat(sorted_weights, self.starts, axis=0)
        return found


@frozen(eq=False)
class Orders:
    """Counts of pairs by their order in two lists; arrays with one element per test set.

    Attributes:
        count: number of items in each list.
        concordant: pairs in the same order.
        discordant: pairs in opposite order.
        tied_first: pairs tied in the first list.
        tied_second: pairs tied in the second list.
        values: number of distinct values of the list that has fewer of them.
    """

    count: Numbers
    concordant: Numbers
    discordant: Numbers
    tied_first: Numbers
    tied_second: Numbers
    values: Numbers

    @property
    def tau_b(self) -> Numbers:
        """Tau-b (Kendall 1945); NaN if a list is constant."""
        every = pair_counts(self.count)
        scale = (every - self.tied_first) * (every - self.tied_second)
        with np.errstate(all="ignore"):
            return np.where(scale > 0, (self.concordant - self.discordant) / np.sqrt(scale), np.nan)

    @property
    def tau_c(self) -> Numbers:
        """Tau-c (Stuart 1953), for lists with unequal numbers of values; NaN if a list is constant."""
        more = 2 * (self.concordant - self.discordant) * self.values
        with np.errstate(all="ignore"):
            return np.where(self.values > 1, more / (self.count**2 * (self.values - 1)), np.nan)


@frozen(eq=False)
class Kendall:
    """Kendall's tau of two lists for any weights of their items, in O(n log n)."""

    first: Ties
    second: Ties
    both: Ties
    upward: Dominance

    @classmethod
    def of(cls, first: NDArray[Any], second: NDArray[Any]) -> Self:
        """Precompute what does not depend on the weights.

        Args:
            first: n numbers.
            second: n numbers.
        """
        one, other = Ties.of(first), Ties.of(second)
        both = Ties.of(one.ranks * len(other.starts) + other.ranks)
        few, many = sorted((one, other), key=lambda ties: len(ties.starts))
        return cls(one, other, both, Dominance.of(many.order, few.ranks, many.first))

    def __call__(self, weights: Numbers) -> Orders:
        """Count the pairs of repeated items; copies of one item also form pairs, which are ties.

        Args:
            weights: number of copies of each item, one column per test set.
        """
        sizes = [ties.sizes(weights) for ties in (self.first, self.second, self.both)]
        first, second, both = (pair_counts(one).sum(axis=0) for one in sizes)
        count = weights.sum(axis=0)
        concordant = self.upward(weights)
        discordant = pair_counts(count) - first - second + both - concordant
        values = np.minimum(*(np.count_nonzero(one, axis=0) for one in sizes[:2])).astype(float)
        return Orders(count, concordant, discordant, first, second, values)


def pair_counts(sizes: Numbers) -> Numbers:
    """Number of pairs in sets of these sizes."""
    return sizes * (sizes - 1) / 2
