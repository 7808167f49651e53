"""Java's way of writing a double, in which METEOR 1.5 prints every number."""

from __future__ import annotations

from decimal import Decimal
from math import frexp, isinf, isnan, ulp


def java_double(x: float) -> str:
    """`x` as ``Double.toString`` of Java up to 18 writes it, e.g. ``6.0``, ``1.0E-4``, ``1.2345678E7``, ``NaN``.

    Values of 1e-3 up to 1e7 stand in plain digits, others with an exponent. Equal to OpenJDK 17 for all normal
    magnitudes below 2^53 (2e-308 … 9e15); to others that Java sometimes gives a digit more than is needed.
    """
    x = float(x)
    if isnan(x):
        return "NaN"
    if isinf(x):
        return "Infinity" if x > 0 else "-Infinity"
    if x == 0 or 1e-3 <= abs(x) < 1e7:
        return repr(x)
    digits, exponent = _digits(abs(x))
    return f"{'-' if x < 0 else ''}{digits[0]}.{digits[1:] or '0'}E{exponent}"


def _digits(x: float) -> tuple[str, int]:
    """The significant digits of `x` and the power of ten of the first."""
    shortest = Decimal(repr(x))
    if frexp(x)[0] == 0.5:
        # At a power of two the neighbor below is nearer than the one above; that Java takes the nearer one's distance
        # for both sides, and so sometimes needs one digit more.
        exact, reach = Decimal(x), Decimal(ulp(x)) / 4
        rounded = (Decimal(f"{x:.{places}e}") for places in range(1, 17))
        shortest = next(number for number in rounded if abs(number - exact) < reach)
    number = shortest.normalize()
    return "".join(map(str, number.as_tuple().digits)), number.adjusted()
