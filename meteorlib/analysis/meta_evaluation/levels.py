"""Judgments of pairs, of texts and of systems: the statistics that each allows, on resampled test sets.

A sampler takes *weights*, the number of copies of each segment, one row per test set. It returns counts, which add up
over language pairs, and the statistics that are not computed from counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from attrs import Factory, frozen
from numpy.typing import NDArray

from meteorlib.analysis.meta_evaluation.accuracy import MAX_PAIRS, PairAccuracy, TieCalibration, pair_count
from meteorlib.analysis.meta_evaluation.correlations import (
    Indices,
    Kendall,
    Ties,
    pearson,
    weighted_pearson,
    weighted_spearman,
    wmt_taus,
)
from meteorlib.analysis.meta_evaluation.judgments import (
    Fractions,
    Judgments,
    Kind,
    Ratings,
    join_digits,
    split_digits,
)
from meteorlib.analysis.meta_evaluation.metrics import Scored
from meteorlib.arrays import Numbers, breakdowns

Weights = NDArray[np.int64]

BySystem = Callable[[Weights], Numbers]
"""Function from weights (test set × segment) to a number for each system (test set × system)."""

CONCORDANT, DISCORDANT, TIED, ACCURACY, SEGMENTS = range(5)
"""Columns of counts: pairs by order, summed accuracies of segments, and the number of these segments."""

CELLS = 1 << 20
"""Ratings × test sets processed at a time; this many fit into the processor's cache."""


class SampleStatistics(NamedTuple):
    """Statistics of some test sets: rows of counts, others by name; scores and ratings: test set × 2 × system."""

    counts: Numbers
    others: Mapping[str, Numbers]
    systems: Numbers | None = None


@frozen(eq=False)
class Sampler:
    """Statistics of a metric on resampled test sets, and the largest score differences that count as ties."""

    statistics: Callable[[Weights], SampleStatistics]
    epsilons: Mapping[str, float] = Factory(dict)


@frozen(eq=False, slots=False)
class Level:
    """Judgments of one kind for one language pair."""

    judgments: Judgments
    kind: ClassVar[Kind]

    @property
    def judged(self) -> int:
        """Number of judgments."""
        raise NotImplementedError

    @property
    def texts(self) -> int:
        """Number of judged texts or systems."""
        return len(self.judgments.texts)

    def sampler(self, scored: Scored) -> Sampler:
        """Sampler of a metric on these judgments."""
        raise NotImplementedError

    def williams(self, scored: Scored) -> Numbers | None:  # noqa: ARG002 – others need it
        """Metric value of each judgment for Williams' test; None if the test does not apply."""
        return None


def figures_of(kind: Kind, counts: Numbers) -> dict[str, Numbers]:
    """Statistics that are computed from counts, for each row."""
    orders = counts[..., CONCORDANT], counts[..., DISCORDANT], counts[..., TIED]
    with np.errstate(all="ignore"):
        accuracy = orders[0] / sum(orders)
        calibrated = counts[..., ACCURACY] / counts[..., SEGMENTS]
    if kind == "systems":
        return {"accuracy": accuracy}
    taus = wmt_taus(*orders)
    if kind == "pairs":
        return {**taus, "accuracy": accuracy}
    return {**taus, "segment_pairs": (1 + taus["tau_wmt14"]) / 2, "acc_eq": calibrated}


def _order_counts(differences: Numbers, weights: NDArray[Any], segments: Indices, count: int) -> Numbers:
    """Counts of concordant, discordant and tied pairs of each segment, from better minus worse scores."""
    orders = (differences > 0, differences < 0, differences == 0)
    columns = [np.bincount(segments, weights * chosen, minlength=count) for chosen in orders]
    return np.stack([*columns, np.zeros(count), np.zeros(count)], axis=1)


@frozen(eq=False, slots=False)
class PairsLevel(Level):
    """Pairwise preferences between texts."""

    kind: ClassVar[Kind] = "pairs"

    @property
    def judged(self) -> int:
        """Number of preferences."""
        return len(self.judgments.pairs or ())

    def sampler(self, scored: Scored) -> Sampler:
        """See `Level`."""
        pairs, all_segments = self.judgments.pairs, self.judgments.segments
        assert pairs is not None  # noqa: S101 – else it is another level
        differences = scored.scores[pairs.better] - scored.scores[pairs.worse]
        segments = all_segments[pairs.better]
        counts = _order_counts(differences, pairs.count, segments, self.judgments.segment_count)
        return Sampler(lambda weights: SampleStatistics(weights @ counts, {}))


