"""Judgments of systems, with the statistics that they allow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from meteorlib.analysis.meta_evaluation import results
from meteorlib.analysis.meta_evaluation.correlation import pearson
from meteorlib.analysis.meta_evaluation.exact import Fractions, join_digits, split_digits
from meteorlib.analysis.meta_evaluation.judgments import Indices, Judgments, Ratings
from meteorlib.analysis.meta_evaluation.metrics import Scored
from meteorlib.analysis.meta_evaluation.resampling import (
    CONCORDANT,
    DISCORDANT,
    SEGMENTS,
    TIED,
    Sampler,
    SampleStatistics,
    Weights,
)
from meteorlib.arrays import Numbers, breakdowns
from meteorlib.core.parameters import Parameters

BySystem = Callable[[Weights], Numbers]
"""Function from segment counts (test set × segment) to a number for each system (test set × system)."""


@frozen(eq=False)
class SystemsLevel:
    """Ratings of systems, given directly or as means over their texts.

    METEOR's score of a system is the corpus score; another metric's is the mean of the scores of its texts. Texts are
    resampled with their segments, as are their ratings if a system's rating is their mean.
    """

    judgments: Judgments
    names: tuple[str, ...]
    ratings: Ratings | None
    kind: results.Level = "systems"

    @property
    def judged(self) -> int:
        """See `Level`."""
        return len(self.names)

    @property
    def texts(self) -> int:
        """See `Level`."""
        return len(self.names)

    def sampler(self, scored: Scored) -> Sampler:
        """See `Level`."""
        return _SystemsSampler(self.human(), self.metric(scored), len(self.names))

    def human(self) -> BySystem:
        """Human rating of each system."""
        if self.ratings is None:
            return _FixedNumbers(np.array([self.judgments.systems[name] for name in self.names]))
        return self._means(self.ratings.exact(), self.ratings.text)

    def metric(self, scored: Scored) -> BySystem:
        """Metric score of each system."""
        texts = np.arange(len(self.judgments.texts))
        if scored.counts is None or scored.parameters is None:
            return self._means(Fractions.of(scored.scores), texts)
        return _CorpusScores(self._table(scored.counts, texts), scored.parameters)

    def _means(self, numbers: Fractions, texts: Indices) -> BySystem:
        least = numbers.numerators.min()
        columns = np.append(split_digits(numbers.numerators - least), np.ones((len(texts), 1)), axis=1)
        return _ExactMeans(self._table(columns, texts), least, numbers.denominator)

    def _table(self, columns: NDArray[Any], texts: Indices) -> Numbers:
        """Sum columns over texts: segment × system × column."""
        places = {name: place for place, name in enumerate(self.names)}
        systems = np.array([places.get(text.system, -1) for text in self.judgments.texts])[texts]
        known = systems >= 0
        table = np.zeros((self.judgments.segment_count, len(self.names), columns.shape[1]))
        np.add.at(table, (self.judgments.segments[texts][known], systems[known]), columns[known])
        return table

    def williams(self, scored: Scored) -> Numbers:
        """See `Level`."""
        return self.unresampled(self.metric(scored))

    def unresampled(self, numbers: BySystem) -> Numbers:
        """Numbers of the systems on the original test set."""
        found: Numbers = numbers(np.ones((1, self.judgments.segment_count), np.int64))[0]
        return found


@frozen(eq=False)
class _FixedNumbers:
    """Numbers of systems that do not depend on the test set."""

    values: Numbers

    def __call__(self, weights: Weights) -> Numbers:
        return np.broadcast_to(self.values, (len(weights), len(self.values)))


@frozen(eq=False)
class _CorpusScores:
    """Corpus scores of systems from summed statistics."""

    table: Numbers
    parameters: Parameters

    def __call__(self, weights: Weights) -> Numbers:
        found: Numbers = breakdowns(_weighted_sums(weights, self.table), self.parameters).score
        return found


@frozen(eq=False)
class _ExactMeans:
    """Exact means, rounded once.

    Attributes:
        table: digits of numerators minus `least`, then the number of texts: segment × system × column.
        least: smallest numerator.
        denominator: common denominator.
    """

    table: Numbers
    least: int
    denominator: int

    def __call__(self, weights: Weights) -> Numbers:
        sums = _weighted_sums(weights, self.table)
        counts = sums[..., -1]
        divisors = np.maximum(counts, 1).astype(np.int64).astype(object)
        means = (join_digits(sums[..., :-1]) + self.least * divisors) / (divisors * self.denominator)
        return np.where(counts > 0, means.astype(float), np.nan)


def _weighted_sums(weights: Weights, table: Numbers) -> Numbers:
    """Sums over segments, exact because the table holds integers: test set × system × column."""
    return np.tensordot(weights.astype(float), table, 1)


@frozen(eq=False)
class _SystemsSampler:
    human: BySystem
    metric: BySystem
    count: int
    epsilons: Mapping[str, float] = field(factory=dict)

    def __call__(self, weights: Weights) -> SampleStatistics:
        human, metric = self.human(weights), self.metric(weights)
        one, other = np.triu_indices(self.count, 1)
        by_people, by_metric = (np.sign(values[:, one] - values[:, other]) for values in (human, metric))
        agree = by_people * by_metric
        counts = np.zeros((len(weights), SEGMENTS + 1))
        counts[:, CONCORDANT], counts[:, DISCORDANT] = (agree > 0).sum(axis=1), (agree < 0).sum(axis=1)
        counts[:, TIED] = ((by_people != 0) & (by_metric == 0)).sum(axis=1)
        return SampleStatistics(counts, {"pearson": pearson(metric, human)}, np.stack([metric, human], axis=1))
