"""Correlations of two lists: Kendall's tau by counts of pairs, Pearson's, Spearman's; Williams' test.

Resampled test sets contain the same items, each repeated a different number of times. So everything that depends on
the values of the lists is computed once, and each test set costs only a few sums of its weights: *weights* are the
numbers of copies of each item, one column per test set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf, isnan, nan, sqrt
from typing import Any, Self

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.arrays import Numbers
from meteorlib.extras import import_extra

Indices = NDArray[np.int64]

CONSTANT = 1e-13
"""Relative deviations below this are rounding errors. Numbers are centered at their median first, because the mean of
large, nearly equal numbers would hide small differences."""

EXTRA = "meta-eval"

SAME = 1e-12

EXPLAINED = 1e-9
"""Share of a list that a regression leaves at most where it explains all of it: rounding errors."""


@frozen(eq=False)
class _Bit:
    """Pairs decided by one bit of the ranks in the second list: set in `upper`, not in `lower[first:behind]`."""

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
        """Build the index from items in the `order` of the first list, and the number of items `below` each in it.

        `ranks` are those of the items in the second list, from 0; equal numbers have equal ranks.
        """
        return cls(tuple(_bits(order, ranks[order], below)))

    def __call__(self, weights: Numbers) -> Numbers:
        """Count the pairs."""
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
    """For each number, the index of the first one, from `first` on, that is at most `distance` below it.

    Numbers ascend, at least from `first` on; the distance is compared with differences in floating point.
    """
    low, high = first.copy(), np.arange(len(ordered))
    while (low < high).any():
        middle = (low + high) // 2
        far = ordered - ordered[middle] > distance
        low, high = np.where(far, middle + 1, low), np.where(far, high, middle)
    return low


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
    """Groups of equal numbers in a list: `starts` are the positions in `order` where one begins, `ranks` are from 0."""

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
        """Start of the tie of each position in `order`."""
        return self.starts[self.ranks[self.order]]

    def groups(self) -> list[Indices]:
        """Indices of the items with each number, in the order of the numbers."""
        return np.split(self.order, self.starts[1:])

    def sizes(self, weights: Numbers) -> Numbers:
        """Number of copies of each distinct number."""
        sorted_weights = weights[self.order]
        if len(self.starts) == len(self.order):
            return sorted_weights
        found: Numbers = np.add.reduceat(sorted_weights, self.starts, axis=0)
        return found


@frozen(eq=False)
class Orders:
    """Counts of pairs by their order in two lists, and of items, for each test set; of distinct `values` the fewer."""

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
        """Precompute what does not depend on the weights."""
        one, other = Ties.of(first), Ties.of(second)
        both = Ties.of(one.ranks * len(other.starts) + other.ranks)
        few, many = sorted((one, other), key=lambda ties: len(ties.starts))
        return cls(one, other, both, Dominance.of(many.order, few.ranks, many.first))

    def __call__(self, weights: Numbers) -> Orders:
        """Count the pairs of repeated items; copies of one item also form pairs, which are ties."""
        sizes = [ties.sizes(weights) for ties in (self.first, self.second, self.both)]
        first, second, both = (pair_counts(size).sum(axis=0) for size in sizes)
        count = weights.sum(axis=0)
        concordant = self.upward(weights)
        discordant = pair_counts(count) - first - second + both - concordant
        values = np.minimum(*(np.count_nonzero(size, axis=0) for size in sizes[:2])).astype(float)
        return Orders(count, concordant, discordant, first, second, values)


def pair_counts(sizes: Numbers) -> Numbers:
    """Number of pairs in sets of these sizes."""
    return sizes * (sizes - 1) / 2


def pearson(first: NDArray[Any], second: NDArray[Any]) -> Numbers:
    """Pearson's r along the last axis; NaN where a list is constant or has fewer than two numbers."""
    one, other = _standardized(first), _standardized(second)
    product: Numbers = (one * other).sum(axis=-1)
    return product.clip(-1.0, 1.0)


def weighted_pearson(first: Numbers, second: Numbers, weights: Numbers, controls: Sequence[Numbers] = ()) -> Numbers:
    """Pearson's r of lists whose items are repeated; the partial correlation if there are `controls`.

    NaN where a list is constant, or a linear function of the controls.
    """
    one, other, *others = (_centered(numbers)[:, np.newaxis] for numbers in (first, second, *controls))
    return _correlated(one, other, weights, others)


def weighted_spearman(first: Ties, second: Ties, weights: Numbers) -> Numbers:
    """Spearman's rho of lists whose items are repeated: Pearson's r of their ranks."""
    return _correlated(_ranks(first, weights), _ranks(second, weights), weights)


def _ranks(ties: Ties, weights: Numbers) -> Numbers:
    """Rank of each item; equal numbers share their mean rank."""
    sizes = ties.sizes(weights)
    means: Numbers = np.cumsum(sizes, axis=0) - (sizes - 1) / 2
    return means[ties.ranks]


def _correlated(first: Numbers, second: Numbers, weights: Numbers, controls: Sequence[Numbers] = ()) -> Numbers:
    units: list[Numbers] = []
    for numbers in controls:
        deviations, norm = _deviations(numbers, weights, units)
        units.append(np.nan_to_num(deviations / norm))  # a constant explains nothing
    (one, norm), (other, another) = (_deviations(numbers, weights, units) for numbers in (first, second))
    product: Numbers = np.einsum("ij,ij,ij->j", one, other, weights) / norm / another
    return product.clip(-1.0, 1.0)


def _deviations(numbers: Numbers, weights: Numbers, units: Sequence[Numbers]) -> tuple[Numbers, Numbers]:
    """Deviations from the mean, without what orthogonal `units` explain, and their norm: NaN if nothing is left."""
    count = weights.sum(axis=0)
    mean = (numbers * weights).sum(axis=0) / count
    deviations = numbers - mean
    norm = _norm(deviations, weights)
    least = CONSTANT * np.abs(mean) * np.sqrt(count)
    for unit in units:
        least = np.maximum(least, EXPLAINED * norm)
        deviations = deviations - unit * np.einsum("ij,ij,ij->j", unit, deviations, weights)
        norm = _norm(deviations, weights)
    return deviations, np.where(norm > least, norm, np.nan)


def _norm(numbers: Numbers, weights: Numbers) -> Numbers:
    found: Numbers = np.sqrt(np.einsum("ij,ij,ij->j", numbers, numbers, weights))
    return found


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


def williams(better: float, worse: float, between: float, count: int) -> float:
    """One-sided p value of one metric correlating better with people than another (Williams 1959).

    See also Graham & Baldwin (2014). `between` is the correlation of the two metrics with each other. NaN for fewer
    than four ratings or an undefined correlation; `ExtraMissing` without scipy.
    """
    if count < 4 or any(map(isnan, (better, worse, between))):
        return nan
    k = 1 - better**2 - worse**2 - between**2 + 2 * better * worse * between
    mean = (better + worse) / 2
    scale = 2 * max(k, 0.0) * (count - 1) / (count - 3) + mean**2 * (1 - between) ** 3
    if abs(better - worse) < SAME:  # else metrics that differ in scale only would seem to differ
        return 0.5
    t = (better - worse) * sqrt((count - 1) * (1 + between) / scale) if scale > 0 else inf * (better - worse)
    tail: float = import_extra("scipy.special", EXTRA).stdtr(count - 3, -t)
    return float(tail)
