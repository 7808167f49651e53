"""Objectives: parsing and values."""

from __future__ import annotations

import numpy as np
import pytest

from meteorlib.analysis.meta_evaluation.correlations import pearson
from meteorlib.analysis.tuning.objective import (
    COLUMNS,
    CONCORDANT,
    DISCORDANT,
    PAIRS,
    RATINGS,
    XX,
    XY,
    YY,
    Objective,
    X,
    Y,
)
from meteorlib.errors import InputMismatch, UnknownName


def pairs(concordant, discordant, judged):
    sums = np.zeros(COLUMNS)
    sums[[CONCORDANT, DISCORDANT, PAIRS]] = concordant, discordant, judged
    return sums


def ratings(scores, human):
    sums = np.zeros(COLUMNS)
    x, y = np.array(scores, float), np.array(human, float)
    sums[[RATINGS, X, Y, XX, YY, XY]] = len(x), x.sum(), y.sum(), x @ x, y @ y, x @ y
    return sums


def test_sums():
    """A sum is parsed with its weights and printed again; tau is the one of 2014."""
    found = Objective.parse(" 0.25*tau + pearson ")
    assert found.terms == ((0.25, "tau_wmt14"), (1.0, "pearson"))
    assert str(found) == "0.25*tau_wmt14 + pearson"
    assert found.of_pairs
    assert found.of_ratings


@pytest.mark.parametrize("text", ["", "tau+", "-1*tau", "tau*2", "0*tau", "tau tau", "１*tau", "1_0*tau"])
def test_what_is_no_sum(text):
    """An objective that is no sum of statistics is refused."""
    with pytest.raises(InputMismatch, match="expected a sum such as"):
        Objective.parse(text)


def test_statistics_that_are_not_there():
    """A statistic must be known, and come once."""
    with pytest.raises(UnknownName, match=r"unknown statistic 'pearsn' \(did you mean 'pearson'\?\)"):
        Objective.parse("pearsn")
    with pytest.raises(InputMismatch, match="has tau_wmt14 twice"):
        Objective.parse("tau+tau_wmt14")


@pytest.mark.parametrize(
    ("name", "value"),
    [("tau", 0.2), ("tau_wmt12", 0.0), ("tau_wmt13", 0.25), ("accuracy", 0.5)],
)
def test_counts(name, value):
    """Five right, three wrong, two tied of ten: each statistic treats the ties in its own way."""
    assert Objective.parse(name).of(pairs(5, 3, 10)[np.newaxis]) == pytest.approx(value)


def test_mean_over_language_pairs():
    """Language pairs count alike; one without judgments does not count."""
    sums = np.array([pairs(9, 1, 10), pairs(1, 1, 2), np.zeros(COLUMNS)])
    assert Objective.parse("tau").of(sums) == pytest.approx(0.4)


def test_pearson():
    """Pearson's correlation equals that of the numbers; constant scores correlate with nothing, which is 0."""
    rng = np.random.default_rng(1)
    one, other = rng.random(30), rng.random(30)
    assert Objective.parse("pearson").of(ratings(one, other)[np.newaxis]) == pytest.approx(float(pearson(one, other)))
    assert Objective.parse("pearson").of(ratings([0.1] * 30, other)[np.newaxis]) == 0


def test_parts_of_a_language_pair():
    """Parts count by their judgments: tau is that of all pairs together, Pearson is taken in each part by itself."""
    sums = np.array([[pairs(9, 1, 10), pairs(0, 2, 2)]])
    assert Objective.parse("tau").folded(sums) == pytest.approx((9 - 3) / 12)
    sums = np.array([[ratings([1, 2, 3], [1, 2, 3]), ratings([101, 102], [2, 1])]])
    assert Objective.parse("pearson").folded(sums) == pytest.approx((3 - 2) / 5)
