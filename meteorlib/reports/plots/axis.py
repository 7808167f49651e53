"""The axis of a chart: maps numbers to places and marks round numbers."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import Self

import numpy as np
from attrs import frozen

from meteorlib.arrays import Numbers

MARKS = 6
"""Most marks on an axis."""

MARGIN = 0.04
"""Margin on each side as a share of the range, so that no dot touches the frame."""


@frozen
class Axis:
    """A linear map from numbers to places in the drawing.

    Attributes:
        low: the number at `start`.
        high: the number at `end`.
        start: the place of `low`.
        end: the place of `high`.
    """

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def of(cls, numbers: Numbers, start: float, end: float) -> Self:
        """An axis that covers all numbers, with a margin."""
        low, high = float(numbers.min()), float(numbers.max())
        margin = (high - low) * MARGIN or max(abs(low) * MARGIN, MARGIN)
        return cls(low - margin, high + margin, start, end)

    def place(self, number: float) -> float:
        """The place of a number."""
        return self.start + (number - self.low) / (self.high - self.low) * (self.end - self.start)

    def places(self, numbers: Numbers) -> Numbers:
        """The places of numbers."""
        return self.start + (numbers - self.low) / (self.high - self.low) * (self.end - self.start)

    def marks(self) -> list[tuple[float, str]]:
        """Round numbers on the axis: place and text of each."""
        step = _round_step((self.high - self.low) / MARKS)
        digits = max(0, -floor(log10(step) + 1e-9))
        whole = np.arange(ceil(self.low / step), floor(self.high / step) + 1)
        return [(self.place(number * step), f"{number * step + 0.0:.{digits}f}".replace("-", "−")) for number in whole]


def _round_step(least: float) -> float:
    """The smallest step of at least `least` that is 1, 2 or 5 times a power of ten."""
    power = 10.0 ** floor(log10(least))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))
