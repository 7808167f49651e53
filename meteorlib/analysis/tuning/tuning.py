"""Tuning of parameters to human judgments, with cross-validated gain."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from attrs import evolve

from meteorlib._version import __version__
from meteorlib.analysis.meta_evaluation.judgments import Judgments
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
"""Told what is being done, how much of it is done, and how much there is."""


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
    """Fit parameters of a METEOR to judgments of people.

    Texts are aligned once; for other numbers of the formula their statistics are rescored. What was tried is kept in
    the cache folder until the end: after an interruption the same call goes on. `docs/tune.md` explains all of it.

    Args:
        scorer: the METEOR to begin with, and to compare with.
        data: name of a set of judgments (a year, say) → the judgments of its language pairs.
        fit: what is fitted; see `axes_of`.
        objective: what is to become great; see `Objective.parse`.
        method: ``evolution`` or ``grid``.
        by: what folds are made of: ``data``, ``lp`` (language pairs), ``document``, ``segment``; None for the first of
            data, lp and segment of which there are several.
        folds: how many there are, of documents or segments.
        evaluations: how many points one search of ``evolution`` tries, at most.
        samples: how many test sets are drawn for the interval of the gain.
        seed: of the random numbers; the same one has the same result.
        confidence: level of the interval.
        name: of the new preset.
        jobs: number of processes that align (see `meteorlib.Scorer.arrays`), and of threads that rescore.
        progress: is told what is done.

    Raises:
        InputMismatch: judgments that nothing can be learned from; values that a parameter cannot have; one fold.
        UnknownName: there is no such parameter, statistic or method.
        ConfigError: a preset cannot have such values together.
        ExtraMissing: ``evolution`` needs scipy, which is not installed.
        ValueError: fewer than 2 samples or folds, or a level that is not between 0 and 1.

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
        notes += [f"{axis.name} makes no difference to these texts; it stays as it is" for axis in without]
        axes = tuple(axis for axis in axes if axis not in without)
        if not axes:
            raise InputMismatch(f"{', '.join(fit)}: whatever the value, these texts are scored alike; fit others")
    count = point_count(axes, method, evaluations, len(dealt) + 1)
    asked = [str(scorer.signature), digests, str(axes), str(stated), dealt.by, folds, method, evaluations, seed]
    journal = Journal.open(hashlib.sha256(json.dumps([*asked, __version__]).encode()).hexdigest())
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
    """Whether its alignments depend on the weights of its stages."""
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
