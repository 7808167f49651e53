"""The scoring formula, which turns statistics and parameters into a score, on numbers and on arrays of them.

The compiled kernel states it again; tests compare it with this one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import copysign, inf, isnan, nan
from typing import Any, NamedTuple, NoReturn

from attrs import evolve

from meteorlib.core.faults import WHOLES
from meteorlib.core.parameters import FAULTS, NUMERIC_PARAMETERS, Formula, Parameters, Share
from meteorlib.core.statistics import OrderCounts, Statistics

NUMBERS = ("score", "precision", "recall", "f1", "f_mean", "fragmentation", "penalty")
"""The numbers of a breakdown, by name."""

_new = tuple.__new__  # quicker than WeightedSums(...): every segment has its own


def quotient(dividend: float, divisor: float) -> float:
    """`dividend` / `divisor`; by zero, an infinity, or NaN for zero by zero, as in Java: Python raises an error."""
    try:
        return dividend / divisor
    except ZeroDivisionError:
        if dividend == 0 or isnan(dividend):
            return nan
        return copysign(inf, dividend) * copysign(1.0, divisor)


def power(base: float, exponent: float) -> float:
    """`base` ** `exponent` of a base that is not negative; a result that is too large is infinite."""
    try:
        return float(base**exponent)
    except (OverflowError, ZeroDivisionError):
        return inf


class WeightedSums(NamedTuple):
    """Lengths and matches of both sides, content words and function words weighted by delta, matches by stage too."""

    hypothesis_length: float
    reference_length: float
    hypothesis_matches: float
    reference_matches: float


class FaultTerm(NamedTuple):
    """The penalty for one kind of fault: the price, its parameter, times a power of amount by whole."""

    parameter: str
    share: Share
    amount: int
    whole: float
    price: float
    penalty: float


Operation = Callable[[float, float], float]
"""An operation on two numbers, or on arrays of them."""


class ScoringFormula:
    """The formula (Banerjee & Lavie 2005, section 2.2; Denkowski & Lavie 2011, section 3; docs/formula.md), by steps.

    The order of the operations is METEOR 1.5's, so that the last digit is too. `meteorlib.arrays` gives these steps
    statistics that consist of arrays, with operations for arrays in place of the following five.
    """

    quotient: Operation = staticmethod(quotient)
    power: Operation = staticmethod(power)
    least: Operation = staticmethod(min)

    @staticmethod
    def share(part: Any, whole: Any) -> Any:
        """A share of a whole; 0 where the whole is 0."""
        return part / whole if whole else 0.0

    @staticmethod
    def positive(score: Any) -> Any:
        """The score; 0 where it is not above 0, or NaN."""
        return score if score > 0 else 0.0

    def numbers(
        self, statistics: Statistics, parameters: Parameters
    ) -> tuple[float, float, float, float, float, float, float]:
        """The `NUMBERS`.

        Raises:
            ValueError: the statistics do not have as many stages as there are weights, or are of another formula.
        """
        if (statistics.order is not None) != parameters.ordered:
            raise ValueError(f"the statistics do not belong to formula {parameters.formula!r}")
        if statistics.faults is None and parameters.counts_faults:
            raise ValueError(
                "the statistics have no counts of faults, which the parameters penalize; score the text again"
            )
        if len(statistics.stages) != len(parameters.weights):
            _refuse_stages(len(statistics.stages), parameters)
        precision, recall = self.precision_and_recall(statistics, parameters.delta, parameters.weights)
        f1 = self.harmonic_mean(precision, recall)
        f_mean = self.weighted_mean(precision, recall, parameters.alpha, parameters.formula)
        fragmentation = self.fragmentation(statistics, parameters.exempts_perfect)
        penalty = self.penalty(statistics, fragmentation, parameters)
        score = self.positive(self.penalized_score(f_mean, penalty))
        return score, precision, recall, f1, f_mean, fragmentation, penalty

    def weighted_sums(self, statistics: Statistics, delta: float, weights: tuple[float, ...]) -> WeightedSums:
        """Numerators and denominators of precision and recall; there must be one weight for each stage."""
        rest = 1.0 - delta
        function = statistics.hypothesis_function_words
        hypothesis_length = delta * (statistics.hypothesis_length - function) + rest * function
        function = statistics.reference_function_words
        reference_length = delta * (statistics.reference_length - function) + rest * function

        hypothesis_matches = reference_matches = 0.0
        weighted = list(zip(statistics.stages, weights, strict=False))
        # METEOR 1.5's order: first all content terms, then all function terms; sums of doubles depend on it
        for stage, weight in weighted:
            hypothesis_matches += stage[0] * weight * delta
            reference_matches += stage[1] * weight * delta
        for stage, weight in weighted:
            hypothesis_matches += stage[2] * weight * rest
            reference_matches += stage[3] * weight * rest
        return _new(WeightedSums, (hypothesis_length, reference_length, hypothesis_matches, reference_matches))

    def precision_and_recall(
        self, statistics: Statistics, delta: float, weights: tuple[float, ...]
    ) -> tuple[float, float]:
        """Weighted matches by weighted length, of both sides."""
        sums = self.weighted_sums(statistics, delta, weights)
        return self.quotient(sums[2], sums[0]), self.quotient(sums[3], sums[1])

    def harmonic_mean(self, precision: float, recall: float) -> float:
        """F1."""
        return self.quotient(2 * precision * recall, precision + recall)

    def weighted_mean(self, precision: float, recall: float, alpha: float, formula: Formula) -> float:
        """F_mean: the harmonic mean weighted by alpha; 0 where precision and recall are, NaN where one is NaN."""
        if formula == "meteor-1.5":
            # METEOR 1.5's form: the other one can differ in the last digit
            return self.quotient(1.0, self.quotient(1.0 - alpha, precision) + self.quotient(alpha, recall))
        mean: float = self.share(precision * recall, alpha * precision + (1.0 - alpha) * recall)
        return mean

    def fragmentation(self, statistics: Statistics, exempts_perfect: bool) -> Any:
        """Penalized chunks by mean matched words; under ``meteor-2026``, by mean places where one could begin."""
        if statistics.order is not None:
            return self.share(statistics.penalized_chunks, statistics.order.junctions / 2)
        matched = (statistics.hypothesis_matches + statistics.reference_matches) / 2
        # a line of METEOR's counts as METEOR 1.5 does, whichever formula it is scored by
        return self.quotient(statistics.penalized_chunks if exempts_perfect else statistics.chunks, matched)

    def penalty(self, statistics: Statistics, fragmentation: float, parameters: Parameters) -> Any:
        """The penalty: that of fragmentation; under ``meteor-2026`` the bounded sum of all."""
        total = self.total(statistics, fragmentation, parameters)
        return total if statistics.order is None else self.bounded(total, parameters.bound)

    def total(self, statistics: Statistics, fragmentation: float, parameters: Parameters) -> float:
        """The sum of the penalties: of fragmentation, of crossing matches and of faults."""
        total = self.fragmentation_penalty(fragmentation, parameters)
        if statistics.order is not None:
            total = total + self.crossing_penalty(statistics.order, parameters)
        if statistics.faults is not None:
            # one after the other, in the kernel's order: sums of doubles depend on it
            for name, share in self.fault_shares(statistics):
                total += getattr(parameters, name) * share
        return total

    def bounded(self, penalty: Any, bound: float) -> Any:
        """A penalty that comes close to its bound, and never over it; without a bound, at most 1."""
        if not bound:
            return self.least(penalty, 1.0)
        share = penalty / bound
        return penalty / self.power(1.0 + share * share, 0.5)

    def fragmentation_penalty(self, fragmentation: float, parameters: Parameters) -> float:
        """The penalty of fragmentation."""
        return parameters.gamma * self.power(fragmentation, parameters.beta)

    def crossing_penalty(self, order: OrderCounts, parameters: Parameters) -> float:
        """The penalty of crossing matches."""
        return parameters.crossing * self.power(self.crossing_share(order), parameters.crossing_beta)

    def crossing_share(self, order: OrderCounts) -> Any:
        """The share of the pairs of matches that cross."""
        return self.share(order.crossings, order.match_pairs)

    def fault_shares(self, statistics: Statistics) -> list[tuple[str, float]]:
        """The share that each penalty of a fault multiplies, to the power of its exponent, in order of addition."""
        shares = []
        for name, facts in FAULTS.items():
            amount, whole = getattr(statistics.faults, facts.counted), fault_whole(statistics, facts.whole)
            share = self.least(self.share(amount, whole), 1.0)
            product = share
            for _ in range(facts.exponent - 1):
                product = product * share
            shares.append((name, product / (product + facts.limit) if facts.half else product))
        return shares

    def fault_terms(self, statistics: Statistics, parameters: Parameters) -> Iterator[FaultTerm]:
        """The penalties for faults, in the order in which they are added; none where no fault is penalized."""
        for name, share in self.fault_shares(statistics) if parameters.counts_faults else ():
            facts, price = FAULTS[name], getattr(parameters, name)
            amount, whole = getattr(statistics.faults, facts.counted), fault_whole(statistics, facts.whole)
            yield FaultTerm(name, facts, amount, whole, price, price * share)

    def penalized_score(self, f_mean: float, penalty: float) -> float:
        """The score, from F_mean and penalty."""
        return f_mean * (1.0 - penalty)


FORMULA = ScoringFormula()
"""The formula on numbers."""


def named_numbers(parameters: Parameters) -> dict[str, float]:
    """The names of `formula_lines` whose numbers are parameters, or 1 less one."""
    numbers = {facts.symbol: getattr(parameters, name) for name, facts in NUMERIC_PARAMETERS.items() if facts.symbol}
    return {**numbers, "1 − α": 1 - parameters.alpha, "1 − δ": 1 - parameters.delta}


def formula_lines(parameters: Parameters, faults: Sequence[str] = ()) -> list[tuple[str, str]]:
    """The formula as people read it: symbol and right-hand side of each step, every number in it a name in braces.

    The symbols are those of docs/formula.md; `faults` are the names of the penalties of faults that are shown. Tests
    compute the lines and compare them with `FORMULA`.
    """
    sides = [(f"L{side}", f"{{δ}}·{{c{side}}} + {{1 − δ}}·{{f{side}}}") for side in "hr"]
    sides += [(f"M{side}", "{δ}·{Σ w·content} + {1 − δ}·{Σ w·function}") for side in "hr"]
    of_means = "1 / ({1 − α}/{P} + {α}/{R})", "{P}·{R} / ({α}·{P} + {1 − α}·{R})"
    mean = ("Fmean", of_means[parameters.formula != "meteor-1.5"])
    penalty = [
        ("fragmentation", "{penalized chunks} / (({mh} + {mr}) / 2)"),
        ("penalty", "{γ} · {fragmentation}^{β}"),
    ]
    if parameters.ordered:
        shares = [(name, FAULTS[name]) for name in faults]
        added = "".join(f" + {{{name}}}" for name in faults)
        penalty = [
            ("fragmentation", "{penalized chunks} / ({junctions} / 2)"),
            ("crossing", "{crossings} / {match pairs}"),
            *((name, fault_line(share)) for name, share in shares),
        ]
        total = f"{{γ}} · {{fragmentation}}^{{β}} + {{χ}} · {{crossing}}^{{ξ}}{added}"
        if parameters.bound:
            penalty += [("total", total), ("penalty", "{total} / (1 + ({total} / {κ})^2)^0.5")]
        else:
            penalty.append(("penalty", f"min(1, {total})"))
    return [
        *sides,
        ("P", "{Mh} / {Lh}"),
        ("R", "{Mr} / {Lr}"),
        mean,
        *penalty,
        ("score", "{Fmean} · (1 − {penalty})"),
    ]


def fault_whole(statistics: Statistics, name: str) -> float:
    """The number that counts of faults are shares of, by its name in `WHOLES`."""
    factor, field = WHOLES[name]
    whole: float = factor * getattr(statistics.faults, field)
    return whole


def fault_line(share: Share) -> str:
    """The penalty of a fault as people read it."""
    power = f"min(1, {{{share.named}}} / {{{share.whole}}})" + ("" if share.exponent == 1 else f"^{share.exponent}")
    return (
        f"{{price}} · {power} / ({power} + {share.half:g}^{share.exponent})" if share.half else f"{{price}} · {power}"
    )


def penalize(statistics: Statistics, parameters: Parameters) -> Statistics:
    """The statistics of one segment, with the chunks that this formula penalizes."""
    if statistics.order is not None:
        # the first chunk is free, so that identical segments score 1
        return evolve(statistics, penalized_chunks=max(statistics.chunks - 1, 0))
    if statistics.is_perfect and parameters.exempts_perfect:
        return evolve(statistics, penalized_chunks=0)
    return statistics


def _refuse_stages(count: int, parameters: Parameters) -> NoReturn:
    expected = len(parameters.weights)
    raise ValueError(
        f"the statistics have {count} stages, but the METEOR that is to score them has {expected}; "
        f"a line of METEOR's is read for it by  Statistics.from_line(line, stages={expected})"
    )
