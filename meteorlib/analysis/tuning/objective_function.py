"""Objective as a function of points, the settings of a search: texts aligned, rescored and compared with judgments."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from attrs import define, evolve, field, frozen

from meteorlib.analysis.meta_evaluation.correlations import Indices
from meteorlib.analysis.meta_evaluation.judgments import Judgments
from meteorlib.analysis.meta_evaluation.metrics import read_arrays, statistics_of, write_arrays
from meteorlib.analysis.tuning.axes import Axis, parameters_at, value_at
from meteorlib.analysis.tuning.objective import JudgmentArrays, Objective
from meteorlib.arrays import Counts, Numbers, rescored
from meteorlib.config.converter import override
from meteorlib.config.schema import Place, ScorerConfig
from meteorlib.core.parameters import Parameters
from meteorlib.core.segment import Pair
from meteorlib.resources.store.shared_files import cache_folder
from meteorlib.scorer import Scorer

FOLDER = "tuning"

WRITE_INTERVAL = 20.0
"""Seconds after which evaluated points are written again."""

CELLS = 1 << 22
"""Scores computed at a time; bounds the memory."""

STATED, SMOOTH = 0, 1
"""Rows of values: the stated objective, and its smooth version that guides searches."""

Point = tuple[float, ...]
"""Coordinates of a setting: its value on each axis, or the index of the value if that may not be a number."""


@define
class EvaluatedPoints:
    """Points with their values, kept in a file until the search ends, so that an interrupted one continues."""

    path: Path
    values: dict[Point, Numbers]
    _written: float = field(factory=time.monotonic)
    _size: int = 0

    @classmethod
    def open(cls, digest: str) -> EvaluatedPoints:
        """The points left by an interrupted search; a missing or damaged file has none."""
        path = cache_folder() / FOLDER / f"{digest}.npz"
        arrays = read_arrays(path)
        found = {} if arrays is None else zip(map(tuple, arrays["points"].tolist()), arrays["values"], strict=True)
        values = dict(found)
        return cls(path, values, size=len(values))

    def add(self, points: Iterable[Point], values: Iterable[Numbers]) -> None:
        """Add points with their values; the file is written periodically."""
        self.values.update(zip(points, values, strict=True))
        if time.monotonic() - self._written > WRITE_INTERVAL:
            self.write()

    def write(self) -> None:
        """Write the file; errors of the file system are ignored."""
        if len(self.values) > self._size:
            with suppress(OSError):
                write_arrays(self.path, points=np.array([*self.values]), values=np.array([*self.values.values()]))
                self._size = len(self.values)
        self._written = time.monotonic()

    def remove(self) -> None:
        """Remove the file when the search has ended."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)


@frozen(eq=False)
class AlignedTexts:
    """Statistics of all texts under one preset, ready to be rescored by several threads (`jobs`).

    The parameters determine which of several references is used, so each reference of each text has its own `row` of
    the distinct statistics in `counts`; those of a text begin at its `start`.
    """

    scorer: Scorer
    counts: Counts
    row: Indices
    start: Indices
    jobs: int = 1

    @classmethod
    def of(
        cls, scorer: Scorer, judgments: Sequence[Judgments], jobs: int = 1, progress: Callable[[int], object] = id
    ) -> AlignedTexts:
        """Align the texts of all language pairs in `jobs` processes, or read their cached statistics."""
        parts, sizes = [], []
        for part in judgments:
            pairs = [Pair((reference,), text.texts.hypothesis) for text in part.texts for reference in text.texts[0]]
            sizes += [len(text.texts.references) for text in part.texts]
            parts.append(statistics_of(scorer, pairs, jobs=jobs, progress=progress).counts)
        counts, row = np.unique(np.concatenate(parts), axis=0, return_inverse=True)
        start = np.cumsum([0, *sizes[:-1]])
        return cls(scorer, counts, row.reshape(-1), start, jobs)

    def scores(self, settings: Sequence[Parameters]) -> Numbers:
        """Score of every text under each setting: settings × texts."""
        found = rescored(self.counts, settings, jobs=self.jobs)
        scores: Numbers = found[:, self.row]
        if len(self.start) < len(self.row):
            how = self.scorer.config.reduce
            combine = {"mean": np.add, "max": np.maximum, "min": np.minimum}[how]
            scores = combine.reduceat(scores, self.start, axis=1)
            if how == "mean":
                scores = scores / np.diff(self.start, append=len(self.row))
        return scores


