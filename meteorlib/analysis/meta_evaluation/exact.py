"""Exact arithmetic on decimal numbers, so that equal means compare equal."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from math import lcm
from typing import Any, Self

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.arrays import Numbers
from meteorlib.errors import InputMismatch

BITS = 24
"""Bits per digit of `split_digits`; in double precision, sums of up to 2^29 such digits are exact."""

Integers = NDArray[Any]
"""Array of Python integers, of any size."""


@frozen(eq=False)
class Fractions:
    """Numbers as integers with a common denominator.

    Attributes:
        numerators: one for each number.
        denominator: of all of them.
    """

    numerators: Integers
    denominator: int

    @classmethod
    def of(cls, numbers: Numbers) -> Self:
        """Shortest decimals that denote the numbers, as people wrote them: 0.1 is exactly one tenth.

        Raises:
            InputMismatch: a number is not finite.
        """
        if not np.isfinite(numbers).all():
            raise InputMismatch("numbers that are not finite have no mean")
        different, places = np.unique(numbers, return_inverse=True)
        decimals = [Decimal(repr(number)) for number in different.tolist()]
        digits = max([0, *(-int(one.as_tuple().exponent) for one in decimals)])
        numerators = np.array([int(one.scaleb(digits)) for one in decimals], object)
        return cls(numerators[places], 10**digits)

    def __len__(self) -> int:
        return len(self.numerators)

    @classmethod
    def concatenated(cls, parts: Sequence[Fractions]) -> Self:
        """Concatenate the numbers of all parts."""
        multiple = lcm(*(part.denominator for part in parts))
        return cls(np.concatenate([part.numerators * (multiple // part.denominator) for part in parts]), multiple)

    def centered(self) -> Fractions:
        """Subtract the median; an empty list stays empty."""
        middle = np.sort(self.numerators)[len(self) // 2] if len(self) else 0
        return Fractions(self.numerators - middle, self.denominator)

    def divided(self, lengths: Sequence[int]) -> list[Fractions]:
        """Split into consecutive parts of these lengths."""
        return [Fractions(part, self.denominator) for part in np.split(self.numerators, np.cumsum(lengths)[:-1])]

    def at(self, places: NDArray[np.int64]) -> Fractions:
        """Select the numbers at these indices."""
        return Fractions(self.numerators[places], self.denominator)

    def means(self, groups: NDArray[np.int64]) -> Fractions:
        """Mean of each group of numbers.

        Args:
            groups: group of each number, from 0; no group is empty.
        """
        counts = np.bincount(groups)
        multiple = lcm(*np.unique(counts).tolist())
        sums = np.zeros(len(counts), object)
        np.add.at(sums, groups, self.numerators)
        return Fractions(sums * (multiple // counts.astype(object)), self.denominator * multiple)

    def rounded(self) -> Numbers:
        """Round to the nearest doubles."""
        found: Numbers = (self.numerators / self.denominator).astype(float)
        return found


def split_digits(numerators: Integers) -> Numbers:
    """Split non-negative integers into digits, lowest first, which can be summed as floats without rounding."""
    count = max(1, -(-int(numerators.max(initial=0)).bit_length() // BITS))
    digits = [(numerators >> BITS * place & (1 << BITS) - 1).astype(float) for place in range(count)]
    return np.stack(digits, axis=1)


def join_digits(digits: Numbers) -> Integers:
    """Combine sums of digits along the last axis into integers; the inverse of `split_digits`."""
    found: Integers = np.zeros(digits.shape[:-1], object)
    for place in reversed(range(digits.shape[-1])):
        found = (found << BITS) + digits[..., place].astype(np.int64).astype(object)
    return found
