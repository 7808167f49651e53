"""The formula takes any finite numbers; their ranges are defined once, for configurations."""

from __future__ import annotations

from math import inf, nan

import pytest

from meteorlib.core import Parameters
from meteorlib.core.parameters import RANGES, check_range

GOOD = {"alpha": 0.85, "beta": 0.2, "gamma": 0.6, "delta": 0.75, "weights": (1.0, 0.6)}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("alpha", -0.1, "alpha must be between 0 and 1: -0.1"),
        ("alpha", 1.5, "alpha must be between 0 and 1: 1.5"),
        ("beta", -1, "beta must not be negative: -1"),
        ("gamma", 2, "gamma must be between 0 and 1: 2"),
        ("delta", 75, "delta must be between 0 and 1: 75"),
        ("weight", 1.1, "weight must be between 0 and 1: 1.1"),
        ("weight", -1.0, "weight must be between 0 and 1: -1.0"),
        ("alpha", nan, "alpha must be a finite number: nan"),
        ("beta", inf, "beta must be a finite number: inf"),
        ("gamma", -inf, "gamma must be a finite number: -inf"),
        ("weight", nan, "weight must be a finite number: nan"),
    ],
)
def test_out_of_range(name, value, message):
    """A number out of its range is refused, with its name, range and value."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011 – compared below
        check_range(name, value)
    assert str(caught.value) == message


@pytest.mark.parametrize("name", RANGES)
def test_ends_of_ranges(name):
    """The ends of the ranges belong to them; beta has no upper end."""
    check_range(name, 0)
    check_range(name, 100 if name == "beta" else 1)


@pytest.mark.parametrize(
    ("name", "value"),
    [("alpha", 2.0), ("alpha", -1.0), ("beta", -1.0), ("gamma", 3.0), ("delta", -2.0), ("weights", (2.0, -1.0))],
)
def test_any_finite_number(name, value):
    """The formula is defined beyond the ranges, too."""
    beyond = Parameters(**{**GOOD, name: value})
    assert getattr(beyond, name) == value
    assert not beyond.ranged
    assert Parameters(**GOOD).ranged


@pytest.mark.parametrize(
    ("name", "value", "named"), [("alpha", nan, "alpha"), ("beta", inf, "beta"), ("weights", (1.0, nan), "weight")]
)
def test_not_finite(name, value, named):
    """Infinities and NaN are no parameters."""
    with pytest.raises(ValueError, match=f"^{named} must be a finite number: "):
        Parameters(**{**GOOD, name: value})
