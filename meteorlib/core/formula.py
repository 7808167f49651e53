"""The scoring formula, which turns statistics and parameters into a score.

The compiled kernel states it again, and so does `meteorlib.arrays`, for many sums; tests compare them with this one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isnan, nan
from typing import Any, NamedTuple, NoReturn

from attrs import evolve

from meteorlib.core.counts import OrderCounts
from meteorlib.core.ieee754 import power, quotient
from meteorlib.core.parameters import Parameters
from meteorlib.core.statistics import Statistics

NUMBERS = ("score", "precision", "recall", "f1", "f_mean", "fragmentation", "penalty")
"""The numbers of a breakdown, by name."""

_new = tuple.__new__  # quicker than WeightedSums(...): every segment has its own


def numbers(statistics: Statistics, parameters: Parameters) -> tuple[float, float, float, float, float, float, float]:
    """The `NUMBERS` (Banerjee & Lavie 2005, section 2.2; Denkowski & Lavie 2011, section 3; docs/formula.md).

    The order of the operations is METEOR 1.5's, so that the last digit is too.

    Raises:
        ValueError: the statistics do not have as many stages as there are weights, or are of another formula.
    """
    if (statistics.order is not None) != parameters.ordered:
        raise ValueError(f"the statistics do not belong to formula {parameters.formula!r}")
    if parameters.counts_faults and statistics.faults is None:
        raise ValueError("the statistics have no counts of faults, which the parameters penalize; score the text again")
    if len(statistics.stages) != len(parameters.weights):
        _refuse_stages(len(statistics.stages), parameters)
    hypothesis_length, reference_length, hypothesis_matches, reference_matches = weighted_sums(statistics, parameters)
    precision = quotient(hypothesis_matches, hypothesis_length)
    recall = quotient(reference_matches, reference_length)
    f1 = quotient(2 * precision * recall, precision + recall)
    f_mean = weighted_mean(precision, recall, parameters)
    if statistics.order is None:
        matched = (statistics.hypothesis_matches + statistics.reference_matches) / 2
        # a line of METEOR's counts as METEOR 1.5 does, whichever formula it is scored by
        chunks = statistics.penalized_chunks if parameters.exempts_perfect else statistics.chunks
        fragmentation = quotient(chunks, matched)
        penalty = parameters.gamma * power(fragmentation, parameters.beta)
    else:
        junctions = statistics.order.junctions
        fragmentation = statistics.penalized_chunks / (junctions / 2) if junctions else 0.0
        crossing = parameters.crossing * power(crossing_share(statistics.order), parameters.crossing_beta)
        penalty = parameters.gamma * power(fragmentation, parameters.beta) + crossing
        for term in fault_terms(statistics, parameters):
            penalty += term.penalty
        penalty = min(penalty, 1.0)
    score = penalized_score(f_mean, penalty)
    return score if score > 0 else 0.0, precision, recall, f1, f_mean, fragmentation, penalty


def penalize(statistics: Statistics, parameters: Parameters) -> Statistics:
    """The statistics of one segment, with the chunks that this formula penalizes."""
    if statistics.order is not None:
        return evolve(statistics, penalized_chunks=max(statistics.chunks - 1, 0))
    if statistics.is_perfect and parameters.exempts_perfect:
        return evolve(statistics, penalized_chunks=0)
    return statistics


def crossing_share(order: OrderCounts) -> float:
    """The share of the pairs of matches that cross."""
    return order.crossings / order.match_pairs if order.match_pairs else 0.0


class FaultTerm(NamedTuple):
    """The penalty for one kind of fault.

    Attributes:
        parameter: the name of its parameter.
        kind: the field of `FaultCounts` that it penalizes.
        amount: how many there are.
        whole: what they are a share of.
        exponent: exponent of the share.
        price: the value of the parameter.
        penalty: the price times that power.
    """

    parameter: str
    kind: str
    amount: int
    whole: int
    exponent: int
    price: float
    penalty: float


def fault_terms(statistics: Statistics, parameters: Parameters) -> Iterator[FaultTerm]:
    """The penalties for faults, in the order in which they are added; none where no fault is penalized."""
    faults = statistics.faults
    if faults is None or not parameters.counts_faults:
        return
    segments = statistics.chunks - statistics.penalized_chunks  # those with a match
    wholes = fault_wholes(faults, segments)
    for parameter, (kind, whole_name, exponent) in FAULT_SHARES.items():
        amount, whole = getattr(faults, kind), wholes[whole_name]
        share = amount / whole if whole else 0.0
        price = getattr(parameters, parameter)
        penalty = price * (share * share if exponent == SQUARE else share)
        yield FaultTerm(parameter, kind, amount, whole, exponent, price, penalty)


def fault_wholes(faults: Any, segments: Any) -> dict[str, Any]:
    """The numbers that counts of faults are shares of, by the names in `FAULT_SHARES`; arrays of them, too."""
    return {
        "neighbors": faults.neighbors,
        "reference": faults.reference_words,
        "hypothesis": faults.hypothesis_words,
        "quarters": 4 * faults.reference_words,
        "segments": segments,
    }


SQUARE = 2

FAULT_SHARES: Mapping[str, tuple[str, str, int]] = {
    "inversion": ("inversions", "neighbors", 1),
    "swap": ("swaps", "neighbors", SQUARE),
    "omission": ("omitted", "reference", SQUARE),
    "repetition": ("repeated", "hypothesis", SQUARE),
    "excess": ("excess", "quarters", 1),
    "number": ("contradictions", "segments", 1),
    "negation": ("negations", "segments", 1),
    "start": ("lowercase_starts", "segments", 1),
}
"""For each penalty of a fault: the count, what it is a share of, and the exponent of the share."""


class WeightedSums(NamedTuple):
    """Lengths and matches of both sides, content words and function words weighted by delta, matches by stage too."""

    hypothesis_length: float
    reference_length: float
    hypothesis_matches: float
    reference_matches: float


def weighted_sums(statistics: Statistics, parameters: Parameters) -> WeightedSums:
    """Numerators and denominators of precision and recall; there must be one weight for each stage."""
    delta = parameters.delta
    rest = 1.0 - delta
    function = statistics.hypothesis_function_words
    hypothesis_length = delta * (statistics.hypothesis_length - function) + rest * function
    function = statistics.reference_function_words
    reference_length = delta * (statistics.reference_length - function) + rest * function

    hypothesis_matches = reference_matches = 0.0
    weighted = list(zip(statistics.stages, parameters.weights, strict=False))
    for stage, weight in weighted:
        hypothesis_matches += stage[0] * weight * delta
        reference_matches += stage[1] * weight * delta
    for stage, weight in weighted:
        hypothesis_matches += stage[2] * weight * rest
        reference_matches += stage[3] * weight * rest
    return _new(WeightedSums, (hypothesis_length, reference_length, hypothesis_matches, reference_matches))


def _refuse_stages(count: int, parameters: Parameters) -> NoReturn:
    expected = len(parameters.weights)
    raise ValueError(
        f"the statistics have {count} stages, but the METEOR that is to score them has {expected}; "
        f"a line of METEOR's is read for it by  Statistics.from_line(line, stages={expected})"
    )


def penalized_score(f_mean: float, penalty: float) -> float:
    """The score, from F_mean and penalty."""
    return f_mean * (1.0 - penalty)


def weighted_mean(precision: float, recall: float, parameters: Parameters) -> float:
    """F_mean: the harmonic mean of precision and recall, weighted by alpha; 0 where both are, NaN where one is NaN."""
    alpha = parameters.alpha
    if parameters.formula == "meteor-1.5":
        return quotient(1.0, quotient(1.0 - alpha, precision) + quotient(alpha, recall))
    if isnan(precision) or isnan(recall):
        return nan
    weighted = alpha * precision + (1.0 - alpha) * recall
    return precision * recall / weighted if weighted else 0.0
