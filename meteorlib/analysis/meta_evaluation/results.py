"""Results of a meta-evaluation as plain data, and the data of its charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from attrs import asdict, frozen

from meteorlib.analysis.differences import Interval
from meteorlib.analysis.meta_evaluation.correlations import Indices
from meteorlib.analysis.meta_evaluation.judgments import Judgments, Kind
from meteorlib.analysis.meta_evaluation.levels import SystemsLevel, levels_of
from meteorlib.analysis.meta_evaluation.metrics import Metric, sort_texts
from meteorlib.arrays import Numbers
from meteorlib.display.displayable import Grid, Tabular, grid_of

BUCKETS = 10


@frozen
class Difference(Tabular):
    """Difference between a metric and the baseline in one statistic.

    Attributes:
        value: statistic of the metric minus that of the baseline.
        interval: confidence interval of the difference.
        p: p value of the paired bootstrap test.
        williams: one-sided p value of Williams' test that the better metric is better; None if the test does not apply
            or scipy is not installed.
    """

    _columns = "value interval p williams"
    _signed = frozenset({"value", "interval"})

    value: float
    interval: Interval
    p: float
    williams: float | None = None


@frozen
class Figure(Tabular):
    """Statistic of a metric, with its confidence interval.

    Attributes:
        value: value on the original test set.
        interval: confidence interval from bootstrap resampling of segments.
        difference: difference from the baseline; None for the baseline.
    """

    _columns = "value interval difference.value difference.interval difference.p difference.williams"

    value: float
    interval: Interval
    difference: Difference | None = None


@frozen
class Agreement(Tabular):
    """Agreement of one metric with human judgments.

    Attributes:
        metric: name of the metric.
        concordant: number of pairs that the metric orders as people do; None in the mean over language pairs.
        discordant: number of pairs that the metric orders the other way.
        tied: number of pairs to which the metric gives equal scores.
        epsilons: largest score difference that counts as a tie, for each accuracy with ties.
        figures: statistics by name; undefined ones are missing.
    """

    _facts = "metric concordant discordant tied epsilons"

    metric: str
    concordant: int | None
    discordant: int | None
    tied: int | None
    epsilons: Mapping[str, float]
    figures: Mapping[str, Figure]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self)

    def _grids(self) -> list[Grid]:
        return [grid_of([*self.figures.values()], {"statistic": [*self.figures]})] if self.figures else []


@frozen
class Table(Tabular):
    """Agreement of all metrics on the same judgments.

    Attributes:
        name: name of the language pair; ``pooled`` for all of them pooled (systems are compared within their language
            pair), ``mean`` for the mean of their figures.
        level: kind of judgments.
        judged: number of judgments.
        texts: number of judged texts or systems.
        segments: number of segments.
        agreements: agreement of each metric, in the order given.
    """

    _facts = "name level judged texts segments"

    name: str
    level: Kind
    judged: int
    texts: int
    segments: int
    agreements: tuple[Agreement, ...]

    def __getitem__(self, metric: str) -> Agreement:
        return next(agreement for agreement in self.agreements if agreement.metric == metric)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self)

    def _grids(self) -> list[Grid]:
        return _grids_of([self])


@frozen
class MetaEvaluation(Tabular):
    """Results of a meta-evaluation.

    Attributes:
        tables: tables by language pair and level, then pooled and mean tables if there are several language pairs.
        baseline: name of the metric that the others are compared with.
        samples: number of bootstrap samples.
        seed: random seed; the same seed gives the same results.
        confidence: confidence level of the intervals.
        signatures: signatures of the metrics that were computed here, by name.
        notes: notes on irregularities in the judgments.
    """

    _settings = "baseline samples seed confidence notes signatures"

    tables: tuple[Table, ...]
    baseline: str
    samples: int
    seed: int
    confidence: float
    signatures: Mapping[str, str]
    notes: tuple[str, ...]

    def table(self, name: str, level: Kind) -> Table:
        """Table of a language pair, ``pooled`` or ``mean``; KeyError if there is none."""
        for table in self.tables:
            if (table.name, table.level) == (name, level):
                return table
        raise KeyError((name, level))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self)

    def _grids(self) -> list[Grid]:
        return _grids_of(self.tables)


def _grids_of(tables: Sequence[Table]) -> list[Grid]:
    found = [
        (table, key, agreement)
        for table in tables
        for key in dict.fromkeys(key for agreement in table.agreements for key in agreement.figures)
        for agreement in table.agreements
        if key in agreement.figures
    ]
    labels: dict[str, list[str]] = {
        "statistic": [key for _, key, _ in found],
        "metric": [one.metric for *_, one in found],
    }
    if len(tables) > 1:
        labels = {"name": [table.name for table, *_ in found], "level": [table.level for table, *_ in found], **labels}
    return [grid_of([one.figures[key] for _, key, one in found], labels)] if found else []


@frozen
class Bucket:
    """Texts with similar scores, or pairs with similar score differences.

    Lowest, highest and mean score or score difference; mean rating, or, for pairs, the share that the metric orders as
    people do; number of judgments.
    """

    low: float
    high: float
    score: float
    human: float
    count: int


@frozen(eq=False)
class Chart:
    """Data of a chart of metric scores against human judgments of a language pair.

    Score and rating of each text or system, empty for pairs; names of systems; buckets, except for systems, from low to
    high scores.
    """

    name: str
    level: Kind
    metric: str
    scores: Numbers
    human: Numbers
    labels: tuple[str, ...] = ()
    buckets: tuple[Bucket, ...] = ()


def charts_of(judgments: Sequence[Judgments], metrics: Sequence[Metric]) -> Iterator[Chart]:
    """Chart of each language pair, level and metric, in the order of a meta-evaluation's tables."""
    judgments, metrics = sort_texts(judgments, metrics)
    for index, part in enumerate(judgments):
        for level in levels_of(part):
            for metric in metrics:
                scored = metric.scored[index]
                if isinstance(level, SystemsLevel):
                    scores, human = level.unresampled(level.metric(scored)), level.unresampled(level.human())
                    yield Chart(part.name, level.kind, metric.name, scores, human, level.names)
                elif level.kind == "pairs" and part.pairs is not None:
                    differences = scored.scores[part.pairs.better] - scored.scores[part.pairs.worse]
                    found = buckets(np.abs(differences), (differences > 0).astype(float), part.pairs.count)
                    yield Chart(part.name, level.kind, metric.name, np.zeros(0), np.zeros(0), (), found)
                elif part.ratings is not None:
                    ratings = part.ratings.means()
                    scores = scored.scores[ratings.text]
                    found = buckets(scores, ratings.value, np.ones(len(ratings), np.int64))
                    yield Chart(part.name, level.kind, metric.name, scores, ratings.value, (), found)


def buckets(scores: Numbers, human: Numbers, counts: Indices) -> tuple[Bucket, ...]:
    """Deciles of judgments, each made `counts` times, by score; equal scores stay together, so some may be larger."""
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    reached = np.concatenate([[0], np.cumsum(counts[order])])
    first, last = (reached[np.searchsorted(ordered, ordered, side)] for side in ("left", "right"))
    tenths = (first + last) * BUCKETS // (2 * reached[-1])
    edges = [*np.flatnonzero(np.diff(tenths, prepend=-1)).tolist(), len(tenths)]
    return tuple(_bucket(scores[some], human[some], counts[some]) for some in (order[i:j] for i, j in pairwise(edges)))


def _bucket(scores: Numbers, human: Numbers, counts: Indices) -> Bucket:
    score, mean = (float(np.average(column, weights=counts)) for column in (scores, human))
    return Bucket(float(scores[0]), float(scores[-1]), score, mean, int(counts.sum()))
