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
"""Points that one search of `evolution` tries, at most."""

DIGITS = 4
"""Behind the point, of the numbers that `evolution` tries: more say nothing, and a preset is to be read."""

MAX_GRID_POINTS = 2_000_000
"""Points of a grid."""

_BATCH_SIZE = 512
_POPULATION = 10  # for each axis; scipy's is 15
_TOLERANCE = 1e-3


def grid(landscape: Landscape) -> list[Point]:
    """Try every combination of the values of all axes, the last axis fastest."""
    points = [*product(*map(_axis_points, landscape.axes))]
    for first in range(0, len(points), _BATCH_SIZE):
        landscape.values(points[first : first + _BATCH_SIZE])
    return points


def point_count(axes: Sequence[Axis], method: Method, evaluations: int, columns: int) -> int:
    """How many points are tried, at most.

    Raises:
        InputMismatch: a grid has more than `MAX_GRID_POINTS` of them.
    """
    if method == "grid":
        size = prod(len(axis.grid) for axis in axes)
        if size > MAX_GRID_POINTS:
            detail = " · ".join(f"{axis.name} {len(axis.grid)}" for axis in axes)
            raise InputMismatch(
                f"the grid has {size:,} points ({detail}), more than {MAX_GRID_POINTS:,}; take fewer values each"
            )
        return size
    return prod(len(axis.values) for axis in axes if axis.realigns) * columns * evaluations


def evolution(landscape: Landscape, column: int, evaluations: int, seed: int) -> list[Point]:
    """Differential evolution (Storn & Price 1997), scipy's, on what is trained on where a fold is left out.

    It goes by the smooth objective. For each combination of values for which texts are aligned anew it begins again.

    Args:
        landscape: the objective.
        column: which fold is left out; the last one is none.
        evaluations: how many points are tried for each such combination, at most.
        seed: of the random numbers.

    Returns:
        The points that it tried.

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
    """What scipy is to make small: the smooth objective of one column, negative."""

    def __init__(
        self, landscape: Landscape, fixed: Point, free: Sequence[int], column: int, tried: dict[Point, None]
    ) -> None:
        self.landscape, self.fixed, self.free, self.column, self.tried = landscape, fixed, free, column, tried
        self.bounds = [self._bounds(landscape.axes[place]) for place in free]

    def __call__(self, vectors: Numbers) -> Numbers:
        """A column for each point → its value."""
        points = [self.point(vector) for vector in vectors.T]
        self.tried.update(dict.fromkeys(points))
        values = self.landscape.values(points)
        return -np.nan_to_num(values[:, SMOOTH, self.column])

    def point(self, vector: Sequence[float]) -> Point:
        """The point that a vector of the free axes means."""
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
        """Where to begin: `start`, or the nearest that is allowed."""
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
