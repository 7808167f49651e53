"""NumPy arrays of segment statistics and scores, the formula applied to many rows at once, and a check of vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.counts import OrderCounts
from meteorlib.core.faults import FaultCounts
from meteorlib.core.formula import FAULT_SHARES, SQUARE, fault_wholes
from meteorlib.core.parameters import FAULTS, Parameters
from meteorlib.core.statistics import Statistics
from meteorlib.core.tabular import Grid, Tabular, numbered
from meteorlib.errors import InvalidVectors

__all__ = ["Breakdowns", "SegmentArrays", "breakdowns", "rescored"]

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]
Vectors = NDArray[np.float32]

Keep = Callable[[tuple[Any, ...], Callable[[], Any]], Any]
"""Name of an intermediate result, and what makes it → the result, which may be known already."""

BLOCK_ROWS = 1 << 13
"""Rows that are rescored at a time: few enough for their data to stay in the processor's cache."""

ORDER_COLUMNS, FAULT_COLUMNS = len(OrderCounts._fields), len(FaultCounts._fields)
"""Numbers of columns after the stages: order counts under ``meteor-2026``, and fault counts if they are counted."""

_LENGTHS, _FUNCTION = slice(0, 2), slice(2, 4)
_CHUNKS, _PENALIZED, _MATCHES, _STAGES = 4, 5, slice(6, 8), 8


@frozen(eq=False)
class SegmentArrays(Tabular):
    """Statistics and scores of many segments.

    Attributes:
        counts: one row for each segment, with the columns of `Statistics.counts`.
        scores: score of each segment. It can differ from the formula of its row, because a preset may take the mean
            of several references.
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
        listed_rows = list(rows)
        counts = np.array([row for row, _ in listed_rows], np.int64)
        return cls(counts, np.array([score for _, score in listed_rows], np.float64))

    @classmethod
    def joined(cls, parts: Sequence[SegmentArrays]) -> Self:
        """The segments of all parts, one after the other."""
        return cls(np.concatenate([part.counts for part in parts]), np.concatenate([part.scores for part in parts]))

    def __len__(self) -> int:
        return len(self.scores)

    def statistics(self) -> Statistics:
        """The sum of the segments' statistics."""
        return Statistics.from_counts(self.counts.sum(axis=0).tolist())

    def _grids(self) -> list[Grid]:
        return [numbered(self.scores.tolist(), "score")]


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
    """Score many statistics at once; the same formula as `meteorlib.core.breakdown.breakdown`.

    The order of the operations is the same; powers may differ in the last digit, because numpy computes its own.

    Args:
        counts: statistics of segments, or sums of them, as integers or as floats: the last axis has the columns of
            `Statistics.counts`.
        parameters: parameters of the formula.

    Returns:
        Arrays of the shape of `counts` without its last axis.

    Raises:
        ValueError: `counts` does not have as many stages as there are weights.
    """
    return _breakdowns(counts.astype(np.float64), parameters, lambda _, make: make())


def rescored(counts: NDArray[Any], settings: Sequence[Parameters], *, jobs: int = 1) -> Numbers:
    """The scores of the same statistics under many parameters.

    Terms that several parameters share (weights, exponents) are computed once. Nothing is aligned again: if a preset's
    search depends on its parameters, aligning again may give other alignments.

    Args:
        counts: a row for each segment, as in `SegmentArrays.counts`.
        settings: the parameters; memory stays small for up to some hundreds at a time.
        jobs: number of threads.

    Returns:
        A row for each of `settings`, a column for each segment.

    Raises:
        ValueError: `counts` does not have as many stages as there are weights.
    """
    scores = np.empty((len(settings), len(counts)))

    def fill(first: int) -> None:
        block = np.asfortranarray(counts[first : first + BLOCK_ROWS], np.float64)
        known: dict[tuple[Any, ...], Any] = {}

        def keep(key: tuple[Any, ...], make: Callable[[], Any]) -> Any:
            if key not in known:
                known[key] = make()
            return known[key]

        for row, parameters in zip(scores, settings, strict=True):
            row[first : first + BLOCK_ROWS] = _breakdowns(block, parameters, keep).score

    blocks = range(0, len(counts), BLOCK_ROWS)
    if jobs == 1:
        for first in blocks:
            fill(first)
    else:
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 – slow to load

        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(fill, blocks))
    return scores


