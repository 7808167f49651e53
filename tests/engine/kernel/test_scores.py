"""Scores and sums of the compiled engine: the same numbers, to the last bit, as the Python code gives."""

from __future__ import annotations

import random
from math import fsum, inf

import numpy as np
import pytest
from attrs import evolve, fields
from hypothesis import given
from hypothesis import strategies as st

from meteorlib import ParameterConfig, Scorer
from meteorlib.arrays import breakdowns
from meteorlib.cli.dropin.settings import AnyParameters, AnyStage
from meteorlib.config import load_preset
from meteorlib.core.parameters import NUMERIC_PARAMETERS
from meteorlib.core.segment import Pair
from meteorlib.core.totals import SCORE_BITS, Totals
from meteorlib.engine.implementation import load_kernel
from meteorlib.errors import InputMismatch, InvalidText
from tests.examples import examples

pytestmark = pytest.mark.skipif(load_kernel() is None, reason="built without the compiled kernel")

WORDS = "the of a in run runs running good goods naturally be is are car automobile cars end day , . Σ é".split()
UNITY = st.one_of(st.sampled_from([0.0, 1.0, 0.5]), st.floats(0, 1))


def line(draw: random.Random, longest: int = 12) -> str:
    """A line of a few words, at times empty."""
    return " ".join(draw.choices(WORDS, k=draw.randint(0, longest)))


def python_scorer(config) -> Scorer:
    """The scorer on the Python engine."""
    return Scorer(config, implementation="python")


@examples(60)
@given(
    alpha=UNITY, beta=st.one_of(st.just(0.0), st.floats(0, 5)), gamma=UNITY, delta=UNITY,
    weights=st.lists(UNITY, min_size=3, max_size=3), formula=st.sampled_from(["meteor-1.5", "meteor-2005"]),
    seed=st.integers(0, 1000),
)  # fmt: skip
def test_any_parameters(alpha, beta, gamma, delta, weights, formula, seed):
    """Under any parameters, the score alone and the score of the breakdown are the same double, in both engines."""
    config = load_preset("meteor-1.5-en-core")
    stages = [evolve(stage, weight=weight) for stage, weight in zip(config.stages, weights, strict=True)]
    config = evolve(
        config, parameters=ParameterConfig(alpha, beta, gamma, delta), stages=tuple(stages), formula=formula
    )
    scorer, python = Scorer(config), python_scorer(config)
    draw = random.Random(seed)
    hypotheses, references = [line(draw) for _ in range(6)], [line(draw) for _ in range(6)]
    expected = [[python.score(reference, hypothesis).score for reference in references] for hypothesis in hypotheses]
    assert scorer.matrix(hypotheses=hypotheses, references=references) == expected
    assert python.matrix(hypotheses=hypotheses, references=references) == expected
    assert scorer.matrix(hypotheses=hypotheses, references=references, threads=2) == expected


PARAMETERS = [attribute.name for attribute in fields(ParameterConfig)]


@pytest.mark.parametrize(
    ("preset", "name"),
    [
        *(("meteor-1.5-en-core", name) for name in PARAMETERS if NUMERIC_PARAMETERS[name].formula is None),
        *(("meteor-2026-en-core", name) for name in PARAMETERS),
    ],
)
def test_every_parameter(preset, name):
    """Both engines and the formula for arrays know every parameter that the configuration has."""
    config = load_preset(preset)
    if preset == "meteor-2026-en-core":  # faults need to be found
        config = evolve(config, negations="negations-en", weights=evolve(config.weights, function=0.3))
    config = evolve(config, parameters=evolve(config.parameters, **{name: 0.37}))
    texts = "the car runs , good goods end day", "day end the good automobile , running"
    found, expected = [make(config).score(*texts) for make in (Scorer, python_scorer)]
    assert found.score == expected.score
    score = breakdowns(np.array(expected.statistics.counts()), config.formula_parameters()).score
    assert score == pytest.approx(expected.score, rel=1e-14)


ANY = st.sampled_from([0.0, 1.0, 2.0, -1.0, 0.5, -0.5, 3.25, 1e3, -1e3, 1e-3])


