"""Segments as arrays: their statistics, their scores, and the formula for many sums at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.parameters import Parameters
from meteorlib.core.statistics import Statistics

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]

ORDER = 3
"""Columns behind those of the stages that statistics of ``meteor-2026`` have."""

_LENGTHS, _FUNCTION = slice(0, 2), slice(2, 4)
_PENALIZED, _MATCHES, _STAGES = 5, slice(6, 8), 8


@frozen(eq=False)
class SegmentArrays:
    """Statistics and scores of many segments.

    Attributes:
        counts: a row for each segment; its columns are those of `Statistics.counts`.
        scores: the score of each segment. It is not always the formula of its row: of several references a preset may
            take the mean.
    """

    counts: Counts
    scores: Numbers

    @classmethod
    def of(cls, segments: Iterable[ScoreBreakdown]) -> Self:
        """The arrays of scored segments, e.g. of a `Corpus`."""
        return cls.made((one.statistics.counts(), one.score) for one in segments)

    @classmethod
    def made(cls, rows: Iterable[tuple[tuple[int, ...], float]]) -> Self:
        """The arrays of counts and scores, a pair for each segment."""
        listed = list(rows)
        counts = np.array([row for row, _ in listed], np.int64)
        return cls(counts, np.array([score for _, score in listed], np.float64))

    @classmethod
    def joined(cls, parts: Sequence[SegmentArrays]) -> Self:
        """The segments of all parts, one after the other."""
        return cls(np.concatenate([part.counts for part in parts]), np.concatenate([part.scores for part in parts]))

    def __len__(self) -> int:
        return len(self.scores)

    def statistics(self) -> Statistics:
        """The sum of the segments' statistics."""
        return Statistics.from_counts(self.counts.sum(axis=0).tolist())


class Breakdowns(NamedTuple):
    """The numbers of many breakdowns, each an array; see `ScoreBreakdown`."""

    score: Numbers
    precision: Numbers
    recall: Numbers
    f1: Numbers
    f_mean: Numbers
    fragmentation: Numbers
    penalty: Numbers


def breakdowns(counts: NDArray[Any], parameters: Parameters) -> Breakdowns:
    """Score many statistics at once; the twin of `meteorlib.core.breakdown.breakdown`.

    The order of the operations is the same; powers may differ in the last digit, because numpy computes its own.

    Args:
        counts: statistics of segments, or sums of them, as integers or as floats: the last axis has the columns of
            `Statistics.counts`.
        parameters: those of the formula.

    Returns:
        Arrays of the shape of `counts` without its last axis.

    Raises:
        ValueError: `counts` does not have as many stages as there are weights.
    """
    ordered = parameters.formula == "meteor-2026"
    stages = counts.shape[-1] - _STAGES - ORDER * ordered
    if stages != 4 * len(parameters.weights):
        raise ValueError(f"counts of {stages / 4:g} stages, but the parameters have {len(parameters.weights)} weights")
    counts = counts.astype(np.float64)
    delta = parameters.delta
    rest = 1.0 - delta
    function = counts[..., _FUNCTION]
    lengths = delta * (counts[..., _LENGTHS] - function) + rest * function
    matches = np.zeros_like(lengths)
    for kind, share in enumerate((delta, rest)):
        for stage, weight in enumerate(parameters.weights):
            first = _STAGES + 4 * stage + 2 * kind
            matches += counts[..., first : first + 2] * weight * share
    with np.errstate(all="ignore"):
        sides = matches / lengths
        precision, recall = sides[..., 0], sides[..., 1]
        f1 = 2 * precision * recall / (precision + recall)
        f_mean = _weighted_mean(precision, recall, parameters)
        if ordered:
            fragmentation, penalty = _penalty_of_order(counts, parameters)
        else:
            fragmentation = counts[..., _PENALIZED] / (counts[..., _MATCHES].sum(axis=-1) / 2)
            penalty = parameters.gamma * fragmentation**parameters.beta
        score = f_mean * (1.0 - penalty)
    score = np.where(score > 0, score, 0.0)
    return Breakdowns(score, precision, recall, f1, f_mean, fragmentation, penalty)


def _penalty_of_order(counts: Numbers, parameters: Parameters) -> tuple[Numbers, Numbers]:
    """Fragmentation and penalty of ``meteor-2026``."""
    junctions, crossings, pairs = (counts[..., place] for place in range(-ORDER, 0))
    fragmentation = np.where(junctions > 0, counts[..., _PENALIZED] / (junctions / 2), 0.0)
    share = np.where(pairs > 0, crossings / pairs, 0.0)
    penalty = parameters.gamma * fragmentation**parameters.beta + parameters.crossing * share**parameters.crossing_beta
    return fragmentation, np.minimum(penalty, 1.0)


def _weighted_mean(precision: Numbers, recall: Numbers, parameters: Parameters) -> Numbers:
    alpha = parameters.alpha
    if parameters.formula == "meteor-1.5":
        return 1.0 / ((1.0 - alpha) / precision + alpha / recall)
    weighted = alpha * precision + (1.0 - alpha) * recall
    return np.where(weighted == 0, 0.0, precision * recall / weighted)
