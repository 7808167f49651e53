"""Scores of other metrics for compared systems, with intervals and paired tests like those of METEOR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

import numpy as np
from attrs import frozen

from meteorlib.analysis.results import MetricComparison, MetricSystem, Pair, SystemComparison
from meteorlib.analysis.significance.measures import SumScore
from meteorlib.analysis.significance.pairs import pair_tests, paired_test
from meteorlib.analysis.significance.pvalues import holm, interval
from meteorlib.analysis.significance.resampling import bootstrap_scores, summable
from meteorlib.arrays import Numbers


@frozen(eq=False)
class MetricOutput:
    """An output of a system, scored by a metric.

    Attributes:
        score: score of the whole test set.
        columns: additive columns, one row per segment; None if only the whole is scored.
        segments: score of each segment; None if only the whole is scored.
    """

    score: float
    columns: Numbers | None = None
    segments: Numbers | None = None


@frozen(eq=False)
class ScoredMetric:
    """A metric with its scores of every run of every system.

    Attributes:
        name: name of the metric.
        signature: signature of the metric; empty if unknown.
        measure: computes the score of a test set from summed columns.
        outputs: runs of each system by name.
        lower_is_better: whether the metric counts errors.
        percent: whether scores range up to 100.
        note: what users should know of the scores; empty if nothing.
    """

    name: str
    signature: str
    measure: SumScore
    outputs: Mapping[str, Sequence[MetricOutput]]
    lower_is_better: bool = False
    percent: bool = False
    note: str = ""


def compare_metric(metric: ScoredMetric, comparison: SystemComparison) -> MetricComparison:
    """Compare systems by another metric, with baseline, test, samples, seed and level of a comparison by METEOR."""
    baseline, samples, seed = comparison.baseline, comparison.samples, comparison.seed
    outputs = metric.outputs
    scores = {name: fmean(one.score for one in listed) for name, listed in outputs.items()}
    columns = {
        name: [summable(one.columns) for one in listed if one.columns is not None] for name, listed in outputs.items()
    }
    means: dict[str, Numbers] = {}
    pairs: tuple[Pair, ...] = ()
    if all(columns.values()):
        drawn = bootstrap_scores(columns, metric.measure, samples, seed, lambda _: None)
        means = {name: listed.mean(axis=0) for name, listed in drawn.items()}
        if comparison.test is not None:
            p_value = paired_test(comparison.test, columns, means, metric.measure, samples, seed, lambda _: None)
            pairs = pair_tests(scores, baseline, p_value, means, comparison.confidence)
    p_values = {pair.system: pair.p for pair in pairs if pair.other == baseline}
    adjusted = dict(zip(p_values, holm([*p_values.values()]), strict=True))
    systems = {
        name: MetricSystem(
            scores[name],
            interval(means[name], comparison.confidence) if means else None,
            None if name == baseline else scores[name] - scores[baseline],
            p_values.get(name),
            adjusted.get(name),
            _segments(listed),
        )
        for name, listed in outputs.items()
    }
    return MetricComparison(metric.name, metric.signature, metric.lower_is_better, metric.percent, systems, pairs)


def group_scores(metric: ScoredMetric, labels: Sequence[str]) -> dict[str, dict[str, float]]:
    """Score each group of segments by another metric, from summed columns, averaged over the runs.

    Args:
        metric: the metric with its scores.
        labels: label of each segment.

    Returns:
        For each system, the score of each label; empty if only whole test sets are scored.
    """
    found, places = np.unique(np.array(labels, object), return_inverse=True)
    scores: dict[str, dict[str, float]] = {}
    for name, runs in metric.outputs.items():
        columns = [one.columns for one in runs if one.columns is not None]
        if not columns:
            return {}
        of_runs = []
        for each in columns:
            sums = np.zeros((len(found), each.shape[1]), each.dtype)
            np.add.at(sums, places, each)
            of_runs.append(metric.measure.scores(sums))
        scores[name] = dict(zip(found.tolist(), np.mean(of_runs, axis=0).tolist(), strict=True))
    return scores


def _segments(runs: Sequence[MetricOutput]) -> tuple[float, ...] | None:
    found = [one.segments for one in runs if one.segments is not None]
    return tuple(np.mean(found, axis=0).tolist()) if found else None
