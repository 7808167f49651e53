"""Bootstrap resampling and approximate randomization of scored segments; intervals, p values and ranks.

Nothing is scored again: additive statistics are summed by matrix products. Random numbers are drawn in sacrebleu's
order, so the same seed gives the same samples in both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, Self

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from meteorlib.analysis.differences import Changes, Interval
from meteorlib.analysis.significance.scored_outputs import SumScore
from meteorlib.arrays import Numbers
from meteorlib.corpus.batch import Advance

CELLS = 1 << 19
"""Cells (samples × segments) drawn at a time: so few that their counts stay in the processor's cache."""

_LONGEST_TABLED_ORDER = 7  # up to this length a table of all orders is several times faster than shuffling
_WORD = 32  # random bits come in words of 32; the rest of a word is discarded after a draw

_EXACT_BITS = 52  # one less than a double holds: rounding up may make a sum a little larger

ROUNDING = 1e-12
"""Score differences closer than this count as equal."""

BANDS = 20
"""Number of bands of `Changes`, from -1 to 1."""

Columns = NDArray[Any]


def check_sampling(confidence: float, **counts: int) -> None:
    """Raise `ValueError` if the confidence is not between 0 and 1, or a count is less than 2."""
    for what, number in counts.items():
        if number < 2:
            raise ValueError(f"{what} must be at least 2, got {number}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, got {confidence}")


