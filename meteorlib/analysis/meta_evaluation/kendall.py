"""Kendall's tau: counts of concordant and discordant pairs, and its variants (WMT, tau-b, tau-c)."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.analysis.meta_evaluation.dominance import Dominance, Indices
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


@frozen(eq=False)
class Ties:
    """The equal numbers of a list.

    Attributes:
        order: its places, sorted by the numbers.
        starts: where in that order a new number begins.
        ranks: which number, from 0, each place has.
    """

    order: Indices
    starts: Indices
    ranks: Indices

    @classmethod
    def of(cls, numbers: NDArray[Any]) -> Self:
        """The ties of a list."""
        ranks = np.unique(numbers, return_inverse=True)[1].astype(np.int64)
        order = np.argsort(ranks, kind="stable")
        return cls(order, np.flatnonzero(np.diff(ranks[order], prepend=-1)), ranks)

    @property
    def first(self) -> Indices:
        """For each place of the order, where its number begins."""
        return self.starts[self.ranks[self.order]]

    def sizes(self, weights: Numbers) -> Numbers:
        """How often each number stands, for weights of the places (see `Dominance`)."""
        sorted_weights = weights[self.order]
        if len(self.starts) == len(self.order):
            return sorted_weights
        found: Numbers = np.add.reduceat(sorted_weights, self.starts, axis=0)
        return found


@frozen(eq=False)
class Orders:
    """How two lists order the pairs of their places; an array element for each test set.

    Attributes:
        count: how many numbers each list has.
        concordant: pairs in the same order.
        discordant: pairs in opposite order.
        tied_first: pairs that are equal in the first list.
        tied_second: pairs that are equal in the second.
        values: how many different numbers the list has that has fewer of them.
    """

    count: Numbers
    concordant: Numbers
    discordant: Numbers
    tied_first: Numbers
    tied_second: Numbers
    values: Numbers

    @property
    def tau_b(self) -> Numbers:
        """Tau-b (Kendall 1945); NaN where a list is constant."""
        every = pair_counts(self.count)
        scale = (every - self.tied_first) * (every - self.tied_second)
        with np.errstate(all="ignore"):
            return np.where(scale > 0, (self.concordant - self.discordant) / np.sqrt(scale), np.nan)

    @property
    def tau_c(self) -> Numbers:
        """Tau-c (Stuart 1953), for lists with unequal numbers of values; NaN where a list is constant."""
        more = 2 * (self.concordant - self.discordant) * self.values
        with np.errstate(all="ignore"):
            return np.where(self.values > 1, more / (self.count**2 * (self.values - 1)), np.nan)


@frozen(eq=False)
class Kendall:
    """Two lists of numbers, to be counted with any weights of their places, in n log n."""

    first: Ties
    second: Ties
    both: Ties
    upward: Dominance

    @classmethod
    def of(cls, first: NDArray[Any], second: NDArray[Any]) -> Self:
        """Prepare the counting.

        Args:
            first: n numbers.
            second: n numbers.
        """
        one, other = Ties.of(first), Ties.of(second)
        both = Ties.of(one.ranks * len(other.starts) + other.ranks)
        few, many = sorted((one, other), key=lambda ties: len(ties.starts))
        return cls(one, other, both, Dominance.of(many.order, few.ranks, many.first))

    def __call__(self, weights: Numbers) -> Orders:
        """Count the pairs; one number and another that stand several times make several pairs, and so does one.

        Args:
            weights: how often each place stands, in a column for each test set.
        """
        sizes = [ties.sizes(weights) for ties in (self.first, self.second, self.both)]
        first, second, both = (pair_counts(one).sum(axis=0) for one in sizes)
        count = weights.sum(axis=0)
        concordant = self.upward(weights)
        discordant = pair_counts(count) - first - second + both - concordant
        values = np.minimum(*(np.count_nonzero(one, axis=0) for one in sizes[:2])).astype(float)
        return Orders(count, concordant, discordant, first, second, values)


def pair_counts(sizes: Numbers) -> Numbers:
    """How many pairs so many things make."""
    return sizes * (sizes - 1) / 2