@examples(60)
@given(
    numbers=st.tuples(ANY, ANY, ANY, ANY), weights=st.lists(ANY, min_size=3, max_size=3), seed=st.integers(0, 1000)
)  # fmt: skip
def test_beyond_the_ranges(numbers, weights, seed):
    """Parameters beyond their ranges, as in `meteor-1.5`, give equal scores; infinite ones, too, and never NaN."""
    config = load_preset("meteor-1.5-en-core")
    stages = [AnyStage(one.matcher, weight, one.resource) for one, weight in zip(config.stages, weights, strict=True)]
    config = evolve(config, parameters=AnyParameters(*numbers), stages=stages)
    scorer, python = Scorer(config), python_scorer(config)
    draw = random.Random(seed)
    hypotheses, references = [line(draw, 6) for _ in range(6)], [line(draw, 6) for _ in range(6)]
    expected = [[python.score(reference, hypothesis).score for reference in references] for hypothesis in hypotheses]
    assert scorer.matrix(hypotheses=hypotheses, references=references) == expected
    assert min(map(min, expected)) >= 0
    if max(map(max, expected)) < inf:
        pairs = [Pair([reference], line) for reference, line in zip(references, hypotheses, strict=True)]
        assert scorer.totals(pairs) == python.totals(pairs)


@pytest.mark.parametrize("count", [60, pytest.param(2_500, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("preset", ["meteor-1.5-en-core", "nltk"])
@pytest.mark.parametrize("reduce", ["max", "min", "mean"])
def test_totals(preset, reduce, count):
    """The totals of many segments are the sum of the totals of each, whatever becomes of several references."""
    config = evolve(load_preset(preset), reduce=reduce)
    draw = random.Random(reduce)
    texts = [[line(draw) for _ in range(draw.randint(2, 4))] for _ in range(count)]
    pairs = [Pair(references, hypothesis) for hypothesis, *references in texts]
    scorer, python = Scorer(config), python_scorer(config)
    scored = [python.score(*pair) for pair in pairs]
    expected = sum(map(Totals.of, scored[1:]), Totals.of(scored[0]))
    assert scorer.totals(pairs) == python.totals(pairs) == expected
    assert expected.exact_sum / (1 << SCORE_BITS) == fsum(one.score for one in scored)


def test_no_segment():
    """The totals of nothing are zero."""
    for scorer in (Scorer("meteor-1.5-en-core"), python_scorer(load_preset("meteor-1.5-en-core"))):
        assert scorer.totals([]) == scorer.corpus().totals


@pytest.mark.parametrize("preset", ["meteor-1.5-en-core", "meteor-2005"])
def test_bad_segments(preset):
    """A hypothesis without a reference, and text that is none, are refused."""
    scorer = Scorer(preset)
    with pytest.raises(InputMismatch, match="at least one reference"):
        scorer.totals([Pair(["a"], "a b"), Pair([], "a b")])
    with pytest.raises(InvalidText, match="NUL"):
        scorer.totals([Pair(["a\0"], "a b")])
    with pytest.raises(InvalidText, match="lone surrogate"):
        scorer.totals([Pair(["a"], "a \ud800")])
    with pytest.raises(TypeError, match="hypothesis must be a string"):
        scorer.totals([Pair(["a"], None)])
    with pytest.raises(TypeError, match="references are a list of strings, got one string"):
        scorer.totals([Pair("a", "a")])
    with pytest.raises(TypeError, match=r"must be a meteorlib\.Pair\(references, hypothesis\), got tuple"):
        scorer.totals([("a", "a")])


def test_extend_sums_what_it_does_not_keep():
    """A corpus that keeps no segments has the same totals as one that does."""
    draw = random.Random(3)
    refs = [[line(draw), line(draw)] for _ in range(200)] + ["the end", "a day"]
    hyps = [line(draw) for _ in refs]
    scorer = Scorer("meteor-1.5-en-core")
    kept, summed = scorer.corpus(), scorer.corpus(keep_segments=False)
    for corpus in (kept, summed):
        corpus.extend(references=refs, hypotheses=hyps)
    assert kept.totals == summed.totals
