"""Pairwise accuracy with ties (acc_eq) at the best threshold: by segment, by system, or over all texts.

Deutsch, Foster & Freitag (2023), "Ties Matter". The accuracies are computed on resampled test sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.analysis.meta_evaluation.correlations import (
    Dominance,
    Indices,
    Ties,
    pair_counts,
    prefix_sums,
    window_starts,
)
from meteorlib.arrays import Numbers

BANDS = 1 << 16
"""Number of bands of distances; only those that can contain the best threshold are searched in detail."""

CELLS = 1 << 21
"""Pairs compared at a time; bounds the memory."""

MAX_PAIRS = 100_000_000

ROUNDING = 1e-9
"""Sums of shares closer than this count as equal."""


@frozen(eq=False)
class _Group:
    """Group of texts in which every two texts form a pair."""

    texts: Indices
    upward: Dominance
    by_rating: Indices
    first: Indices

    @classmethod
    def of(cls, texts: Indices, metric: Numbers, human: Numbers, epsilon: float) -> Self:
        """Precompute what does not depend on the weights."""
        order, ratings = np.argsort(metric, kind="stable"), Ties.of(human)
        below = window_starts(metric[order], epsilon, np.zeros(len(order), np.int64))
        by_rating = np.lexsort((metric, ratings.ranks))
        first = window_starts(metric[by_rating], epsilon, ratings.starts[ratings.ranks[by_rating]])
        return cls(texts, Dominance.of(order, ratings.ranks, below), by_rating, first)

    def __call__(self, weights: Numbers) -> Numbers:
        """Share of correct pairs; a text forms no pair with itself."""
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
    """Accuracy acc_eq of groups of texts at the smallest threshold that maximizes it; see `TieCalibration`."""

    epsilon: float
    groups: tuple[_Group, ...]

    @classmethod
    def of(cls, metric: Numbers, human: Numbers, groups: Sequence[Indices]) -> Self:
        """Find the best threshold from score and rating of each text; every two texts of a group form a pair."""
        taken = [(metric[texts], human[texts]) for texts in groups]
        epsilon = threshold(taken)
        made = (_Group.of(texts, *lists, epsilon) for texts, lists in zip(groups, taken, strict=True))
        return cls(epsilon, tuple(made))

    def __call__(self, weights: Numbers) -> Numbers:
        """Mean accuracy of the groups that have pairs, with texts repeated by `weights`: texts × test sets."""
        found = np.stack([group(weights) for group in self.groups])
        known = np.isfinite(found)
        with np.errstate(all="ignore"):
            mean: Numbers = np.where(known, found, 0.0).sum(axis=0) / known.sum(axis=0)
        return mean


def pair_count(groups: Sequence[Indices]) -> int:
    """Number of pairs of texts within groups."""
    return sum(len(texts) * (len(texts) - 1) // 2 for texts in groups)


def threshold(groups: Sequence[tuple[Numbers, Numbers]]) -> float:
    """Smallest threshold that maximizes the accuracy; it is 0 or a distance that occurs.

    A pair becomes a tie when the threshold reaches its distance. From then on it is correct if its human ratings are
    tied; before, it was correct if the metric and people agreed on its order. So the accuracy rises only at human ties.
    Gains and losses are first summed by bands of distances; bands whose human ties cannot make up the difference to the
    best band are skipped. A group has scores and ratings of its texts.
    """
    spread = max((float(np.ptp(metric)) for metric, _ in groups if len(metric)), default=0.0)
    if not spread:
        return 0.0
    scale = BANDS / spread

    def band_of(distances: Numbers) -> NDArray[np.int64]:
        """Band of each distance; 0 for pairs that are tied at any threshold."""
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
    """Weight of a pair, distances of human ties and of pairs ordered correctly, most of those up to `farthest`."""
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
    """Equal distances become one, in order, with the sum of their gains."""
    found, places = np.unique(distances, return_inverse=True)
    return found, np.bincount(places, gains, minlength=len(found)).astype(float)


@frozen(eq=False)
class TieCalibration:
    """Accuracy acc_eq at the threshold that maximizes it.

    A pair is correct if the metric and people agree on its order, or if it is a tie for both; it is a tie for the
    metric if its scores differ by at most ε. The accuracy is computed for each segment and averaged over the segments
    (grouping by item in mt-metrics-eval; `PairAccuracy` groups pairs in other ways). `epsilon` is the smallest of the
    best thresholds, 0 or a difference that occurs; the accuracy of a segment without pairs is NaN.
    """

    epsilon: float
    accuracies: Numbers

    @classmethod
    def of(cls, metric: Numbers, human: Numbers, segments: NDArray[np.int64], count: int) -> TieCalibration:
        """Find the best threshold from the differences of each pair in score and rating, and its segment, from 0."""
        sizes = np.bincount(segments, minlength=count)
        weights = 1.0 / sizes[segments]
        distances = np.abs(metric)
        tie = human == 0
        agree = ~tie & (np.sign(metric) == np.sign(human))
        order = np.argsort(distances, kind="stable")
        gains = np.cumsum((weights * tie - weights * agree)[order])
        ordered = distances[order]
        last = np.flatnonzero(np.diff(ordered, append=np.inf))  # last of the pairs with the same distance
        thresholds, gained = ordered[last], gains[last]
        if not len(thresholds) or thresholds[0] > 0:
            thresholds, gained = np.append(0.0, thresholds), np.append(0.0, gained)
        best = float(thresholds[np.flatnonzero(gained >= gained.max() - 1e-9)[0]])
        right = np.where(distances <= best, tie, agree)
        with np.errstate(all="ignore"):
            return cls(best, np.bincount(segments, right, minlength=count) / sizes)
