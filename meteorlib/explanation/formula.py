"""The formula line by line, with the values of a segment filled in."""

from __future__ import annotations

from math import isnan
from typing import Any

from attrs import frozen

from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.formula import FORMULA, FaultTerm, WeightedSums
from meteorlib.core.parameters import Parameters
from meteorlib.core.tabular import Tabular

DIGITS = 6
"""Significant digits in text for people."""


@frozen
class Step(Tabular):
    """A line of the formula; the symbols are those of `docs/formula.md`.

    Attributes:
        symbol: symbol of the computed value.
        formula: right-hand side in symbols.
        template: right-hand side with ``{}`` for each number.
        numbers: the numbers for the template.
        value: the result; NaN if undefined.
    """

    _columns = "symbol formula value"

    symbol: str
    formula: str
    template: str
    numbers: tuple[float, ...]
    value: float

    def written(self, digits: int = DIGITS) -> str:
        """The right-hand side with its numbers, rounded to `digits` significant digits."""
        return self.template.format(*(number_text(number, digits) for number in self.numbers))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON; the numbers in full precision."""
        value = None if isnan(self.value) else self.value
        return {"symbol": self.symbol, "formula": self.formula, "written": self.written(17), "value": value}


def number_text(number: float, digits: int = DIGITS) -> str:
    """A number as text for people; a dash for NaN."""
    return "–" if isnan(number) else f"{number:.{digits}g}"


def steps(scored: ScoreBreakdown, parameters: Parameters) -> tuple[Step, ...]:
    """The lines from the statistics of `scored` to its score, in units of one word of weight 1."""
    statistics, unit = scored.statistics, scored.unit
    sums = WeightedSums(
        *(number / unit for number in FORMULA.weighted_sums(statistics, parameters.delta, parameters.weights))
    )
    p, r, alpha = scored.precision, scored.recall, parameters.alpha
    lengths = (
        ("h", statistics.hypothesis_length, statistics.hypothesis_function_words, sums.hypothesis_length),
        ("r", statistics.reference_length, statistics.reference_function_words, sums.reference_length),
    )
    delta, rest = parameters.delta, 1.0 - parameters.delta
    return (
        *(
            Step(f"L{side}", f"δ·c{side} + (1 − δ)·f{side}", "{}·{} + {}·{}",
                 (delta, (length - f) / unit, rest, f / unit), value)
            for side, length, f, value in lengths
        ),
        _matches("h", scored, parameters, sums.hypothesis_matches),
        _matches("r", scored, parameters, sums.reference_matches),
        Step("P", "Mh / Lh", "{} / {}", (sums.hypothesis_matches, sums.hypothesis_length), p),
        Step("R", "Mr / Lr", "{} / {}", (sums.reference_matches, sums.reference_length), r),
        Step("Fmean", "1 / ((1 − α)/P + α/R)", "1 / ({}/{} + {}/{})", (1 - alpha, p, alpha, r), scored.f_mean)
        if parameters.formula == "meteor-1.5"
        else Step("Fmean", "P·R / (α·P + (1 − α)·R)", "{}·{} / ({}·{} + {}·{})",
                  (p, r, alpha, p, 1 - alpha, r), scored.f_mean),
        *_penalty(scored, parameters),
        Step("score", "Fmean · (1 − penalty)", "{}·(1 − {})", (scored.f_mean, scored.penalty), scored.score),
    )  # fmt: skip


def _penalty(scored: ScoreBreakdown, parameters: Parameters) -> tuple[Step, ...]:
    """Fragmentation and penalty, with crossing matches between them if the formula counts these."""
    statistics, order, crossing = scored.statistics, scored.statistics.order, scored.crossing
    chunks, penalty_numbers = statistics.penalized_chunks, (parameters.gamma, scored.fragmentation, parameters.beta)
    if order is None or crossing is None:
        matched = statistics.hypothesis_matches, statistics.reference_matches
        return (
            Step("fragmentation", "penalized chunks / ((mh + mr) / 2)", "{} / (({} + {}) / 2)", (chunks, *matched),
                 scored.fragmentation),
            Step("penalty", "γ · fragmentation^β", "{}·{}^{}", penalty_numbers, scored.penalty),
        )  # fmt: skip
    numbers = (*penalty_numbers, parameters.crossing, crossing, parameters.crossing_beta)
    terms = [term for term in FORMULA.fault_terms(statistics, parameters) if term.penalty]
    added = "".join(f" + {term.parameter}" for term in terms)
    return (
        Step("fragmentation", "penalized chunks / (junctions / 2)", "{} / ({} / 2)", (chunks, order.junctions),
             scored.fragmentation),
        Step("crossing", "crossings / match pairs", "{} / {}", (order.crossings, order.match_pairs), crossing),
        *map(_fault_step, terms),
        Step("penalty", f"min(1, γ · fragmentation^β + χ · crossing^ξ{added})",
             f"min(1, {{}}·{{}}^{{}} + {{}}·{{}}^{{}}{' + {}' * len(terms)})",
             (*numbers, *(term.penalty for term in terms)), scored.penalty),
    )  # fmt: skip


def _fault_step(term: FaultTerm) -> Step:
    """The penalty for a kind of fault."""
    power = "" if term.share.exponent == 1 else f"^{term.share.exponent}"
    kind, whole = term.share.counted.replace("_", " "), term.share.whole
    return Step(
        term.parameter,
        f"price · ({kind} / {whole}){power}",
        f"{{}}·({{}} / {{}}){power}",
        (term.price, term.amount, term.whole),
        term.penalty,
    )


def mean_step(scores: tuple[float, ...], value: float) -> Step:
    """The last line if the mean of several references counts."""
    return Step(
        "mean", "mean of the references", f"({' + '.join(['{}'] * len(scores))}) / {len(scores)}", scores, value
    )


def _matches(side: str, scored: ScoreBreakdown, parameters: Parameters, value: float) -> Step:
    """Matched content words and function words by stage; stages without matches are left out."""
    content, function = ("hypothesis_content", "hypothesis_function")
    if side == "r":
        content, function = ("reference_content", "reference_function")
    formulas, templates, numbers = [], [], []
    for kind, share, symbol in ((content, parameters.delta, "δ"), (function, 1.0 - parameters.delta, "(1 − δ)")):
        template, terms = _stage_terms(scored, parameters.weights, kind)
        formulas.append(f"{symbol}·Σ w·{'content' if kind == content else 'function'}")
        templates.append(f"{{}}·{template}")
        numbers += [share, *terms]
    return Step(f"M{side}", " + ".join(formulas), " + ".join(templates), tuple(numbers), value)


def _stage_terms(scored: ScoreBreakdown, weights: tuple[float, ...], kind: str) -> tuple[str, list[float]]:
    counts = [getattr(stage, kind) / scored.unit for stage in scored.statistics.stages]
    terms = [(weight, count) for weight, count in zip(weights, counts, strict=True) if count]
    if not terms:
        return "0", []
    return f"({' + '.join(['{}·{}'] * len(terms))})", [number for term in terms for number in term]
