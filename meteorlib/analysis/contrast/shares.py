"""Differences of two systems: their shares by what makes them up, and how those of the segments spread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from math import floor, isnan
from operator import add

import numpy as np
from attrs import evolve, frozen

from meteorlib.analysis.attribution import shapley_values
from meteorlib.analysis.contrast.aligned import Integers
from meteorlib.analysis.significance.resampling import changes
from meteorlib.arrays import Numbers
from meteorlib.core.breakdown import breakdown
from meteorlib.core.formula import FORMULA
from meteorlib.core.parameters import Parameters
from meteorlib.core.statistics import StageCounts, Statistics

MEASURES = ("score", "precision", "recall", "fragmentation")
"""Measures of segments whose spread is shown, as in METEOR's X-ray."""

RESOLUTION = 10_000
"""Steps per 1: numbers have four digits, and are counted in units of the last one so that all their parts agree."""

BANDS = 20
"""Number of bands: 20 of 0.05 each; for differences, 10 of 0.1 each on both sides."""

ZOOMS = (1, 2, 5, 10)
"""Factors by which the bands of differences may be narrower."""

MOST_BEYOND = 0.05
"""Most segments, as a share, whose difference may be beyond the narrower bands; the outermost ones count them."""

NO_VALUE = RESOLUTION + 1

ORDER = "order of the words"
LENGTHS = "lengths of the texts"
"""Labels of the shares that are no words."""

FAULTS = "faults such as swaps"
"""Label of the penalties for faults."""

NEGLIGIBLE = 1e-12
"""Shares up to this size are rounding errors."""

_NEAR_TIE = 1e-6
"""Distance from the middle of two units within which the product may be rounded to the other side."""

Shares = dict[str, float]