@frozen(eq=False, slots=False)
class RatingsLevel(Level):
    """Ratings of texts.

    Correlations use all ratings; pairs are texts of the same segment, compared by their mean ratings.
    """

    ratings: Ratings
    kind: ClassVar[Kind] = "ratings"

    @property
    def judged(self) -> int:
        """Number of ratings."""
        return len(self.ratings)

    @cached_property
    def means(self) -> Ratings:
        """Mean rating of each text."""
        return self.ratings.means()

    def sampler(self, scored: Scored) -> Sampler:
        """See `Level`."""
        segments, count = self.judgments.segments, self.judgments.segment_count
        means = self.means
        rows = _RatedScores.of(self.judgments, self.ratings, means, scored)
        epsilons = {name: accuracy.epsilon for name, accuracy in rows.accuracies.items()}
        one, other = pairs_within_segments(segments[means.text])
        metric = scored.scores[means.text[one]] - scored.scores[means.text[other]]
        human = np.sign(means.ranks[one] - means.ranks[other])
        of = segments[means.text[one]]
        counts = _order_counts(metric * human, human != 0, of, count)
        if len(one):
            calibrated = TieCalibration.of(metric, human, of, count)
            counts[:, ACCURACY] = np.nan_to_num(calibrated.accuracies)
            counts[:, SEGMENTS] = np.isfinite(calibrated.accuracies)
            epsilons = {"acc_eq": calibrated.epsilon, **epsilons}
        return Sampler(lambda weights: SampleStatistics(weights @ counts, rows.statistics(weights)), epsilons)

    def williams(self, scored: Scored) -> Numbers | None:
        """See `Level`."""
        found: Numbers = scored.scores[self.ratings.text]
        return found if len(np.unique(self.ratings.text)) == len(self.ratings) else None


