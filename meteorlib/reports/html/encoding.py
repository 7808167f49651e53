"""Whole numbers as letters: a sixth of the size of JSON's digits, and quick to decode.

The encoding is that of source maps, base64 VLQ without the sign: five bits per letter, lowest first, plus 32 if more
letters follow.
"""

from __future__ import annotations

from collections.abc import Iterable

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

_READY = 1 << 15
"""Codes of numbers below this one are computed in advance."""


def letters(numbers: Iterable[int]) -> str:
    """Encode a sequence of non-negative numbers."""
    return "".join([_CODES[number] if number < _READY else _code(number) for number in numbers])


def _code(number: int) -> str:
    code = ""
    while number > 31:
        code += ALPHABET[32 + number % 32]
        number //= 32
    return code + ALPHABET[number]


_CODES = [_code(number) for number in range(_READY)]
