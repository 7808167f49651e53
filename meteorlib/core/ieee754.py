"""Division and powers by IEEE 754, as in C and Java: infinity or NaN where Python raises."""

from __future__ import annotations

from math import copysign, inf, isnan, nan


def quotient(dividend: float, divisor: float) -> float:
    """`dividend` / `divisor`; by zero, an infinity, or NaN for zero by zero."""
    try:
        return dividend / divisor
    except ZeroDivisionError:
        if dividend == 0 or isnan(dividend):
            return nan
        return copysign(inf, dividend) * copysign(1.0, divisor)


def power(base: float, exponent: float) -> float:
    """`base` ** `exponent` of a base that is not negative; a result that is too large is infinite."""
    try:
        return float(base**exponent)
    except (OverflowError, ZeroDivisionError):
        return inf
