"""Parameters: the numbers and the variant of the formula."""

from __future__ import annotations

from math import isfinite
from typing import Literal

from attrs import Attribute, field, frozen

Formula = Literal["meteor-2005", "meteor-1.5"]


def _finite(_: object, attribute: Attribute[float], value: float) -> None:
    if not isfinite(value):
        raise ValueError(f"{attribute.name} must be a finite number: {value}")


def _at_most_one(_: object, attribute: Attribute[float], value: float) -> None:
    if not 0 <= value <= 1:
        raise ValueError(f"{attribute.name} must be between 0 and 1: {value}")


def _not_negative(_: object, attribute: Attribute[float], value: float) -> None:
    if value < 0:
        raise ValueError(f"{attribute.name} must not be negative: {value}")


@frozen
class Parameters:
    """What the formula needs besides the statistics.

    Attributes:
        alpha: weight of recall against precision in F_mean, 0..1.
        beta: exponent of fragmentation, ≥ 0.
        gamma: greatest penalty, 0..1.
        delta: weight of content words against function words, 0..1 (Denkowski & Lavie 2011); 0.5 weighs them alike.
        weights: one weight for each stage, 0..1.
        formula: ``meteor-1.5`` (a perfect segment is not penalized) or ``meteor-2005`` (it is). Both give the same
            F_mean, in the order of operations of their program, which decides the last digit.
    """

    alpha: float = field(validator=[_finite, _at_most_one])
    beta: float = field(validator=[_finite, _not_negative])
    gamma: float = field(validator=[_finite, _at_most_one])
    delta: float = field(validator=[_finite, _at_most_one])
    weights: tuple[float, ...] = field()
    formula: Formula = "meteor-1.5"

    @weights.validator
    def _check_weights(self, _: Attribute[tuple[float, ...]], value: tuple[float, ...]) -> None:
        for weight in value:
            if not 0 <= weight <= 1:
                raise ValueError(f"weight must be between 0 and 1: {weight}")
