"""Sums over judgments, and judgments that nothing can be learned from."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve

from meteorlib.analysis.meta_evaluation import Judgments, Pairs, Ratings
from meteorlib.analysis.tuning.folds import folds_of
from meteorlib.analysis.tuning.judgment_arrays import JudgmentArrays
from meteorlib.analysis.tuning.objective import CONCORDANT, DISCORDANT, PAIRS, RATINGS, SMOOTH, XY, Objective
from meteorlib.errors import InputMismatch, MeteorWarning
from tests.analysis.tuning.conftest import ranked, rated


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
    """Very few judgments cause a warning."""
    judged = rated(None, segments=12, noise=1.0)
    with pytest.warns(MeteorWarning, match="xx-yy: 48 judgments; from 50 or fewer hardly anything can be learned"):
        arrays(judged, objective="pearson")
