"""Division and powers give what C gives, where Python raises."""

from __future__ import annotations

from math import copysign, inf, isnan, nan

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from meteorlib.core.formula import power, quotient

FLOATS = st.floats(allow_nan=True, allow_infinity=True)


@pytest.mark.parametrize(
    ("dividend", "divisor", "value"),
    [(1.0, 0.0, inf), (-1.0, 0.0, -inf), (1.0, -0.0, -inf), (-2, -0.0, inf), (inf, 0.0, inf), (6, 4, 1.5)],
)
def test_quotient(dividend, divisor, value):
    """By zero the result is infinite, with the sign of both."""
    assert quotient(dividend, divisor) == value


def test_no_quotient():
    """Zero by zero is NaN, and so is NaN by zero."""
    assert all(map(isnan, (quotient(0.0, 0.0), quotient(0, -0.0), quotient(nan, 0.0))))


@given(FLOATS, FLOATS)
def test_quotient_is_division(dividend, divisor):
    """Wherever Python divides, it is that, sign of zero included."""
    assume(divisor)
    mine, pythons = quotient(dividend, divisor), dividend / divisor
    assert (isnan(mine) and isnan(pythons)) or (mine, copysign(1, mine)) == (pythons, copysign(1, pythons))


@pytest.mark.parametrize(
    ("base", "exponent", "value"),
    [(0.0, -1.0, inf), (0.01, -1000.0, inf), (0.0, 0.0, 1.0), (nan, 0.0, 1.0), (0.25, 0.5, 0.5), (0.5, 5000.0, 0.0)],
)
def test_power(base, exponent, value):
    """Zero to a negative power, and a value that is too large, are infinite."""
    assert power(base, exponent) == value
