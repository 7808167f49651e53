"""Ratings paired with metric scores: correlations and accuracies on resampled test sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

import numpy as np
from attrs import frozen

from meteorlib.analysis.meta_evaluation.accuracy import MAX_PAIRS, PairAccuracy, pair_count
from meteorlib.analysis.meta_evaluation.correlation import weighted_pearson, weighted_spearman
from meteorlib.analysis.meta_evaluation.judgments import Indices, Judgments, Ratings
from meteorlib.analysis.meta_evaluation.kendall import Kendall
from meteorlib.analysis.meta_evaluation.metrics import Scored
from meteorlib.analysis.meta_evaluation.resampling import Weights
from meteorlib.arrays import Numbers

CELLS = 1 << 20
"""Ratings × test sets processed at a time; this many fit into the processor's cache."""


@frozen(eq=False)
class RatedScores:
    """Statistics over all ratings of a language pair, which do not add up over segments.

    Attributes:
        metric: score of the text of each rating.
        human: value of each rating.
        segments: segment of each rating.
        kendall: counts of pairs for Kendall's tau between scores and ratings.
        means: segment of each rated text.
        accuracies: accuracies with ties by name, on the mean ratings of texts.
    """

    metric: Numbers
    human: Numbers
    segments: Indices
    kendall: Kendall
    means: Indices
    accuracies: Mapping[str, PairAccuracy]

    @classmethod
    def of(cls, judgments: Judgments, ratings: Ratings, means: Ratings, scored: Scored) -> Self:
        """Precompute what does not depend on the test set, for ratings and for mean ratings of texts."""
        metric = scored.scores[ratings.text]
        groups = {name: found for name, found in _groups(judgments, means).items() if pair_count(found) <= MAX_PAIRS}
        of_texts = scored.scores[means.text], means.ranks.astype(float)
        return cls(
            metric,
            ratings.value,
            judgments.segments[ratings.text],
            Kendall.of(metric, ratings.ranks),
            judgments.segments[means.text],
            {name: PairAccuracy.of(*of_texts, found) for name, found in groups.items()},
        )

    def statistics(self, weights: Weights) -> dict[str, Numbers]:
        """Compute the statistics by name from segment counts, one row per test set."""
        size = max(1, CELLS // len(self.segments))
        parts = [self._batch_statistics(weights[first : first + size].T) for first in range(0, len(weights), size)]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def _batch_statistics(self, segments: Weights) -> dict[str, Numbers]:
        weights = segments[self.segments].astype(float)
        orders = self.kendall(weights)
        found = {
            "pearson": weighted_pearson(self.metric, self.human, weights),
            "spearman": weighted_spearman(self.kendall.first, self.kendall.second, weights),
            "tau_b": orders.tau_b,
            "tau_c": orders.tau_c,
        }
        if self.accuracies:
            weights = segments[self.means].astype(float)
        return found | {name: accuracy(weights) for name, accuracy in self.accuracies.items()}


def omitted_accuracies(judgments: Judgments) -> list[str]:
    """Notes on accuracies with ties that are omitted because there are too many pairs."""
    if judgments.ratings is None:
        return []
    counts = {name: pair_count(found) for name, found in _groups(judgments, judgments.ratings.means()).items()}
    return [
        f"{judgments.name}: {name} is left out: {count:,} pairs are more than {MAX_PAIRS:,}"
        for name, count in counts.items()
        if count > MAX_PAIRS
    ]


def _groups(judgments: Judgments, rated: Ratings) -> dict[str, list[Indices]]:
    """Groups in which texts form pairs, for each accuracy with ties: all texts, or those of each system."""
    systems = judgments.authors[rated.text]
    order = np.argsort(systems, kind="stable")
    by_system = np.split(order, np.flatnonzero(np.diff(systems[order])) + 1)
    every = {"acc_eq_ungrouped": [np.arange(len(rated))], "acc_eq_by_system": by_system if len(by_system) > 1 else []}
    return {name: groups for name, groups in every.items() if pair_count(groups)}
