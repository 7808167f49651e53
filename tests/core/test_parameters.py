"""The ranges of the formula's numbers."""

from __future__ import annotations

from math import inf, nan

import pytest

from meteorlib.core import Parameters

GOOD = {"alpha": 0.85, "beta": 0.2, "gamma": 0.6, "delta": 0.75, "weights": (1.0, 0.6)}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("alpha", -0.1, "alpha must be between 0 and 1: -0.1"),
        ("alpha", 1.5, "alpha must be between 0 and 1: 1.5"),
        ("beta", -1, "beta must not be negative: -1"),
        ("gamma", 2, "gamma must be between 0 and 1: 2"),
        ("delta", 75, "delta must be between 0 and 1: 75"),
        ("alpha", nan, "alpha must be a finite number: nan"),
        ("beta", inf, "beta must be a finite number: inf"),
        ("gamma", -inf, "gamma must be a finite number: -inf"),
        ("weights", (1.0, 1.1), "weight must be between 0 and 1: 1.1"),
        ("weights", (-1.0,), "weight must be between 0 and 1: -1.0"),
        ("weights", (nan,), "weight must be between 0 and 1: nan"),
    ],
)
def test_out_of_range(name, value, message):
    """A number out of its range is refused, with its name, range and value."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011 – compared below
        Parameters(**{**GOOD, name: value})
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("name", "values"), [("alpha", (0, 1)), ("beta", (0, 100)), ("gamma", (0, 1)), ("delta", (0, 1))]
)
def test_ends_of_ranges(name, values):
    """The ends of the ranges belong to them; beta has no upper end."""
    for value in values:
        assert getattr(Parameters(**{**GOOD, name: value}), name) == value
