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
"""Ratings × test sets that are counted at a time: so many stay in the processor's cache."""


@frozen(eq=False)
class RatedScores:
    """The statistics of all ratings of a language pair, which do not add up over segments.

    Attributes:
        metric: the score of the text of each rating.
        human: each rating.
        segments: its segment.
        kendall: the two beside each other.
        means: the segment of each text that is rated.
        accuracies: by name, of texts with the means of their ratings.
    """

    metric: Numbers
    human: Numbers
    segments: Indices
    kendall: Kendall
    means: Indices
    accuracies: Mapping[str, PairAccuracy]

    @classmethod
    def of(cls, judgments: Judgments, ratings: Ratings, means: Ratings, scored: Scored) -> Self:
        """Prepare the counting for ratings, and for the means of those of each text."""
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
        """The statistics by name, for how often each segment was drawn, in a row for each test set."""
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
    """Which accuracies with ties there are not because of too many pairs, as notes."""
    if judgments.ratings is None:
        return []
    counts = {name: pair_count(found) for name, found in _groups(judgments, judgments.ratings.means()).items()}
    return [
        f"{judgments.name}: {name} is left out: {count:,} pairs are more than {MAX_PAIRS:,}"
        for name, count in counts.items()
        if count > MAX_PAIRS
    ]


def _groups(judgments: Judgments, rated: Ratings) -> dict[str, list[Indices]]:
    """What pairs are made of, for each accuracy with ties: all texts, and those of each system."""
    systems = judgments.authors[rated.text]
    order = np.argsort(systems, kind="stable")
    by_system = np.split(order, np.flatnonzero(np.diff(systems[order])) + 1)
    every = {"acc_eq_ungrouped": [np.arange(len(rated))], "acc_eq_by_system": by_system if len(by_system) > 1 else []}
    return {name: groups for name, groups in every.items() if pair_count(groups)}
