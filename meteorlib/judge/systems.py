"""Judgments of systems, with the statistics that they allow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from meteorlib.arrays import Numbers, breakdowns
from meteorlib.judge import results
from meteorlib.judge.correlation import pearson
from meteorlib.judge.judgments import Indices, Judgments, Ratings
from meteorlib.judge.metrics import Scored
from meteorlib.judge.sampling import CONCORDANT, DISCORDANT, SEGMENTS, TIED, Sampled, Sampler, Weights


@frozen(eq=False)
class SystemsLevel:
    """People rated systems, or texts of systems.

    A metric's score of a system is that of a corpus where the metric is a METEOR, else the mean of its texts' scores.
    Texts are drawn with their segments; so are their ratings where a system's is the mean of them.
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
        return _Systems(self, scored)

    def human(self, weights: Weights) -> Numbers:
        """What people think of each system, for each test set."""
        if self.ratings is None:
            return np.array([[self.judgments.systems[name] for name in self.names]] * len(weights))
        columns = np.stack([self.ratings.value, np.ones(len(self.ratings))], axis=1)
        return _ratio(self.summed(columns, self.ratings.text, weights))

    def metric(self, scored: Scored, weights: Weights) -> Numbers:
        """The metric's score of each system, for each test set."""
        texts = np.arange(len(self.judgments.texts))
        if scored.counts is None or scored.parameters is None:
            return _ratio(self.summed(np.stack([scored.scores, np.ones(len(texts))], axis=1), texts, weights))
        found: Numbers = breakdowns(self.summed(scored.counts, texts, weights), scored.parameters).score
        return found

    def summed(self, columns: NDArray[Any], texts: Indices, weights: Weights) -> Numbers:
        """Sums over the texts of each system: test set × system × column."""
        places = {name: place for place, name in enumerate(self.names)}
        systems = np.array([places.get(text.system, -1) for text in self.judgments.texts])[texts]
        known = systems >= 0
        table = np.zeros((self.judgments.segment_count, len(self.names), columns.shape[1]))
        np.add.at(table, (self.judgments.segments[texts][known], systems[known]), columns[known])
        return np.tensordot(weights.astype(float), table, 1)

    def williams(self, scored: Scored) -> Numbers:
        """See `Level`."""
        found: Numbers = self.metric(scored, np.ones((1, self.judgments.segment_count), np.int64))[0]
        return found


@frozen(eq=False)
class _Systems:
    level: SystemsLevel
    scored: Scored
    epsilons: Mapping[str, float] = field(factory=dict)

    def __call__(self, weights: Weights) -> Sampled:
        human, metric = self.level.human(weights), self.level.metric(self.scored, weights)
        one, other = np.triu_indices(len(self.level.names), 1)
        by_people, by_metric = (np.sign(values[:, one] - values[:, other]) for values in (human, metric))
        agree = by_people * by_metric
        counts = np.zeros((len(weights), SEGMENTS + 1))
        counts[:, CONCORDANT], counts[:, DISCORDANT] = (agree > 0).sum(axis=1), (agree < 0).sum(axis=1)
        counts[:, TIED] = ((by_people != 0) & (by_metric == 0)).sum(axis=1)
        return Sampled(counts, {"pearson": pearson(metric, human)}, np.stack([metric, human], axis=1))


def _ratio(sums: Numbers) -> Numbers:
    with np.errstate(all="ignore"):
        found: Numbers = sums[..., 0] / sums[..., 1]
    return found
