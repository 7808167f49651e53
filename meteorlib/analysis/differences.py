"""Intervals of scores, and differences between systems, as plain data: tests, changes of segments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import asdict, frozen

from meteorlib.display.displayable import Tabular


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


@frozen
class Changes(Tabular):
    """Distribution of segment score changes from the baseline to a system (METEOR's mt-diff).

    Attributes:
        bands: number of segments in each of twenty bands of score differences: [-1, -0.9), …, [-0.1, 0), (0, 0.1], …,
            (0.9, 1].
        unchanged: number of segments with equal scores.
    """

    _columns = "worse unchanged better bands"

    bands: tuple[int, ...]
    unchanged: int

    @property
    def worse(self) -> int:
        """Number of segments with a lower score than the baseline."""
        return sum(self.bands[: len(self.bands) // 2])

    @property
    def better(self) -> int:
        """Number of segments with a higher score than the baseline."""
        return sum(self.bands[len(self.bands) // 2 :])


@frozen
class Difference(Tabular):
    """Difference between a system and the baseline.

    Attributes:
        value: score of the system minus that of the baseline.
        interval: confidence interval of the difference; None where only whole test sets are scored.
        p: p value of the paired test, not adjusted; None without a test.
        adjusted_p: p value adjusted for the number of systems compared with the baseline (Holm 1979).
        changes: distribution of the changes of METEOR's segment scores, averaged over runs; None for other metrics.
    """

    _columns = "value interval p adjusted_p changes.better changes.worse changes.unchanged"
    _signed = frozenset({"value", "interval"})

    value: float
    interval: Interval | None = None
    p: float | None = None
    adjusted_p: float | None = None
    changes: Changes | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        changes = self.changes and {"bands": list(self.changes.bands), "unchanged": self.changes.unchanged}
        return asdict(self) | {"changes": changes}


@frozen
class Pair(Tabular):
    """Paired test of two systems; differences have the direction of `Difference`.

    Attributes:
        system: the system that was given later; of a pair with the baseline, the one that is not the baseline.
        other: the baseline, or the system that was given earlier.
        difference: the score of `system` minus the score of `other`.
        p: p value of the paired test, not adjusted.
        interval: confidence interval of the difference.
    """

    _columns = "system other difference interval p"
    _signed = frozenset({"difference", "interval"})

    system: str
    other: str
    difference: float
    p: float
    interval: Interval
