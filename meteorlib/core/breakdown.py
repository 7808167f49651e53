"""The formula: statistics and parameters → ScoreBreakdown. It stands nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, isnan, nan

from attrs import evolve, field, frozen

from meteorlib.core.alignment import Alignment
from meteorlib.core.parameters import Parameters
from meteorlib.core.statistics import Statistics


@frozen
class ScoreBreakdown:
    """A score and everything it was made from; one class for a segment and for a corpus.

    All numbers are between 0 and 1. What has no value (a precision of an empty hypothesis, the penalty where nothing
    matches) is NaN, as in METEOR 1.5; `score` is 0 there.

    Attributes:
        score: F_mean · (1 − penalty).
        precision: weighted matches by weighted length of the hypothesis.
        recall: weighted matches by weighted length of the reference.
        f1: harmonic mean of the two.
        f_mean: their mean weighted by alpha.
        fragmentation: penalized chunks by mean matched words.
        penalty: gamma · fragmentation ^ beta.
        statistics: the counts behind it.
        alignment: the alignment of a segment; None for a corpus.
        reference_index: which reference was the best, from 0; None for a corpus.
        optimal: False where the search of some segment hit its budget.
    """

    score: float
    precision: float
    recall: float
    f1: float
    f_mean: float
    fragmentation: float
    penalty: float
    statistics: Statistics
    alignment: Alignment | None = field(default=None, repr=False)
    reference_index: int | None = None
    optimal: bool = True


def breakdown(
    statistics: Statistics,
    parameters: Parameters,
    alignment: Alignment | None = None,
    reference_index: int | None = None,
    optimal: bool = True,
) -> ScoreBreakdown:
    """Score `statistics` (Banerjee & Lavie 2005, section 2.2; Denkowski & Lavie 2011, section 3).

    The order of the operations is METEOR 1.5's, so that the last digit is too.
    """
    delta = parameters.delta
    rest = 1.0 - delta
    function = statistics.hypothesis_function_words
    hypothesis_length = delta * (statistics.hypothesis_length - function) + rest * function
    function = statistics.reference_function_words
    reference_length = delta * (statistics.reference_length - function) + rest * function

    hypothesis_matches = reference_matches = 0.0
    weighted = list(zip(statistics.stages, parameters.weights, strict=True))
    for stage, weight in weighted:
        hypothesis_matches += stage[0] * weight * delta
        reference_matches += stage[1] * weight * delta
    for stage, weight in weighted:
        hypothesis_matches += stage[2] * weight * rest
        reference_matches += stage[3] * weight * rest

    precision = hypothesis_matches / hypothesis_length if hypothesis_length else nan
    recall = reference_matches / reference_length if reference_length else nan
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else nan
    f_mean = weighted_mean(precision, recall, parameters)
    matched = (statistics.hypothesis_matches + statistics.reference_matches) / 2
    fragmentation = statistics.penalized_chunks / matched if matched else nan
    penalty = parameters.gamma * fragmentation**parameters.beta
    score = penalized(f_mean, penalty)
    return ScoreBreakdown(
        0.0 if isnan(score) else max(score, 0.0),
        precision,
        recall,
        f1,
        f_mean,
        fragmentation,
        penalty,
        statistics,
        alignment,
        reference_index,
        optimal,
    )


def mean_breakdown(scored: Sequence[ScoreBreakdown]) -> ScoreBreakdown:
    """Every number the mean over the references of one hypothesis, the statistics their sum."""

    def mean(name: str) -> float:
        return fsum(getattr(one, name) for one in scored) / len(scored)

    names = ("score", "precision", "recall", "f1", "f_mean", "fragmentation", "penalty")
    statistics = scored[0].statistics
    for one in scored[1:]:
        statistics += one.statistics
    return evolve(
        scored[0],
        **{name: mean(name) for name in names},
        statistics=statistics,
        alignment=None,
        reference_index=None,
        optimal=all(one.optimal for one in scored),
    )


def penalized(f_mean: float, penalty: float) -> float:
    """The score, from F_mean and penalty."""
    return f_mean * (1.0 - penalty)


def weighted_mean(precision: float, recall: float, parameters: Parameters) -> float:
    """F_mean: the harmonic mean of precision and recall, weighted by alpha; 0 where both are, NaN where one is NaN."""
    alpha = parameters.alpha
    if isnan(precision) or isnan(recall):
        return nan
    if parameters.formula == "meteor-1.5":
        if (not precision and alpha == 1) or (not recall and alpha == 0):
            return nan
        if not precision or not recall:
            return 0.0
        return 1.0 / ((1.0 - alpha) / precision + alpha / recall)
    weighted = alpha * precision + (1.0 - alpha) * recall
    return precision * recall / weighted if weighted else 0.0
