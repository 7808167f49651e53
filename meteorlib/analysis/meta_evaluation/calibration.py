"""Pairwise accuracy with tie calibration (Deutsch, Foster & Freitag 2023, "Ties Matter")."""

from __future__ import annotations

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.arrays import Numbers


@frozen(eq=False)
class TieCalibration:
    """Accuracy acc_eq at the threshold that maximizes it.

    A pair is correct if the metric and people agree on its order, or if it is a tie for both; it is a tie for the
    metric if its scores differ by at most ε. The accuracy is computed for each segment and averaged over the segments
    (grouping by item in mt-metrics-eval; module `accuracy` groups pairs in other ways).

    Attributes:
        epsilon: smallest of the best thresholds; 0 or a difference that occurs.
        accuracies: accuracy of each segment at that threshold; NaN for a segment without pairs.
    """

    epsilon: float
    accuracies: Numbers

    @classmethod
    def of(cls, metric: Numbers, human: Numbers, segments: NDArray[np.int64], count: int) -> TieCalibration:
        """Find the best threshold.

        Args:
            metric: score difference of each pair.
            human: rating difference of each pair.
            segments: segment of each pair, from 0.
            count: number of segments.
        """
        sizes = np.bincount(segments, minlength=count)
        weights = 1.0 / sizes[segments]
        distances = np.abs(metric)
        tie = human == 0
        agree = ~tie & (np.sign(metric) == np.sign(human))
        order = np.argsort(distances, kind="stable")
        gains = np.cumsum((weights * tie - weights * agree)[order])
        ordered = distances[order]
        last = np.flatnonzero(np.diff(ordered, append=np.inf))  # last of the pairs with the same distance
        thresholds, gained = ordered[last], gains[last]
        if not len(thresholds) or thresholds[0] > 0:
            thresholds, gained = np.append(0.0, thresholds), np.append(0.0, gained)
        best = float(thresholds[np.flatnonzero(gained >= gained.max() - 1e-9)[0]])
        right = np.where(distances <= best, tie, agree)
        with np.errstate(all="ignore"):
            return cls(best, np.bincount(segments, right, minlength=count) / sizes)
