"""The numbers behind charts: points and buckets."""

from __future__ import annotations

import numpy as np

from meteorlib.analysis.meta_evaluation import Judged, Judgments, Metric, Pairs, Ratings, Scored
from meteorlib.analysis.meta_evaluation.results import buckets, charts_of
from meteorlib.core.segment import Pair


def judged(segments=10, systems="ABC"):
    """Ratings of every system on every segment: the better the later the system comes."""
    every = tuple(Judged(str(segment), system, Pair(("x",), "x")) for segment in range(segments) for system in systems)
    values = np.tile(np.arange(float(len(systems))), segments)
    return Judgments("xx-yy", every, ratings=Ratings(np.arange(len(every)), values))


def test_buckets_are_tenths_and_hold_every_judgment_once():
    """From low scores to high ones; each has the means of what it holds."""
    rng = np.random.default_rng(1)
    scores, human, counts = rng.normal(size=1000), rng.normal(size=1000), np.ones(1000, int)
    found = buckets(scores, human, counts)
    order = np.argsort(scores).reshape(10, 100)
    assert [one.count for one in found] == [100] * 10
    assert np.allclose([one.score for one in found], scores[order].mean(axis=1))
    assert np.allclose([one.human for one in found], human[order].mean(axis=1))
    assert [(one.low, one.high) for one in found] == [(scores[row[0]], scores[row[-1]]) for row in order]


def test_equal_scores_stay_together():
    """A bucket keeps any number of them together; a judgment that was made several times counts that often."""
    (one,) = buckets(np.full(50, 0.5), np.arange(50.0), np.ones(50, int))
    assert (one.low, one.high, one.human, one.count) == (0.5, 0.5, 24.5, 50)
    low, high = buckets(np.array([1.0, 2.0]), np.array([0.0, 1.0]), np.array([3, 1]))
    assert (low.count, high.count) == (3, 1)
    heavy, *_ = buckets(np.array([1.0, 1.0, 2.0]), np.array([0.0, 1.0, 5.0]), np.array([3, 1, 40]))
    assert (heavy.human, heavy.count) == (0.25, 4)


def test_ratings_and_systems_have_a_chart_each():
    """Points are texts with the means of their ratings, and systems with theirs."""
    one = judged()
    scores = np.random.default_rng(2).random(30)
    ratings, systems = charts_of([one], [Metric("m", (Scored(scores),))])
    assert (ratings.level, systems.level) == ("ratings", "systems")
    assert (ratings.scores == scores).all()
    assert (ratings.human == one.ratings.value).all()
    assert sum(bucket.count for bucket in ratings.buckets) == 30
    assert systems.labels == ("A", "B", "C")
    assert np.allclose(systems.scores, scores.reshape(10, 3).mean(axis=0))
    assert systems.human.tolist() == [0, 1, 2]


def test_pairs_have_shares_by_difference():
    """A tie of the metric is not in the order of the people; counts count."""
    pairs = Pairs(np.array([0, 1, 2]), np.array([1, 0, 0]), np.array([6, 2, 2]))
    one = Judgments("xx-yy", judged().texts[:3], pairs=pairs)
    (chart,) = charts_of([one], [Metric("m", (Scored(np.array([0.5, 0.25, 0.5])),))])
    assert [(bucket.score, bucket.human, bucket.count) for bucket in chart.buckets] == [(0, 0, 2), (0.25, 0.75, 8)]
