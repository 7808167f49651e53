"""Paired significance tests of every two systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from meteorlib.analysis.results import Pair, Test
from meteorlib.analysis.significance.measures import SumScore
from meteorlib.analysis.significance.pvalues import bootstrap_p, interval, randomization_p
from meteorlib.analysis.significance.resampling import (
    Advance,
    Columns,
    exchange_differences,
    half_sums,
    shuffle_differences,
)
from meteorlib.arrays import Numbers

PValue = Callable[[str, str, float], float]
"""Function from two systems and the observed difference of their scores to a p value."""


def pair_tests(
    scores: Mapping[str, float], baseline: str, p_value: PValue, means: Mapping[str, Numbers], confidence: float
) -> tuple[Pair, ...]:
    """Test every two systems; see `Pair` for the direction of the differences.

    Args:
        scores: score of each system.
        baseline: name of the baseline.
        p_value: the test.
        means: scores of each system on the same resampled test sets, for the intervals.
        confidence: confidence level of the intervals.
    """
    pairs = []
    for one, other in combinations(scores, 2):
        system, against = (one, other) if other == baseline else (other, one)
        difference = scores[system] - scores[against]
        # tested in the given order: the shuffles of several runs, and so p, must not depend on the baseline
        bounds = interval(means[system] - means[against], confidence)
        pairs.append(Pair(system, against, difference, p_value(one, other, difference), bounds))
    return tuple(pairs)


def paired_test(
    test: Test,
    columns: Mapping[str, Sequence[Columns]],
    resampled: Mapping[str, Numbers],
    measure: SumScore,
    samples: int,
    seed: int,
    advance: Advance,
) -> PValue:
    """The paired test of this name, from the columns of each system's runs and their mean score on each sample."""
    if test == "randomization":
        return _randomization_test(columns, measure, samples, seed, advance)
    return lambda one, other, observed: bootstrap_p(resampled[one], resampled[other], observed)


def _randomization_test(
    columns: Mapping[str, Sequence[Columns]], measure: SumScore, samples: int, seed: int, advance: Advance
) -> PValue:
    """Approximate randomization test stratified by segment, from the columns of each system's runs."""
    if any(len(runs) > 1 for runs in columns.values()):

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


def passes(columns: Mapping[str, Sequence[Columns]], test: Test | None) -> int:
    """Number of passes over the samples: one for the intervals, plus those of the tests."""
    if test != "randomization" or len(columns) == 1:
        return 1
    several = any(len(runs) > 1 for runs in columns.values())
    return 1 + (len(columns) * (len(columns) - 1) // 2 if several else 1)
