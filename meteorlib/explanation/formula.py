"""The formula line by line with the values of a segment filled in, and the faults that it penalizes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain, islice
from math import isnan
from typing import Any

from attrs import asdict, frozen

from meteorlib.core.alignment import Alignment
from meteorlib.core.breakdown import ScoreBreakdown
from meteorlib.core.faults import Side, find_faults
from meteorlib.core.formula import FORMULA, formula_lines, named_numbers
from meteorlib.core.parameters import NUMERIC_PARAMETERS, Parameters
from meteorlib.core.segment import Trait
from meteorlib.display.displayable import Tabular
from meteorlib.display.text import pair_text
from meteorlib.engine.engine import Engine
from meteorlib.engine.words import WordTraits
from meteorlib.resources.language_data import open_resource
from meteorlib.resources.word_lists import NO_NEGATIONS

WORDS_AT_A_TIME = 64
"""Words that are analyzed as one text: models that see texts take only short ones."""

DIGITS = 6
"""Significant digits in text for people."""

_NAME = re.compile(r"\{([^{}]*)\}")


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

    @classmethod
    def of(cls, symbol: str, line: str, values: Mapping[str, Any], result: float) -> Step:
        """A line of `formula_lines`, with the values of its names."""
        numbers: list[float] = []

        def fill(name: re.Match[str]) -> str:
            value = values[name[1]]
            if not isinstance(value, list):
                numbers.append(value)
                return "{}"
            numbers.extend(chain.from_iterable(value))  # weights and counts
            return f"({' + '.join(['{}·{}'] * len(value))})" if value else "0"

        template = _NAME.sub(fill, line).replace(" · ", "·")
        return cls(symbol, in_symbols(line), template, tuple(numbers), result)

    def written(self, digits: int = DIGITS) -> str:
        """The right-hand side with its numbers, rounded to `digits` significant digits."""
        return self.template.format(*(number_text(number, digits) for number in self.numbers))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON; the numbers in full precision."""
        value = None if isnan(self.value) else self.value
        return {"symbol": self.symbol, "formula": self.formula, "written": self.written(17), "value": value}


def in_symbols(line: str) -> str:
    """A line of `formula_lines` with its names as they are."""
    return _NAME.sub(lambda name: f"({name[1]})" if " − " in name[1] else name[1], line)


def number_text(number: float, digits: int = DIGITS) -> str:
    """A number as text for people; a dash for NaN."""
    return "–" if isnan(number) else f"{number:.{digits}g}"


def formula_steps(scored: ScoreBreakdown, parameters: Parameters) -> tuple[Step, ...]:
    """The lines from the statistics of `scored` to its score, in units of one word of weight 1."""
    statistics, unit = scored.statistics, scored.unit
    sums = FORMULA.weighted_sums(statistics, parameters.delta, parameters.weights)
    terms = [term for term in FORMULA.fault_terms(statistics, parameters) if term.penalty]
    order = {} if statistics.order is None else statistics.order._asdict()
    values: dict[str, Any] = {
        **named_numbers(parameters),
        "P": scored.precision,
        "R": scored.recall,
        "Fmean": scored.f_mean,
        "penalized chunks": statistics.penalized_chunks,
        **{name.replace("_", " "): count for name, count in order.items()},
        **{name: getattr(scored, name) for name in ("fragmentation", "crossing", "penalty", "score")},
        "total": FORMULA.total(statistics, scored.fragmentation, parameters),
        **{term.parameter: term.penalty for term in terms},
    }
    own: dict[str, dict[str, Any]] = {
        name: {"price": price, share.named: amount, share.whole: whole}
        for name, share, amount, whole, price, _ in terms
    }
    for side in ("hypothesis", "reference"):
        function, letter = getattr(statistics, f"{side}_function_words"), side[0]
        values |= {
            f"c{letter}": (getattr(statistics, f"{side}_length") - function) / unit,
            f"f{letter}": function / unit,
            f"m{letter}": getattr(statistics, f"{side}_matches"),
            f"L{letter}": getattr(sums, f"{side}_length") / unit,
            f"M{letter}": getattr(sums, f"{side}_matches") / unit,
        }
        own[f"M{letter}"] = {
            f"Σ w·{kind}": [
                (weight, count / unit)
                for weight, stage in zip(parameters.weights, statistics.stages, strict=True)
                if (count := getattr(stage, f"{side}_{kind}"))
            ]
            for kind in ("content", "function")
        }
    lines = formula_lines(parameters, [term.parameter for term in terms])
    return tuple(Step.of(symbol, line, values | own.get(symbol, {}), values[symbol]) for symbol, line in lines)


def mean_step(scores: tuple[float, ...], value: float) -> Step:
    """The last line if the mean of several references counts."""
    template = f"({' + '.join(['{}'] * len(scores))}) / {len(scores)}"
    return Step("mean", "mean of the references", template, scores, value)


@frozen
class PenalizedFault(Tabular):
    """A kind of fault that lowers the score.

    Attributes:
        name: name of its parameter, such as ``omission``.
        description: the fault in a few words.
        penalty: what it adds to the sum of the penalties.
        places: the words of each occurrence; empty for faults of whole segments (``excess``, ``start``).
    """

    _columns = "name description penalty places"

    name: str
    description: str
    penalty: float
    places: tuple[FaultPlace, ...]

    def __str__(self) -> str:
        places = ", ".join(pair_text(place.reference_words, place.hypothesis_words) for place in self.places)
        return f"{self.name} +{self.penalty:.4f}, {self.description}{f': {places}' if places else ''}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self)


@frozen
class FaultPlace(Tabular):
    """The words of one fault, with their positions from 0."""

    _columns = "reference hypothesis reference_words hypothesis_words"

    reference: tuple[int, ...]
    hypothesis: tuple[int, ...]
    reference_words: tuple[str, ...]
    hypothesis_words: tuple[str, ...]


def traits_of(engine: Engine[Any], words: Iterable[str]) -> dict[str, Trait]:
    """Traits of words under the engine's configuration, which decide the faults that they can be part of."""
    negations = engine.identity.config.negations
    find = WordTraits(0, NO_NEGATIONS if negations is None else open_resource("negation words", negations)[0])
    remaining, traits = iter(dict.fromkeys(words)), dict[str, Trait]()
    while some := [*islice(remaining, WORDS_AT_A_TIME)]:
        listed = engine.analyze(some).function
        traits |= {word: find(word, 0, listed=function) for word, function in zip(some, listed, strict=True)}
    return traits


def penalized_faults(
    scored: ScoreBreakdown, alignment: Alignment, parameters: Parameters, traits: Mapping[str, Trait]
) -> tuple[PenalizedFault, ...]:
    """The faults that add to the penalty, in the order of the formula; `traits` has those of every word.

    The segment is scored against the reference of the alignment alone.
    """
    reference, hypothesis = alignment.reference, alignment.hypothesis
    sides = [Side(words, [traits[word] for word in words]) for words in (reference, hypothesis)]
    places: dict[str, list[FaultPlace]] = {}
    for fault in find_faults(sides[0], sides[1], alignment.matches):
        words = (tuple(reference[at] for at in fault.reference), tuple(hypothesis[at] for at in fault.hypothesis))
        places.setdefault(fault.kind, []).append(FaultPlace(fault.reference, fault.hypothesis, *words))
    return tuple(
        PenalizedFault(name, facts.description, term.penalty, tuple(places.get(term.share.counted, ())))
        for term in FORMULA.fault_terms(scored.statistics, parameters)
        if term.penalty
        for name, facts in [(term.parameter, NUMERIC_PARAMETERS[term.parameter])]
    )