@frozen
class Sides:
    """Summed statistics of two systems whose corpus scores are compared, first minus second."""

    first: Statistics
    second: Statistics
    parameters: Parameters

    def by_formula(self) -> Shares:
        """Shares of precision, recall and each kind of penalty."""
        one, other = self._terms(self.first), self._terms(self.second)

        def score(chosen: frozenset[str]) -> float:
            terms = {name: (one if name in chosen else other)[name] for name in one}
            f_mean = self._mean(terms.pop("precision"), terms.pop("recall"))
            total = sum(terms.values())
            return _score(f_mean, FORMULA.bounded(total, self.parameters.bound) if self.parameters.ordered else total)

        return shapley_values([*one], score)

    def by_stage(self, names: Sequence[str]) -> Shares:
        """Shares of the words that each stage matches, of the lengths and of the order."""
        return self._by_matches([*names, LENGTHS, ORDER], lambda stage, _, chosen: names[stage] in chosen)

    def by_kind(self) -> Shares:
        """Shares of the matched content words and function words, of the lengths and of the order."""
        kinds = ("content words", "function words")
        return self._by_matches([*kinds, LENGTHS, ORDER], lambda _, at, chosen: kinds[at // 2] in chosen)

    def _by_matches(self, parts: Sequence[str], is_first: Callable[[int, int, frozenset[str]], bool]) -> Shares:
        """Shares of parts of the matches; `is_first` says for a stage and a field whose count is taken."""
        penalties = [breakdown(side, self.parameters).penalty for side in (self.second, self.first)]
        stages = [*enumerate(zip(self.first.stages, self.second.stages, strict=True))]

        def score(chosen: frozenset[str]) -> float:
            lengths = self.first if LENGTHS in chosen else self.second
            counts = [
                StageCounts(*[(one if is_first(stage, at, chosen) else other)[at] for at in range(4)])
                for stage, (one, other) in stages
            ]
            delta, weights = self.parameters.delta, self.parameters.weights
            sides = FORMULA.precision_and_recall(evolve(lengths, stages=tuple(counts)), delta, weights)
            return _score(self._mean(*sides), penalties[ORDER in chosen])

        return shapley_values(parts, score)

    def _terms(self, statistics: Statistics) -> dict[str, float]:
        scored = breakdown(statistics, self.parameters)
        terms = {"precision": scored.precision, "recall": scored.recall}
        if statistics.order is None:
            return terms | {"fragmentation": scored.penalty}
        terms["fragmentation"] = FORMULA.fragmentation_penalty(scored.fragmentation, self.parameters)
        terms["crossing"] = FORMULA.crossing_penalty(statistics.order, self.parameters)
        if self.parameters.counts_faults:
            terms[FAULTS] = sum(term.penalty for term in FORMULA.fault_terms(statistics, self.parameters))
        return terms

    def _mean(self, precision: float, recall: float) -> float:
        return FORMULA.weighted_mean(precision, recall, self.parameters.alpha, self.parameters.formula)


def by_segments(groups: Mapping[str, Sequence[Statistics]], parameters: Parameters) -> Shares:
    """Shares of groups of segments, from the summed statistics of both systems in each group."""

    def score(chosen: frozenset[str]) -> float:
        return breakdown(reduce(add, [both[name not in chosen] for name, both in groups.items()]), parameters).score

    return shapley_values([*groups], score)


def _score(f_mean: float, penalty: float) -> float:
    """The score, 0 where the formula has no value."""
    score = FORMULA.penalized_score(f_mean, penalty)
    return 0.0 if isnan(score) else max(score, 0.0)


def rounded_shares(shares: Iterable[float], total: int) -> list[int]:
    """Shares in units of 0.0001 that add up to `total`: rounded, the largest remainders up."""
    exact = [share * RESOLUTION for share in shares]
    units = [floor(share) for share in exact]
    missing = total - sum(units)
    by_remainder = sorted(range(len(exact)), key=lambda at: units[at] - exact[at])
    for step in range(abs(missing)):
        units[by_remainder[step % len(units)] if missing > 0 else by_remainder[-1 - step % len(units)]] += (
            1 if missing > 0 else -1
        )
    return units


def ten_thousandths(value: float) -> int:
    """`value` in units of 0.0001, rounded as it is printed; `NO_VALUE` for NaN."""
    return NO_VALUE if isnan(value) else int(f"{value:.4f}".replace(".", ""))


def units(values: Numbers) -> Integers:
    """`ten_thousandths` of each value."""
    scaled = np.nan_to_num(values * RESOLUTION, nan=NO_VALUE)
    rounded = np.rint(scaled).astype(np.int64)
    for place in np.flatnonzero(np.abs(np.abs(scaled - np.floor(scaled)) - 0.5) < _NEAR_TIE):
        rounded[place] = ten_thousandths(float(values[place]))
    return rounded


def shown(values: Numbers) -> Numbers:
    """Each value with the four digits that the page has of it."""
    return np.where(np.isnan(values), np.nan, units(values) / RESOLUTION)


def bands(values: Numbers) -> list[int]:
    """Number of values in each band [0, 0.05), [0.05, 0.1), … [0.95, 1], and number of NaN."""
    missing = np.isnan(values)
    places = np.floor((values[~missing] * BANDS).round(9)).astype(np.int64).clip(max=BANDS - 1)
    return [*np.bincount(places, minlength=BANDS).tolist(), int(missing.sum())]


def difference_bands(first: Numbers, second: Numbers) -> tuple[int, list[int]]:
    """Distribution of the differences between segments, first minus second, by the bands of `Changes`, or narrower.

    Returns:
        The index of the factor in `ZOOMS`; with the factor 1, the counts of [−1, −0.9), … [−0.1, 0), of segments
        without a difference, of (0, 0.1], … (0.9, 1], and of segments where one of the two has no value.
    """
    missing = np.isnan(first) | np.isnan(second)
    one, other = first[~missing], second[~missing]
    sizes = np.abs(one - other)
    fitting = [at for at, zoom in enumerate(ZOOMS) if np.count_nonzero(sizes * zoom > 1) <= MOST_BEYOND * len(sizes)]
    changed, half = changes(one * ZOOMS[fitting[-1]], other * ZOOMS[fitting[-1]]), BANDS // 2
    return fitting[-1], [*changed.bands[:half], changed.unchanged, *changed.bands[half:], int(missing.sum())]
