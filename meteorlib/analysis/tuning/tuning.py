"""Tuning of parameters to human judgments, with cross-validated gain."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
from attrs import evolve

from meteorlib.analysis.differences import Interval
from meteorlib.analysis.meta_evaluation.correlations import Indices
from meteorlib.analysis.meta_evaluation.evaluation import SAMPLES, SEED
from meteorlib.analysis.meta_evaluation.judgments import Judgments
from meteorlib.analysis.meta_evaluation.metrics import code_digest
from meteorlib.analysis.significance.resampling import check_sampling, interval, resamples
from meteorlib.analysis.tuning.axes import axes_of
from meteorlib.analysis.tuning.folds import FOLD_COUNT, FoldKind, Folds, folds_of
from meteorlib.analysis.tuning.objective import SUMS, JudgmentArrays, Objective
from meteorlib.analysis.tuning.objective_function import (
    STATED,
    AlignedTexts,
    EvaluatedPoints,
    ObjectiveFunction,
    Point,
    axes_without_effect,
)
from meteorlib.analysis.tuning.results import Fitted, Gain, Tuning
from meteorlib.analysis.tuning.search import EVALUATIONS, METHODS, Method, best_points, point_count
from meteorlib.arrays import Numbers
from meteorlib.corpus.batch import counted
from meteorlib.errors import InputMismatch, UnknownName
from meteorlib.registry import SEARCHES
from meteorlib.scorer import Scorer

ROUNDED_DIGITS = 6
"""Decimal places to which values are rounded if that changes nothing; added grid steps accumulate errors."""


SAME_VALUE = 1e-9
"""Objectives closer than this count as equal; a single judgment makes a larger difference."""

_Cells = Mapping[tuple[int, int], tuple[Indices, Indices]]
"""For each language pair and fold, segments, and the unit of each, from 0."""


def tune(
    scorer: Scorer,
    data: Mapping[str, Sequence[Judgments]],
    fit: Sequence[str],
    *,
    objective: str = "tau",
    method: Method = "evolution",
    by: FoldKind | None = None,
    folds: int = FOLD_COUNT,
    evaluations: int = EVALUATIONS,
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = 0.95,
    name: str = "tuned",
    jobs: int = 1,
    progress: Callable[[str, float, float], object] = lambda *_: None,
) -> Tuning:
    """Fit parameters of METEOR to human judgments.

    Texts are aligned once; other parameters of the formula only rescore their statistics. Evaluated points are kept in
    the cache folder until the end, so the same call continues after an interruption. See `docs/tune.md`.

    Args:
        scorer: scorer of the base preset, to start from and to compare with.
        data: judgments of each language pair, by the name of the data (a year, say).
        fit: parameters to fit; see `axes_of`.
        objective: objective to maximize; see `Objective.parse`.
        method: ``evolution`` or ``grid``.
        by: criterion by which folds are made: ``data``, ``lp`` (language pairs), ``document``, ``segment``; None for
            the first of data, lp and segment that gives at least two folds.
        folds: number of folds of documents or segments.
        evaluations: largest number of points in one search of ``evolution``.
        samples: number of bootstrap samples for the interval of the gain.
        seed: random seed; the same seed gives the same result.
        confidence: confidence level of the interval.
        name: name of the new preset.
        jobs: number of processes that align (see `meteorlib.Scorer.arrays`), and of threads that rescore.
        progress: callback, called with the name of the current step, the amount done and the total.

    Raises:
        InputMismatch: the judgments do not allow a fit, a parameter cannot have the given values, or there is only one
            fold.
        UnknownName: a parameter, statistic or method is unknown.
        ConfigError: a combination of values is not a valid preset.
        ExtraMissing: ``evolution`` needs scipy, which is not installed.
        ValueError: `samples` or `folds` is less than 2, or `confidence` is not between 0 and 1.
    """
    if method not in METHODS:
        raise UnknownName("method", method, METHODS)
    check_sampling(confidence, samples=samples, folds=folds)
    stated, axes = Objective.parse(objective), axes_of(scorer.config, fit)
    data = {source: sorted(listed, key=lambda part: part.name) for source, listed in data.items()}
    sources = [(source, part) for source, listed in data.items() for part in listed]
    if not any(part.texts for _, part in sources):
        raise InputMismatch("there is no judgment")
    digests = {source: digest_of(listed) for source, listed in data.items()}
    names: dict[str, str] = {}
    for source, _ in sources:
        if (first := names.setdefault(digests[source], source)) != source:
            same = f"{first} and {source} contain the same texts and judgments"
            raise InputMismatch(f"{same}; name each set of judgments once")
    judgments = [part for _, part in sources]
    dealt = folds_of(sources, by, folds, seed)
    arrays = JudgmentArrays.of(judgments, dealt, stated)
    texts = sum(len(text.texts.references) for part in judgments for text in part.texts)

    def align(aligner: Scorer) -> AlignedTexts:
        return AlignedTexts.of(aligner, judgments, jobs, counted(partial(progress, "aligning"), texts))

    base = align(scorer)
    weighs = SEARCHES.part(scorer.config.search.name).weighs  # alignments depend on the weights of stages
    notes = [*(note for part in judgments for note in part.notes), *filter(None, [arrays.note, dealt.units.note])]
    if method == "evolution":
        without = [axis for axis in axes_without_effect(axes, base) if not (weighs and axis.is_weight)]
        notes += [f"{axis.name} does not affect the scores of these texts; it is left unchanged" for axis in without]
        axes = tuple(axis for axis in axes if axis not in without)
        if not axes:
            raise InputMismatch(f"{', '.join(fit)}: no value changes the scores of these texts; fit other parameters")
    count = point_count(axes, method, evaluations, len(dealt) + 1)
    asked = [str(scorer.signature), digests, str(axes), str(stated), dealt.by, folds, method, evaluations, seed]
    evaluated = EvaluatedPoints.open(_digest([*asked, code_digest()]))
    function = ObjectiveFunction(
        scorer, axes, arrays, stated, align, evaluated, counted(partial(progress, "trying"), count), base
    )
    if weighs:
        function = evolve(function, anchor=function.weights_of(function.start()))
    try:
        best = best_points(function, method, evaluations, seed)
    except BaseException:
        evaluated.write()
        raise
    points = tuple(
        (float(value[STATED, -1]), function.setting(point[len(function.anchor) :]))
        for point, value in evaluated.values.items()
    )
    best = [_rounded(function, point, column) for column, point in enumerate(best)]
    scores = [function.base_scores(), *(function.scores(point) for point in best)]
    *of_folds, whole = _fitted(function, best, scores, dealt)
    gain = left_out_gain(arrays, stated, scores[:-1], samples, seed, confidence, partial(progress, "resampling"))
    evaluated.remove()
    return Tuning(
        config=function.config(best[-1], name),
        base=scorer.config.name,
        signature=str(scorer.signature),
        objective=str(stated),
        method=method,
        asked=tuple(axis.asked for axis in axes),
        evaluations=evaluations,
        by=dealt.by,
        whole=whole,
        folds=tuple(of_folds),
        gain=gain,
        data=digests,
        judged={"pairs": int(arrays.count.sum()), "ratings": len(arrays.rating)},
        tried=len(points),
        samples=samples,
        confidence=confidence,
        seed=seed,
        notes=tuple(notes),
        points=points,
    )


def _fitted(
    function: ObjectiveFunction, best: Sequence[Point], scores: Sequence[Numbers], folds: Folds
) -> list[Fitted]:
    """The values fitted without each fold, then those fitted to all judgments; scores are those of base and points."""
    trained = function.values_of(np.array(scores))[:, STATED]
    found = []
    for column, left_out in enumerate((*folds.names, "")):
        setting = dict(zip((axis.name for axis in function.axes), function.setting(best[column]), strict=True))
        values = [float(trained[row, column]) for row in (0, column + 1)]
        if left_out:
            outside = [function.arrays.left_out(scores[row][np.newaxis])[0, column] for row in (0, column + 1)]
            values += [float(function.objective.of(sums)) for sums in outside]
        found.append(Fitted(left_out, setting, *values))
    return found


def _rounded(function: ObjectiveFunction, point: Point, column: int) -> Point:
    rounded = tuple(round(value, ROUNDED_DIGITS) for value in point)
    one, other = function.values([point, rounded])[:, STATED, column]
    return rounded if abs(one - other) < SAME_VALUE else point


def left_out_gain(
    arrays: JudgmentArrays,
    objective: Objective,
    scored: Sequence[Numbers],
    samples: int,
    seed: int,
    confidence: float,
    progress: Callable[[int, int], object],
) -> Gain:
    """Compare fitted values with the base preset on left-out judgments.

    `scored` has the scores of the texts under the base preset, then for each fold under the values fitted without it.
    Bootstrap samples are drawn within each language pair by segment, together with the segments that share texts with
    it. Values are not refitted to the samples; `widen_interval` makes up for that.
    """
    folds = arrays.folds
    of_text = np.concatenate(folds.of_texts)
    base, *fitted = scored
    merged = np.array(fitted)[of_text, np.arange(len(of_text))]
    sums = [arrays.segment_sums(scores) for scores in (base, merged)]
    drawn = np.zeros((2, samples + 1, len(arrays.names), len(folds), SUMS))
    for part, (units, cells) in enumerate(_strata(arrays, of_text)):

        def add(some: slice, weights: Indices, cells: _Cells = cells) -> None:
            for into, columns in zip(drawn, sums, strict=True):
                for (lp, fold), (segments, unit) in cells.items():
                    into[some, lp, fold] += weights[:, unit].astype(np.float64) @ columns[segments]

        add(slice(0, 1), np.ones((1, units), np.int64))
        for some, weights in resamples(units, samples, seed + part) if units else ():
            add(slice(some.start + 1, some.stop + 1), weights)
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


def _strata(arrays: JudgmentArrays, fold_of_text: Indices) -> Iterator[tuple[int, _Cells]]:
    """For each language pair, the units whose first segment belongs to it: their number, and their segments."""
    units = np.concatenate(arrays.folds.units.of_texts)
    part, fold, unit = (_segment_values(arrays, values) for values in (arrays.part, fold_of_text, units))
    for home in range(len(arrays.names)):
        here = np.flatnonzero(part[unit] == home)
        different, places = np.unique(unit[here], return_inverse=True)
        cells = {}
        for cell in sorted({*zip(part[here].tolist(), fold[here].tolist(), strict=True)}):
            chosen = (part[here] == cell[0]) & (fold[here] == cell[1])
            cells[cell] = here[chosen], places[chosen]
        yield len(different), cells


def _segment_values(arrays: JudgmentArrays, of_texts: Indices) -> Indices:
    """Value of each segment, from its texts, which all have the same value."""
    found = np.empty(int(arrays.segment.max()) + 1, np.int64)
    found[arrays.segment] = of_texts
    return found


def digest_of(judgments: Sequence[Judgments]) -> str:
    """Digest of texts and judgments, independent of the order of texts and of language pair names."""
    digest = hashlib.sha256()
    for part in judgments:
        for rows in _rows(part):
            digest.update(json.dumps(sorted(rows), allow_nan=False).encode())
    return digest.hexdigest()


def _rows(part: Judgments) -> Iterator[Iterable[Any]]:
    texts = [_digest([text.segment, text.system, *text.texts.references, text.texts.hypothesis]) for text in part.texts]
    yield texts
    if part.pairs is not None:
        columns = (part.pairs.better.tolist(), part.pairs.worse.tolist(), part.pairs.count.tolist())
        yield ((texts[better], texts[worse], count) for better, worse, count in zip(*columns, strict=True))
    if part.ratings is not None:
        rated = zip(part.ratings.text.tolist(), part.ratings.value.tolist(), strict=True)
        yield ((texts[index], value) for index, value in rated)


def _digest(row: Sequence[Any]) -> str:
    return hashlib.sha256(json.dumps(row, allow_nan=False).encode()).hexdigest()
