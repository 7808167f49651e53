"""Tuning of parameters to human judgments, with cross-validated gain."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from attrs import evolve

from meteorlib.analysis.meta_evaluation.judgments import Judgments
from meteorlib.analysis.meta_evaluation.metrics import code_digest
from meteorlib.analysis.tuning.aligned_texts import AlignedTexts
from meteorlib.analysis.tuning.axes import axes_of
from meteorlib.analysis.tuning.digests import check_different, digest_of
from meteorlib.analysis.tuning.fit import best_points
from meteorlib.analysis.tuning.folds import FOLD_COUNT, FoldKind, folds_of
from meteorlib.analysis.tuning.journal import Journal
from meteorlib.analysis.tuning.judgment_arrays import JudgmentArrays
from meteorlib.analysis.tuning.landscape import Landscape, axes_without_effect
from meteorlib.analysis.tuning.methods import EVALUATIONS, METHODS, Method, point_count
from meteorlib.analysis.tuning.objective import Objective
from meteorlib.analysis.tuning.outcome import GainSettings, outcome
from meteorlib.analysis.tuning.results import Tuning
from meteorlib.errors import InputMismatch, UnknownName
from meteorlib.registry import SEARCHES
from meteorlib.scorer import Scorer

SAMPLES = 1000
SEED = 12_345

Progress = Callable[[str, float, float], object]
"""Callback that receives the name of the current step, the amount done and the total."""


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
    progress: Progress = lambda *_: None,
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

    Warns:
        MeteorWarning: there are few judgments.
    """
    _check(method, samples, folds, confidence)
    stated, axes = Objective.parse(objective), axes_of(scorer.config, fit)
    data = {source: sorted(listed, key=lambda one: one.name) for source, listed in data.items()}
    sources = [(source, one) for source, listed in data.items() for one in listed]
    if not any(one.texts for _, one in sources):
        raise InputMismatch("there is no judgment")
    digests = {source: digest_of(listed) for source, listed in data.items()}
    check_different({source: digests[source] for source, _ in sources})
    judgments = [one for _, one in sources]
    dealt = folds_of(sources, by, folds, seed)
    arrays = JudgmentArrays.of(judgments, dealt, stated)
    align = partial(_align, judgments, jobs, progress)
    base = align(scorer)
    weighs = _weighs(scorer)
    notes = [note for one in judgments for note in one.notes]
    notes += filter(None, [dealt.units.note])
    if method == "evolution":
        without = [axis for axis in axes_without_effect(axes, base) if not (weighs and axis.is_weight)]
        notes += [f"{axis.name} does not affect the scores of these texts; it is left unchanged" for axis in without]
        axes = tuple(axis for axis in axes if axis not in without)
        if not axes:
            raise InputMismatch(f"{', '.join(fit)}: no value changes the scores of these texts; fit other parameters")
    count = point_count(axes, method, evaluations, len(dealt) + 1)
    asked = [str(scorer.signature), digests, str(axes), str(stated), dealt.by, folds, method, evaluations, seed]
    journal = Journal.open(hashlib.sha256(json.dumps([*asked, code_digest()], allow_nan=False).encode()).hexdigest())
    advance = _counter(progress, count)
    landscape = Landscape(scorer, axes, arrays, stated, align, journal, advance, base)
    if weighs:
        landscape = evolve(landscape, anchor=landscape.weights_of(landscape.start()))
    try:
        best = best_points(landscape, method, evaluations, seed)
    except BaseException:
        journal.write()
        raise
    gain_settings = GainSettings(dealt, samples, seed, confidence, partial(progress, "resampling"))
    found = outcome(landscape, best, gain_settings, name, method, evaluations, digests, notes)
    journal.remove()
    return found


def _weighs(scorer: Scorer) -> bool:
    """Whether alignments of a scorer depend on the weights of its stages."""
    return SEARCHES.part(scorer.config.search.name).weighs


def _check(method: str, samples: int, folds: int, confidence: float) -> None:
    if method not in METHODS:
        raise UnknownName("method", method, METHODS)
    for what, number in (("samples", samples), ("folds", folds)):
        if number < 2:
            raise ValueError(f"{what} must be at least 2, got {number}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, got {confidence}")


def _align(judgments: Sequence[Judgments], jobs: int, progress: Progress, scorer: Scorer) -> AlignedTexts:
    done, count = 0, sum(len(text.texts.references) for one in judgments for text in one.texts)

    def advance(more: int) -> None:
        nonlocal done
        done += more
        progress("aligning", done, count)

    return AlignedTexts.of(scorer, judgments, jobs, advance)


def _counter(progress: Progress, count: int) -> Callable[[int], object]:
    done = 0

    def advance(more: int) -> None:
        nonlocal done
        done += more
        progress("trying", done, count)

    return advance
