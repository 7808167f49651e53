"""The formula: worked examples, undefined values, both variants."""

from __future__ import annotations

from math import isnan, nan

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from meteorlib.core import Parameters, StageCounts, Statistics, breakdown

PAPER = Parameters(0.9, 3.0, 0.5, 0.5, weights=(1.0,), formula="meteor-2005")
RANK = Parameters(0.85, 0.2, 0.6, 0.75, weights=(1.0, 0.6, 0.8, 0.6))


def simple(hypothesis, reference, matches, chunks):
    """Statistics of one stage without function words."""
    return Statistics(
        hypothesis, reference, 0, 0, (StageCounts(matches, matches, 0, 0),), chunks, chunks, matches, matches
    )


@pytest.mark.parametrize(
    ("statistics", "precision", "recall", "f_mean", "fragmentation", "penalty", "score"),
    [
        (simple(6, 6, 6, 6), 1, 1, 1, 1, 0.5, 0.5),
        (simple(6, 6, 6, 1), 1, 1, 1, 1 / 6, 0.0023, 0.9977),
        (simple(7, 6, 6, 2), 0.8571, 1, 0.9836, 2 / 6, 0.0185, 0.9654),
    ],
)
def test_worked_examples(statistics, precision, recall, f_mean, fragmentation, penalty, score):
    """The three worked examples of METEOR 2005."""
    found = breakdown(statistics, PAPER)
    numbers = (found.precision, found.recall, found.f_mean, found.fragmentation, found.penalty, found.score)
    assert numbers == pytest.approx((precision, recall, f_mean, fragmentation, penalty, score), abs=5e-5)


def test_f_mean_of_the_paper():
    """With alpha 0.9 it is the paper's 10PR / (R + 9P) (Banerjee & Lavie 2005, section 2.3)."""
    found = breakdown(simple(10, 5, 4, 2), PAPER)
    p, r = 0.4, 0.8
    assert (found.precision, found.recall) == (p, r)
    assert found.f_mean == pytest.approx(10 * p * r / (r + 9 * p), rel=1e-15)
    assert found.f1 == pytest.approx(2 * p * r / (p + r), rel=1e-15)


def test_first_segment_of_newstest2009():
    """A segment of METEOR 1.5's, every digit."""
    line = "13.0 13.0 5.0 3.0 8.0 8.0 3.0 3.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 3.0 11.0 11.0"
    found = breakdown(Statistics.from_line(line), RANK)
    assert (found.precision, found.recall) == (0.9310344827586207, 0.8181818181818182)
    assert (found.penalty, found.score) == (0.4626972989860564, 0.447752250844953)


@pytest.mark.parametrize("parameters", [evolve(PAPER, formula="meteor-1.5"), PAPER])
@pytest.mark.parametrize(
    ("hypothesis", "reference", "precision", "recall", "f_mean"),
    [(3, 4, 0.0, 0.0, 0.0), (0, 4, nan, 0.0, nan), (3, 0, 0.0, nan, nan), (0, 0, nan, nan, nan)],
)
def test_no_match(parameters, hypothesis, reference, precision, recall, f_mean):
    """Without a match the score is 0; undefined values are NaN, as METEOR 1.5 prints."""
    found = breakdown(simple(hypothesis, reference, 0, 0), parameters)
    numbers = [found.precision, found.recall, found.f_mean, found.f1, found.fragmentation, found.penalty]
    assert numbers == pytest.approx([precision, recall, f_mean, nan, nan, nan], nan_ok=True)
    assert found.score == 0.0


def test_perfect_segment():
    """A segment matched whole in one chunk is not penalized by METEOR 1.5: its score is 1."""
    perfect = evolve(simple(6, 6, 6, 1), penalized_chunks=0)
    found = breakdown(perfect, evolve(PAPER, formula="meteor-1.5"))
    assert (found.fragmentation, found.penalty, found.score) == (0.0, 0.0, 1.0)


def test_beta_of_zero():
    """With beta 0 the penalty is gamma, also where no chunk is penalized, as in Java: 0 to the power of 0 is 1."""
    perfect = evolve(simple(6, 6, 6, 1), penalized_chunks=0)
    assert breakdown(perfect, evolve(PAPER, beta=0.0)).penalty == 0.5


def test_matches_without_weight():
    """Words that are matched by a stage of weight 0 count for nothing but chunks."""
    found = breakdown(simple(3, 3, 2, 1), evolve(PAPER, weights=(0.0,)))
    assert (found.precision, found.recall, found.f_mean, found.score) == (0.0, 0.0, 0.0, 0.0)
    assert found.penalty > 0
    assert isnan(found.f1)


def test_only_function_words_where_they_count_nothing():
    """With delta 1 function words have no weight: a segment of nothing else has no length to divide by."""
    statistics = Statistics(2, 2, 2, 2, (StageCounts(0, 0, 2, 2),), 1, 1, 2, 2)
    found = breakdown(statistics, evolve(PAPER, delta=1.0))
    assert isnan(found.precision)
    assert isnan(found.recall)
    assert found.score == 0.0


@pytest.mark.parametrize("parameters", [PAPER, evolve(RANK, weights=(1.0,))])
def test_stages_and_weights_must_agree(parameters):
    """Statistics of other stages cannot be scored, and the message says how METEOR's line is read for this one."""
    with pytest.raises(ValueError, match="stages") as caught:
        breakdown(Statistics.zero(2), parameters)
    assert str(caught.value) == (
        "the statistics have 2 stages, but the METEOR that is to score them has 1; "
        "a line of METEOR's is read for it by  Statistics.from_line(line, stages=1)"
    )


share = st.floats(0, 1)


@st.composite
def consistent_statistics(draw):
    """Statistics as a segment can have them, in two stages."""
    matched = [draw(st.integers(0, 20)) for _ in range(4)]
    stages = (
        StageCounts(matched[0], matched[0], matched[1], matched[1]),
        StageCounts(matched[2], matched[2], matched[3], matched[3]),
    )
    total, function = sum(matched), matched[1] + matched[3]
    more = [draw(st.integers(0, 10)) for _ in range(4)]
    chunks = draw(st.integers(1, total)) if total else 0
    return Statistics(
        total + more[0] + more[1],
        total + more[2] + more[3],
        function + more[1],
        function + more[3],
        stages,
        chunks,
        chunks,
        total,
        total,
    )


@given(consistent_statistics(), share, st.floats(0, 20), share, share, st.tuples(share, share))
def test_range(statistics, alpha, beta, gamma, delta, weights):
    """Under any parameters, numbers are from 0 to 1 or have no value; the score always has one."""
    for formula in ("meteor-1.5", "meteor-2005"):
        found = breakdown(statistics, Parameters(alpha, beta, gamma, delta, weights=weights, formula=formula))
        assert 0 <= found.score <= 1 + 1e-15
        for value in (found.precision, found.recall, found.f1, found.f_mean, found.fragmentation, found.penalty):
            assert isnan(value) or 0 <= value <= 1 + 1e-15
