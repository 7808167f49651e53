"""Best point for each left-out fold, and for all judgments."""

from __future__ import annotations

import numpy as np

from meteorlib.analysis.tuning.journal import Point
from meteorlib.analysis.tuning.landscape import STATED, Landscape
from meteorlib.analysis.tuning.methods import Method, evolution, grid

ROUNDS = 3
"""How often texts are aligned anew with the weights that were found, where alignments depend on them."""


def best_points(landscape: Landscape, method: Method, evaluations: int, seed: int) -> list[Point]:
    """The best of the points that are tried; the first of equals.

    Where a fold is left out, only points count that were found without it.

    Returns:
        A point for each fold, and one for all judgments.
    """
    columns = range(len(landscape.arrays.folds) + 1)
    if method == "grid":
        points = grid(landscape)
        return [landscape.best(points, column) for column in columns]
    return [_realigned_best(landscape, column, evaluations, seed) for column in columns]


def _realigned_best(landscape: Landscape, column: int, evaluations: int, seed: int) -> Point:
    """The best point; where alignments depend on weights, one whose own alignments are as good as they seemed.

    With the weights that were found the texts are aligned anew and all is fitted again, until the same comes out; of
    all that was found counts what is best when it is aligned by itself.
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