def _breakdowns(counts: Numbers, parameters: Parameters, keep: Keep) -> Breakdowns:
    ordered = parameters.ordered
    stages = counts.shape[-1] - _STAGES - ORDER_COLUMNS * ordered
    faulted = ordered and stages == 4 * len(parameters.weights) + FAULT_COLUMNS
    if parameters.counts_faults and not faulted:
        raise ValueError("the statistics have no counts of faults, which the parameters penalize; score the text again")
    stages -= FAULT_COLUMNS * faulted
    if stages != 4 * len(parameters.weights):
        raise ValueError(f"counts of {stages / 4:g} stages, but the parameters have {len(parameters.weights)} weights")
    alpha, weighting = parameters.alpha, (parameters.delta, parameters.weights)
    mean = "f_mean", *weighting, alpha, parameters.formula
    with np.errstate(all="ignore"):
        precision, recall = keep(("sides", *weighting), lambda: _precision_and_recall(counts, parameters))
        f1 = keep(("f1", *weighting), lambda: 2 * precision * recall / (precision + recall))
        f_mean = keep(mean, lambda: _weighted_mean(precision, recall, parameters))
        fragmentation, penalty = (_penalty_of_order if ordered else _penalty)(counts, parameters, keep)
        score = f_mean * (1.0 - penalty)
    score = np.where(score > 0, score, 0.0)
    return Breakdowns(score, precision, recall, f1, f_mean, fragmentation, penalty)


def _penalty(counts: Numbers, parameters: Parameters, keep: Keep) -> tuple[Numbers, Numbers]:
    """Fragmentation and penalty."""
    beta, chunks = parameters.beta, _PENALIZED if parameters.exempts_perfect else _CHUNKS
    fragmentation = keep((chunks,), lambda: counts[..., chunks] / (counts[..., _MATCHES].sum(axis=-1) / 2))
    return fragmentation, parameters.gamma * keep((chunks, beta), lambda: fragmentation**beta)


def _penalty_of_order(counts: Numbers, parameters: Parameters, keep: Keep) -> tuple[Numbers, Numbers]:
    """Fragmentation and penalty of ``meteor-2026``."""
    beta, crossing_beta = parameters.beta, parameters.crossing_beta
    first = _STAGES + 4 * len(parameters.weights)
    fragmentation, share = keep(("order",), lambda: _fragmentation_and_crossing(counts, first))
    penalty = parameters.gamma * keep(("order", beta), lambda: fragmentation**beta)
    penalty = penalty + parameters.crossing * keep(("share", crossing_beta), lambda: share**crossing_beta)
    if parameters.counts_faults:
        shares = keep(("faults",), lambda: _fault_shares(counts, first + ORDER_COLUMNS))
        for name in FAULTS:
            penalty = penalty + getattr(parameters, name) * shares[name]
    return fragmentation, np.minimum(penalty, 1.0)


def _fault_shares(counts: Numbers, first: int) -> dict[str, Numbers]:
    """For each penalty of a fault the share that it is multiplied by."""
    columns: Any = (counts[..., place] for place in range(first, first + FAULT_COLUMNS))
    faults: Any = FaultCounts(*columns)
    wholes = fault_wholes(faults, counts[..., _CHUNKS] - counts[..., _PENALIZED])
    shares = {}
    for name, (count, whole, exponent) in FAULT_SHARES.items():
        share = np.where(wholes[whole] > 0, getattr(faults, count) / wholes[whole], 0.0)
        shares[name] = share * share if exponent == SQUARE else share
    return shares


