"""Intervals, p values, adjustments and ranks, each by its definition."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.analysis.significance.resampling import bootstrap_p, changes, holm, interval, randomization_p, ranks

SCORES = st.lists(st.integers(0, 20).map(lambda twentieths: twentieths / 20), min_size=1, max_size=60)


def test_interval():
    """As many sorted values are cut off on each side as in sacrebleu: 25 of 1,000 at 95 %."""
    found = interval(np.random.default_rng(1).permutation(np.arange(1000.0)), 0.95)
    assert (found.low, found.high, found.mean) == (25, 974, 499.5)
    assert found.half_width == 474.5
    tight, wide = (interval(np.arange(1000.0), level) for level in (0.5, 0.99))
    assert (tight.low, tight.high, wide.low, wide.high) == (250, 749, 5, 994)
    assert interval(np.arange(3.0), 0.95).low == 0


def test_randomization_p():
    """The share of shuffles with at least the observed difference, on either side; the observed one is one of them."""
    differences = np.array([0.1, -0.2, 0.3, 0.0])
    assert randomization_p(differences, 0.2) == 3 / 5
    assert randomization_p(differences, -0.2) == 3 / 5
    assert randomization_p(differences, 0.0) == 1
    assert randomization_p(differences, 0.5) == 1 / 5
    assert randomization_p(np.array([0.1 + 0.2]), 0.3) == 1, "rounding makes no difference"


def test_bootstrap_p():
    """Absolute differences are centered on their mean before they are counted."""
    one, other = np.array([0.5, 0.6, 0.9, 0.4]), np.array([0.4, 0.4, 0.4, 0.4])
    # absolute differences .1 .2 .5 0, less their mean .2: -.1 0 .3 -.2
    assert bootstrap_p(one, other, 0.25) == 2 / 5
    assert bootstrap_p(other, one, -0.25) == 2 / 5
    assert bootstrap_p(one, one, 0.0) == 1


def test_holm():
    """The smallest of m p values is multiplied by m, the next by m - 1, …; none becomes smaller than one before it."""
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.4, 1.0]) == [1.0, 1.0, 1.0]
    assert holm([0.2]) == [0.2]
    assert holm([]) == []


@given(st.lists(st.integers(1, 100).map(lambda value: value / 100), min_size=1, max_size=8))
def test_holm_is_a_closed_test(values):
    """An adjusted p value is the largest that Bonferroni gives to any set of hypotheses with this one in it."""
    sets = [chosen for size in range(1, len(values) + 1) for chosen in combinations(range(len(values)), size)]
    for index, adjusted in enumerate(holm(values)):
        bonferroni = [len(chosen) * min(values[one] for one in chosen) for chosen in sets if index in chosen]
        assert adjusted == pytest.approx(min(1.0, max(bonferroni)))


def test_ranks():
    """A cluster ends only where every system above differs from every system below."""

    def ranked(scores, *alike):
        return ranks(scores, lambda one, other: {one, other} not in [set(pair) for pair in alike])

    assert ranked([0.1, 0.3, 0.2]) == [3, 1, 2]
    assert ranked([0.3, 0.2, 0.1], (0, 1)) == [1, 1, 3]
    assert ranked([0.3, 0.2, 0.1], (0, 2)) == [1, 1, 1]
    assert ranked([0.4, 0.3, 0.2, 0.1], (0, 1), (2, 3)) == [1, 1, 3, 3]
    assert ranked([0.5]) == [1]


@given(st.permutations([0.4, 0.3, 0.2, 0.1]), st.sets(st.sampled_from(list(permutations(range(4), 2)))))
def test_ranks_do_not_depend_on_the_order(scores, alike):
    """Ranks are the systems', in whatever order these are given."""
    by_score = sorted(scores, reverse=True)

    def found(listed):
        places = [by_score.index(score) for score in listed]
        same = {frozenset(pair) for pair in alike}
        given_ranks = ranks(listed, lambda one, other: frozenset((places[one], places[other])) not in same)
        return dict(zip(listed, given_ranks, strict=True))

    assert found(scores) == found(by_score)


@given(SCORES, st.randoms(use_true_random=False))
def test_changes(scores, random):
    """Every segment is in the one band of its difference, lower end excluded above 0 and included below."""
    other = [random.choice(scores) for _ in scores]
    found = changes(np.array(scores), np.array(other))
    exact = [Fraction(round(20 * a), 20) - Fraction(round(20 * b), 20) for a, b in zip(scores, other, strict=True)]
    assert found.unchanged == exact.count(0)
    for band in range(10):
        low, high = Fraction(band, 10), Fraction(band + 1, 10)
        assert found.bands[10 + band] == sum(low < value <= high for value in exact)
        assert found.bands[9 - band] == sum(low < -value <= high for value in exact)
    assert found.better + found.worse + found.unchanged == len(scores)
