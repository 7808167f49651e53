"""Data of charts: metric scores against human judgments, and means by score bucket."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.analysis.meta_evaluation import results
from meteorlib.analysis.meta_evaluation.judgments import Indices, Judgments, Pairs, Ratings
from meteorlib.analysis.meta_evaluation.levels import levels_of
from meteorlib.analysis.meta_evaluation.metrics import Metric, Scored, sort_texts
from meteorlib.analysis.meta_evaluation.systems import SystemsLevel
from meteorlib.arrays import Numbers

BUCKETS = 10


@frozen
class Bucket:
    """Texts with similar scores, or pairs with similar score differences.

    Attributes:
        low: lowest score or score difference.
        high: highest score or score difference.
        score: mean score or score difference.
        human: mean rating; for pairs, the share that the metric orders as people do.
        count: number of judgments.
    """

    low: float
    high: float
    score: float
    human: float
    count: int


@frozen(eq=False)
class Chart:
    """Data of a chart of metric scores against human judgments.

    Attributes:
        name: name of the language pair.
        level: kind of judgments.
        metric: name of the metric.
        scores: score of each text or system; empty for pairs.
        human: human rating of each text or system; empty for pairs.
        labels: names of the systems; empty for texts and pairs.
        buckets: buckets from low to high scores; empty for systems.
    """

    name: str
    level: results.Level
    metric: str
    scores: Numbers
    human: Numbers
    labels: tuple[str, ...] = ()
    buckets: tuple[Bucket, ...] = ()


def charts_of(judgments: Sequence[Judgments], metrics: Sequence[Metric]) -> Iterator[Chart]:
    """Chart of each language pair, level and metric, in the order of a meta-evaluation's tables."""
    judgments, metrics = sort_texts(judgments, metrics)
    for place, one in enumerate(judgments):
        for level in levels_of(one):
            for metric in metrics:
                scored = metric.scored[place]
                if isinstance(level, SystemsLevel):
                    yield _of_systems(one, level, metric.name, scored)
                elif level.kind == "pairs" and one.pairs is not None:
                    yield _of_pairs(one, one.pairs, metric.name, scored.scores)
                elif one.ratings is not None:
                    yield _of_ratings(one, one.ratings.means(), metric.name, scored.scores)


def _of_systems(judgments: Judgments, level: SystemsLevel, metric: str, scored: Scored) -> Chart:
    scores, human = level.unresampled(level.metric(scored)), level.unresampled(level.human())
    return Chart(judgments.name, "systems", metric, scores, human, level.names)


def _of_ratings(judgments: Judgments, ratings: Ratings, metric: str, scores: Numbers) -> Chart:
    of_texts = scores[ratings.text]
    found = buckets(of_texts, ratings.value, np.ones(len(ratings), np.int64))
    return Chart(judgments.name, "ratings", metric, of_texts, ratings.value, (), found)


def _of_pairs(judgments: Judgments, pairs: Pairs, metric: str, scores: Numbers) -> Chart:
    differences = scores[pairs.better] - scores[pairs.worse]
    found = buckets(np.abs(differences), (differences > 0).astype(float), pairs.count)
    return Chart(judgments.name, "pairs", metric, np.zeros(0), np.zeros(0), (), found)


def buckets(scores: Numbers, human: Numbers, counts: Indices) -> tuple[Bucket, ...]:
    """Deciles of the judgments by score; equal scores stay together, so some may be larger.

    Args:
        scores: score of each judgment.
        human: human value of each judgment.
        counts: number of times each judgment was made.
    """
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    reached = np.concatenate([[0], np.cumsum(counts[order])])
    first, last = (reached[np.searchsorted(ordered, ordered, side)] for side in ("left", "right"))
    tenths = (first + last) * BUCKETS // (2 * reached[-1])
    return tuple(
        _bucket(scores[chosen], human[chosen], counts[chosen]) for chosen in (order[run] for run in _runs(tenths))
    )


def _runs(numbers: NDArray[np.int64]) -> list[slice]:
    edges = [*np.flatnonzero(np.diff(numbers, prepend=-1)).tolist(), len(numbers)]
    return [slice(*edge) for edge in pairwise(edges)]


def _bucket(scores: Numbers, human: Numbers, counts: Indices) -> Bucket:
    score, mean = (float(np.average(column, weights=counts)) for column in (scores, human))
    return Bucket(float(scores[0]), float(scores[-1]), score, mean, int(counts.sum()))
