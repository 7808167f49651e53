"""Judgments of pairs and of texts, each with the statistics that it allows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from meteorlib.analysis.meta_evaluation import results
from meteorlib.analysis.meta_evaluation.calibration import TieCalibration
from meteorlib.analysis.meta_evaluation.judgments import Indices, Judgments, Ratings
from meteorlib.analysis.meta_evaluation.metrics import Scored
from meteorlib.analysis.meta_evaluation.rated_scores import RatedScores
from meteorlib.analysis.meta_evaluation.resampling import ACCURACY, SEGMENTS, Level, Sampler, SampleStatistics, Weights
from meteorlib.analysis.meta_evaluation.systems import SystemsLevel
from meteorlib.arrays import Numbers


def _order_counts(differences: Numbers, weights: NDArray[Any], segments: Indices, count: int) -> Numbers:
    """Counts of concordant, discordant and tied pairs of each segment, from better minus worse scores."""
    columns = [np.bincount(segments, weights * chosen, minlength=count) for chosen in (
        differences > 0, differences < 0, differences == 0,
    )]  # fmt: skip
    return np.stack([*columns, np.zeros(count), np.zeros(count)], axis=1)


@frozen(eq=False)
class _CountSampler:
    """Sampler of statistics from additive counts of segments, and of others from `RatedScores`."""

    counts: Numbers
    epsilons: Mapping[str, float] = field(factory=dict)
    rows: RatedScores | None = None

    def __call__(self, weights: Weights) -> SampleStatistics:
        return SampleStatistics(weights @ self.counts, {} if self.rows is None else self.rows.statistics(weights))


@frozen(eq=False)
class PairsLevel:
    """Pairwise preferences between texts."""

    judgments: Judgments
    kind: results.Level = "pairs"

    @property
    def judged(self) -> int:
        """See `Level`."""
        return len(self.judgments.pairs or ())

    @property
    def texts(self) -> int:
        """See `Level`."""
        return len(self.judgments.texts)

    def sampler(self, scored: Scored) -> Sampler:
        """See `Level`."""
        pairs, all_segments = self.judgments.pairs, self.judgments.segments
        assert pairs is not None  # noqa: S101 – else it is another level
        differences = scored.scores[pairs.better] - scored.scores[pairs.worse]
        segments = all_segments[pairs.better]
        return _CountSampler(_order_counts(differences, pairs.count, segments, self.judgments.segment_count))

    def williams(self, scored: Scored) -> None:
        """See `Level`."""


@frozen(eq=False, slots=False)
class RatingsLevel:
    """Ratings of texts.

    Correlations use all ratings; pairs are texts of the same segment, compared by their mean ratings.
    """

    judgments: Judgments
    ratings: Ratings
    kind: results.Level = "ratings"

    @property
    def judged(self) -> int:
        """See `Level`."""
        return len(self.ratings)

    @property
    def texts(self) -> int:
        """See `Level`."""
        return len(self.judgments.texts)

    @cached_property
    def means(self) -> Ratings:
        """Mean rating of each text."""
        return self.ratings.means()

    def sampler(self, scored: Scored) -> Sampler:
        """See `Level`."""
        segments, count = self.judgments.segments, self.judgments.segment_count
        means = self.means
        rows = RatedScores.of(self.judgments, self.ratings, means, scored)
        epsilons = {name: accuracy.epsilon for name, accuracy in rows.accuracies.items()}
        one, other = pairs_within_segments(segments[means.text])
        metric = scored.scores[means.text[one]] - scored.scores[means.text[other]]
        human = np.sign(means.ranks[one] - means.ranks[other])
        of = segments[means.text[one]]
        counts = _order_counts(metric * human, human != 0, of, count)
        if not len(one):
            return _CountSampler(counts, epsilons, rows)
        calibrated = TieCalibration.of(metric, human, of, count)
        counts[:, ACCURACY] = np.nan_to_num(calibrated.accuracies)
        counts[:, SEGMENTS] = np.isfinite(calibrated.accuracies)
        return _CountSampler(counts, {"acc_eq": calibrated.epsilon, **epsilons}, rows)

    def williams(self, scored: Scored) -> Numbers | None:
        """See `Level`."""
        found: Numbers = scored.scores[self.ratings.text]
        return found if len(np.unique(self.ratings.text)) == len(self.ratings) else None


def pairs_within_segments(segments: Indices) -> tuple[Indices, Indices]:
    """Indices of every two texts of the same segment."""
    order = np.argsort(segments, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(segments[order])) + 1)
    pairs = [group[np.array(np.triu_indices(len(group), 1))] for group in groups]
    one, other = np.concatenate(pairs, axis=1)
    return one, other


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
    elif judgments.ratings is not None and _has_comparable_systems(judgments, names):
        found.append(SystemsLevel(judgments, tuple(names), judgments.ratings))
    return found


def _has_comparable_systems(judgments: Judgments, names: Mapping[str, None]) -> bool:
    """Whether there are three or more systems, each with a text for every segment."""
    return len(names) > 2 and len(judgments.texts) == len(names) * judgments.segment_count
