"""Search for the best points, for each left-out fold and for all judgments: grid search, differential evolution."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Literal

import numpy as np

from meteorlib.analysis.tuning.axes import Axis
from meteorlib.analysis.tuning.objective_function import SMOOTH, STATED, ObjectiveFunction, Point
from meteorlib.arrays import Numbers
from meteorlib.errors import InputMismatch
from meteorlib.extras import import_extra

Method = Literal["evolution", "grid"]
METHODS: tuple[Method, ...] = ("evolution", "grid")

EVALUATIONS = 2000

DIGITS = 4
"""Decimal places of values in `evolution`; more would not matter and make presets harder to read."""

MAX_GRID_POINTS = 2_000_000

_BATCH_SIZE = 512
_POPULATION = 10  # per axis; scipy's default is 15
_TOLERANCE = 1e-3

ROUNDS = 3
"""Maximum number of realignments with fitted weights, if alignments depend on the weights."""


def best_points(function: ObjectiveFunction, method: Method, evaluations: int, seed: int) -> list[Point]:
    """The best point for each left-out fold, found without it, then the one for all judgments; of equals, the first."""
    columns = range(len(function.arrays.folds) + 1)
    if method == "grid":
        points = grid(function)
        return [function.best(points, column) for column in columns]
    return [_realigned_best(function, column, evaluations, seed) for column in columns]


def _realigned_best(function: ObjectiveFunction, column: int, evaluations: int, seed: int) -> Point:
    """Best point; if alignments depend on weights, the best one when aligned with its own weights.

    Texts are realigned with the fitted weights and the fit is repeated until the result is stable. Of all results, the
    one that is best with its own alignments is returned.
    """
    found = [function.best(evolution(function, column, evaluations, seed), column)]
    for _ in range(ROUNDS):
        there = function.aligned_at(found[-1])
        if there is function:
            break
        again = there.best(evolution(there, column, evaluations, seed), column)
        if again in found:
            break
        found.append(again)
    if len(found) == 1:
        return found[0]
    values = function.values_of(np.array([function.scores(point) for point in found]))[:, STATED, column]
    return found[int(values.argmax())]


def grid(function: ObjectiveFunction) -> list[Point]:
    """Evaluate every combination of the values of all axes, the last axis varying fastest."""
    points = [*product(*map(_axis_points, function.axes))]
    for first in range(0, len(points), _BATCH_SIZE):
        function.values(points[first : first + _BATCH_SIZE])
    return points


def point_count(axes: Sequence[Axis], method: Method, evaluations: int, columns: int) -> int:
    """Largest number of points that a search evaluates; a grid may have `MAX_GRID_POINTS`."""
    if method == "grid":
        size = prod(len(axis.grid) for axis in axes)
        if size > MAX_GRID_POINTS:
            detail = " · ".join(f"{axis.name} {len(axis.grid)}" for axis in axes)
            too_many = f"the grid has {size:,} points ({detail}), more than {MAX_GRID_POINTS:,}"
            raise InputMismatch(f"{too_many}; use fewer values for each parameter")
        return size
    return prod(len(axis.values) for axis in axes if axis.realigns) * columns * evaluations


def evolution(function: ObjectiveFunction, column: int, evaluations: int, seed: int) -> list[Point]:
    """Search by scipy's differential evolution (Storn & Price 1997) on the training judgments of a fold.

    Maximizes the smooth objective, with a separate search, of at most `evaluations` points, for each combination of
    values that need a realignment. Returns the evaluated points.
    """
    minimize = import_extra("scipy.optimize", "tune").differential_evolution
    free = [axis for axis in function.axes if not axis.realigns]
    outer = [*product(*(_axis_points(axis) for axis in function.axes if axis.realigns))]
    if not free:
        function.values(outer)
        return outer
    bounds = [(0.0, float(len(axis.values) - 1)) if axis.values else (axis.least, axis.most) for axis in free]
    given = zip(function.axes, function.start(), strict=True)
    start = [_nearest(axis, value) for axis, value in given if not axis.realigns]
    tried: dict[Point, None] = {}
    for fixed in outer:

        def negated(vectors: Numbers, fixed: Point = fixed) -> Numbers:
            """The negated smooth objective, for scipy to minimize, at points given as columns of a matrix."""
            points = [_point(function.axes, fixed, vector) for vector in vectors.T]
            tried.update(dict.fromkeys(points))
            return -np.nan_to_num(function.values(points)[:, SMOOTH, column])

        minimize(
            negated,
            bounds,
            x0=[min(max(value, least), most) for value, (least, most) in zip(start, bounds, strict=True)],
            integrality=[bool(axis.values) for axis in free],
            popsize=_POPULATION,
            maxiter=max(1, evaluations // (_POPULATION * len(free)) - 1),
            tol=_TOLERANCE,
            rng=np.random.default_rng([seed, column]),
            polish=False,
            updating="deferred",
            vectorized=True,
        )
    return [*tried]


def _point(axes: Sequence[Axis], fixed: Point, vector: Sequence[float]) -> Point:
    """Point for the values of axes that realign, and a vector of the others."""
    rest, numbers = iter(fixed), map(float, vector)
    found = []
    for axis in axes:
        if axis.realigns:
            found.append(next(rest))
        elif axis.values:
            found.append(float(axis.values[round(next(numbers))]))
        else:
            found.append(min(max(round(next(numbers), DIGITS), axis.least), axis.most))
    return tuple(found)


def _nearest(axis: Axis, value: float) -> float:
    return float(np.argmin(np.abs(np.array(axis.values) - value))) if axis.values else value


def _axis_points(axis: Axis) -> tuple[float, ...]:
    return tuple(map(float, range(len(axis.values)))) if axis.realigns else axis.grid
