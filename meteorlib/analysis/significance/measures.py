"""Measures that compute the score of a test set from sums over its segments."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.analysis.significance.results import Run
from meteorlib.arrays import Numbers, SegmentArrays, breakdowns
from meteorlib.core.parameters import Parameters

_EXACT_IN_FLOAT32 = 1 << 24


class Measure(Protocol):
    """What is compared of outputs."""

    def of(self, run: Run) -> float:
        """The score of an output."""

    def columns(self, arrays: SegmentArrays) -> NDArray[Any]:
        """What is summed up: a row for each segment."""

    def scores(self, sums: NDArray[Any]) -> Numbers:
        """The score of each row of sums."""


@frozen
class CorpusScore:
    """The formula applied to the summed statistics."""

    parameters: Parameters

    def of(self, run: Run) -> float:
        """See `Measure`."""
        return run.scored.score

    def columns(self, arrays: SegmentArrays) -> NDArray[Any]:
        """The counts, in single precision where every sum of them is exact."""
        counts = arrays.counts
        exact = len(counts) * int(counts.max(initial=0)) < _EXACT_IN_FLOAT32
        return np.ascontiguousarray(counts, np.float32 if exact else np.float64)

    def scores(self, sums: NDArray[Any]) -> Numbers:
        """See `Measure`."""
        return breakdowns(sums, self.parameters).score


@frozen
class MeanScore:
    """The mean of the segments' scores."""

    segment_count: int

    def of(self, run: Run) -> float:
        """See `Measure`."""
        return run.mean_segment_score

    def columns(self, arrays: SegmentArrays) -> NDArray[Any]:
        """The scores."""
        return arrays.scores[:, np.newaxis]

    def scores(self, sums: NDArray[Any]) -> Numbers:
        """See `Measure`."""
        means: Numbers = sums[..., 0] / self.segment_count
        return means
