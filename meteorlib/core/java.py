"""Java's text format of doubles, in which METEOR 1.5 prints and reads numbers."""

from __future__ import annotations

import re
from math import frexp, isinf, isnan, ulp

_PLAIN = re.compile(r"[0-9.eE+-]+")
_NUMBER = (  # compiled where a number is none of the plain ones
    r"([+-]?(?:NaN|Infinity))|([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)[fFdD]?"
    r"|([+-]?0[xX](?:[0-9a-fA-F]+\.?|[0-9a-fA-F]*\.[0-9a-fA-F]+)[pP][+-]?[0-9]+)[fFdD]?"
)
_CONTROLS_AND_SPACE = "".join(map(chr, range(0x21)))


def parse_java_double(text: str) -> float:
    """Parse a number like Java's ``Double.parseDouble``: ``1.``, ``.5``, ``1e-3``, ``NaN``, ``1d``, ``0x1p-1``.

    Raises:
        ValueError: it is no number there, e.g. ``1_0``, ``nan``, ``٣``, ``0,5``.
    """
    if _PLAIN.fullmatch(text):
        return float(text)
    found = re.fullmatch(_NUMBER, text.strip(_CONTROLS_AND_SPACE))
    if found is None:
        raise ValueError(f"{text!r} is no number")
    word, decimal, hexadecimal = found.groups()
    if hexadecimal is None:
        return float(word or decimal)
    try:
        return float.fromhex(hexadecimal)
    except OverflowError:
        return float("-inf" if hexadecimal.startswith("-") else "inf")


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
    from decimal import Decimal  # noqa: PLC0415 – 0.8 ms of every start, and few numbers come here

    shortest = Decimal(repr(x))
    if frexp(x)[0] == 0.5:
        # At a power of two the neighbor below is nearer than the one above; that Java takes the nearer one's distance
        # for both sides, and so sometimes needs one digit more.
        exact, reach = Decimal(x), Decimal(ulp(x)) / 4
        rounded = (Decimal(f"{x:.{places}e}") for places in range(1, 17))
        shortest = next(number for number in rounded if abs(number - exact) < reach)
    number = shortest.normalize()
    return "".join(map(str, number.as_tuple().digits)), number.adjusted()
