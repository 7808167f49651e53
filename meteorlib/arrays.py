"""NumPy arrays of segment statistics and scores, the formula applied to many rows at once, and a check of vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import nan
from typing import Any, NamedTuple, Self

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.faults import FaultCounts
from meteorlib.core.formula import ScoringFormula
from meteorlib.core.parameters import Parameters
from meteorlib.core.statistics import OrderCounts, Statistics
from meteorlib.display.displayable import Grid, Tabular, numbered
from meteorlib.errors import InvalidVectors

__all__ = ["Breakdowns", "SegmentArrays", "breakdowns", "rescored"]

Counts = NDArray[np.int64]
Numbers = NDArray[np.float64]
Vectors = NDArray[np.float32]

BLOCK_ROWS = 1 << 13
"""Rows that are rescored at a time: few enough for their data to stay in the processor's cache."""

ORDER_COLUMNS, FAULT_COLUMNS = len(OrderCounts._fields), len(FaultCounts._fields)
"""Numbers of columns after the stages: order counts under ``meteor-2026``, and fault counts if they are counted."""

_FIRST_STAGE = 8
"""Columns before those of the stages."""


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
        return cls.made((scored.statistics.counts(), scored.score) for scored in segments)

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
    _check_columns(counts.shape[-1], parameters)
    with np.errstate(all="ignore"):
        return _ArrayFormula().breakdowns(counts.astype(np.float64, copy=False), parameters)


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
    for parameters in settings:
        _check_columns(counts.shape[-1], parameters)
    scores = np.empty((len(settings), len(counts)))

    def fill(first: int) -> None:
        block = np.asfortranarray(counts[first : first + BLOCK_ROWS], np.float64)
        formula = _KeptSteps()
        with np.errstate(all="ignore"):
            for row, parameters in zip(scores, settings, strict=True):
                row[first : first + BLOCK_ROWS] = formula.breakdowns(block, parameters).score

    blocks = range(0, len(counts), BLOCK_ROWS)
    if jobs == 1:
        for first in blocks:
            fill(first)
    else:
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 – slow to load

        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(fill, blocks))
    return scores


class _ArrayFormula(ScoringFormula):
    """The formula on statistics that consist of arrays."""

    quotient: Any = staticmethod(np.divide)
    power: Any = staticmethod(np.power)
    least: Any = staticmethod(np.minimum)

    @staticmethod
    def share(part: Any, whole: Any) -> Any:
        return np.where(whole == 0, 0.0, part / whole)

    @staticmethod
    def positive(score: Any) -> Any:
        return np.where(score > 0, score, 0.0)

    def breakdowns(self, counts: Numbers, parameters: Parameters) -> Breakdowns:
        """Score the statistics in the last axis of `counts`."""
        numbers: Any = self.numbers(self.statistics(counts, len(parameters.weights)), parameters)
        return Breakdowns(*numbers)

    def statistics(self, counts: Numbers, stages: int) -> Statistics:
        """The columns of `counts` as statistics."""
        columns: Any = [counts[..., column] for column in range(counts.shape[-1])]
        return Statistics.from_counts(columns, stages)


class _KeptSteps(_ArrayFormula):
    """The formula on the same arrays under many parameters: steps that several of them share are computed once."""

    def __init__(self) -> None:
        for name, arrays in _KEPT.items():
            setattr(self, name, _kept(getattr(self, name), arrays))

    def harmonic_mean(self, *_: float) -> float:
        return nan  # not part of the score


_KEPT = {
    "statistics": 1, "precision_and_recall": 1, "weighted_mean": 2, "fragmentation": 1, "power": 1, "crossing_share": 1,
    "fault_shares": 1,
}  # fmt: skip
"""Steps that many parameters share, and how many of their arguments are arrays; the others are plain values."""


def _kept(step: Callable[..., Any], arrays: int) -> Callable[..., Any]:
    """Keep the results of a step by its arguments: arrays by their identity, then plain values."""
    results: dict[tuple[Any, ...], Any] = {}

    def kept(first: Any, *others: Any) -> Any:
        key = (id(first), *others) if arrays == 1 else (id(first), id(others[0]), *others[1:])
        if key not in results:
            results[key] = step(first, *others), first, others  # as long as an array is alive, no other has its id
        return results[key][0]

    return kept


def _check_columns(columns: int, parameters: Parameters) -> None:
    stages = columns - _FIRST_STAGE - ORDER_COLUMNS * parameters.ordered
    faulted = parameters.ordered and stages == 4 * len(parameters.weights) + FAULT_COLUMNS
    stages -= FAULT_COLUMNS * faulted
    if stages != 4 * len(parameters.weights) and (faulted or not parameters.counts_faults):
        raise ValueError(f"counts of {stages / 4:g} stages, but the parameters have {len(parameters.weights)} weights")


def checked_vectors(given: Any, whose: str, shape: Sequence[int]) -> Vectors:
    """Vectors in single precision, after the check that all vectors pass before they are compared or cached.

    The array, or the lists, must have the shape, in which 0 stands for any length but 0, and real numbers that are
    finite in single precision; `whose` is the subject of the message, such as ``the vector of 'cat'``.
    """
    try:
        array = np.asarray(given)
    except Exception as error:  # lists of different lengths, or whatever the conversion of an object raises
        raise _invalid(whose, shape, f"something that is no array ({error})") from error
    if array.ndim != len(shape) or any(
        length == 0 or wanted not in {0, length} for length, wanted in zip(array.shape, shape, strict=True)
    ):
        raise _invalid(whose, shape, f"an array of shape {array.shape}")
    if not np.can_cast(array.dtype, np.float32, "same_kind"):
        raise _invalid(whose, shape, f"entries of type {array.dtype}")
    with np.errstate(over="ignore"):
        vectors: Vectors = array.astype(np.float32, copy=False)
    if not np.isfinite(vectors).all():
        raise _invalid(whose, shape, f"{array[~np.isfinite(vectors)][0]}")
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
