"""Segments as arrays: the same counts, the same formula."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from meteorlib import Scorer, arrays
from meteorlib.arrays import SegmentArrays, breakdowns, checked_vectors, rescored, unit_rows
from meteorlib.core import Parameters, StageCounts, Statistics, breakdown
from meteorlib.core.formula import NUMBERS
from meteorlib.errors import InvalidVectors, MeteorError
from tests.examples import EXTREME_SCALES, ODD_NUMBERS, examples

RELATIVE = 1e-12

SHARES = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1))
PARAMETERS = st.builds(
    Parameters,
    SHARES,
    st.floats(0, 5),
    SHARES,
    SHARES,
    weights=st.tuples(SHARES, SHARES),
    formula=st.sampled_from(["meteor-1.5", "meteor-2005"]),
)
COUNT = st.one_of(st.just(0), st.integers(0, 60))
STATISTICS = st.builds(
    Statistics,
    *[COUNT] * 4,
    st.tuples(*[st.builds(StageCounts, COUNT, COUNT, COUNT, COUNT)] * 2),
    *[COUNT] * 4,
)


@given(STATISTICS)
def test_counts_and_back(statistics):
    """A row of counts is all that there is of statistics."""
    assert Statistics.from_counts(statistics.counts()) == statistics
    assert len(statistics.counts()) == 16


@examples(500)
@given(st.lists(STATISTICS, min_size=1, max_size=20), PARAMETERS)
def test_formula(listed, parameters):
    """Every number of every row equals the scalar formula's, up to rounding; undefined values agree."""
    counts = np.array([one.counts() for one in listed])
    for form in (counts, counts.astype(np.float32)):
        found = breakdowns(form, parameters)
        for row, one in enumerate(listed):
            expected = breakdown(one, parameters)
            for name in NUMBERS:
                value = getattr(found, name)[row]
                assert value == pytest.approx(getattr(expected, name), rel=RELATIVE, abs=1e-15, nan_ok=True), name


def test_any_shape():
    """The last axis has the counts; the others are those of the result."""
    counts = np.broadcast_to([4, 4, 0, 0, 1, 1, 4, 4, 4, 4, 0, 0], (2, 3, 12))
    parameters = Parameters(0.9, 3.0, 0.5, 0.5, weights=(1.0,), formula="meteor-2005")
    assert breakdowns(counts, parameters).score == pytest.approx(np.full((2, 3), 1 - 0.5 / 4**3))
    assert breakdowns(counts[0, 0], parameters).precision == 1


def test_stages_that_do_not_fit():
    """Counts of other stages than the weights are for are refused."""
    with pytest.raises(ValueError, match="counts of 1 stages, but the parameters have 2 weights"):
        breakdowns(np.zeros(12), Parameters(0.9, 3.0, 0.5, 0.5, weights=(1.0, 1.0)))


def test_segments():
    """The arrays of a corpus have its statistics and the scores of its segments, whatever references they have."""
    for preset in ("meteor-2005", "meteor-1.5-en-core"):
        corpus = (
            Scorer(preset)
            .corpus()
            .extend(references=["a cat sat", ["the cats", "a dog"], "x"], hypotheses=["a cat", "a dog sat", ""])
        )
        arrays = SegmentArrays.of(corpus)
        assert len(arrays) == 3
        assert arrays.statistics() == corpus.statistics
        assert arrays.scores.tolist() == [one.score for one in corpus]
        assert breakdowns(arrays.counts, corpus.parameters).score == pytest.approx(arrays.scores, rel=RELATIVE)


@given(
    st.lists(STATISTICS, min_size=1, max_size=20), st.lists(PARAMETERS, min_size=1, max_size=5), st.sampled_from([1, 2])
)
def test_many_parameters(listed, settings, jobs):
    """Scores under many parameters are those under each of them, digit by digit, whatever they have in common."""
    counts = np.array([one.counts() for one in listed])
    several = [*settings, *(evolve(settings[0], alpha=one.alpha) for one in settings), settings[0]]
    found = rescored(counts, several, jobs=jobs)
    assert found.tolist() == [breakdowns(counts, parameters).score.tolist() for parameters in several]


def test_more_rows_than_are_rescored_at_a_time(lowered):
    """Rows are rescored block by block, and none is lost."""
    counts = np.array([[4, 4, 0, 0, chunks, chunks, 4, 4, 4, 4, 0, 0] for chunks in range(1, 6)])
    parameters = Parameters(0.9, 3.0, 0.5, 0.5, weights=(1.0,), formula="meteor-2005")
    expected = breakdowns(counts, parameters).score.tolist()
    for jobs in (1, 2):
        blocks = lowered(arrays, "BLOCK_ROWS", 2, "_KeptSteps")
        assert rescored(counts, [parameters], jobs=jobs)[0].tolist() == expected
        assert blocks() == 3
    assert rescored(counts[:0], [parameters]).shape == (1, 0)


@pytest.mark.parametrize("odd", ODD_NUMBERS)
def test_vectors_with_odd_numbers(odd):
    """Vectors of anything but finite real numbers are refused by an error that users and programs can catch."""
    with pytest.raises(InvalidVectors, match=r"^it must be 2 vectors of 2 finite numbers in .*, got"):
        checked_vectors([[1.0, 2.0], [3.0, odd]], "it", (2, 2))
    assert issubclass(InvalidVectors, MeteorError)
    assert issubclass(InvalidVectors, ValueError)


@pytest.mark.parametrize("given", [[], [1.0], [[1.0, 2.0]], [[1.0, 2.0], [3.0]], 1.0, None, "ab", object(), {1.0: 2.0}])
def test_vectors_of_odd_shapes(given):
    """Too few, too many, ragged, and what is no array at all."""
    for shape in ((2,), (2, 0), (2, 3)):
        with pytest.raises(InvalidVectors, match="it must be"):
            checked_vectors(given, "it", shape)


@pytest.mark.parametrize("kind", [bool, np.int8, np.uint64, np.float16, np.float32, np.float64, list])
def test_vectors_of_usual_types(kind):
    """Arrays of any real type, and lists, are taken."""
    given = [[1, 0], [0, 1]]
    found = checked_vectors(given if kind is list else np.array(given, kind), "it", (2, 0))
    assert (found.dtype, found.tolist()) == (np.float32, given)


@pytest.mark.parametrize("scale", [1.0, *EXTREME_SCALES])
def test_unit_rows_of_any_size(scale):
    """Rows have length 1 whatever their size, those of zeros stay; usual ones have the bits of a plain division."""
    rows = np.random.default_rng(1).standard_normal((20, 8)).astype(np.float32)
    plain = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    found = unit_rows((rows * np.float32(scale)).astype(np.float32))
    assert np.allclose(found, plain, atol=1e-2 if scale < 1e-38 else 1e-6)
    assert scale != 1 or found.tobytes() == plain.tobytes()
    assert not unit_rows(np.zeros((2, 3), np.float32)).any()
