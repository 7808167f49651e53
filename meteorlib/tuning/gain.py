"""Gain: what fitted values are worth on judgments that they were not fitted to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from meteorlib.arrays import Numbers
from meteorlib.judge.judgments import Indices
from meteorlib.significance.pvalues import interval
from meteorlib.significance.resampling import resamples
from meteorlib.tuning.folds import Folds
from meteorlib.tuning.material import Material
from meteorlib.tuning.objective import COLUMNS, Objective
from meteorlib.tuning.results import Gain


def left_out_gain(
    material: Material,
    objective: Objective,
    folds: Folds,
    base: Numbers,
    fitted: Sequence[Numbers],
    samples: int,
    seed: int,
    confidence: float,
    progress: Callable[[int, int], object],
) -> Gain:
    """Compare the left-out scores of fitted values with those of the preset to begin with.

    Segments are drawn with replacement, all judgments of a segment together, in each language pair (as in
    `meteorlib.judge.meta_evaluate`); values are not fitted anew to what is drawn.

    Args:
        material: the judgments.
        objective: the objective.
        folds: which texts are left out together.
        base: scores of the texts under the preset to begin with.
        fitted: for each fold, those under the values that were fitted without it.
        samples: how many test sets are drawn.
        seed: of the random numbers.
        confidence: level of the interval.
        progress: is told how much is done, and how much there is.
    """
    of_text = np.concatenate(folds.of_texts)
    merged = np.array(fitted)[of_text, np.arange(len(of_text))]
    drawn = np.zeros((2, samples + 1, len(material.names), len(folds), COLUMNS))
    for part in range(len(material.names)):
        sums = [material.by_segment(scores, part) for scores in (base, merged)]
        fold = _fold_of_segments(material, part, of_text, len(sums[0]))
        for into, columns in zip(drawn, sums, strict=True):
            _add(into[:1, part], np.ones((1, len(columns))), columns, fold)
        for some, weights in resamples(len(fold), samples, seed + part):
            chosen = slice(some.start + 1, some.stop + 1)
            for into, columns in zip(drawn, sums, strict=True):
                _add(into[chosen, part], weights.astype(np.float64), columns, fold)
            progress(part * samples + some.stop, len(material.names) * samples)
    values = objective.folded(drawn)
    differences = values[1] - values[0]
    return Gain(float(values[0, 0]), float(values[1, 0]), float(differences[0]), interval(differences[1:], confidence))


def _fold_of_segments(material: Material, part: int, of_text: Indices, count: int) -> Indices:
    fold = np.zeros(count, np.int64)
    here = material.part == part
    fold[material.segment[here]] = of_text[here]
    return fold


def _add(into: Numbers, weights: Numbers, columns: Numbers, fold: Indices) -> None:
    for number in np.unique(fold):
        chosen = fold == number
        into[:, number] += weights[:, chosen] @ columns[chosen]
