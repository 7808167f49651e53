"""Checks that judgments and metric scores can be evaluated."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from meteorlib.analysis.meta_evaluation.judgments import Judgments
from meteorlib.analysis.meta_evaluation.levels import levels_of
from meteorlib.analysis.meta_evaluation.metrics import Metric
from meteorlib.arrays import Numbers
from meteorlib.errors import InputMismatch, UnknownName
from meteorlib.inputs.cells import RANGE, computable


def check(
    judgments: Sequence[Judgments], metrics: Sequence[Metric], baseline: str, samples: int, confidence: float
) -> None:
    """Check the input of `meteorlib.analysis.meta_evaluation.meta_evaluate`, which lists the errors."""
    names = [one.name for one in metrics]
    if not metrics:
        raise InputMismatch("there is no metric to evaluate")
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputMismatch(f"two metrics are called {twice!r}; give one of them another name")
    if baseline not in names:
        raise UnknownName("metric", baseline, names)
    if samples < 2:
        raise ValueError(f"samples must be at least 2, got {samples}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, got {confidence}")
    if not judgments:
        raise InputMismatch("there is no judgment")
    for metric in metrics:
        if len(metric.scored) != len(judgments):
            raise InputMismatch(
                f"{metric.name} has scores of {len(metric.scored)} language pairs where {len(judgments)} are judged"
            )
    for place, one in enumerate(judgments):
        check_people(one)
        for metric in metrics:
            scores = metric.scored[place].scores
            if len(scores) != len(one.texts) or not np.isfinite(scores).all():
                raise InputMismatch(
                    f"{metric.name} must have a number for each of the {len(one.texts)} texts of {one.name}"
                )
            if (odd := _out_of_range(scores)) is not None:
                raise InputMismatch(
                    f"{one.name}: {metric.name} has a score of {odd:g}; statistics need {RANGE}; rescale the scores"
                )


def check_people(judgments: Judgments) -> None:
    """Check that the judgments of a language pair allow a comparison with metrics.

    Raises:
        InputMismatch: there is no judgment, or only one system; all ratings are equal; a rating is out of range.
    """
    rated = [] if judgments.ratings is None else [judgments.ratings.value]
    for values in (*rated, np.array([*judgments.systems.values()], float)):
        if (odd := _out_of_range(values)) is not None:
            raise InputMismatch(
                f"{judgments.name}: there is a rating of {odd:g}; statistics need {RANGE}; rescale the "
                "ratings, or leave out values that mark missing ratings"
            )
    levels = levels_of(judgments)
    if not any(level.judged for level in levels):
        raise InputMismatch(f"{judgments.name}: there is no judgment")
    if judgments.ratings is not None and len(np.unique(judgments.ratings.value)) < 2:
        same = judgments.ratings.value[0]
        raise InputMismatch(f"{judgments.name}: all ratings are {same:g}, so nothing can correlate with them")
    if len(judgments.systems) == 1:
        raise InputMismatch(f"{judgments.name}: there is only one system; a comparison needs at least two")
    if judgments.systems and len(set(judgments.systems.values())) < 2:
        raise InputMismatch(
            f"{judgments.name}: all systems have the same human score, so nothing can correlate with it"
        )


def _out_of_range(numbers: Numbers) -> float | None:
    odd = numbers[~computable(numbers)]
    return float(odd[0]) if len(odd) else None
