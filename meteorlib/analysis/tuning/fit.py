"""Best point for each left-out fold, and for all judgments."""

from __future__ import annotations

import numpy as np

from meteorlib.analysis.tuning.journal import Point
from meteorlib.analysis.tuning.landscape import STATED, Landscape
from meteorlib.analysis.tuning.methods import Method, evolution, grid

ROUNDS = 3
"""Maximum number of realignments with fitted weights, if alignments depend on the weights."""


def best_points(landscape: Landscape, method: Method, evaluations: int, seed: int) -> list[Point]:
    """Search for the best points; the first one if several are equally good.

    For a left-out fold, only points found without it are considered.

    Returns:
        The best point for each fold, then the one for all judgments.
    """
    columns = range(len(landscape.arrays.folds) + 1)
    if method == "grid":
        points = grid(landscape)
        return [landscape.best(points, column) for column in columns]
    return [_realigned_best(landscape, column, evaluations, seed) for column in columns]


def _realigned_best(landscape: Landscape, column: int, evaluations: int, seed: int) -> Point:
    """Best point; if alignments depend on weights, the best one when aligned with its own weights.

    Texts are realigned with the fitted weights and the fit is repeated until the result is stable. Of all results, the
    one that is best with its own alignments is returned.
    """
    found = [landscape.best(evolution(landscape, column, evaluations, seed), column)]
    for _ in range(ROUNDS):
        there = landscape.aligned_at(found[-1])
        if there is landscape:
            break
        again = there.best(evolution(there, column, evaluations, seed), column)
        if again in found:
            break
        found.append(again)
    if len(found) == 1:
        return found[0]
    values = landscape.values_of(np.array([landscape.scores(point) for point in found]))[:, STATED, column]
    return found[int(values.argmax())]
