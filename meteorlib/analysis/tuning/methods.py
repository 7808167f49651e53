"""Search methods: grid search and differential evolution."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Literal

import numpy as np

from meteorlib.analysis.tuning.axes import Axis
from meteorlib.analysis.tuning.journal import Point
from meteorlib.analysis.tuning.landscape import SMOOTH, Landscape
from meteorlib.arrays import Numbers
from meteorlib.errors import ExtraMissing, InputMismatch

Method = Literal["evolution", "grid"]
METHODS: tuple[Method, ...] = ("evolution", "grid")

EVALUATIONS = 2000
"""Default maximum number of points in one search of `evolution`."""

DIGITS = 4
"""Decimal places of values in `evolution`; more would not matter and make presets harder to read."""

MAX_GRID_POINTS = 2_000_000
"""Largest number of points of a grid."""

_BATCH_SIZE = 512
_POPULATION = 10  # per axis; scipy's default is 15
_TOLERANCE = 1e-3


def grid(landscape: Landscape) -> list[Point]:
    """Evaluate every combination of the values of all axes, the last axis varying fastest."""
    points = [*product(*map(_axis_points, landscape.axes))]
    for first in range(0, len(points), _BATCH_SIZE):
        landscape.values(points[first : first + _BATCH_SIZE])
    return points


def point_count(axes: Sequence[Axis], method: Method, evaluations: int, columns: int) -> int:
    """Largest number of points that a search evaluates.

    Raises:
        InputMismatch: a grid has more than `MAX_GRID_POINTS` points.
    """
    if method == "grid":
        size = prod(len(axis.grid) for axis in axes)
        if size > MAX_GRID_POINTS:
            detail = " · ".join(f"{axis.name} {len(axis.grid)}" for axis in axes)
            raise InputMismatch(
                f"the grid has {size:,} points ({detail}), more than {MAX_GRID_POINTS:,}; use "
                "fewer values for each parameter"
            )
        return size
    return prod(len(axis.values) for axis in axes if axis.realigns) * columns * evaluations


def evolution(landscape: Landscape, column: int, evaluations: int, seed: int) -> list[Point]:
    """Search by scipy's differential evolution (Storn & Price 1997) on the training judgments of a fold.

    Maximizes the smooth objective, with a separate search for each combination of values that need a realignment.

    Args:
        landscape: objective as a function of points.
        column: left-out fold; the last column leaves out none.
        evaluations: largest number of points for each such combination.
        seed: random seed.

    Returns:
        The evaluated points.

    Raises:
        ExtraMissing: scipy is not installed.
    """
    try:
        from scipy.optimize import differential_evolution  # noqa: PLC0415 – an extra
    except ImportError as error:
        raise ExtraMissing(str(error.name), "tune") from None

    free = [place for place, axis in enumerate(landscape.axes) if not axis.realigns]
    outer = [_axis_points(axis) for axis in landscape.axes if axis.realigns]
    if not free:
        points = [*product(*outer)]
        landscape.values(points)
        return points
    tried: dict[Point, None] = {}
    for fixed in product(*outer):
        objective = _NegativeObjective(landscape, fixed, free, column, tried)
        differential_evolution(
            objective,
            objective.bounds,
            x0=objective.start_vector(landscape.start()),
            integrality=[bool(landscape.axes[place].values) for place in free],
            popsize=_POPULATION,
            maxiter=max(1, evaluations // (_POPULATION * len(free)) - 1),
            tol=_TOLERANCE,
            rng=np.random.default_rng([seed, column]),
            polish=False,
            updating="deferred",
            vectorized=True,
        )
    return [*tried]


class _NegativeObjective:
    """Negated smooth objective of one column, for scipy to minimize."""

    def __init__(
        self, landscape: Landscape, fixed: Point, free: Sequence[int], column: int, tried: dict[Point, None]
    ) -> None:
        self.landscape, self.fixed, self.free, self.column, self.tried = landscape, fixed, free, column, tried
        self.bounds = [self._bounds(landscape.axes[place]) for place in free]

    def __call__(self, vectors: Numbers) -> Numbers:
        """Evaluate points, given as columns of a matrix."""
        points = [self.point(vector) for vector in vectors.T]
        self.tried.update(dict.fromkeys(points))
        values = self.landscape.values(points)
        return -np.nan_to_num(values[:, SMOOTH, self.column])

    def point(self, vector: Sequence[float]) -> Point:
        """Point for a vector of the free axes."""
        rest, numbers = iter(self.fixed), iter(vector)
        found = []
        for place, axis in enumerate(self.landscape.axes):
            if place not in self.free:
                found.append(next(rest))
            elif axis.values:
                found.append(float(axis.values[round(float(next(numbers)))]))
            else:
                found.append(min(max(round(float(next(numbers)), DIGITS), axis.least), axis.most))
        return tuple(found)

    def start_vector(self, start: Sequence[float]) -> list[float]:
        """Start vector: `start`, or the nearest allowed values."""
        found = []
        for place, (least, most) in zip(self.free, self.bounds, strict=True):
            values = self.landscape.axes[place].values
            value = start[place]
            if values:
                value = float(np.argmin(np.abs(np.array(values) - value)))
            found.append(min(max(value, least), most))
        return found

    @staticmethod
    def _bounds(axis: Axis) -> tuple[float, float]:
        return (0.0, float(len(axis.values) - 1)) if axis.values else (axis.least, axis.most)


def _axis_points(axis: Axis) -> tuple[float, ...]:
    return tuple(map(float, range(len(axis.values)))) if axis.realigns else axis.grid
