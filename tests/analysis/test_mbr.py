"""Minimum Bayes risk choice, and the matrix of scores that it rests on."""

from __future__ import annotations

import pytest

from meteorlib import Scorer
from meteorlib.analysis.mbr import choose
from meteorlib.errors import InputMismatch

SAMPLES = ["the cat sat on the mat", "a cat sat on the mat", "the dog ran away", "the cat was on the mat"]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("preset", ["meteor-2005", "meteor-1.5-en-core"])
def test_matrix_is_the_scores(preset, threads):
    """Row i, column j is the score of hypothesis i against reference j."""
    scorer = Scorer(preset)
    matrix = scorer.matrix(hypotheses=SAMPLES, references=SAMPLES[:3], threads=threads)
    assert matrix == [[scorer.score(ref, hyp).score for ref in SAMPLES[:3]] for hyp in SAMPLES]


def test_matrix_of_nothing():
    """No hypotheses give no rows; no references give empty rows."""
    assert Scorer().matrix(hypotheses=[], references=SAMPLES) == []
    assert Scorer().matrix(hypotheses=SAMPLES[:2], references=[]) == [[], []]


def test_choice_is_the_highest_mean():
    """The expected score of a sample is the mean of its scores against all; the highest is chosen."""
    scorer = Scorer()
    choice = choose(SAMPLES, scorer)
    means = [sum(row) / len(row) for row in scorer.matrix(hypotheses=SAMPLES, references=SAMPLES)]
    assert choice.expected == pytest.approx(means)
    assert choice.text == SAMPLES[choice.index]
    assert means[choice.index] == max(means)


def test_repeated_samples_count_as_often():
    """A sample that comes three times has the weight of three, and the first of equals is named."""
    repeated = choose([SAMPLES[2], SAMPLES[2], SAMPLES[2], SAMPLES[0]])
    assert (repeated.index, repeated.text) == (0, SAMPLES[2])
    weighted = choose([SAMPLES[2], SAMPLES[0]], weights=[3, 1])
    assert weighted.expected == pytest.approx((repeated.expected[0], repeated.expected[3]))


def test_wrong_weights():
    """Missing, negative or vanishing weights, and no samples at all, are refused."""
    with pytest.raises(InputMismatch, match="no sample"):
        choose([])
    with pytest.raises(InputMismatch, match="4 samples but 1 weights"):
        choose(SAMPLES, weights=[1])
    with pytest.raises(ValueError, match="must be finite and not negative"):
        choose(SAMPLES[:2], weights=[1, -1])
    for weights in ([0, 0], [float("nan"), 1], [float("inf"), 1], [1e308, 1e308]):
        with pytest.raises(ValueError, match="must be finite and not negative"):
            choose(SAMPLES[:2], weights=weights)


def test_one_string_is_no_list():
    """A string is not taken apart into characters, and somebody must do the work."""
    with pytest.raises(TypeError, match="samples must be a list of texts, got one string"):
        choose("a cat")
    with pytest.raises(TypeError, match="hypotheses must be a list of texts, got one string"):
        Scorer().matrix(hypotheses="a cat", references=SAMPLES)
    with pytest.raises(TypeError, match="references must be a list of texts, got one string"):
        Scorer().matrix(hypotheses=SAMPLES, references="a cat")
    with pytest.raises(ValueError, match="threads must be at least 1, got 0"):
        Scorer().matrix(hypotheses=SAMPLES, references=SAMPLES, threads=0)


def test_the_new_formula(scorer_2026):
    """METEOR 2026's matrix has its scores, and choices rest on it."""
    matrix = scorer_2026.matrix(hypotheses=SAMPLES, references=SAMPLES[:3], threads=2)
    assert matrix == [[scorer_2026.score(ref, hyp).score for ref in SAMPLES[:3]] for hyp in SAMPLES]
