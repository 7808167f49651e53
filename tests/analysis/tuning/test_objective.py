"""Objectives: parsing and values; the sums over judgments that they are made of."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve

from meteorlib.analysis.meta_evaluation import Judgments, Pairs, Ratings
from meteorlib.analysis.meta_evaluation.correlations import pearson
from meteorlib.analysis.tuning.folds import folds_of
from meteorlib.analysis.tuning.objective import (
    CONCORDANT,
    DISCORDANT,
    PAIRS,
    RATINGS,
    SMOOTH,
    SUMS,
    XX,
    XY,
    YY,
    JudgmentArrays,
    Objective,
    X,
    Y,
)
from meteorlib.errors import InputMismatch, UnknownName
from tests.analysis.tuning.conftest import ranked, rated


def pairs(concordant, discordant, judged):
    sums = np.zeros(SUMS)
    sums[[CONCORDANT, DISCORDANT, PAIRS]] = concordant, discordant, judged
    return sums


def ratings(scores, human):
    sums = np.zeros(SUMS)
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
    sums = np.array([pairs(9, 1, 10), pairs(1, 1, 2), np.zeros(SUMS)])
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


def arrays(*judgments, objective="tau"):
    folds = folds_of([("a", one) for one in judgments], None, 4, 3)
    return JudgmentArrays.of(judgments, folds, Objective.parse(objective)), folds


def test_pairs_of_each_fold():
    """Pairs are counted in the fold of their segment, as often as they were judged; the smooth sum lies between."""
    judged = ranked(None, noise=1.0)
    judged = evolve(judged, pairs=evolve(judged.pairs, count=np.arange(1, len(judged.pairs.better) + 1)))
    found, folds = arrays(judged)
    scores = np.random.default_rng(1).integers(0, 5, (2, len(judged.texts))) / 5
    left_out, training_sums = found.left_out(scores)[:, :, 0], found.training_sums(scores, smooth=True)[:, :, 0]
    for row, sums, rest in zip(scores, left_out, training_sums, strict=True):
        expected = np.zeros((4, 3))
        for better, worse, count in zip(judged.pairs.better, judged.pairs.worse, judged.pairs.count, strict=True):
            into = expected[folds.of_texts[0][better]]
            into += [count * (row[better] > row[worse]), count * (row[better] < row[worse]), count]
        columns = [CONCORDANT, DISCORDANT, PAIRS]
        assert sums[:, columns].tolist() == expected.tolist()
        assert rest[:, columns].tolist() == [*(expected.sum(axis=0) - expected).tolist(), expected.sum(axis=0).tolist()]
        assert (np.abs(rest[:, SMOOTH]) < rest[:, PAIRS]).all()
    segment_sums = found.segment_sums(scores[0])
    assert segment_sums.sum(axis=0)[:SMOOTH] == pytest.approx(training_sums[0, -1][:SMOOTH])


def test_ratings_of_two_language_pairs():
    """Each language pair has sums of its own."""
    one, other = rated(None, "cs-en", noise=1.0), rated(None, "de-en", segments=30, noise=1.0)
    found, _ = arrays(one, other, objective="pearson")
    scores = np.random.default_rng(1).random((1, len(one.texts) + len(other.texts)))
    sums = found.training_sums(scores)[0, -1]
    assert sums[:, RATINGS].tolist() == [160, 120]
    centered = other.ratings.value - other.ratings.value.mean()
    assert sums[1, XY] == pytest.approx(scores[0, 160:] @ centered)
    assert found.segment_sums(scores[0])[40:, XY].sum() == pytest.approx(sums[1, XY])


def test_ratings_as_pairs():
    """With ratings alone, tau is computed from texts of a segment that are rated differently."""
    found, _ = arrays(rated(None, noise=1.0))
    assert found.count.sum() == 40 * 6


def replaced(values):
    judged = rated(None, noise=1.0)
    return evolve(judged, ratings=Ratings(judged.ratings.text, values))


def test_judgments_to_learn_nothing_from():
    """Constant, contradictory, missing judgments and NaN are refused, with the name of the language pair."""
    judged = rated(None, noise=1.0)
    values = judged.ratings.value.copy()
    values[7] = np.nan
    with pytest.raises(InputMismatch, match=r"xx-yy: the rating of segment 'd0' / '1' of system 'm3' is nan"):
        arrays(replaced(values), objective="pearson")
    with pytest.raises(InputMismatch, match="xx-yy: all ratings are 1, so nothing can correlate with them"):
        arrays(replaced(np.ones(len(values))), objective="pearson")
    with pytest.raises(InputMismatch, match=r"xx-yy: no two texts of a segment were judged .*--objective pearson"):
        arrays(replaced(np.ones(len(values))))
    with pytest.raises(InputMismatch, match="there are no ratings, which pearson needs"):
        arrays(ranked(None, noise=1.0), objective="pearson")
    pairs = ranked(None, noise=1.0).pairs
    both = Pairs(np.concatenate([pairs.better, pairs.worse]), np.concatenate([pairs.worse, pairs.better]),
                 np.concatenate([pairs.count, pairs.count]))  # fmt: skip
    with pytest.raises(InputMismatch, match="xx-yy: all pairs were judged both ways equally often"):
        arrays(Judgments("xx-yy", judged.texts, pairs=both))


def test_few_judgments():
    """Very few judgments cause a note."""
    judged = rated(None, segments=12, noise=1.0)
    note = "xx-yy: 48 judgments; from 50 or fewer hardly anything can be learned"
    assert arrays(judged, objective="pearson")[0].note == note
