"""Bootstrap resampling and approximate randomization of scored segments.

Nothing is scored again: additive statistics are summed by matrix products. Random numbers are drawn in sacrebleu's
order, so the same seed gives the same samples in both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meteorlib.analysis.significance.measures import Measure
from meteorlib.arrays import Numbers

CELLS = 1 << 21
"""Cells (samples × segments) drawn at a time; bounds the memory."""

_LONGEST_TABLED_ORDER = 7  # up to this length a table of all orders is several times faster than shuffling
_WORD = 32  # random bits come in words of 32; the rest of a word is discarded after a draw

Columns = NDArray[Any]
Advance = Callable[[int], object]
"""Callback that receives the number of further samples done."""


def bootstrap_scores(
    outputs: Sequence[Columns], measure: Measure, samples: int, seed: int, advance: Advance
) -> Numbers:
    """Scores of the outputs on bootstrap samples of the segments (Koehn 2004).

    Returns:
        One row per output and one column per sample; the samples are the same for all outputs.
    """
    scores = np.empty((len(outputs), samples))
    for some, weights in resamples(len(outputs[0]), samples, seed):
        _score(outputs, weights, measure, scores[:, some])
        advance(len(weights))
    return scores


def resamples(count: int, samples: int, seed: int) -> Iterator[tuple[slice, NDArray[np.int64]]]:
    """Draw bootstrap samples of `count` items: how often each sample contains each item.

    Yields:
        Batches of samples: their slice, and one row of counts for each.
    """
    rng = np.random.default_rng(seed)
    for some in _sample_slices(samples, count):
        rows = some.stop - some.start
        drawn = rng.integers(count, size=(rows, count))
        drawn += np.arange(0, rows * count, count)[:, np.newaxis]
        yield some, np.bincount(drawn.ravel(), minlength=rows * count).reshape(rows, count)


def _score(outputs: Sequence[Columns], weights: NDArray[Any], measure: Measure, scores: Numbers) -> None:
    weighted = {kind: weights.astype(kind) for kind in {columns.dtype for columns in outputs}}
    for row, columns in zip(scores, outputs, strict=True):
        row[:] = measure.scores(weighted[columns.dtype] @ columns)


def half_sums(outputs: Sequence[Columns], samples: int, seed: int, advance: Advance) -> NDArray[np.float64]:
    """Sums of the outputs over random halves of the segments, which shuffles exchange.

    Returns:
        Sums by output and half; the halves are the same for all outputs.
    """
    rng = np.random.default_rng(seed)
    count = len(outputs[0])
    sums = np.empty((len(outputs), samples, outputs[0].shape[1]))
    for some in _sample_slices(samples, count):
        rows = some.stop - some.start
        exchanged = rng.integers(2, size=(rows, count), dtype=bool)
        masks = {kind: exchanged.astype(kind) for kind in {columns.dtype for columns in outputs}}
        for into, columns in zip(sums, outputs, strict=True):
            into[some] = masks[columns.dtype] @ columns
        advance(rows)
    return sums


def exchange_differences(
    one: NDArray[Any], other: NDArray[Any], totals: Sequence[NDArray[Any]], measure: Measure
) -> Numbers:
    """Score differences between two systems after exchanging random halves of their outputs.

    Args:
        one: sums of the first output over the halves; see `half_sums`.
        other: sums of the second output over the same halves.
        totals: sums of both outputs over all segments.
        measure: score to compute from sums.
    """
    return measure.scores(one + (totals[1] - other)) - measure.scores(other + (totals[0] - one))


def shuffle_differences(
    one: Sequence[Columns], other: Sequence[Columns], measure: Measure, samples: int, seed: int, advance: Advance
) -> Numbers:
    """Score differences between two systems with several runs, shuffled segment by segment.

    The outputs of all runs of both systems are randomly reassigned in each segment, keeping the number of runs per
    system (stratified randomization: Clark et al. 2011, section 3.2). A system's score is the mean over its runs.
    """
    rng = np.random.default_rng(seed)
    pool = [*one, *other]
    kind = np.result_type(*pool)
    pool = [columns.astype(kind, copy=False) for columns in pool]
    count = len(pool[0])
    total = sum(columns.sum(axis=0, dtype=np.float64) for columns in pool)
    differences = np.empty(samples)
    for some in _sample_slices(samples, count * len(pool)):
        rows = some.stop - some.start
        places = _random_orders(rng, len(pool), rows * count).reshape(len(pool), rows, count)
        sums = [
            sum(((place == source).astype(kind) @ columns).astype(np.float64) for source, columns in enumerate(pool))
            for place in places[:-1]
        ]
        scores = [measure.scores(run) for run in [*sums, total - sum(sums)]]
        differences[some] = np.mean(scores[: len(one)], axis=0) - np.mean(scores[len(one) :], axis=0)
        advance(rows)
    return differences


def _random_orders(rng: np.random.Generator, size: int, count: int) -> NDArray[np.uint8]:
    """Random permutations of `size` items, one per column."""
    if size <= _LONGEST_TABLED_ORDER:
        table = np.array([*permutations(range(size))], np.uint8).T
        chosen = rng.integers(table.shape[1], size=count, dtype=np.uint16)
        return np.array([row[chosen] for row in np.ascontiguousarray(table)])
    order = np.broadcast_to(np.arange(size, dtype=np.uint8), (count, size))
    return np.ascontiguousarray(rng.permuted(order, axis=1).T)


def _sample_slices(samples: int, cells: int) -> Iterator[slice]:
    """Slices of the samples, sized to bound the memory."""
    size = max(1, CELLS // cells // _WORD) * _WORD
    for first in range(0, samples, size):
        yield slice(first, min(first + size, samples))
