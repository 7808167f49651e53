"""Strict reading of numbers from text, without underscores or non-ASCII digits."""

from __future__ import annotations

from math import nan


def plain(text: str) -> str:
    """Return text that may be a number: ASCII digits, without the underscores that Python's own numbers may have.

    Raises:
        ValueError: it has other digits or an underscore, such as ``1_0`` or ``１``.
    """
    if "_" in text or not text.isascii():
        raise ValueError(f"could not convert string to float: {text!r}")
    return text


def to_float(text: str) -> float:
    """Like `float`, but refuses ``1_0`` and ``１``.

    Raises:
        ValueError: it is no number.
    """
    return float(plain(text))


def to_integer(text: str) -> int:
    """Read a whole number in any form, such as ``6.0`` or ``1e3``.

    Raises:
        ValueError: it is no whole number.
    """
    try:
        value = to_float(text)
    except ValueError:
        value = nan
    if not value.is_integer():
        raise ValueError(f"not a whole number: {text}")
    return int(value)
