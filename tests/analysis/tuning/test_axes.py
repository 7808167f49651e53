"""Parameters that can be fitted, and their ranges."""

from __future__ import annotations

import pytest
from attrs import evolve

from meteorlib import Scorer
from meteorlib.analysis.tuning.axes import OPEN_RANGE_END, axes_of, parameters_at, steps, value_at
from meteorlib.errors import InputMismatch, UnknownName
from tests.analysis.tuning.conftest import config


def one(named):
    (axis,) = axes_of(config(), [named])
    return axis


def test_numbers_of_the_formula():
    """A number has the range of the formula, or a default upper limit; nothing is aligned again."""
    alpha, beta = axes_of(config(), ["alpha", "beta"])
    assert (alpha.place, alpha.least, alpha.most, alpha.values) == (("parameters", "alpha"), 0, 1, ())
    assert (beta.most, beta.realigns) == (OPEN_RANGE_END, False)
    assert alpha.grid[:3] == (0, 0.05, 0.1)
    assert len(alpha.grid) == 21


def test_weights_by_name_and_by_number():
    """The weight of a stage is named by its matcher or by its number from 1."""
    assert one("weight.stem").place == one("weight.2").place == one("stem.weight").place == ("stages", 1, "weight")
    assert one("weight.stem").is_weight


def test_ranges_and_values():
    """FIRST:LAST is a range, with a step values, the step added again and again; values are listed with slashes."""
    ranged = one("alpha=0.2:0.9")
    assert (ranged.least, ranged.most, ranged.values) == (0.2, 0.9, ())
    assert one("alpha=0:0.3:0.1").values == (0, 0.1, 0.2, 0.1 + 0.1 + 0.1)
    assert one("beta=3/1").values == (3.0, 1.0)
    assert [*steps(0.0, 1.0, 0.5)] == [0, 0.5, 1]


def test_errors_of_added_steps():
    """The last value may be above the range by rounding errors: METEOR's trainer has it so; nothing more may be."""
    axis = one("alpha=0:1:0.05")
    assert axis.values[-1] == 1.0000000000000002 > axis.most == 1
    with pytest.raises(InputMismatch, match="alpha must be between 0 and 1"):
        one("alpha=0:1.1:0.05")


def test_other_keys_are_aligned_anew():
    """Any other key of a preset can be tried, with values of its own type."""
    width = one("search.width=1/40")
    assert (width.place, width.values, width.realigns) == (("search", "width"), (1, 40), True)
    assert one("text=norm/lower").values == ("norm", "lower")
    assert one("search.width=10:30:10").values == (10, 20, 30)


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("search.width", "list the values"),
        ("alpha=x", "expected NAME"),
        ("alpha=0.9:0.1", "the first value must be less"),
        ("alpha=0.5:1.5", "alpha must be between 0 and 1"),
        ("beta=-1:2", "beta must be ≥ 0"),
        ("alpha=0:1:0", "expected FIRST:LAST:STEP"),
        ("alpha=true/false", "expected NAME"),
    ],
)
def test_values_that_cannot_be(named, told):
    """An invalid value of a parameter is refused with the parameter's name."""
    with pytest.raises(InputMismatch, match=told):
        one(named)


def test_names_that_are_not_there():
    """A parameter that the preset lacks is an error that suggests the right one."""
    with pytest.raises(UnknownName, match=r"unknown parameter 'alfa' \(did you mean 'alpha'\?\)"):
        one("alfa")
    with pytest.raises(UnknownName, match=r"weight\.paraphrase"):
        one("weight.paraphrase")


def test_twice_or_nothing():
    """A parameter is fitted once, and something must be."""
    with pytest.raises(InputMismatch, match=r"weight\.2 is to be fitted twice"):
        axes_of(config(), ["weight.2", "weight.stem"])
    with pytest.raises(InputMismatch, match="no parameters to fit"):
        axes_of(config(), [])


def test_numbers_of_a_point():
    """A point's numbers replace those of the formula; the others stay, and none of them needs a new alignment."""
    parameters = Scorer("meteor-2005-exact").parameters
    axes = axes_of(Scorer("meteor-2005-exact").config, ["weight.exact", "gamma", "text=lower/none"])
    found = parameters_at(parameters, axes, [0.5, 0.25, 1.0])
    assert found == evolve(parameters, weights=(0.5,), gamma=0.25)
    assert value_at(config(), ("stages", 1, "weight")) == 0.6