@frozen(eq=False)
class _Summed:
    """Columns of all outputs side by side, so that one matrix product sums them all.

    Attributes:
        columns: the columns that are not 0 in every segment.
        places: where these stand among all columns of all outputs.
        shape: number of outputs, and of columns of each.
    """

    columns: Columns
    places: NDArray[np.intp]
    shape: tuple[int, int]

    @classmethod
    def of(cls, outputs: Sequence[Columns]) -> Self:
        """Lay the columns of outputs side by side; each is in single precision if all are."""
        width = outputs[0].shape[1]
        used = [
            (output, column) for output, columns in enumerate(outputs) for column in np.flatnonzero(columns.any(axis=0))
        ]
        columns = np.empty((len(outputs[0]), len(used)), _float_type(outputs))
        for into, (output, place) in enumerate(used):
            columns[:, into] = outputs[output][:, place]
        places = np.array([output * width + place for output, place in used], np.intp)
        return cls(columns, places, (len(outputs), width))

    def sums(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        """Weighted sums of the columns, by output and by row of the weights."""
        outputs, width = self.shape
        sums = np.zeros((outputs * width, len(weights)))
        sums[self.places] = (weights.astype(self.columns.dtype) @ self.columns).T
        return sums.reshape(outputs, width, len(weights)).swapaxes(1, 2)


def _float_type(outputs: Sequence[Columns]) -> np.dtype[Any]:
    """Single precision if all columns are in it, else double precision."""
    return np.result_type(np.float32, *outputs)


def summable(columns: Columns) -> Columns:
    """Round columns in double precision to a grid on which no sum over the segments is rounded.

    The order in which a matrix product adds differs between processors and numbers of outputs; an exact sum does not
    depend on it. The grid depends on the largest value: 20,000 scores up to 1 are moved by at most 4e-12.
    """
    largest = float(np.abs(columns).max(initial=0)) if columns.dtype == np.float64 else np.inf
    if not np.isfinite(largest):
        return columns
    _, exponent = np.frexp(largest * len(columns))
    rounded: Columns = np.ldexp(np.round(np.ldexp(columns, _EXACT_BITS - exponent)), exponent - _EXACT_BITS)
    return rounded


def bootstrap_scores(
    columns: Mapping[str, Sequence[Columns]], measure: SumScore, samples: int, seed: int, advance: Advance
) -> dict[str, Numbers]:
    """Scores of each system's runs on bootstrap samples of the segments (Koehn 2004).

    Returns:
        For each system, one row per run and one column per sample; the samples are the same for all runs.
    """
    outputs = [output for runs in columns.values() for output in runs]
    summed = _Summed.of(outputs)
    scores = np.empty((len(outputs), samples))
    for some, weights in resamples(len(outputs[0]), samples, seed):
        scores[:, some] = measure.scores(summed.sums(weights))
        advance(len(weights))
    ends = np.cumsum([len(runs) for runs in columns.values()])[:-1]
    return dict(zip(columns, np.split(scores, ends), strict=True))


def resamples(count: int, samples: int, seed: int) -> Iterator[tuple[slice, NDArray[np.int64]]]:
    """Draw bootstrap samples of `count` items: how often each sample contains each item.

    Yields:
        Batches of samples: their slice, and one row of counts for each.
    """
    rng = np.random.default_rng(seed)
    for some in _sample_slices(samples, count):
        rows = some.stop - some.start
        drawn = rng.integers(count, size=(rows, count))
        drawn += count * np.arange(rows)[:, np.newaxis]
        weights = np.bincount(drawn.ravel(), minlength=rows * count).reshape(rows, count)
        del drawn  # while the weights are used
        yield some, weights


def half_sums(outputs: Sequence[Columns], samples: int, seed: int, advance: Advance) -> NDArray[np.float64]:
    """Sums of the outputs over random halves of the segments, which shuffles exchange.

    Returns:
        Sums by output and half; the halves are the same for all outputs.
    """
    rng = np.random.default_rng(seed)
    count = len(outputs[0])
    summed = _Summed.of(outputs)
    sums = np.empty((len(outputs), samples, outputs[0].shape[1]))
    for some in _sample_slices(samples, count):
        rows = some.stop - some.start
        sums[:, some] = summed.sums(rng.integers(2, size=(rows, count), dtype=bool))
        advance(rows)
    return sums


def exchange_differences(
    one: NDArray[Any], other: NDArray[Any], totals: Sequence[NDArray[Any]], measure: SumScore
) -> Numbers:
    """Score differences between two systems after exchanging random halves of their outputs.

    Both have their sums over the same halves, as of `half_sums`, and `totals` has those over all segments.
    """
    return measure.scores(one + (totals[1] - other)) - measure.scores(other + (totals[0] - one))


def shuffle_differences(
    one: Sequence[Columns], other: Sequence[Columns], measure: SumScore, samples: int, seed: int, advance: Advance
) -> Numbers:
    """Score differences between two systems with several runs, shuffled segment by segment.

    The outputs of all runs of both systems are randomly reassigned in each segment, keeping the number of runs per
    system (stratified randomization: Clark et al. 2011, section 3.2). A system's score is the mean over its runs.
    """
    rng = np.random.default_rng(seed)
    pool = [*one, *other]
    kind = _float_type(pool)
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


def interval(values: Numbers, confidence: float) -> Interval:
    """Percentile interval of resampled values (Efron & Tibshirani 1993, chapter 13), with sacrebleu's rounding."""
    ordered = np.sort(values)
    # rounded first: 1 - 0.9 is a little less than 0.1, so the product may fall just below a whole number
    below = int(round(len(ordered) * (1 - confidence) / 2, 9))
    return Interval(float(ordered[below]), float(ordered[len(ordered) - 1 - below]), float(ordered.mean()))


def bootstrap_p(one: Numbers, other: Numbers, observed: float) -> float:
    """P value of the observed difference, from the scores of two systems on the same resampled test sets.

    Centering the differences simulates systems that do not differ (Riezler & Maxwell 2005). As in sacrebleu, the mean
    of the absolute differences is subtracted from each absolute difference.
    """
    differences = np.abs(one - other)
    return _at_least(differences - differences.mean(), observed)


def centered_p(differences: Numbers, observed: float) -> float:
    """Two-sided p value of the observed difference, from the differences on resampled test sets.

    Shifting them to mean 0 simulates the null hypothesis of no difference (Efron & Tibshirani 1993, chapter 16).
    """
    return _at_least(np.abs(differences - differences.mean()), observed)


def randomization_p(differences: Numbers, observed: float) -> float:
    """Two-sided p value of the observed difference, from the differences of shuffled systems (Noreen 1989)."""
    return _at_least(np.abs(differences), observed)


def _at_least(values: Numbers, observed: float) -> float:
    """Share of values at or above the observed difference, which counts as one of them (Phipson & Smyth)."""
    # an equal difference counts, though its sum may be rounded otherwise
    found = int(np.count_nonzero(values >= abs(observed) - ROUNDING))
    return (found + 1) / (len(values) + 1)


def holm(values: Sequence[float]) -> list[float]:
    """P values adjusted by Holm's step-down procedure (1979), in the same order."""
    adjusted = [0.0] * len(values)
    largest = 0.0
    for place, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        # no adjusted value is below that of a smaller p
        largest = max(largest, min(1.0, (len(values) - place) * values[index]))
        adjusted[index] = largest
    return adjusted


def sign_test(more: int, less: int) -> float:
    """Two-sided p value of the exact sign test: `more` against `less` cases, without ties."""
    total, term, tail = more + less, 1, 0
    for cases in range(min(more, less) + 1):
        tail += term
        term = term * (total - cases) // (cases + 1)
    return min(1.0, 2 * tail / (1 << total))


def discoveries(values: Sequence[float], rate: float = 0.05) -> list[bool]:
    """Whether each p value is significant at a false discovery rate (Benjamini & Hochberg 1995)."""
    ordered = enumerate(sorted(values), 1)
    largest = max((p for place, p in ordered if p <= rate * place / len(values)), default=-1.0)
    return [p <= largest for p in values]


def ranks(scores: Sequence[float], significant: Callable[[int, int], bool]) -> list[int]:
    """Ranks of systems by clusters, as in WMT (Bojar et al. 2016, section 3.4).

    A cluster ends where every system above is significantly better than every system below. Systems within a cluster
    may still differ significantly: of three, the first may beat the last while neither differs from the second.
    """
    order = sorted(range(len(scores)), key=lambda index: -scores[index])
    found = [1] * len(scores)
    rank = 1
    for place in range(1, len(order)):
        if all(significant(above, below) for above in order[:place] for below in order[place:]):
            rank = place + 1
        found[order[place]] = rank
    return found


def changes(system: Numbers, baseline: Numbers) -> Changes:
    """Distribution of the changes of segment scores from a baseline to a system."""
    differences = system - baseline
    differences[np.abs(differences) < ROUNDING] = 0.0
    half = BANDS // 2
    bands = np.ceil(np.round(np.abs(differences) * half, 9)).clip(1, half).astype(int) - 1
    worse, better = (np.bincount(bands[mask], minlength=half).tolist() for mask in (differences < 0, differences > 0))
    return Changes((*reversed(worse), *better), int(np.count_nonzero(differences == 0)))
