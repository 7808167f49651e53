"""Measures that compute the score of a test set from sums over its segments."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.analysis.results import Run
from meteorlib.arrays import Numbers, SegmentArrays, breakdowns
from meteorlib.core.parameters import Parameters

_EXACT_IN_FLOAT32 = 1 << 24  # single precision represents all integers up to here


class SumScore(Protocol):
    """Score that is computed from sums over segments."""

    def scores(self, sums: NDArray[Any]) -> Numbers:
        """Score of each row of summed columns."""


class Measure(SumScore, Protocol):
    """Score of METEOR by which outputs are compared."""

    def of(self, run: Run) -> float:
        """Score of an output."""

    def columns(self, arrays: SegmentArrays) -> NDArray[Any]:
        """Additive columns, one row per segment."""


@frozen
class CorpusScore:
    """Corpus score: the formula applied to summed statistics."""

    parameters: Parameters

    def of(self, run: Run) -> float:
        """See `Measure`."""
        return run.scored.score

    def columns(self, arrays: SegmentArrays) -> NDArray[Any]:
        """Counts; in single precision if every sum of them is exact in it."""
        counts = arrays.counts
        exact = len(counts) * int(counts.max(initial=0)) < _EXACT_IN_FLOAT32
        return counts.astype(np.float32) if exact else counts

    def scores(self, sums: NDArray[Any]) -> Numbers:
        """See `SumScore`."""
        return breakdowns(sums, self.parameters).score


@frozen
class MeanScore:
    """Mean of the segment scores."""

    segment_count: int

    def of(self, run: Run) -> float:
        """See `Measure`."""
        return run.mean_segment_score

    def columns(self, arrays: SegmentArrays) -> NDArray[Any]:
        """Segment scores as a single column."""
        return arrays.scores[:, np.newaxis]

    def scores(self, sums: NDArray[Any]) -> Numbers:
        """See `SumScore`."""
        means: Numbers = sums[..., 0] / self.segment_count
        return means
