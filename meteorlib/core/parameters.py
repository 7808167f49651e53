"""Parameters of the scoring formula, with their ranges and validators."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isfinite
from typing import Literal

from attrs import Attribute, field, frozen

Formula = Literal["meteor-2005", "meteor-1.5", "meteor-2026"]
Perfect = Literal["exempt", "penalized"]

DEFAULT_PERFECT: Mapping[Formula, Perfect] = {
    "meteor-2005": "penalized",
    "meteor-1.5": "exempt",
    "meteor-2026": "penalized",
}
"""Default penalty rule for perfect segments, by formula."""


VERSIONS: Mapping[Formula, int] = {"meteor-2026": 2}
"""Version of a formula that may still change, in signatures; a change of its scores raises it."""

FAULTS = ("inversion", "swap", "omission", "repetition", "excess", "number", "negation", "start")
"""Penalties of faults, by name (docs/formula.md); only ``meteor-2026`` has them."""

RANGES: Mapping[str, tuple[float, float]] = {
    "alpha": (0, 1),
    "beta": (0, inf),
    "gamma": (0, 1),
    "delta": (0, 1),
    "weight": (0, 1),
    "crossing": (0, 1),
    "crossing_beta": (0, inf),
    **dict.fromkeys(FAULTS, (0, inf)),
}
"""Ranges in which a score is between 0 and 1. The formula also works outside; configurations must keep to them."""


def check_finite(name: str, value: float) -> None:
    """Refuse infinities and NaN.

    Raises:
        ValueError: `value`, called `name`, is no finite number.
    """
    if not isfinite(value):
        raise ValueError(f"{name} must be a finite number: {value}")


def check_range(name: str, value: float) -> None:
    """Refuse a number that is out of its range.

    Args:
        name: one of `RANGES`.
        value: the number.

    Raises:
        ValueError: it is not finite, or out of the range; says which.
    """
    check_between(name, value, *RANGES[name])


def check_between(name: str, value: float, least: float, most: float) -> None:
    """Refuse a number that is not finite, or out of a range.

    Raises:
        ValueError: says which it is, by `name`.
    """
    check_finite(name, value)
    if value < least or value > most:
        wanted = f"be between {least} and {most}" if isfinite(most) else "not be negative"
        raise ValueError(f"{name} must {wanted}: {value}")


def between_0_and_1(_: object, attribute: Attribute[float], value: float) -> None:
    """A validator: from 0 to 1."""
    check_between(attribute.name, value, 0, 1)


def above_0_up_to_1(_: object, attribute: Attribute[float], value: float) -> None:
    """A validator: above 0, and at most 1."""
    check_finite(attribute.name, value)
    if not 0 < value <= 1:
        raise ValueError(f"{attribute.name} must be above 0 and at most 1: {value}")


def _finite(_: object, attribute: Attribute[float], value: float) -> None:
    check_finite(attribute.name, value)


NUMERIC_PARAMETERS = ("alpha", "beta", "gamma", "delta", "crossing", "crossing_beta", *FAULTS)
"""The numbers of the formula, by name, but for the weights."""


@frozen
class Parameters:
    """Parameters of the formula: finite numbers, which should be within `RANGES`.

    Attributes:
        alpha: weight of recall against precision in F_mean, 0..1.
        beta: exponent of fragmentation, ≥ 0.
        gamma: greatest penalty, 0..1.
        delta: weight of content words against function words, 0..1 (Denkowski & Lavie 2011); 0.5 weighs them alike.
        weights: one weight for each stage, 0..1.
        formula: ``meteor-1.5``, ``meteor-2005`` or ``meteor-2026``. The first two differ in the order of operations,
            which decides the last digit of F_mean. ``meteor-2026`` penalizes chunks after the first, as a share of
            possible ones, and crossing matches, as a share of all pairs (docs/formula.md).
        crossing: greatest penalty for crossing matches, 0..1; only ``meteor-2026`` has it.
        crossing_beta: exponent of the share of pairs that cross, ≥ 0.
        perfect: whether a segment that is matched completely in one chunk is penalized; None for the default of the
            formula (`DEFAULT_PERFECT`).
        inversion: penalty for neighboring matches in the opposite order, by their share. This and the following
            penalties are ≥ 0, and only ``meteor-2026`` has them; `meteorlib.core.faults.FaultCounts` defines the
            counts.
        swap: penalty for swapped words, by the square of their share of neighboring matches.
        omission: penalty for omitted function words, by the square of their share of the reference.
        repetition: penalty for repeated words, by the square of their share of the hypothesis.
        excess: penalty for a hypothesis longer than 5/4 of the reference, by the number of extra words.
        number: penalty for a contradicted number.
        negation: penalty for a negation on one side only.
        start: penalty for a lowercase letter at the beginning.
    """

    alpha: float = field(validator=_finite)
    beta: float = field(validator=_finite)
    gamma: float = field(validator=_finite)
    delta: float = field(validator=_finite)
    weights: tuple[float, ...] = field()
    formula: Formula = "meteor-1.5"
    crossing: float = field(default=0.0, validator=_finite)
    crossing_beta: float = field(default=1.0, validator=_finite)
    perfect: Perfect | None = None
    inversion: float = field(default=0.0, validator=_finite)
    swap: float = field(default=0.0, validator=_finite)
    omission: float = field(default=0.0, validator=_finite)
    repetition: float = field(default=0.0, validator=_finite)
    excess: float = field(default=0.0, validator=_finite)
    number: float = field(default=0.0, validator=_finite)
    negation: float = field(default=0.0, validator=_finite)
    start: float = field(default=0.0, validator=_finite)

    @weights.validator
    def _check_weights(self, _: Attribute[tuple[float, ...]], value: tuple[float, ...]) -> None:
        for weight in value:
            check_finite("weight", weight)

    @property
    def exempts_perfect(self) -> bool:
        """Whether a perfect segment is not penalized."""
        return (self.perfect or DEFAULT_PERFECT[self.formula]) == "exempt"

    @property
    def ordered(self) -> bool:
        """Whether the formula needs `Statistics.order`."""
        return self.formula == "meteor-2026"

    @property
    def counts_faults(self) -> bool:
        """Whether the formula needs `Statistics.faults`."""
        return self.ordered and any(getattr(self, name) for name in FAULTS)

    @property
    def ranged(self) -> bool:
        """Whether all are within `RANGES`, so that every score is between 0 and 1."""
        named = [(name, getattr(self, name)) for name in NUMERIC_PARAMETERS]
        return all(
            RANGES[name][0] <= value <= RANGES[name][1]
            for name, value in (*named, *(("weight", weight) for weight in self.weights))
        )