def _fragmentation_and_crossing(counts: Numbers, first: int) -> tuple[Numbers, Numbers]:
    """Fragmentation, and the share of pairs of matches that cross."""
    junctions, crossings, pairs = (counts[..., place] for place in range(first, first + ORDER_COLUMNS))
    fragmentation = np.where(junctions > 0, counts[..., _PENALIZED] / (junctions / 2), 0.0)
    return fragmentation, np.where(pairs > 0, crossings / pairs, 0.0)


def _precision_and_recall(counts: Numbers, parameters: Parameters) -> tuple[Numbers, Numbers]:
    """Precision and recall."""
    delta = parameters.delta
    rest = 1.0 - delta
    function = counts[..., _FUNCTION]
    lengths = delta * (counts[..., _LENGTHS] - function) + rest * function
    matches, part = np.zeros_like(lengths), np.empty_like(lengths)
    for kind, share in enumerate((delta, rest)):
        for stage, weight in enumerate(parameters.weights):
            first = _STAGES + 4 * stage + 2 * kind
            np.multiply(counts[..., first : first + 2], weight, out=part)
            part *= share
            matches += part
    sides = matches / lengths
    return sides[..., 0], sides[..., 1]


def _weighted_mean(precision: Numbers, recall: Numbers, parameters: Parameters) -> Numbers:
    alpha = parameters.alpha
    if parameters.formula == "meteor-1.5":
        return 1.0 / ((1.0 - alpha) / precision + alpha / recall)
    weighted = alpha * precision + (1.0 - alpha) * recall
    return np.where(weighted == 0, 0.0, precision * recall / weighted)


def checked_vectors(given: Any, whose: str, shape: Sequence[int]) -> Vectors:
    """Vectors in single precision, after the check that all vectors pass before they are compared or cached.

    Args:
        given: what a function, a model or a file gave: an array, or lists of numbers.
        whose: subject of the error message, such as ``the vector of 'cat'``.
        shape: shape that the array must have; 0 stands for any length but 0.

    Raises:
        InvalidVectors: it has another shape, other entries than real numbers, or one that is not finite in single
            precision.
    """
    try:
        found = np.asarray(given)
    except Exception as error:  # lists of different lengths, or whatever the conversion of an object raises
        raise _invalid(whose, shape, f"something that is no array ({error})") from error
    if found.ndim != len(shape) or any(
        length == 0 or wanted not in {0, length} for length, wanted in zip(found.shape, shape, strict=True)
    ):
        raise _invalid(whose, shape, f"an array of shape {found.shape}")
    if not np.can_cast(found.dtype, np.float32, "same_kind"):
        raise _invalid(whose, shape, f"entries of type {found.dtype}")
    with np.errstate(over="ignore"):
        vectors: Vectors = found.astype(np.float32, copy=False)
    if not np.isfinite(vectors).all():
        raise _invalid(whose, shape, f"{found[~np.isfinite(vectors)][0]}")
    return vectors


def _invalid(whose: str, shape: Sequence[int], got: str) -> InvalidVectors:
    *rows, width = shape
    numbers = f"{width or ''} finite number{'s' * (width != 1)}".strip()
    wanted = f"{' × '.join(map(str, rows))} vectors of {numbers} in single precision each" if rows else numbers
    return InvalidVectors(f"{whose} must be {wanted}, got {got}")


def unit_rows(rows: Vectors) -> Vectors:
    """Rows scaled to length 1; rows of zeros stay.

    A power of 2, by which dividing is exact, keeps the squares of large and of tiny numbers in single precision.
    """
    _, exponents = np.frexp(np.abs(rows).max(axis=-1, keepdims=True))
    scaled = np.ldexp(rows, -exponents)
    lengths = np.linalg.norm(scaled, axis=-1, keepdims=True)
    units: Vectors = scaled / np.where(lengths, lengths, 1)
    return units
