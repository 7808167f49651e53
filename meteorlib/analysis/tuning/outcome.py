"""Outcome of a search: the best point of each fold, and its gain on left-out judgments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from attrs import frozen

from meteorlib.analysis.tuning.folds import Folds
from meteorlib.analysis.tuning.gain import left_out_gain
from meteorlib.analysis.tuning.journal import Point
from meteorlib.analysis.tuning.landscape import STATED, Landscape
from meteorlib.analysis.tuning.results import Fitted, Tuning
from meteorlib.arrays import Numbers

ROUNDED_DIGITS = 6
"""Decimal places to which values are rounded if that changes nothing; added grid steps accumulate errors."""


SAME_VALUE = 1e-9
"""Objectives closer than this count as equal; a single judgment makes a larger difference."""


@frozen(eq=False)
class GainSettings:
    """Settings for measuring the gain on left-out judgments.

    Attributes:
        folds: folds of the texts.
        samples: number of bootstrap samples.
        seed: random seed.
        confidence: confidence level of the interval.
        progress: callback that receives the amount done and the total.
    """

    folds: Folds
    samples: int
    seed: int
    confidence: float
    progress: Callable[[int, int], object]


def outcome(
    landscape: Landscape,
    best: Sequence[Point],
    gain_settings: GainSettings,
    name: str,
    method: str,
    evaluations: int,
    data: Mapping[str, str],
    notes: Sequence[str],
) -> Tuning:
    """Evaluate the best points of the folds and of all judgments."""
    arrays, objective = landscape.arrays, landscape.objective
    points = tuple(
        (float(value[STATED, -1]), landscape.setting(key[len(landscape.anchor) :]))
        for key, value in landscape.journal.values.items()
    )
    best = [_rounded(landscape, point, column) for column, point in enumerate(best)]
    base = landscape.base_scores()
    scores = [landscape.scores(point) for point in best]
    trained = landscape.values_of(np.array([base, *scores]))[:, STATED]
    gain = left_out_gain(
        arrays,
        objective,
        gain_settings.folds,
        base,
        scores[:-1],
        gain_settings.samples,
        gain_settings.seed,
        gain_settings.confidence,
        gain_settings.progress,
    )

    def fitted(column: int, left_out: str) -> Fitted:
        setting = dict(zip((axis.name for axis in landscape.axes), landscape.setting(best[column]), strict=True))
        outside = [_fold_value(landscape, one, column) if left_out else None for one in (base, scores[column])]
        return Fitted(left_out, setting, float(trained[0, column]), float(trained[column + 1, column]), *outside)

    folds = tuple(fitted(column, left_out) for column, left_out in enumerate(gain_settings.folds.names))
    return Tuning(
        config=landscape.config(best[-1], name),
        base=landscape.scorer.config.name,
        signature=str(landscape.scorer.signature),
        objective=str(objective),
        method=method,
        asked=tuple(axis.asked for axis in landscape.axes),
        evaluations=evaluations,
        by=gain_settings.folds.by,
        whole=fitted(len(folds), ""),
        folds=folds,
        gain=gain,
        data=data,
        judged={"pairs": int(arrays.count.sum()), "ratings": len(arrays.rating)},
        tried=len(points),
        samples=gain_settings.samples,
        confidence=gain_settings.confidence,
        seed=gain_settings.seed,
        notes=tuple(notes),
        points=points,
    )


def _rounded(landscape: Landscape, point: Point, column: int) -> Point:
    rounded = tuple(round(value, ROUNDED_DIGITS) for value in point)
    one, other = landscape.values([point, rounded])[:, STATED, column]
    return rounded if abs(one - other) < SAME_VALUE else point


def _fold_value(landscape: Landscape, scores: Numbers, fold: int) -> float:
    return float(landscape.objective.of(landscape.arrays.left_out(scores[np.newaxis])[0, fold]))
