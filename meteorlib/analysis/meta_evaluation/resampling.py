"""Statistics on resampled test sets: the interface that each level of judgments implements.

A sampler takes the number of copies of each segment, one row per test set. It returns counts, which add up over
language pairs, and the statistics that are not computed from counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from meteorlib.analysis.meta_evaluation import results
from meteorlib.analysis.meta_evaluation.kendall import wmt_taus
from meteorlib.analysis.meta_evaluation.metrics import Scored
from meteorlib.arrays import Numbers

Weights = NDArray[np.int64]

CONCORDANT, DISCORDANT, TIED, ACCURACY, SEGMENTS = range(5)
"""Columns of counts: pairs by order, summed accuracies of segments, and the number of these segments."""


class SampleStatistics(NamedTuple):
    """Statistics of some test sets: one row of counts for each, and other statistics by name.

    For systems, also their metric scores and human ratings: test set × 2 × system.
    """

    counts: Numbers
    others: Mapping[str, Numbers]
    systems: Numbers | None = None


class Sampler(Protocol):
    """Function that computes the statistics of a metric on resampled test sets."""

    @property
    def epsilons(self) -> Mapping[str, float]:
        """See `results.Agreement`."""

    def __call__(self, weights: Weights) -> SampleStatistics:
        """Compute the statistics of some test sets."""


class Level(Protocol):
    """Judgments of one kind for one language pair."""

    @property
    def kind(self) -> results.Level:
        """Kind of judgments."""

    @property
    def judged(self) -> int:
        """Number of judgments."""

    @property
    def texts(self) -> int:
        """Number of judged texts or systems."""

    def sampler(self, scored: Scored) -> Sampler:
        """Sampler of a metric on these judgments."""

    def williams(self, scored: Scored) -> Numbers | None:
        """Metric value of each judgment for Williams' test; None if the test does not apply."""


def figures_of(kind: results.Level, counts: Numbers) -> dict[str, Numbers]:
    """Statistics that are computed from counts, for each row."""
    orders = counts[..., CONCORDANT], counts[..., DISCORDANT], counts[..., TIED]
    with np.errstate(all="ignore"):
        accuracy = orders[0] / sum(orders)
        calibrated = counts[..., ACCURACY] / counts[..., SEGMENTS]
    if kind == "systems":
        return {"accuracy": accuracy}
    taus = wmt_taus(*orders)
    return {**taus, "accuracy": accuracy} if kind == "pairs" else {**taus, "acc_eq": calibrated}
