"""The statistics of judgments are those of scipy and of slow textbook versions."""

from __future__ import annotations

from itertools import combinations
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.analysis.meta_evaluation.accuracy import PairAccuracy, TieCalibration, threshold
from meteorlib.analysis.meta_evaluation.correlations import (
    Kendall,
    pearson,
    weighted_pearson,
    weighted_spearman,
    williams,
    wmt_taus,
)
from tests.examples import examples

few = st.integers(-3, 3).map(float)
lists = st.integers(2, 30).flatmap(lambda n: st.tuples(*[st.lists(few, min_size=n, max_size=n)] * 2))
drawn = st.integers(2, 12).flatmap(
    lambda n: st.tuples(
        *[st.lists(few, min_size=n, max_size=n)] * 2, st.lists(st.integers(0, 3), min_size=n, max_size=n)
    )
)
"""Two lists, and how often each of their places stands."""


def same(one, other):
    return (isnan(one) and isnan(other)) or one == pytest.approx(other, abs=1e-12)


def columns(weights):
    """A test set with each segment once, and a resampled one with counts."""
    return np.array([np.ones(len(weights)), weights]).T


@examples(500)
@given(drawn)
def test_kendall_counts_pairs(given_lists):
    """Concordant, discordant and tied pairs equal those counted by hand, also for repeated segments."""
    x, y, weights = map(np.array, given_lists)
    found = Kendall.of(x, y)(columns(weights))
    for column, each in enumerate((np.ones(len(x), int), weights)):
        rows = np.repeat(np.arange(len(x)), each)
        signs = [(np.sign(x[i] - x[j]), np.sign(y[i] - y[j])) for i, j in combinations(rows, 2)]
        assert found.count[column] == len(rows)
        assert found.concordant[column] == sum(a * b > 0 for a, b in signs)
        assert found.discordant[column] == sum(a * b < 0 for a, b in signs)
        assert found.tied_first[column] == sum(a == 0 for a, _ in signs)
        assert found.tied_second[column] == sum(b == 0 for _, b in signs)


@pytest.mark.filterwarnings("ignore")
@examples(500)
@given(drawn)
def test_scipy(given_lists):
    """Tau-b, tau-c, Pearson and Spearman are scipy's on the lists written out, NaN where one is constant."""
    stats = pytest.importorskip("scipy.stats")
    x, y, weights = map(np.array, given_lists)
    kendall = Kendall.of(x, y)
    orders = kendall(columns(weights))
    straight = weighted_pearson(x, y, columns(weights))
    ranked = weighted_spearman(kendall.first, kendall.second, columns(weights))
    for column, each in enumerate((np.ones(len(x), int), weights)):
        rows = np.repeat(np.arange(len(x)), each)
        one, other = x[rows], y[rows]
        if len(rows) > 1:
            assert same(orders.tau_b[column], stats.kendalltau(one, other).statistic)
            assert same(orders.tau_c[column], stats.kendalltau(one, other, variant="c").statistic)
        if len(rows) > 2:
            assert same(float(pearson(one, other)), float(stats.pearsonr(one, other).statistic))
            assert same(float(straight[column]), float(stats.pearsonr(one, other).statistic))
            assert same(float(ranked[column]), float(stats.spearmanr(one, other).statistic))


@pytest.mark.filterwarnings("ignore")
@examples(200)
@given(drawn, st.lists(st.integers(0, 4), min_size=24, max_size=24))
def test_partial_correlations_are_of_what_least_squares_leave(given_lists, lengths):
    """Pearson of numpy's residuals of the lists written out; NaN where they are rounding errors."""
    x, y, weights = map(np.array, given_lists)
    controls = np.log(np.array(lengths, float).reshape(2, 12)[:, : len(x)] + 1)
    for count in (1, 2):
        found = weighted_pearson(x, y, columns(weights), [*controls[:count]])
        for column, each in enumerate((np.ones(len(x), int), weights)):
            rows = np.repeat(np.arange(len(x)), each)
            if not len(rows):
                continue
            design = np.vstack([np.ones(len(rows)), controls[:count, rows]]).T
            left = [one[rows] - design @ np.linalg.lstsq(design, one[rows])[0] for one in (x, y)]
            is_known = min(np.linalg.norm(residuals) for residuals in left) > 1e-8
            expected = np.corrcoef(*left)[0, 1] if is_known else nan
            assert found[column] == pytest.approx(expected, abs=1e-7, nan_ok=True)


