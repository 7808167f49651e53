"""Levels: judgements of pairs, of texts and of systems, each with the statistics that it allows.

A level is asked for its statistics on resampled test sets: given how often each segment was drawn, in a row for each
test set, it gives the counts, which add up over language pairs, and the statistics that do not come from counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.arrays import Numbers, breakdowns
from meteorlib.judge import results
from meteorlib.judge.calibration import Calibrated
from meteorlib.judge.correlation import pearson, ranked
from meteorlib.judge.judgements import Indices, Judgements, Ratings
from meteorlib.judge.kendall import Kendall, wmt_taus
from meteorlib.judge.metrics import Scored

Weights = NDArray[np.int64]

CONCORDANT, DISCORDANT, TIED, ACCURACY, SEGMENTS = range(5)
"""Columns of counts: pairs, the sum of the accuracies of segments, and how many segments these are."""


class Sampled(NamedTuple):
    """What a level gives: a row of counts for each test set, and other statistics by name."""

    counts: Numbers
    others: Mapping[str, Numbers]


class Sampler(Protocol):
    """A metric on the judgements of a level."""

    @property
    def epsilon(self) -> float | None:
        """See `results.Agreement`."""

    def __call__(self, weights: Weights) -> Sampled:
        """The statistics of some test sets."""


class Level(Protocol):
    """Judgements of one kind, of one language pair."""

    @property
    def kind(self) -> results.Level:
        """Which kind."""

    @property
    def judged(self) -> int:
        """How many judgements there are."""

    @property
    def texts(self) -> int:
        """Of how many texts, or systems."""

    def sampler(self, scored: Scored) -> Sampler:
        """A metric on them."""

    def williams(self, scored: Scored) -> Numbers | None:
        """What Pearson's correlation is of: a number of the metric for each judgement; None where there is none."""


def figures_of(kind: results.Level, counts: Numbers) -> dict[str, Numbers]:
    """The statistics that come from counts, for each row of them."""
    orders = counts[..., CONCORDANT], counts[..., DISCORDANT], counts[..., TIED]
    with np.errstate(all="ignore"):
        accuracy = orders[0] / sum(orders)
        calibrated = counts[..., ACCURACY] / counts[..., SEGMENTS]
    if kind == "systems":
        return {"accuracy": accuracy}
    taus = wmt_taus(*orders)
    return {**taus, "accuracy": accuracy} if kind == "pairs" else {**taus, "acc_eq": calibrated}


def _orders(differences: Numbers, weights: NDArray[Any], segments: Indices, count: int) -> Numbers:
    """For each segment the pairs that are concordant, discordant, tied; the better text less the worse one is given."""
    columns = [np.bincount(segments, weights * chosen, minlength=count) for chosen in (
        differences > 0, differences < 0, differences == 0,
    )]  # fmt: skip
    return np.stack([*columns, np.zeros(count), np.zeros(count)], axis=1)


@frozen(eq=False)
class _Counted:
    """Statistics that come from counts of segments, which add up, and others."""

    counts: Numbers
    epsilon: float | None = None
    rows: _Rows | None = None

    def __call__(self, weights: Weights) -> Sampled:
        return Sampled(weights @ self.counts, {} if self.rows is None else self.rows.sampled(weights))


@frozen(eq=False)
class PairsLevel:
    """People said which of two texts is better."""

    judgements: Judgements
    kind: results.Level = "pairs"

    @property
    def judged(self) -> int:
        """See `Level`."""
        return len(self.judgements.pairs or ())

    @property
    def texts(self) -> int:
        """See `Level`."""
        return len(self.judgements.texts)

    def sampler(self, scored: Scored) -> Sampler:
        """See `Level`."""
        pairs, all_segments = self.judgements.pairs, self.judgements.segments
        assert pairs is not None  # noqa: S101 – else it is another level
        differences = scored.scores[pairs.better] - scored.scores[pairs.worse]
        segments = all_segments[pairs.better]
        return _Counted(_orders(differences, pairs.count, segments, self.judgements.segment_count))

    def williams(self, scored: Scored) -> None:
        """See `Level`."""


@frozen(eq=False)
class _Rows:
    """Ratings beside scores, drawn with their segments."""

    metric: Numbers
    human: Numbers
    segments: Indices

    def sampled(self, weights: Weights) -> dict[str, Numbers]:
        metric, human = (np.unique(column, return_inverse=True)[1] for column in (self.metric, self.human))
        found = np.empty((4, len(weights)))
        for into, row in zip(found.T, weights, strict=True):
            drawn = np.repeat(np.arange(len(self.segments)), row[self.segments])
            kendall = Kendall.of_ranks(metric[drawn], human[drawn])
            into[:] = (
                pearson(self.metric[drawn], self.human[drawn]),
                pearson(ranked(metric[drawn]), ranked(human[drawn])),
                kendall.tau_b,
                kendall.tau_c,
            )
        return dict(zip(("pearson", "spearman", "tau_b", "tau_c"), found, strict=True))


