"""Interval: confidence interval of a score or a difference."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from meteorlib.core.tabular import Tabular


@frozen
class Interval(Tabular):
    """Confidence interval from bootstrap resampling.

    Attributes:
        low: lower end.
        high: upper end.
        mean: mean over all resampled test sets.
    """

    _columns = "low high mean"

    low: float
    high: float
    mean: float

    @property
    def half_width(self) -> float:
        """Half of the width of the interval, which sacrebleu prints after ±."""
        return 0.5 * (self.high - self.low)

    def _in_cell(self, write: Callable[[float], str]) -> str:
        return f"[{write(self.low)}, {write(self.high)}]"
