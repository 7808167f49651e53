"""Pairwise accuracy with ties (acc_eq) over all texts or within systems, on resampled test sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.analysis.meta_evaluation.dominance import Dominance, Indices, prefix_sums, window_starts
from meteorlib.analysis.meta_evaluation.kendall import Ties, pair_counts
from meteorlib.arrays import Numbers

BANDS = 1 << 16
"""Bands of distances of which only the promising ones are looked at closely."""

CELLS = 1 << 21
"""Pairs that are compared at a time, which bounds the memory."""

MAX_PAIRS = 100_000_000
"""Pairs that can be compared in some seconds."""

ROUNDING = 1e-9
"""Sums of shares that differ by less are equal."""


@frozen(eq=False)
class _Group:
    """Texts of which every two make a pair."""

    texts: Indices
    upward: Dominance
    by_rating: Indices
    first: Indices

    @classmethod
    def of(cls, texts: Indices, metric: Numbers, human: Numbers, epsilon: float) -> Self:
        """Prepare the counting for scores and ratings of these texts."""
        order, ratings = np.argsort(metric, kind="stable"), Ties.of(human)
        below = window_starts(metric[order], epsilon, np.zeros(len(order), np.int64))
        by_rating = np.lexsort((metric, ratings.ranks))
        first = window_starts(metric[by_rating], epsilon, ratings.starts[ratings.ranks[by_rating]])
        return cls(texts, Dominance.of(order, ratings.ranks, below), by_rating, first)

    def __call__(self, weights: Numbers) -> Numbers:
        """The share of pairs that are right; a text makes no pair with itself."""
        weights = weights[self.texts]
        rated_weights = weights[self.by_rating]
        sums = prefix_sums(rated_weights)
        ties = np.einsum("ij,ij->j", rated_weights, sums[:-1] - sums[self.first])
        count = weights.sum(axis=0)
        every = pair_counts(count) - pair_counts(weights).sum(axis=0)
        with np.errstate(all="ignore"):
            shares: Numbers = (self.upward(weights) + ties) / every
        return shares


@frozen(eq=False)
class PairAccuracy:
    """The accuracy acc_eq of groups of texts at one threshold; see `calibration.TieCalibration`.

    Attributes:
        epsilon: the threshold, the least of those that make the accuracy largest.
    """

    epsilon: float
    groups: tuple[_Group, ...]

    @classmethod
    def of(cls, metric: Numbers, human: Numbers, groups: Sequence[Indices]) -> Self:
        """Find the threshold.

        Args:
            metric: of each text its score.
            human: of each text its rating.
            groups: the texts of each group; every two of a group make a pair.
        """
        taken = [(metric[texts], human[texts]) for texts in groups]
        epsilon = threshold(taken)
        return cls(
            epsilon, tuple(_Group.of(texts, *lists, epsilon) for texts, lists in zip(groups, taken, strict=True))
        )

    def __call__(self, weights: Numbers) -> Numbers:
        """The mean of the groups' accuracies, those without pairs left out.

        Args:
            weights: how often each text stands, in a column for each test set.
        """
        found = np.stack([group(weights) for group in self.groups])
        known = np.isfinite(found)
        with np.errstate(all="ignore"):
            mean: Numbers = np.where(known, found, 0.0).sum(axis=0) / known.sum(axis=0)
        return mean


def pair_count(groups: Sequence[Indices]) -> int:
    """How many pairs the texts of groups make."""
    return sum(len(texts) * (len(texts) - 1) // 2 for texts in groups)


def threshold(groups: Sequence[tuple[Numbers, Numbers]]) -> float:
    """The threshold that makes the accuracy largest; of several the least, which is 0 or a distance that occurs.

    A pair becomes a tie at its distance: then it is right if people hold it for one, and was right before if the two
    agreed on its order. So what is won or lost goes up with human ties only. It is summed up for bands of distances
    first; in a band whose ties cannot make up for what is behind the best one nothing need be looked at closely.

    Args:
        groups: scores and ratings of the texts of each group.
    """
    spread = max((float(np.ptp(metric)) for metric, _ in groups if len(metric)), default=0.0)
    if not spread:
        return 0.0
    scale = BANDS / spread

    def band_of(distances: Numbers) -> NDArray[np.int64]:
        """0 is what is tied anyway."""
        bands = np.minimum((distances * scale).astype(np.int64), BANDS - 1) + 1
        bands[distances == 0] = 0
        return bands

    won, lost = np.zeros(BANDS + 1), np.zeros(BANDS + 1)
    for share, ties, agreeing in _distances(groups, spread):
        won += share * np.bincount(band_of(ties), minlength=BANDS + 1)
        lost += share * np.bincount(band_of(agreeing), minlength=BANDS + 1)
    ends = np.cumsum(won - lost)
    promising = np.append(False, (ends[:-1] + won[1:] >= ends.max() - ROUNDING) & (won[1:] > 0))
    farthest = (np.flatnonzero(promising).max(initial=-1) + 2) / scale
    found, change = np.zeros(0), np.zeros(0)
    for share, *distances in _distances(groups, farthest):
        for some, gain in zip(distances, (share, -share), strict=True):
            close = some[promising[band_of(some)]]
            found, change = _merge_equal(np.append(found, close), np.append(change, np.full(len(close), gain)))
    bands = band_of(found)
    sums = np.cumsum(change)
    starts = np.flatnonzero(np.diff(bands, prepend=-1))
    before = np.repeat((sums - change)[starts], np.diff(starts, append=len(bands)))
    reached = np.append(ends[0], ends[bands - 1] + sums - before)
    return float(np.append(0.0, found)[np.flatnonzero(reached >= reached.max() - ROUNDING)[0]])


def _distances(groups: Sequence[tuple[Numbers, Numbers]], farthest: float) -> Iterator[tuple[float, Numbers, Numbers]]:
    """What a pair counts for; distances of pairs that people hold for ties, and of those that are right as they are.

    Those that are much farther from each other than `farthest` are left out.
    """
    for metric, human in groups:
        order = np.argsort(metric, kind="stable")
        ordered, ratings = metric[order], human[order]
        count = len(order)
        share = 2 / (count * (count - 1)) if count > 1 and len(groups) > 1 else 1.0
        rows = max(1, CELLS // max(count, 1))
        for first in range(0, count, rows):
            some = slice(first, min(first + rows, count))
            columns = slice(first, int(np.searchsorted(ordered, ordered[some.stop - 1] + farthest, "right")))
            distances = ordered[columns] - ordered[some, np.newaxis]
            ties = ratings[columns] == ratings[some, np.newaxis]
            agreeing = (ratings[columns] > ratings[some, np.newaxis]) & (distances > 0)
            ties[:, : some.stop - first] &= ~np.tri(some.stop - first, dtype=bool)[:, : ties.shape[1]]
            yield share, distances[ties], distances[agreeing]


def _merge_equal(distances: Numbers, gains: Numbers) -> tuple[Numbers, Numbers]:
    """Each distance once, in order."""
    found, places = np.unique(distances, return_inverse=True)
    return found, np.bincount(places, gains, minlength=len(found)).astype(float)