@frozen(eq=False)
class ObjectiveFunction:
    """Objective as a function of points; texts aligned with the scorer of the base preset are the `base`.

    If alignments depend on fitted weights of stages, the weights with which the texts are aligned are the `anchor`.
    """

    scorer: Scorer
    axes: tuple[Axis, ...]
    arrays: JudgmentArrays
    objective: Objective
    align: Callable[[Scorer], AlignedTexts]
    evaluated: EvaluatedPoints
    progress: Callable[[int], object]
    base: AlignedTexts
    anchor: Point = ()
    _aligned: dict[tuple[Any, ...], AlignedTexts] = field(factory=dict, init=False)

    def values(self, points: Sequence[Point]) -> Numbers:
        """Compute the objective: points × 2 (`STATED`, `SMOOTH`) × (folds + 1).

        Each column is computed on the judgments used for fitting while one fold is left out; the last, on all of them.
        """
        known = self.evaluated.values
        by_alignment: dict[tuple[Any, ...], list[Point]] = {}
        for point in dict.fromkeys(points):
            if (*self.anchor, *point) not in known:
                by_alignment.setdefault(self._outer(point), []).append(point)
        for group in by_alignment.values():
            aligned = self._texts_aligned_for(group[0])
            size = max(1, CELLS // len(aligned.row))
            for first in range(0, len(group), size):
                some = group[first : first + size]
                scores = aligned.scores([self.parameters(point) for point in some])
                self.evaluated.add([(*self.anchor, *point) for point in some], self.values_of(scores))
                self.progress(len(some))
        return np.array([known[*self.anchor, *point] for point in points])

    def best(self, points: Sequence[Point], column: int) -> Point:
        """Point with the greatest stated objective; the first one if several are equal."""
        values = self.values(points)[:, STATED, column]
        return points[int(np.nan_to_num(values, nan=-np.inf).argmax())]

    def scores(self, point: Point) -> Numbers:
        """Score of every text under the preset of a point, aligned with that preset."""
        there = self.aligned_at(point)
        if there is not self:
            return there.scores(point)
        found: Numbers = self._texts_aligned_for(point).scores([self.parameters(point)])[0]
        return found

    def weights_of(self, point: Sequence[float]) -> Point:
        """Weights of stages at a point."""
        return tuple(value for axis, value in zip(self.axes, point, strict=True) if axis.is_weight)

    def aligned_at(self, point: Point) -> ObjectiveFunction:
        """The function whose texts are aligned with the weights of a point."""
        anchor = self.weights_of(point) if self.anchor else ()
        if anchor == self.anchor:
            return self
        weights = {axis.place: value for axis, value in zip(self.axes, point, strict=True) if axis.is_weight}
        outer = dict(zip((axis.place for axis in self.axes if axis.realigns), self._outer(point), strict=True))
        return evolve(self, base=self._aligned_with({**weights, **outer}), anchor=anchor)

    def parameters(self, point: Point) -> Parameters:
        """Parameters of the formula at a point."""
        return parameters_at(self.scorer.parameters, self.axes, self.setting(point))

    def setting(self, point: Point) -> tuple[Any, ...]:
        """Value of each axis at a point."""
        return tuple(
            axis.values[int(place)] if axis.realigns else place for axis, place in zip(self.axes, point, strict=True)
        )

    def config(self, point: Point, name: str = "") -> ScorerConfig:
        """Configuration of a point."""
        places = {
            axis.place: value if axis.realigns else min(max(value, axis.least), axis.most)
            for axis, value in zip(self.axes, self.setting(point), strict=True)
        }
        return override(self.scorer.config, places, name)

    def base_scores(self) -> Numbers:
        """Score of every text under the base preset."""
        found: Numbers = self.base.scores([self.scorer.parameters])[0]
        return found

    def values_of(self, scores: Numbers) -> Numbers:
        """Objective for given scores of the texts, one row per point; see `values`."""
        sums = self.arrays.training_sums(scores, smooth=self.objective.of_pairs)
        return np.stack([self.objective.of(sums), self.objective.of(sums, smooth=True)], axis=1)

    def start(self) -> Sequence[float]:
        """Base preset as a point; axes that need a realignment have their first value."""
        return [0.0 if axis.realigns else value_at(self.scorer.config, axis.place) for axis in self.axes]

    def _outer(self, point: Point) -> tuple[Any, ...]:
        """Values at a point that need a realignment."""
        return tuple(value for axis, value in zip(self.axes, self.setting(point), strict=True) if axis.realigns)

    def _texts_aligned_for(self, point: Point) -> AlignedTexts:
        outer = self._outer(point)
        if outer not in self._aligned:
            places = [axis.place for axis in self.axes if axis.realigns]
            self._aligned[outer] = self._aligned_with(dict(zip(places, outer, strict=True)))
        return self._aligned[outer]

    def _aligned_with(self, values: Mapping[Place, Any]) -> AlignedTexts:
        config = override(self.base.scorer.config, values)
        if config == self.base.scorer.config:
            return self.base
        return self.align(Scorer(config, given=self.scorer.given, implementation=self.scorer.implementation))


def axes_without_effect(axes: Sequence[Axis], aligned: AlignedTexts) -> tuple[Axis, ...]:
    """Axes that change no score, with the other axes at the base preset or in the middle of their ranges."""
    inner = [axis for axis in axes if not axis.realigns]
    given = [value_at(aligned.scorer.config, axis.place) for axis in inner]
    middle = [_at(axis, 0.5) for axis in inner]
    found = []
    for index, axis in enumerate(inner):
        points = [
            (*others[:index], _at(axis, share), *others[index + 1 :])
            for others in (given, middle)
            for share in (0.1, 0.5, 0.9)
        ]
        scores = aligned.scores([parameters_at(aligned.scorer.parameters, inner, point) for point in points])
        if all(np.allclose(scores[first], scores[first + 1 : first + 3], rtol=1e-9, atol=0) for first in (0, 3)):
            found.append(axis)
    return tuple(found)


def _at(axis: Axis, share: float) -> float:
    return axis.least + share * (axis.most - axis.least)
