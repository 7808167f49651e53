"""Statistics on resampled test sets: the interface that each level of judgments implements.

Given how often each segment was drawn, in a row for each test set, it gives the counts, which add up over language
pairs, and the statistics that do not come from counts.
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
"""Columns of counts: pairs, the sum of the accuracies of segments, and how many segments these are."""


class SampleStatistics(NamedTuple):
    """What a level gives: a row of counts for each test set, and other statistics by name.

    Of systems there are the scores and what people think, too: test set × 2 × system.
    """

    counts: Numbers
    others: Mapping[str, Numbers]
    systems: Numbers | None = None


class Sampler(Protocol):
    """A metric on the judgments of a level."""

    @property
    def epsilons(self) -> Mapping[str, float]:
        """See `results.Agreement`."""

    def __call__(self, weights: Weights) -> SampleStatistics:
        """The statistics of some test sets."""


class Level(Protocol):
    """Judgments of one kind, of one language pair."""

    @property
    def kind(self) -> results.Level:
        """Which kind."""

    @property
    def judged(self) -> int:
        """How many judgments there are."""

    @property
    def texts(self) -> int:
        """Of how many texts, or systems."""

    def sampler(self, scored: Scored) -> Sampler:
        """A metric on them."""

    def williams(self, scored: Scored) -> Numbers | None:
        """What Pearson's correlation is of: a number of the metric for each judgment; None where there is none."""


def figures_of(kind: results.Level, counts: Numbers) -> dict[str, Numbers]:
    """The statistics that come from counts, for each row of them."""
    orders = counts[..., CONCORDANT], counts[..., DISCORDANT], counts[..., TIED]
    with np.errstate(all="ignore"):
        accuracy = orders[0] / sum(orders)
        calibrated = counts[..., ACCURACY] / counts[..., SEGMENTS]
    if kind == "systems":
        return {"accuracy": accuracy}
    taus = wmt_taus(*orders)
    return {**taus, "accuracy": accuracy} if kind == "pairs" else {**taus, "acc_eq": calibrated}
