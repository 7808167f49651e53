"""Pairwise accuracy with tie calibration (Deutsch, Foster & Freitag 2023, "Ties Matter")."""

from __future__ import annotations

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.arrays import Numbers


@frozen(eq=False)
class TieCalibration:
    """The accuracy acc_eq at the threshold that makes it largest.

    A pair is right if metric and people agree on its order, or if both hold it for a tie; the metric holds a pair for a
    tie if its scores differ by at most ε. The accuracy is that of each segment, averaged over the segments
    (as mt-metrics-eval has it by item; `accuracy` has the other ways to group pairs).

    Attributes:
        epsilon: the least of the best thresholds; 0 or a difference that occurs.
        accuracies: the accuracy of each segment at that threshold; NaN for a segment without pairs.
    """

    epsilon: float
    accuracies: Numbers

    @classmethod
    def of(cls, metric: Numbers, human: Numbers, segments: NDArray[np.int64], count: int) -> TieCalibration:
        """Find the threshold.

        Args:
            metric: for each pair, by how much the scores differ.
            human: by how much the ratings differ.
            segments: to which segment it belongs, from 0.
            count: how many segments there are.
        """
        sizes = np.bincount(segments, minlength=count)
        weights = 1.0 / sizes[segments]
        distances = np.abs(metric)
        tie = human == 0
        agree = ~tie & (np.sign(metric) == np.sign(human))
        order = np.argsort(distances, kind="stable")
        gains = np.cumsum((weights * tie - weights * agree)[order])
        ordered = distances[order]
        last = np.flatnonzero(np.diff(ordered, append=np.inf))  # of those pairs that have the same distance
        thresholds, gained = ordered[last], gains[last]
        if not len(thresholds) or thresholds[0] > 0:
            thresholds, gained = np.append(0.0, thresholds), np.append(0.0, gained)
        best = float(thresholds[np.flatnonzero(gained >= gained.max() - 1e-9)[0]])
        right = np.where(distances <= best, tie, agree)
        with np.errstate(all="ignore"):
            return cls(best, np.bincount(segments, right, minlength=count) / sizes)
