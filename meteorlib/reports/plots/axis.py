"""Axis: numbers → places of a drawing, with round numbers as marks."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import Self

import numpy as np
from attrs import frozen

from meteorlib.arrays import Numbers

MARKS = 6
"""So many marks or fewer."""

MARGIN = 0.04
"""Of the range, on each side, so that no dot touches the frame."""


@frozen
class Axis:
    """From numbers to places.

    Attributes:
        low: the number at `start`.
        high: the number at `end`.
        start: a place.
        end: another one.
    """

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def of(cls, numbers: Numbers, start: float, end: float) -> Self:
        """An axis on which all numbers lie, with a margin."""
        low, high = float(numbers.min()), float(numbers.max())
        margin = (high - low) * MARGIN or max(abs(low) * MARGIN, MARGIN)
        return cls(low - margin, high + margin, start, end)

    def place(self, number: float) -> float:
        """Where a number is."""
        return self.start + (number - self.low) / (self.high - self.low) * (self.end - self.start)

    def places(self, numbers: Numbers) -> Numbers:
        """Where numbers are."""
        return self.start + (numbers - self.low) / (self.high - self.low) * (self.end - self.start)

    def marks(self) -> list[tuple[float, str]]:
        """Round numbers on the axis: where each is, and how it is written."""
        step = _round_step((self.high - self.low) / MARKS)
        digits = max(0, -floor(log10(step) + 1e-9))
        whole = np.arange(ceil(self.low / step), floor(self.high / step) + 1)
        return [(self.place(number * step), f"{number * step + 0.0:.{digits}f}".replace("-", "−")) for number in whole]


def _round_step(least: float) -> float:
    """1, 2 or 5 times a power of ten, at least as large."""
    power = 10.0 ** floor(log10(least))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))
