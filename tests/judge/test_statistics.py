"""The statistics of judgments are those of scipy and of slow textbook versions."""

from __future__ import annotations

from itertools import combinations
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.judge.calibration import Calibrated
from meteorlib.judge.correlation import pearson, spearman
from meteorlib.judge.kendall import Kendall, wmt_taus
from meteorlib.judge.williams import student, williams
from tests.examples import examples

few = st.integers(-3, 3).map(float)
lists = st.integers(2, 30).flatmap(lambda n: st.tuples(*[st.lists(few, min_size=n, max_size=n)] * 2))


def same(one, other):
    return (isnan(one) and isnan(other)) or one == pytest.approx(other, abs=1e-12)


@examples(500)
@given(lists)
def test_kendall_counts_pairs(given_lists):
    """Concordant, discordant and tied pairs are those that one counts by hand."""
    x, y = map(np.array, given_lists)
    signs = [(np.sign(x[i] - x[j]), np.sign(y[i] - y[j])) for i, j in combinations(range(len(x)), 2)]
    found = Kendall.of(x, y)
    assert found.concordant == sum(a * b > 0 for a, b in signs)
    assert found.discordant == sum(a * b < 0 for a, b in signs)
    assert found.tied_first == sum(a == 0 for a, _ in signs)
    assert found.tied_second == sum(b == 0 for _, b in signs)


@pytest.mark.filterwarnings("ignore")
@examples(500)
@given(lists)
def test_scipy(given_lists):
    """Tau-b, tau-c, Pearson and Spearman are scipy's, NaN where a list is constant."""
    stats = pytest.importorskip("scipy.stats")
    x, y = map(np.array, given_lists)
    found = Kendall.of(x, y)
    assert same(found.tau_b, stats.kendalltau(x, y).statistic)
    assert same(found.tau_c, stats.kendalltau(x, y, variant="c").statistic)
    if len(x) > 2:
        assert same(float(pearson(x, y)), float(stats.pearsonr(x, y).statistic))
        assert same(float(spearman(x, y)), float(stats.spearmanr(x, y).statistic))


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
    found = Calibrated.of(metric, human, segments, 4)
    assert np.nanmean(found.accuracies) == pytest.approx(best, abs=1e-12)
    assert found.epsilon == next(epsilon for epsilon, value in tried.items() if value >= best - 1e-9)


@pytest.mark.parametrize("freedom", [1, 2, 7, 60, 500, 50_000])
@pytest.mark.parametrize("t", [-3.0, -0.2, 0.0, 1e-5, 0.7, 2.0, 9.0])
def test_student(t, freedom):
    """The tail is scipy's."""
    stats = pytest.importorskip("scipy.stats")
    assert student(t, freedom) == pytest.approx(stats.t.sf(t, freedom), rel=1e-8)


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