@examples(500)
@given(lists, st.integers(1, 3))
def test_accuracy_of_groups_tries_every_threshold(given_lists, size):
    """Pairs are those of a group; the threshold is the least of the best ones; groups without pairs do not count."""
    x, y = map(np.array, given_lists)
    x /= 3  # differences are rounded
    groups = np.array_split(np.arange(len(x)), size)

    def accuracy(epsilon, weights):
        shares = []
        for group in groups:
            right = every = 0
            for i, j in combinations(group, 2):
                order = 0 if abs(x[i] - x[j]) <= epsilon else np.sign(x[i] - x[j])
                every += weights[i] * weights[j]
                right += weights[i] * weights[j] * (order == np.sign(y[i] - y[j]))
            shares += [right / every] if every else []
        return np.mean(shares) if shares else nan

    once = np.ones(len(x))
    tried = {abs(i - j): accuracy(abs(i - j), once) for i, j in combinations(x, 2)} | {0.0: accuracy(0.0, once)}
    best = max(tried.values())
    found = PairAccuracy.of(x, y, groups)
    if not isnan(best):
        assert found.epsilon == min(epsilon for epsilon, value in tried.items() if value >= best - 1e-9)
    weights = np.random.default_rng(size).integers(0, 3, len(x))
    values = found(columns(weights))
    assert same(values[0], best)
    assert same(values[1], accuracy(found.epsilon, weights))


@pytest.mark.thorough
def test_threshold_of_many_pairs_is_that_of_all_of_them():
    """Bands that are not looked at closely hold no better threshold: scores with outliers, pairs in several pieces."""
    rng = np.random.default_rng(3)
    human = rng.integers(0, 4, 2000).astype(float)
    metric = human / 10 + rng.normal(size=2000)
    metric[:2] = -1e6, 1e6
    one, other = np.triu_indices(2000, 1)
    found = TieCalibration.of(metric[one] - metric[other], human[one] - human[other], np.zeros(len(one), np.int64), 1)
    assert threshold([(metric, human)]) == found.epsilon > 0
    assert PairAccuracy.of(metric, human, [np.arange(2000)])(np.ones((2000, 1))) == pytest.approx(found.accuracies)


def test_a_list_that_is_constant_but_for_rounding_has_no_correlation():
    """The mean of ten times 0.1 is not 0.1; that is no variation."""
    assert isnan(pearson(np.full(10, 0.1), np.arange(10.0)))


def test_wmt_taus_differ_in_ties():
    """The figures of METEOR 1.5 on WMT13's Czech-English."""
    found = wmt_taus(np.array(52266), np.array(30389), np.array(2814))
    assert {name: round(float(value), 5) for name, value in found.items()} == {
        "tau_wmt12": 0.22304, "tau_wmt13": 0.26468, "tau_wmt14": 0.25596,
    }  # fmt: skip


@examples(500)
@given(st.lists(st.tuples(few, few, st.integers(0, 3)), min_size=1, max_size=30))
def test_calibration_tries_every_threshold(pairs):
    """The threshold is the least of the best ones, by trying out all; the accuracy is the mean over the segments."""
    metric, human, segments = (np.array(column) for column in zip(*pairs, strict=True))

    def accuracy(epsilon):
        by_segment = {}
        for one, other, segment in pairs:
            order = 0 if abs(one) <= epsilon else np.sign(one)
            by_segment.setdefault(segment, []).append(order == np.sign(other))
        return np.mean([np.mean(right) for right in by_segment.values()])

    tried = {epsilon: accuracy(epsilon) for epsilon in sorted({0.0, *np.abs(metric)})}
    best = max(tried.values())
    found = TieCalibration.of(metric, human, segments, 4)
    assert np.nanmean(found.accuracies) == pytest.approx(best, abs=1e-12)
    assert found.epsilon == next(epsilon for epsilon, value in tried.items() if value >= best - 1e-9)


def test_williams():
    """The formula of the paper, on numbers worked out by hand; the two directions add up to 1."""
    stats = pytest.importorskip("scipy.stats")
    r12, r13, r23, n = 0.6, 0.5, 0.8, 100
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    t = (
        (r12 - r13)
        * ((n - 1) * (1 + r23)) ** 0.5
        / (2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3) ** 0.5
    )
    assert williams(r12, r13, r23, n) == pytest.approx(stats.t.sf(t, n - 3))
    assert williams(r12, r13, r23, n) + williams(r13, r12, r23, n) == pytest.approx(1)
    assert williams(0.5, 0.5, 1.0, 10) == 0.5
    assert isnan(williams(0.5, nan, 0.5, 10))
    assert isnan(williams(0.5, 0.4, 0.5, 3))