@frozen(eq=False)
class _RatedScores:
    """Ratings paired with metric scores: statistics over all of them, which do not add up over segments.

    Arrays have an element for each rating, except `means`, the segment of each rated text. Accuracies with ties are
    those of mean ratings.
    """

    metric: Numbers
    human: Numbers
    lengths: tuple[Numbers, ...]
    segments: Indices
    kendall: Kendall
    means: Indices
    accuracies: Mapping[str, PairAccuracy]

    @classmethod
    def of(cls, judgments: Judgments, ratings: Ratings, means: Ratings, scored: Scored) -> Self:
        """Precompute what does not depend on the test set."""
        metric = scored.scores[ratings.text]
        of_texts = scored.scores[means.text], means.ranks.astype(float)
        groups = {name: groups for name, groups in _groups(judgments, means).items() if pair_count(groups) <= MAX_PAIRS}
        accuracies = {name: PairAccuracy.of(*of_texts, found) for name, found in groups.items()}
        kendall, segments = Kendall.of(metric, ratings.ranks), judgments.segments
        lengths = tuple(each[ratings.text] for each in judgments.lengths)
        return cls(metric, ratings.value, lengths, segments[ratings.text], kendall, segments[means.text], accuracies)

    def statistics(self, weights: Weights) -> dict[str, Numbers]:
        """Compute the statistics by name, for each test set."""
        size = max(1, CELLS // len(self.segments))
        parts = [self._batch_statistics(weights[first : first + size].T) for first in range(0, len(weights), size)]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def _batch_statistics(self, segments: Weights) -> dict[str, Numbers]:
        weights = segments[self.segments].astype(float)
        orders = self.kendall(weights)
        found = {
            "pearson": weighted_pearson(self.metric, self.human, weights),
            "partial_reference": weighted_pearson(self.metric, self.human, weights, self.lengths[:1]),
            "partial_lengths": weighted_pearson(self.metric, self.human, weights, self.lengths),
            "spearman": weighted_spearman(self.kendall.first, self.kendall.second, weights),
            "tau_b": orders.tau_b,
            "tau_c": orders.tau_c,
        }
        weights = segments[self.means].astype(float) if self.accuracies else weights
        return found | {name: accuracy(weights) for name, accuracy in self.accuracies.items()}


def omitted_accuracies(judgments: Judgments) -> list[str]:
    """Notes on accuracies with ties that are omitted because there are too many pairs."""
    if judgments.ratings is None:
        return []
    counts = {name: pair_count(groups) for name, groups in _groups(judgments, judgments.ratings.means()).items()}
    return [
        f"{judgments.name}: {name} is left out: {count:,} pairs are more than {MAX_PAIRS:,}"
        for name, count in counts.items()
        if count > MAX_PAIRS
    ]


def _groups(judgments: Judgments, rated: Ratings) -> dict[str, list[Indices]]:
    """Groups in which texts form pairs, for each accuracy with ties: all texts, or those of each system."""
    by_system = Ties.of(judgments.authors[rated.text]).groups()
    every = {"acc_eq_ungrouped": [np.arange(len(rated))], "acc_eq_by_system": by_system if len(by_system) > 1 else []}
    return {name: groups for name, groups in every.items() if pair_count(groups)}


def pairs_within_segments(segments: Indices) -> tuple[Indices, Indices]:
    """Indices of every two texts of the same segment."""
    pairs = [group[np.array(np.triu_indices(len(group), 1))] for group in Ties.of(segments).groups()]
    one, other = np.concatenate(pairs, axis=1)
    return one, other


@frozen(eq=False, slots=False)
class SystemsLevel(Level):
    """Ratings of systems, given directly or as means over their texts, which are resampled with their segments.

    METEOR's score of a system is the corpus score; another metric's is the mean of the scores of its texts.
    """

    names: tuple[str, ...]
    ratings: Ratings | None
    kind: ClassVar[Kind] = "systems"

    @property
    def judged(self) -> int:
        """Number of systems."""
        return len(self.names)

    @property
    def texts(self) -> int:
        """Number of systems."""
        return len(self.names)

    def sampler(self, scored: Scored) -> Sampler:
        """See `Level`."""
        people, scores = self.human(), self.metric(scored)
        one, other = np.triu_indices(len(self.names), 1)

        def statistics(weights: Weights) -> SampleStatistics:
            human, metric = people(weights), scores(weights)
            by_people, by_metric = (np.sign(values[:, one] - values[:, other]) for values in (human, metric))
            agree = by_people * by_metric
            counts = np.zeros((len(weights), SEGMENTS + 1))
            counts[:, CONCORDANT], counts[:, DISCORDANT] = (agree > 0).sum(axis=1), (agree < 0).sum(axis=1)
            counts[:, TIED] = ((by_people != 0) & (by_metric == 0)).sum(axis=1)
            return SampleStatistics(counts, {"pearson": pearson(metric, human)}, np.stack([metric, human], axis=1))

        return Sampler(statistics)

    def human(self) -> BySystem:
        """Human rating of each system."""
        if self.ratings is not None:
            return self._means(self.ratings.exact(), self.ratings.text)
        values = np.array([self.judgments.systems[name] for name in self.names])
        return lambda weights: np.broadcast_to(values, (len(weights), len(values)))

    def metric(self, scored: Scored) -> BySystem:
        """Metric score of each system."""
        texts = np.arange(len(self.judgments.texts))
        if scored.counts is None or (parameters := scored.parameters) is None:
            return self._means(Fractions.of(scored.scores), texts)
        table = self._table(scored.counts, texts)
        return lambda weights: breakdowns(_weighted_sums(weights, table), parameters).score

    def _means(self, numbers: Fractions, texts: Indices) -> BySystem:
        """Exact means of the numbers of texts, rounded once, from digits of the numerators minus the smallest one."""
        least: int = numbers.numerators.min()
        columns = np.append(split_digits(numbers.numerators - least), np.ones((len(texts), 1)), axis=1)
        table = self._table(columns, texts)

        def means(weights: Weights) -> Numbers:
            sums = _weighted_sums(weights, table)
            counts = sums[..., -1]
            divisors = np.maximum(counts, 1).astype(np.int64).astype(object)
            found = (join_digits(sums[..., :-1]) + least * divisors) / (divisors * numbers.denominator)
            return np.where(counts > 0, found.astype(float), np.nan)

        return means

    def _table(self, columns: NDArray[Any], texts: Indices) -> Numbers:
        """Sum columns over texts: segment × system × column."""
        places = {name: index for index, name in enumerate(self.names)}
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


def _weighted_sums(weights: Weights, table: Numbers) -> Numbers:
    """Sums over segments, exact because the table holds integers: test set × system × column."""
    return np.tensordot(weights.astype(float), table, 1)


def levels_of(judgments: Judgments) -> list[Level]:
    """Levels of judgments that a language pair has."""
    found: list[Level] = []
    if judgments.pairs is not None:
        found.append(PairsLevel(judgments))
    if judgments.ratings is not None:
        found.append(RatingsLevel(judgments, judgments.ratings))
    names = dict.fromkeys(text.system for text in judgments.texts if text.system)
    if judgments.systems:
        found.append(SystemsLevel(judgments, tuple(judgments.systems), None))
    elif judgments.ratings is not None:
        each_has_all = len(judgments.texts) == len(names) * judgments.segment_count  # a text for every segment
        found += [SystemsLevel(judgments, tuple(names), judgments.ratings)] if len(names) > 2 and each_has_all else []
    return found
