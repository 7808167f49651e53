"""Comparison of systems by any metric: scores with confidence intervals, and paired significance tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from statistics import fmean, stdev
from typing import Any, Unpack, get_args

import numpy as np
from attrs import evolve

from meteorlib.analysis.differences import Difference, Pair
from meteorlib.analysis.results import Compared, Settings, System, SystemComparison, Test
from meteorlib.analysis.significance.resampling import (
    Columns,
    bootstrap_p,
    bootstrap_scores,
    changes,
    check_sampling,
    exchange_differences,
    half_sums,
    holm,
    interval,
    randomization_p,
    ranks,
    shuffle_differences,
    summable,
)
from meteorlib.analysis.significance.scored_outputs import Output, ScoredMetric
from meteorlib.arrays import Numbers
from meteorlib.corpus.batch import Advance, Progress, counted
from meteorlib.corpus.corpus import Corpus
from meteorlib.errors import InputMismatch, UnknownName

PValue = Callable[[str, str, float], float]
"""Function from two systems and the observed difference of their scores to a p value."""


def compare_systems(
    systems: Mapping[str, Corpus | Output | Sequence[Corpus | Output]],
    *,
    progress: Progress = lambda _done, _count: None,
    **settings: Unpack[Settings],
) -> SystemComparison:
    """Compare systems scored by one METEOR variant on the same segments.

    Nothing is scored again. Intervals come from bootstrap resampling; `docs/many-systems.md` has the formulas.

    Args:
        systems: corpus of each system by name, with its segments kept; a list if a system has several runs.
        progress: callback, called periodically with the number of samples done and their total.
        settings: any of these.

            - ``baseline``: name of the system that the others are tested against; None for the first.
            - ``test``: the paired test, ``randomization`` by default, or ``bootstrap``; None for none.
            - ``compared``: ``corpus``, the default, compares corpus scores, ``mean`` the means of the segments' scores.
            - ``samples``: number of bootstrap samples for the intervals, and of shuffles for the randomization test;
              10,000 by default.
            - ``seed``: random seed, 0 or more; 12,345 by default, the same as sacrebleu's.
            - ``confidence``: confidence level of the intervals, between 0 and 1; 0.95 by default.

    Raises:
        InputMismatch: systems differ in their METEOR variant or number of segments; a corpus is empty or does not keep
            its segments; there is no system, or one has no output.
        UnknownName: the baseline, the test or the score to compare is unknown.
        ValueError: ``samples`` is less than 2, ``seed`` is negative, or ``confidence`` is not between 0 and 1.
    """
    outputs = {name: _outputs(name, given) for name, given in systems.items()}
    if not outputs:
        raise InputMismatch("there is no system to compare")
    first, (output, *_) = next(iter(outputs.items()))
    given: dict[str, Any] = {**settings}
    if given.get("baseline") is None:
        given["baseline"] = first
    made = SystemComparison(segment_count=len(output.corpus), **given)
    _check_outputs(outputs, made)
    return compare_metric(ScoredMetric.meteor(outputs, made.compared), made, progress)


def compare_metric(
    metric: ScoredMetric, settings: SystemComparison, progress: Progress = lambda _done, _count: None
) -> SystemComparison:
    """Compare systems by a metric, with baseline, test, samples, seed and level of a comparison by another one."""
    outputs, baseline, level = metric.outputs, settings.baseline, settings.confidence
    scores = {name: [output.score for output in runs] for name, runs in outputs.items()}
    columns = {
        name: [summable(output.columns) for output in runs if output.columns is not None]
        for name, runs in outputs.items()
    }
    resampled: dict[str, Numbers] = {}
    means: dict[str, Numbers] = {}
    pairs: tuple[Pair, ...] = ()
    if all(columns.values()):
        tested = settings.test is not None and len(outputs) > 1
        advance = counted(progress, settings.samples * (1 + tested * _test_passes(columns, settings.test)))
        resampled = bootstrap_scores(columns, metric.measure, settings.samples, settings.seed, advance)
        means = {name: found.mean(axis=0) for name, found in resampled.items()}
        if tested:
            pairs = _pair_tests(metric, settings, columns, means, advance)
    p_values = {pair.system: pair.p for pair in pairs if pair.other == baseline}
    adjusted = dict(zip(p_values, holm([*p_values.values()]), strict=True))
    segments = {name: _segment_means(metric, name) for name in outputs}
    ranked = _ranks(metric, pairs, settings)

    def difference(name: str) -> Difference:
        theirs, ours = segments[baseline], segments[name]
        return Difference(
            fmean(scores[name]) - fmean(scores[baseline]),
            interval(means[name] - means[baseline], level) if means else None,
            p_values.get(name),
            adjusted.get(name),
            None if outputs[name][0].run is None or theirs is None or ours is None else changes(ours, theirs),
        )

    found = [
        System(
            name,
            fmean(scores[name]),
            tuple(output.run for output in runs if output.run is not None),
            interval(means[name], level) if means else None,
            float(resampled[name].std(axis=1, ddof=1).mean()) if means else None,
            stdev(scores[name]) if len(runs) > 1 else None,
            None if name == baseline else difference(name),
            ranked.get(name),
            segments[name],
        )
        for name, runs in outputs.items()
    ]
    return evolve(
        settings, name=metric.name, signature=metric.signature, lower_is_better=metric.lower_is_better,
        percent=metric.percent, systems=tuple(found), pairs=pairs,
    )  # fmt: skip


def _segment_means(metric: ScoredMetric, system: str) -> Numbers | None:
    """Score of each segment, averaged over the runs."""
    found = [output.segments for output in metric.outputs[system] if output.segments is not None]
    return np.mean(found, axis=0) if found else None


def _ranks(metric: ScoredMetric, pairs: Sequence[Pair], settings: SystemComparison) -> dict[str, int]:
    """Rank of each system; empty without tests."""
    if not pairs:
        return {}
    names = list(metric.outputs)
    sign = -1 if metric.lower_is_better else 1
    scores = [sign * fmean(output.score for output in runs) for runs in metric.outputs.values()]
    differ = {frozenset((pair.system, pair.other)) for pair in pairs if settings.significant(pair.p)}
    found = ranks(scores, lambda one, other: frozenset((names[one], names[other])) in differ)
    return dict(zip(names, found, strict=True))


def _pair_tests(
    metric: ScoredMetric,
    settings: SystemComparison,
    columns: Mapping[str, Sequence[Columns]],
    means: Mapping[str, Numbers],
    advance: Advance,
) -> tuple[Pair, ...]:
    """Test every two systems, whose `means` are their scores on each sample; see `Pair` for the directions."""
    if settings.test == "randomization":
        p_value = _randomization_test(metric, settings, columns, advance)
    else:
        p_value = lambda one, other, observed: bootstrap_p(means[one], means[other], observed)  # noqa: E731
    scores = {name: fmean(output.score for output in runs) for name, runs in metric.outputs.items()}
    pairs = []
    for one, other in combinations(scores, 2):
        system, against = (one, other) if other == settings.baseline else (other, one)
        difference = scores[system] - scores[against]
        # tested in the given order: the shuffles of several runs, and so p, must not depend on the baseline
        p = p_value(one, other, difference)
        bounds = interval(means[system] - means[against], settings.confidence)
        pairs.append(Pair(system, against, difference, p, bounds))
    return tuple(pairs)


def _randomization_test(
    metric: ScoredMetric,
    settings: SystemComparison,
    columns: Mapping[str, Sequence[Columns]],
    advance: Advance,
) -> PValue:
    """Approximate randomization test stratified by segment, from the columns of each system's runs."""
    measure, samples, seed = metric.measure, settings.samples, settings.seed
    if _several_runs(columns):

        def shuffle(one: str, other: str, observed: float) -> float:
            differences = shuffle_differences(columns[one], columns[other], measure, samples, seed, advance)
            return randomization_p(differences, observed)

        return shuffle
    outputs = {name: runs[0] for name, runs in columns.items()}
    halves = dict(zip(outputs, half_sums([*outputs.values()], samples, seed, advance), strict=True))
    totals = {name: output.sum(axis=0, dtype=float) for name, output in outputs.items()}

    def exchange(one: str, other: str, observed: float) -> float:
        differences = exchange_differences(halves[one], halves[other], (totals[one], totals[other]), measure)
        return randomization_p(differences, observed)

    return exchange


