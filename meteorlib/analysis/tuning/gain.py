"""Gain of fitted values on left-out judgments, with a bootstrap interval."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import sqrt

import numpy as np
from attrs import frozen

from meteorlib.analysis.meta_evaluation.correlations import Indices
from meteorlib.analysis.results import Interval
from meteorlib.analysis.significance.resampling import interval, resamples
from meteorlib.analysis.tuning.folds import Folds
from meteorlib.analysis.tuning.judgment_arrays import JudgmentArrays
from meteorlib.analysis.tuning.objective import COLUMNS, Objective
from meteorlib.analysis.tuning.results import Gain
from meteorlib.arrays import Numbers


def left_out_gain(
    arrays: JudgmentArrays,
    objective: Objective,
    folds: Folds,
    base: Numbers,
    fitted: Sequence[Numbers],
    samples: int,
    seed: int,
    confidence: float,
    progress: Callable[[int, int], object],
) -> Gain:
    """Compare fitted values with the base preset on left-out judgments.

    Bootstrap samples are drawn within each language pair by segment (as in
    `meteorlib.analysis.meta_evaluation.meta_evaluate`), together with the segments that share texts with it. Values are
    not refitted to the samples; `widen_interval` makes up for that.

    Args:
        arrays: judgments.
        objective: objective to compare.
        folds: folds of the texts.
        base: scores of the texts under the base preset.
        fitted: for each fold, scores of the texts under the values fitted without it.
        samples: number of bootstrap samples.
        seed: random seed.
        confidence: confidence level of the interval.
        progress: callback that receives the amount done and the total.
    """
    of_text = np.concatenate(folds.of_texts)
    merged = np.array(fitted)[of_text, np.arange(len(of_text))]
    sums = [arrays.segment_sums(scores) for scores in (base, merged)]
    drawn = np.zeros((2, samples + 1, len(arrays.names), len(folds), COLUMNS))
    for part, stratum in enumerate(_strata(arrays, of_text)):
        for into, columns in zip(drawn, sums, strict=True):
            stratum.add(into[:1], np.ones((1, stratum.units), np.int64), columns)
        for some, weights in resamples(stratum.units, samples, seed + part) if stratum.units else ():
            for into, columns in zip(drawn, sums, strict=True):
                stratum.add(into[some.start + 1 : some.stop + 1], weights, columns)
            progress(part * samples + some.stop, len(arrays.names) * samples)
    values = objective.folded(drawn)
    differences = values[1] - values[0]
    gain = float(differences[0])
    bounds = widen_interval(interval(differences[1:], confidence), gain, len(folds))
    return Gain(float(values[0, 0]), float(values[1, 0]), gain, bounds)


def widen_interval(drawn: Interval, value: float, folds: int) -> Interval:
    """Widen the interval of a gain that was resampled with the fitted values fixed.

    The fits share most of their judgments, so noise in these biases all of them in the same direction: a setting
    that is better by chance everywhere is chosen without every fold and looks better on each. Nadeau and Bengio
    (*Inference for the Generalization Error*, Machine Learning 52, 2003) correct the variance for that: with n folds,
    1/n becomes 1/n + 1/(n - 1), where the second term is the size of what is left out by that of what is fitted to.
    """
    factor = sqrt(1 + folds / (folds - 1))
    return Interval(value - factor * (value - drawn.low), value + factor * (drawn.high - value), drawn.mean)


@frozen(eq=False)
class _Stratum:
    """Stratum of the bootstrap: units whose first segment belongs to the same language pair.

    Attributes:
        units: number of units.
        cells: for each language pair and fold, the segments of these units, and the unit of each, from 0.
    """

    units: int
    cells: dict[tuple[int, int], tuple[Indices, Indices]]

    def add(self, into: Numbers, weights: Indices, columns: Numbers) -> None:
        """Add sums of segments, weighted by unit counts: samples × language pairs × folds × columns."""
        for (part, fold), (segments, units) in self.cells.items():
            into[:, part, fold] += weights[:, units].astype(np.float64) @ columns[segments]


def _strata(arrays: JudgmentArrays, fold_of_text: Indices) -> Iterator[_Stratum]:
    """Strata, one for each language pair."""
    units = np.concatenate(arrays.folds.units.of_texts)
    part, fold, unit = (_segment_values(arrays, one) for one in (arrays.part, fold_of_text, units))
    for home in range(len(arrays.names)):
        here = np.flatnonzero(part[unit] == home)
        different, places = np.unique(unit[here], return_inverse=True)
        cells = {}
        for cell in sorted({*zip(part[here].tolist(), fold[here].tolist(), strict=True)}):
            chosen = (part[here] == cell[0]) & (fold[here] == cell[1])
            cells[cell] = here[chosen], places[chosen]
        yield _Stratum(len(different), cells)


def _segment_values(arrays: JudgmentArrays, of_texts: Indices) -> Indices:
    """Value of each segment, from its texts, which all have the same value."""
    found = np.empty(int(arrays.segment.max()) + 1, np.int64)
    found[arrays.segment] = of_texts
    return found