@frozen(eq=False)
class RatingsLevel:
    """People rated texts.

    Correlations are of the ratings; pairs are those of texts of one segment, by the means of their ratings.
    """

    judgements: Judgements
    ratings: Ratings
    kind: results.Level = "ratings"

    @property
    def judged(self) -> int:
        """See `Level`."""
        return len(self.ratings)

    @property
    def texts(self) -> int:
        """See `Level`."""
        return len(self.judgements.texts)

    def sampler(self, scored: Scored) -> Sampler:
        """See `Level`."""
        segments, count = self.judgements.segments, self.judgements.segment_count
        text, value = self.ratings.text, self.ratings.value
        means = self.ratings.means()
        rows = _Rows(scored.scores[text], value, segments[text])
        one, other = _within(segments[means.text])
        metric = scored.scores[means.text[one]] - scored.scores[means.text[other]]
        human = means.value[one] - means.value[other]
        of = segments[means.text[one]]
        counts = _orders(metric * np.sign(human), human != 0, of, count)
        if not len(one):
            return _Counted(counts, None, rows)
        calibrated = Calibrated.of(metric, human, of, count)
        counts[:, ACCURACY] = np.nan_to_num(calibrated.accuracies)
        counts[:, SEGMENTS] = np.isfinite(calibrated.accuracies)
        return _Counted(counts, calibrated.epsilon, rows)

    def williams(self, scored: Scored) -> Numbers | None:
        """See `Level`."""
        found: Numbers = scored.scores[self.ratings.text]
        return found if len(np.unique(self.ratings.text)) == len(self.ratings) else None


def _within(segments: Indices) -> tuple[Indices, Indices]:
    """Every two places of the same segment."""
    order = np.argsort(segments, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(segments[order])) + 1)
    pairs = [group[np.array(np.triu_indices(len(group), 1))] for group in groups]
    one, other = np.concatenate(pairs, axis=1)
    return one, other


@frozen(eq=False)
class SystemsLevel:
    """People rated systems, or texts of systems.

    A metric's score of a system is that of a corpus where the metric is a METEOR, else the mean of its texts' scores.
    Texts are drawn with their segments; so are their ratings where a system's is the mean of them.
    """

    judgements: Judgements
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
            return np.array([[self.judgements.systems[name] for name in self.names]] * len(weights))
        columns = np.stack([self.ratings.value, np.ones(len(self.ratings))], axis=1)
        return _ratio(self.summed(columns, self.ratings.text, weights))

    def metric(self, scored: Scored, weights: Weights) -> Numbers:
        """The metric's score of each system, for each test set."""
        texts = np.arange(len(self.judgements.texts))
        if scored.counts is None or scored.parameters is None:
            return _ratio(self.summed(np.stack([scored.scores, np.ones(len(texts))], axis=1), texts, weights))
        found: Numbers = breakdowns(self.summed(scored.counts, texts, weights), scored.parameters).score
        return found

    def summed(self, columns: NDArray[Any], texts: Indices, weights: Weights) -> Numbers:
        """Sums over the texts of each system: test set × system × column."""
        places = {name: place for place, name in enumerate(self.names)}
        systems = np.array([places.get(text.system, -1) for text in self.judgements.texts])[texts]
        known = systems >= 0
        table = np.zeros((self.judgements.segment_count, len(self.names), columns.shape[1]))
        np.add.at(table, (self.judgements.segments[texts][known], systems[known]), columns[known])
        return np.tensordot(weights.astype(float), table, 1)

    def williams(self, scored: Scored) -> Numbers:
        """See `Level`."""
        found: Numbers = self.metric(scored, np.ones((1, self.judgements.segment_count), np.int64))[0]
        return found


@frozen(eq=False)
class _Systems:
    level: SystemsLevel
    scored: Scored
    epsilon: float | None = None

    def __call__(self, weights: Weights) -> Sampled:
        human, metric = self.level.human(weights), self.level.metric(self.scored, weights)
        one, other = np.triu_indices(len(self.level.names), 1)
        by_people, by_metric = (np.sign(values[:, one] - values[:, other]) for values in (human, metric))
        agree = by_people * by_metric
        counts = np.zeros((len(weights), SEGMENTS + 1))
        counts[:, CONCORDANT], counts[:, DISCORDANT] = (agree > 0).sum(axis=1), (agree < 0).sum(axis=1)
        counts[:, TIED] = ((by_people != 0) & (by_metric == 0)).sum(axis=1)
        return Sampled(counts, {"pearson": pearson(metric, human)})


def _ratio(sums: Numbers) -> Numbers:
    with np.errstate(all="ignore"):
        found: Numbers = sums[..., 0] / sums[..., 1]
    return found


def levels_of(judgements: Judgements) -> list[Level]:
    """What can be asked of the judgements of a language pair."""
    found: list[Level] = []
    if judgements.pairs is not None:
        found.append(PairsLevel(judgements))
    if judgements.ratings is not None:
        found.append(RatingsLevel(judgements, judgements.ratings))
    names = dict.fromkeys(text.system for text in judgements.texts if text.system)
    if judgements.systems:
        found.append(SystemsLevel(judgements, tuple(judgements.systems), None))
    elif judgements.ratings is not None and _all_rated(judgements, names):
        found.append(SystemsLevel(judgements, tuple(names), judgements.ratings))
    return found


def _all_rated(judgements: Judgements, names: Mapping[str, None]) -> bool:
    """Whether there are systems to be compared: three or more, with a text for every segment."""
    return len(names) > 2 and len(judgements.texts) == len(names) * judgements.segment_count