def _several_runs(columns: Mapping[str, Sequence[Columns]]) -> bool:
    return any(len(runs) > 1 for runs in columns.values())


def _test_passes(columns: Mapping[str, Sequence[Columns]], test: Test | None) -> int:
    """Number of passes over the samples that a test takes."""
    if test != "randomization":
        return 0
    return len(columns) * (len(columns) - 1) // 2 if _several_runs(columns) else 1


def _outputs(name: str, given: Corpus | Output | Sequence[Corpus | Output]) -> tuple[Output, ...]:
    listed = [given] if isinstance(given, Corpus | Output) else given
    try:
        outputs = tuple(output if isinstance(output, Output) else Output.of(output) for output in listed)
    except InputMismatch as error:
        raise InputMismatch(f"system {name!r}: {error}") from None
    if not outputs:
        raise InputMismatch(f"system {name!r} has no output")
    return outputs


def _check_outputs(outputs: Mapping[str, Sequence[Output]], settings: SystemComparison) -> None:
    if settings.baseline not in outputs:
        raise UnknownName("system", settings.baseline, outputs)
    if settings.test is not None and settings.test not in get_args(Test):
        raise UnknownName("test", settings.test, get_args(Test))
    if settings.compared not in get_args(Compared):
        raise UnknownName("score to compare", settings.compared, get_args(Compared))
    (first, one), *others = ((name, output.corpus) for name, listed in outputs.items() for output in listed)
    for name, other in others:
        if other.signature.numbers != one.signature.numbers:
            raise InputMismatch(
                f"systems must be scored by the same METEOR: {first!r} by {one.signature}, "
                f"{name!r} by {other.signature}"
            )
        if len(other) != len(one):
            raise InputMismatch(
                f"systems must have the same number of segments: {first!r} has {len(one)}, {name!r} has {len(other)}"
            )
    check_sampling(settings.confidence, samples=settings.samples)
    if settings.seed < 0:
        raise ValueError(f"seed must not be negative, got {settings.seed}")
