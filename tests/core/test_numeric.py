"""A breakdown is formatted, rounded and compared like its score."""

from __future__ import annotations

from decimal import Decimal
from itertools import combinations_with_replacement
from math import nan
from operator import ge, gt, le, lt

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from meteorlib import Scorer
from meteorlib.core import Parameters, Statistics, breakdown

SCORED = Scorer("meteor-2005").score("on the mat sat the cat", "the cat sat on the mat")
EMPTY = breakdown(Statistics.zero(1), Parameters(0.9, 3.0, 0.5, 0.5, weights=(1.0,), formula="meteor-2005"))
ORDERS = (lt, le, gt, ge)


def with_score(score: float):
    """A breakdown with this score, all else equal."""
    return evolve(EMPTY, score=score)


@given(st.floats(0, 1), st.sampled_from(["", ".4f", "6.1%", ">12", "e", "g"]))
def test_format_and_round(score, specification):
    """A format specification and ``round`` apply to the score; without a specification all of it is shown."""
    scored = with_score(score)
    assert f"{scored:{specification}}" == (f"{score:{specification}}" if specification else str(scored))
    assert [round(scored), round(scored, 4), round(scored, -1)] == [round(score), round(score, 4), round(score, -1)]
    assert type(round(scored)) is int
    assert float(scored) == score


@given(st.floats(0, 1), st.floats(0, 1))
def test_one_order_for_numbers_and_breakdowns(one, other):
    """Comparisons are those of the scores, with a number on either side or with another breakdown."""
    for order in ORDERS:
        expected = order(one, other)
        assert order(with_score(one), other) is expected
        assert order(one, with_score(other)) is expected
        assert order(with_score(one), with_score(other)) is expected
    assert max([with_score(one), with_score(other)]).score == max(one, other)


@pytest.mark.parametrize("number", [0, 1, True, Decimal("0.25"), np.float32(0.25), np.int64(1), nan])
def test_any_number(number):
    """Integers, decimals and NumPy's numbers are compared as a float is."""
    for order in ORDERS:
        assert order(SCORED, number) == order(SCORED.score, number)
        assert order(number, SCORED) == order(number, SCORED.score)


@pytest.mark.parametrize("other", ["0.5", None, [0.5]])
def test_nothing_else(other):
    """A value that is not a number has no order with a breakdown."""
    for order in ORDERS:
        with pytest.raises(TypeError):
            order(SCORED, other)


def test_equality_compares_everything():
    """Breakdowns with one score may differ; none equals a number; equal ones have one hash."""
    scored, number, same_score = SCORED, SCORED.score, evolve(SCORED, alignment=None)
    assert scored <= same_score <= scored
    assert scored != same_score
    assert scored != number
    assert number != scored
    again = Scorer("meteor-2005").score("on the mat sat the cat", "the cat sat on the mat")
    assert again == scored
    assert hash(scored) == hash(again)


def test_equal_breakdowns_are_in_no_strict_order():
    """Equal breakdowns are neither above nor below each other; sorting keeps their order."""
    for one, other in combinations_with_replacement([SCORED, evolve(SCORED), EMPTY], 2):
        if one == other:
            assert not one < other
            assert not one > other
            assert one <= other
            assert one >= other
    twins = [SCORED, evolve(SCORED), EMPTY]
    assert [*map(id, sorted(twins))] == [id(EMPTY), id(twins[0]), id(twins[1])]
